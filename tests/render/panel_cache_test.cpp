// Panels kept as a picture: what is shown is what drawing everything again would show.
#include <glad/gl.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui/backends/imgui_impl_opengl3.h>

#include <cstdlib>
#include <functional>
#include <memory>

#include "app/gui/back_buffer.h"
#include "app/gui/panel_cache.h"
#include "render/renderer.h"

namespace cellscope::gui {
namespace {

using render::PixelRect;

constexpr int kWidth = 320, kHeight = 240;
constexpr PixelRect kHole{100, 0, 240, 200};  // where the picture of the particles is
constexpr ImU32 kBackground = IM_COL32(20, 24, 30, 255);

class PanelCacheTest : public testing::Test {
 protected:
  PanelCacheTest() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = ImVec2(kWidth, kHeight);
    ImGui_ImplOpenGL3_Init("#version 450 core");
    glNamedFramebufferTexture(target, GL_COLOR_ATTACHMENT0, canvas, 0);
    cache = std::make_unique<PanelCache>();
  }
  ~PanelCacheTest() override {
    cache.reset();
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
  }

  static void box(const char* name, ImVec2 at, ImVec2 size, const char* words, float opacity = 1) {
    ImGui::SetNextWindowPos(at);
    ImGui::SetNextWindowSize(size);
    ImGui::SetNextWindowBgAlpha(opacity);
    ImGui::Begin(name, nullptr, ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoSavedSettings);
    ImGui::TextUnformatted(words);
    ImGui::End();
  }
  // Columns at both sides, something over the picture.
  static void panels(const char* left, const char* right, const char* over) {
    box("left", ImVec2(0, 0), ImVec2(100, 240), left);
    box("right", ImVec2(240, 0), ImVec2(80, 240), right);
    box("over", ImVec2(120, 30), ImVec2(140, 50), over, 0.5f);
  }

  // The background, and in the hole a picture of this red.
  void paint(float red) const {
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, kWidth, kHeight);
    glDisable(GL_SCISSOR_TEST);
    const ImVec4 b = ImGui::ColorConvertU32ToFloat4(kBackground);
    glClearColor(b.x, b.y, b.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    paintPicture(red);
  }
  static void paintPicture(float red) {
    glEnable(GL_SCISSOR_TEST);
    glScissor(kHole.x0, kHeight - kHole.y1, kHole.x1 - kHole.x0, kHole.y1 - kHole.y0);
    glClearColor(red, 0.5f, 0.3f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
  }
  static std::vector<unsigned char> pixels() {
    std::vector<unsigned char> all(4u * kWidth * kHeight);
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, all.data());
    return all;
  }
  std::vector<unsigned char> shown(float red) {
    paint(red);
    cache->show(false);
    return pixels();
  }
  // Builds a frame, draws all of it, and lets the cache take it; the largest difference.
  int difference(const std::function<void()>& build, float red) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    build();
    ImGui::Render();
    paint(red);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    const std::vector<unsigned char> whole = pixels();
    cache->take(*ImGui::GetDrawData(), kWidth, kHeight, kHole, kBackground);
    const std::vector<unsigned char> kept = shown(red);
    int most = 0;
    for (std::size_t i = 0; i < whole.size(); ++i)
      if (i % 4 < 3) most = std::max(most, std::abs(whole[i] - kept[i]));
    return most;
  }

  static constexpr int kRounding = 3;  // of two blendings instead of one
  render::OffscreenContext context;
  render::GlFramebuffer target = render::makeFramebuffer();
  render::GlTexture canvas{render::makeCanvas(kWidth, kHeight)};
  std::unique_ptr<PanelCache> cache;
};

TEST_F(PanelCacheTest, ShowsEveryChangeAndDrawsOnlyThat) {
  const auto first = [] { panels("one", "two", "three"); };
  for (int i = 0; i < 3; ++i)  // windows have their size after a frame
    EXPECT_LE(difference(first, 0.2f), kRounding) << i;
  EXPECT_EQ(cache->drawnShare(), 0) << "nothing changed";
  EXPECT_LE(difference([] { panels("one", "TWO", "three"); }, 0.2f), kRounding);
  EXPECT_GT(cache->drawnShare(), 0);
  // The right column, with what lies over it and the picture.
  EXPECT_LT(cache->drawnShare(), 0.7);
  EXPECT_LE(difference([] { panels("ONE", "TWO", "three"); }, 0.2f), kRounding);
  EXPECT_LT(cache->drawnShare(), 0.4) << "the left column";
  EXPECT_LE(difference([] { panels("ONE", "TWO", "THREE"); }, 0.2f), kRounding);
}

// Where a window was and is no longer, there is what lies below it.
TEST_F(PanelCacheTest, WindowsThatMoveOrCloseLeaveNothingBehind) {
  const auto with = [](float x) {
    return [x] {
      panels("one", "two", "three");
      box("menu", ImVec2(x, 60), ImVec2(90, 60), "menu");
    };
  };
  for (const float x : {20.f, 150.f, 220.f}) {
    difference(with(x), 0.2f);
    EXPECT_LE(difference(with(x), 0.2f), kRounding) << x;
  }
  EXPECT_LE(difference([] { panels("one", "two", "three"); }, 0.2f), kRounding);
  EXPECT_LE(difference([] { box("left", ImVec2(0, 0), ImVec2(100, 240), "one"); }, 0.2f),
            kRounding);
}

// Between two frames of panels the picture below them changes.
TEST_F(PanelCacheTest, IsShownOverAnyPicture) {
  const auto build = [] { panels("one", "two", "three"); };
  difference(build, 0.2f);
  EXPECT_LE(difference(build, 0.2f), kRounding);
  const std::vector<unsigned char> later = shown(0.9f);
  EXPECT_LE(difference(build, 0.9f), kRounding);
  EXPECT_EQ(later, shown(0.9f));
}

// Where the window keeps the frame before, nothing but changes and the picture are drawn.
TEST_F(PanelCacheTest, DrawsOnlyChangesOverAFrameThatIsKept) {
  const auto build = [this](const char* left) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    panels(left, "two", "three");
    ImGui::Render();
    cache->take(*ImGui::GetDrawData(), kWidth, kHeight, kHole, kBackground);
    glBindFramebuffer(GL_FRAMEBUFFER, target);
    glViewport(0, 0, kWidth, kHeight);
  };
  for (int i = 0; i < 3; ++i) build("one");
  const std::vector<unsigned char> first = shown(0.2f);
  build("ONE");
  paintPicture(0.2f);
  cache->show(true);
  const std::vector<unsigned char> changed = pixels();
  EXPECT_NE(changed, first);
  EXPECT_EQ(changed, shown(0.2f)) << "as if all of it were drawn";
  paint(0.2f);  // the panels are lost
  const std::vector<unsigned char> bare = pixels();
  cache->show(true);
  const std::vector<unsigned char> kept = pixels();
  const auto column = [](const std::vector<unsigned char>& all) {
    std::vector<unsigned char> part;
    for (int y = 0; y < kHeight; ++y)
      part.insert(part.end(), &all[4u * static_cast<unsigned>(y * kWidth)],
                  &all[4u * static_cast<unsigned>(y * kWidth + 90)]);
    return part;
  };
  EXPECT_EQ(column(kept), column(bare)) << "nothing has changed: nothing is drawn";
}

TEST_F(PanelCacheTest, KnowsAFrameThatIsKept) {
  BackBuffer back;
  paint(0.2f);
  EXPECT_FALSE(back.keepsLast()) << "nothing has been marked";
  for (int i = 0; i < 9; ++i) {
    const std::vector<unsigned char> before = pixels();
    back.mark();
    EXPECT_TRUE(back.keepsLast()) << i;
    std::vector<unsigned char> after = pixels();
    for (std::size_t k = 3; k < after.size(); k += 4) after[k] = before[k];
    EXPECT_EQ(after, before) << "no colour changes";
  }
  back.mark();
  paint(0.2f);
  EXPECT_FALSE(back.keepsLast()) << "another frame";
}

TEST(PixelRects, PartsAroundAHoleAndJoinedOnes) {
  const PixelRect whole{0, 0, 10, 10};
  int area = 0;
  for (const PixelRect& r : render::around(whole, {2, 3, 8, 12})) {
    EXPECT_TRUE(render::overlap(r, {2, 3, 8, 12}).empty());
    area += (r.x1 - r.x0) * (r.y1 - r.y0);
  }
  EXPECT_EQ(area, 100 - 6 * 7);
  EXPECT_EQ(render::around(whole, {20, 20, 30, 30}), std::vector<PixelRect>{whole});
  // The third overlaps only with what the first two become.
  const std::vector<PixelRect> one =
      render::joined({{0, 0, 2, 2}, {5, 5, 6, 6}, {1, 1, 4, 5}, {3, 0, 9, 1}, {0, 0, 0, 9}});
  EXPECT_EQ(one, (std::vector<PixelRect>{{0, 0, 9, 5}, {5, 5, 6, 6}}));
}

}  // namespace
}  // namespace cellscope::gui
