// Text in the scene.
#include "render/font_atlas.h"
#include "render/label_pass.h"
#include "renderer_fixture.h"

namespace cellscope::render {
namespace {

using namespace test;

TEST(LabelLayout, LabelsGiveWayToThoseBefore) {
  LabelLayout layout(200, 100);
  LabelBox first, second, third;
  ASSERT_TRUE(layout.place({100, 50}, {40, 16}, 0, first));
  EXPECT_EQ((first.x0 + first.x1) / 2, 100);
  EXPECT_FALSE(layout.place({110, 52}, {40, 16}, 0, second)) << "taken";
  ASSERT_TRUE(layout.place({75, 50}, {24, 12}, 6, second)) << "beside, where there is room";
  EXPECT_TRUE(second.x1 <= first.x0 || second.x0 >= first.x1 || second.y1 <= first.y0 ||
              second.y0 >= first.y1);
  EXPECT_FALSE(layout.place({195, 50}, {40, 16}, 0, third)) << "outside the picture";
  ASSERT_TRUE(layout.place({195, 50}, {40, 16}, 6, third)) << "to the left of its place";
  EXPECT_LT(third.x1, 195);
}

// Of a label on a side of its own none is left out where there is room farther out on that side.
TEST(LabelLayout, LabelsMoveOutOnTheirSide) {
  for (const glm::vec2 way : {glm::vec2(0), glm::vec2(0, 1)}) {
    LabelLayout layout(200, 200);
    layout.keepFree({0, 0, 200, 120});
    LabelBox box;
    EXPECT_EQ(layout.place({100, 100}, {40, 16}, 8, box, way), way.y > 0);
    if (way.y > 0) {
      EXPECT_EQ(box.y0, 124);
    }
  }
}

// In a room: in its corners, never beyond it; around a ball: below it first.
TEST(LabelLayout, LabelsStayInTheirRoom) {
  LabelLayout layout(200, 200);
  const LabelBox room{20, 20, 100, 100};
  LabelBox box;
  ASSERT_TRUE(layout.placeInCorner(room, {40, 16}, 3, box));
  EXPECT_EQ(box.x0, 23);
  EXPECT_EQ(box.y1, 97);
  for (int k = 0; k < 4; ++k) {
    LabelBox more;
    if (!layout.placeInCorner(room, {40, 16}, 3, more)) break;
    EXPECT_TRUE(more.x0 >= 23 && more.y0 >= 23 && more.x1 <= 97 && more.y1 <= 97);
  }
  EXPECT_FALSE(layout.placeInCorner(room, {76, 16}, 3, box)) << "wider than its room";
  EXPECT_FALSE(layout.placeInMiddle({110, 20, 150, 60}, {36, 16}, 3, box));
  ASSERT_TRUE(layout.placeInMiddle({110, 20, 150, 60}, {30, 16}, 3, box));
  EXPECT_EQ(box.x0 + box.x1, 260);
  ASSERT_TRUE(layout.placeAround({150, 150}, {20, 12}, 14, box));
  EXPECT_EQ(box.y1, 132) << "beyond the square of 4 pixels that the rim lies in";
  LabelLayout kept(200, 200);
  kept.keepFree({90, 90, 260, 260});
  EXPECT_FALSE(kept.place({150, 150}, {20, 12}, 0, box));
}

TEST(FontAtlas, HoldsPrintableAscii) {
  const FontAtlas atlas(16);
  for (char c = '!'; c <= '~'; ++c) {
    const Glyph& g = atlas.glyph(c);
    EXPECT_GT(g.x1, g.x0) << c;
    EXPECT_GT(g.advance, 0) << c;
  }
  EXPECT_FLOAT_EQ(atlas.width("ab"), 2 * atlas.glyph('a').advance) << "digits do not dance";
  EXPECT_EQ(&atlas.glyph('\n'), &atlas.glyph('?'));
}

TEST(FontAtlas, HoldsSymbolsAndDecodesThem) {
  EXPECT_EQ(charactersOf("aσ₆−"), U"aσ₆−");
  EXPECT_EQ(charactersOf("\xCF"), U"?") << "cut off";
  EXPECT_EQ(charactersOf("\x80"
                         "b"),
            U"?b");
  const FontAtlas atlas(16);
  if (!missingFonts().empty()) GTEST_SKIP() << missingFonts();
  for (const char* text : {"αβγεημνπρστφψωΔΛΨΩ", "₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "−≤≥·…°±×"})
    EXPECT_TRUE(atlas.holds(text)) << text;
  EXPECT_FALSE(atlas.holds("漢"));
  EXPECT_EQ(atlas.shown("arg psi6, mu = -4.5 epsilon"), "arg ψ₆, μ = −4.5 ε");
  EXPECT_EQ(atlas.shown("mu 漢"), "mu 漢") << "as it is where a sign is missing";
  EXPECT_EQ(atlas.shown("hard-disk 3-4"), "hard-disk 3-4");
  EXPECT_FLOAT_EQ(atlas.width("σ₆"), atlas.width("ab"));
  EXPECT_NE(atlas.glyph(U'σ').u0, atlas.glyph(U'?').u0);
}

// Labels keep their size when the camera comes nearer, and follow the look of their layer.
TEST_F(RendererTest, LabelsKeepTheirSizeAndCanBeFiltered) {
  Frame frame = frameOf(plane(10, 10));
  std::vector<LabelInstance> texts;
  for (int i = 0; i < 3; ++i) {
    const float at[3] = {2.0f + 3.0f * static_cast<float>(i), 5, 0};
    texts.push_back(labelOf(at, "M" + std::to_string(i)));
    texts.back().level = static_cast<std::int16_t>(i);
    texts.back().type = static_cast<std::uint16_t>(i);
  }
  frame.layers.push_back(layerOf("t", texts, marked(Mark::text)));
  const auto ink = [&](double zoom) {
    return sumOver(draw(frame, plain(), 300, 300, zoom),
                   [](const Rgb& c) { return c.g - backgroundColour(true).g; });
  };
  const double all = ink(1);
  if (numbersFontFile().empty()) GTEST_SKIP() << "JetBrains Mono is not installed";
  EXPECT_EQ(renderer.labelCount("t").shown, 3u);
  EXPECT_GT(all, 20);
  const double near = ink(3);
  EXPECT_EQ(renderer.labelCount("t").shown, 1u) << "the others are out of view";
  EXPECT_NEAR(near, all / 3, 0.2 * all / 3);
  renderer.setLook("t", {1, 1, 2, ~0u});
  ink(1);
  EXPECT_EQ(renderer.labelCount("t").shown, 2u);
  renderer.setLook("t", {1, 0, 32767, 0b001});
  ink(1);
  EXPECT_EQ(renderer.labelCount("t").shown, 1u);
  for (LabelInstance& t : texts) t.at[0] = 5;
  renderer.setLook("t", {});
  frame.layers[0] = layerOf("t", texts, marked(Mark::text));
  ink(1);
  EXPECT_EQ(renderer.labelCount("t").shown, 1u) << "one place for three";
}

// A box that becomes small on the screen has its label on two lines, then half of it, then none.
TEST_F(RendererTest, LabelsOfBoxesAreNeverWiderThanTheBox) {
  std::vector<LabelInstance> texts(2);
  texts[0] = labelOf(BoxInstance{{2, 2, 0}, {8, 8, 0}, 0, 0, 0}, "b2\nt64-95");
  texts[1] = labelOfBall(texts[0].at, 0.5f, "");  // kept free
  const Frame frame = frameOf(plane(10, 10), {layerOf("t", texts, marked(Mark::text))});
  std::size_t before = 1;
  for (const double zoom : {1.0, 0.4, 0.2, 0.02}) {
    draw(frame, plain(), 300, 300, zoom);
    if (numbersFontFile().empty()) GTEST_SKIP() << "JetBrains Mono is not installed";
    const LabelCount count = renderer.labelCount("t");
    EXPECT_EQ(count.all, 1u) << "what is kept free is no label";
    EXPECT_LE(count.shown, before) << zoom;
    before = count.shown;
    if (zoom == 1.0) {
      EXPECT_EQ(count.shown, 1u);
    }
  }
  EXPECT_EQ(before, 0u);
}

// What names a ball stands beside it, from near and far, in the plane and in space.
TEST_F(RendererTest, LabelsOfBallsStandBesideWhatIsKeptFree) {
  for (const Box& box : {plane(10, 10), space(10)}) {
    const float at[3] = {5, 5, box.dimension == 3 ? 5.0f : 0.0f};
    const std::vector texts = {labelOfBall(at, 0.5f, ""), labelOfBall(at, 0.5f, "N = 5")};
    const Frame frame = frameOf(box, {layerOf("t", texts, marked(Mark::text))});
    for (const double zoom : {0.3, 1.0, 3.0}) {
      draw(frame, plain(), 300, 300, zoom);
      if (numbersFontFile().empty()) GTEST_SKIP() << "JetBrains Mono is not installed";
      EXPECT_EQ(renderer.labelCount("t").shown, 1u) << box.dimension << ' ' << zoom;
    }
  }
}

}  // namespace
}  // namespace cellscope::render
