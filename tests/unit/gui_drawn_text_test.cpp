// What panels of the window draw, read back from the glyphs, and elements of its legend, from the
// triangles: without a display.
#include <cstdlib>
#include <regex>

#include "app/gui/panels.h"
#include "app/gui/viewport.h"
#include "render/font_atlas.h"
#include "tests/support/modes.h"
#include "tests/support/runner_tools.h"

namespace cellscope::gui {
namespace {

struct Glyph {
  unsigned code;
  float u1, v1;
};

// The texts of a frame, one below the other, as their glyphs say.
std::string drawnText() {
  std::map<std::pair<float, float>, Glyph> glyphs;
  for (const ImFont* font : ImGui::GetIO().Fonts->Fonts)
    for (const ImFontGlyph& g : font->Glyphs)
      if (g.Visible) glyphs[{g.U0, g.V0}] = {g.Codepoint, g.U1, g.V1};
  std::string text;
  const ImDrawData* data = ImGui::GetDrawData();
  for (int n = 0; n < data->CmdListsCount; ++n) {
    const auto& v = data->CmdLists[n]->VtxBuffer;
    float right = -1e9f, left = 1e9f;
    for (int i = 0; i + 3 < v.Size;) {
      const auto found = glyphs.find({v[i].uv.x, v[i].uv.y});
      if (found == glyphs.end() || found->second.u1 != v[i + 2].uv.x ||
          found->second.v1 != v[i + 2].uv.y) {
        ++i;
        continue;
      }
      const float x = v[i].pos.x, gap = x - right;
      if (x < left || gap > 14 || gap < -8)
        text += '\n';
      else if (gap > 3)
        text += ' ';
      char utf8[5];
      text += ImTextCharToUtf8(utf8, found->second.code);
      left = x, right = v[i + 2].pos.x;
      i += 4;
    }
    text += '\n';
  }
  return text;
}

// Numbers with the hyphen of the keyboard for a minus.
std::vector<std::string> wrongSigns(const std::string& text) {
  static const std::regex wrong(R"((^|[^A-Za-z0-9_./)-])-[0-9.].*|[0-9][eE]-[0-9].*)");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::regex_search(line, wrong)) found.push_back(line);
  return found;
}

class WithoutDisplay : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.DisplaySize = ImVec2(1280, 4000);
    io.DeltaTime = 1.f / 60;
    shell_.colours = &palette(true);
  }
  void TearDown() override { ImGui::DestroyContext(); }
  Shell shell_;
};

class DrawnText : public WithoutDisplay {
 protected:
  void SetUp() override {
    WithoutDisplay::SetUp();
    shell_.fonts = buildFonts(1, 1);
    if (shell_.fonts.builtIn) GTEST_SKIP() << "no fonts with these signs are installed";
    printSymbols(true);
    shell_.log = &log_;
  }

  template <class Draw>
  std::string frame(const Draw& draw) {
    std::string text;
    for (int k = 0; k < 2; ++k) {  // sizes are known a frame later
      ImGui::NewFrame();
      ImGui::SetNextWindowPos(ImVec2(0, 0));
      ImGui::SetNextWindowSize(ImVec2(360, 4000));
      ImGui::Begin("##all", nullptr, ImGuiWindowFlags_NoTitleBar);
      draw();
      ImGui::End();
      ImGui::Render();
      text = drawnText();
    }
    return text;
  }

  EventLog log_;
};

TEST_F(DrawnText, IsReadBackFromItsGlyphs) {
  const std::string raw = frame([] { ImGui::TextUnformatted("grand-canonical -4.5 and 2e-7"); });
  EXPECT_NE(raw.find("grand-canonical -4.5 and 2e-7"), std::string::npos) << raw;
  EXPECT_EQ(wrongSigns(raw).size(), 1u);
  const std::string good = frame([] { put("grand-canonical -4.5 and 2e-7"); });
  EXPECT_NE(good.find("grand-canonical −4.5 and 2e−7"), std::string::npos) << good;
  EXPECT_TRUE(wrongSigns(good).empty());
}

TEST_F(DrawnText, IsLegibleWithoutInstalledTypefaces) {
  setenv("CELLSCOPE_FONTS", "/nowhere", 1);
  shell_.fonts = buildFonts(1, 1);
  unsetenv("CELLSCOPE_FONTS");
  ASSERT_TRUE(shell_.fonts.builtIn);
  printSymbols(false);
  std::string text = frame([] { put("sigma 2–3 … ±0.5"); });
  printSymbols(true);
  std::erase(text, ' ');  // all letters are as wide: gaps between glyphs tell no words
  EXPECT_NE(text.find("sigma2-3...±0.5"), std::string::npos) << text;
}

// On a machine without typefaces labels are still there, with signs of ASCII.
TEST(FontAtlas, HasABuiltInTypeface) {
  useBuiltInTypeface();
  setenv("CELLSCOPE_FONTS", "/nowhere", 1);
  const render::FontAtlas atlas(16);
  const std::string missing = render::missingFonts();
  unsetenv("CELLSCOPE_FONTS");
  EXPECT_NE(missing.find("fonts-inter, fonts-jetbrains-mono"), std::string::npos) << missing;
  ASSERT_FALSE(atlas.empty());
  for (char c = '!'; c <= '~'; ++c) EXPECT_GT(atlas.glyph(c).x1, atlas.glyph(c).x0) << c;
  EXPECT_EQ(atlas.shown("mu = -4.5 … 2–3"), "mu = -4.5 ... 2-3");
}

TEST_F(DrawnText, HasTheMinusSignInEveryNumberOfThePanels) {
  int signs = 0;
  for (const char* name : {"gcmc_dilute", "argon", "hexatic"}) {
    SCOPED_TRACE(name);
    Scenario s = test::shipped(name);
    for (auto& [key, value] : s.parameters)
      if (key == "n") value = std::int64_t{256};
    Runner runner({Backend::cpu, 1, 0}, s);
    shell_.runner = &runner;
    shell_.now = test::await(runner, [](const Publication&) { return true; });
    ASSERT_TRUE(shell_.now);
    shell_.adoptScenario();
    shell_.view.picked = 0;
    runner.setView(shell_.view);
    runner.advance(3 * s.sampleEvery, std::make_shared<std::atomic<bool>>(false));
    shell_.now =
        test::await(runner, [&](const Publication& p) { return p.step >= 3 * s.sampleEvery; });
    ASSERT_TRUE(shell_.now);
    const std::string text = frame([&] {
      playPanel(shell_);
      parametersPanel(shell_);
      if (isPicked(shell_)) particlePanel(shell_);
      plotsPanel(shell_);
      presentationColumn(shell_, ImVec2(400, 0), ImVec2(300, 2000));
    });
    for (const std::string& line : wrongSigns(text)) ADD_FAILURE() << line;
    for (std::size_t at = text.find("−"); at != std::string::npos; at = text.find("−", at + 3))
      ++signs;
    EXPECT_GT(text.size(), 1000u);
  }
  EXPECT_GT(signs, 10);  // or nothing was tested
}

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

class LegendParts : public WithoutDisplay {
 protected:
  void SetUp() override {
    WithoutDisplay::SetUp();
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
    ImGui::NewFrame();
    Fonts& f = shell_.fonts;
    for (ImFont** font : {&f.words, &f.small, &f.numbers, &f.smallNumbers})
      *font = ImGui::GetFont();
  }
  void TearDown() override {
    ImGui::EndFrame();
    WithoutDisplay::TearDown();
  }
};

// Six closed hexagons, turned by a sixth of their phase: the middle of every edge is drawn, and
// nothing is between them.
TEST_F(LegendParts, OrientationsAreClosedHexagons) {
  LayerData layer;
  ColourScale& scale = layer.scale;
  scale.kind = ColourKind::hueWheel;
  scale.title = "orientation of neighbours, arg psi6";
  scale.lo = -3.14159265f, scale.hi = 3.14159265f;
  shell_.scale = 4;
  ImDrawList list(ImGui::GetDrawListSharedData());
  list._ResetForNewFrame();
  list.PushClipRectFullScreen();
  const ImVec2 size = wheelSize(shell_);
  orientationWheel(shell_, layer, ImVec2(0, 0), &list);
  // From the outermost points: the wheel's centre and the hexagons' place and size.
  const float words = textSize(shell_.fonts.smallNumbers, "30\xC2\xB0").x;
  const ImVec2 centre(words + shell_.px(4 + kHexagonRing + kHexagon), size.y / 2);
  EXPECT_LT(centre.x, size.x);
  for (int k = -2; k <= 3; ++k) {
    const float phase = 3.14159265f / 3 * static_cast<float>(k);
    const ImVec2 at(centre.x + shell_.px(kHexagonRing) * std::cos(phase),
                    centre.y - shell_.px(kHexagonRing) * std::sin(phase));
    for (int n = 0; n < 6; ++n) {
      const float to = phase / 6 + 3.14159265f / 6 * static_cast<float>(2 * n + 1);
      const float far = shell_.px(kHexagon) * std::cos(3.14159265f / 6);
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
    frame.layers.push_back({.key = key, .scale = {.title = "value"}});
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
    frame.layers.push_back(
        {.key = key, .scale = {.kind = ColourKind::categorical, .categories = {"A", "B", "C"}}});
    LayerInfo info{.key = key};
    const bool particles = info.key == "particles";
    info.options = {
        {LayerOption::Kind::types, "Types", "", 0, 2, {"A", "B", particles ? "C" : "D"}}};
    mode.layers.push_back(info);
  }
  LayerLook look{.types = 0b101};
  const std::vector<LayerData> shown =
      shownLayers(frame, {}, {{"particles", look}, {"others", look}}, mode);
  EXPECT_EQ(shown[0].scale.categories, (std::vector<std::string>{"A", "", "C"}));
  EXPECT_EQ(shown[1].scale.categories, frame.layers[1].scale.categories);
  EXPECT_EQ(shownLayers(frame, {})[0].scale.categories, frame.layers[0].scale.categories);
}

}  // namespace
}  // namespace cellscope::gui
