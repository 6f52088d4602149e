// Elements of the window's legend, drawn into a list of triangles.
#include <gtest/gtest.h>

#include <cmath>

#include "app/gui/overlays.h"

namespace cellscope::gui {
namespace {

bool inTriangle(ImVec2 p, ImVec2 a, ImVec2 b, ImVec2 c) {
  const auto side = [&](ImVec2 u, ImVec2 v) {
    return (v.x - u.x) * (p.y - u.y) - (v.y - u.y) * (p.x - u.x);
  };
  const float s[] = {side(a, b), side(b, c), side(c, a)};
  const bool negative = s[0] < 0 || s[1] < 0 || s[2] < 0;
  const bool positive = s[0] > 0 || s[1] > 0 || s[2] > 0;
  return !(negative && positive);
}

// By an opaque triangle.
bool isCovered(const ImDrawList& list, ImVec2 p) {
  for (int i = 0; i + 2 < list.IdxBuffer.Size; i += 3) {
    const ImDrawVert* v[3];
    for (int k = 0; k < 3; ++k) v[k] = &list.VtxBuffer[list.IdxBuffer[i + k]];
    const bool opaque = (v[0]->col & v[1]->col & v[2]->col) >> IM_COL32_A_SHIFT == 255;
    if (opaque && inTriangle(p, v[0]->pos, v[1]->pos, v[2]->pos)) return true;
  }
  return false;
}

class LegendParts : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(400, 300);
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    ImGui::NewFrame();
    for (ImFont** font :
         {&shell.fonts.words, &shell.fonts.small, &shell.fonts.numbers, &shell.fonts.smallNumbers})
      *font = ImGui::GetFont();
    shell.colours = &palette(true);
  }
  void TearDown() override {
    ImGui::EndFrame();
    ImGui::DestroyContext();
  }
  Shell shell;
};

// Six closed hexagons, turned by a sixth of their phase: the middle of every edge is drawn, and
// nothing is between them.
TEST_F(LegendParts, OrientationsAreClosedHexagons) {
  LayerData layer;
  ColourScale& scale = layer.scale;
  scale.kind = ColourKind::hueWheel;
  scale.title = "orientation of neighbours, arg psi6";
  scale.lo = -3.14159265f, scale.hi = 3.14159265f;
  shell.scale = 4;
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushClipRectFullScreen();
  const ImVec2 size = wheelSize(shell);
  orientationWheel(shell, layer, ImVec2(0, 0), &list);
  // From the outermost points: the wheel's centre and the hexagons' place and size.
  const float words = textSize(shell.fonts.smallNumbers, "30\xC2\xB0").x;
  const ImVec2 centre(words + shell.px(4 + kHexagonRing + kHexagon), size.y / 2);
  EXPECT_LT(centre.x, size.x);
  for (int k = -2; k <= 3; ++k) {
    const float phase = 3.14159265f / 3 * static_cast<float>(k);
    const ImVec2 at(centre.x + shell.px(kHexagonRing) * std::cos(phase),
                    centre.y - shell.px(kHexagonRing) * std::sin(phase));
    for (int n = 0; n < 6; ++n) {
      const float to = phase / 6 + 3.14159265f / 6 * static_cast<float>(2 * n + 1);
      const float far = shell.px(kHexagon) * std::cos(3.14159265f / 6);
      EXPECT_TRUE(isCovered(list, ImVec2(at.x + far * std::cos(to), at.y - far * std::sin(to))))
          << "hexagon " << k << ", edge " << n;
    }
    EXPECT_FALSE(isCovered(list, at)) << "hexagon " << k << " is hollow";
  }
}

// The legend of the picture, of a video and of a screenshot has the range that was set.
TEST(ShownLayers, HaveTheRangesThatWereSet) {
  Frame frame;
  for (const char* key : {"particles", "cells"}) {
    LayerData layer;
    layer.key = key;
    layer.scale.title = "value";
    frame.layers.push_back(layer);
  }
  const std::vector<LayerData> shown =
      shownLayers(frame, {{rangeKey(frame.layers[1]), {-2, 7}}, {"cells/other", {1, 2}}});
  EXPECT_EQ(shown[0].scale.lo, 0);
  EXPECT_EQ(shown[0].scale.hi, 1);
  EXPECT_EQ(shown[1].scale.lo, -2);
  EXPECT_EQ(shown[1].scale.hi, 7);
}

// Only where the colours are those of the types: other categories are none of the layer's option.
TEST(ShownLayers, HaveNoNamesOfTypesThatAreLeftOut) {
  Frame frame;
  ModeWords mode;
  for (const char* key : {"particles", "others"}) {
    LayerData layer;
    layer.key = key;
    layer.scale.kind = ColourKind::categorical;
    layer.scale.categories = {"A", "B", "C"};
    frame.layers.push_back(layer);
    LayerInfo info;
    info.key = key;
    const bool particles = layer.key == "particles";
    info.options = {
        {LayerOption::Kind::types, "Types", "", 0, 2, {"A", "B", particles ? "C" : "D"}}};
    mode.layers.push_back(info);
  }
  LayerLook look;
  look.types = 0b101;
  const std::vector<LayerData> shown =
      shownLayers(frame, {}, {{"particles", look}, {"others", look}}, mode);
  EXPECT_EQ(shown[0].scale.categories, (std::vector<std::string>{"A", "", "C"}));
  EXPECT_EQ(shown[1].scale.categories, frame.layers[1].scale.categories);
  EXPECT_EQ(shownLayers(frame, {})[0].scale.categories, frame.layers[0].scale.categories);
}

}  // namespace
}  // namespace cellscope::gui
