// What fills boxes: in space the first that the eye meets, at its face or where a slab cuts it; in
// the plane those that hold no others. Text in the scene.
#include "render/label_pass.h"
#include "renderer_fixture.h"
#include "sim/layers/layers.h"

namespace cellscope::render {
namespace {

using namespace test;

constexpr int kWide = 400;
const Viewport kWhole{0, 0, kWide, kWide};

class FilledBoxes : public RendererTest {
 protected:
  static BoxInstance box(glm::vec3 lo, glm::vec3 hi, float value, int level = 0) {
    return {{lo.x, lo.y, lo.z}, {hi.x, hi.y, hi.z}, value, static_cast<std::int16_t>(level), 0};
  }
  static LayerData boxes(const std::vector<BoxInstance>& items, std::vector<Mark> marks) {
    ColourScale scale{ColourKind::categorical, "", "", 0, 1, {"0", "1"}, std::move(marks)};
    return layerOf("b", items, scale);
  }
  static Frame inSpace(const std::vector<BoxInstance>& items,
                       std::vector<Mark> marks = {Mark::setA, Mark::setB}) {
    return frameOf(space(10), {boxes(items, std::move(marks))});
  }
  // From -y, x to the right.
  Rgb at(const Frame& frame, const glm::dvec3& place, const Style& style, bool parallel = false) {
    const Camera camera = along(kWide, -90, 0, parallel);
    return RendererTest::at(drawn(frame, camera, style, kWide), camera, place);
  }
};

// However many boxes lie behind each other, one colour is seen, about half opaque.
TEST_F(FilledBoxes, OnlyTheFirstOfManyIsFilled) {
  const BoxInstance near = box({2, 1, 2}, {8, 3, 8}, 0);
  std::vector<BoxInstance> row = {near};
  for (const float y : {3.f, 5.f, 7.f}) row.push_back(box({2, y, 2}, {8, y + 2, 8}, 1));
  for (const bool parallel : {false, true}) {
    const Rgb one = at(inSpace({near}), {4.6, 1, 4.3}, flat(), parallel);
    const Rgb ground = backgroundColour(true);
    const float share =
        (one.b - ground.b) / (colourOf(inSpace({}).layers[0].scale, 0).b - ground.b);
    EXPECT_GT(share, 0.2f);
    EXPECT_LT(share, 0.7f);
    expectNear(at(inSpace(row), {4.6, 1, 4.3}, flat(), parallel), one, 0.004f, "in front");
    std::reverse(row.begin(), row.end());
    expectNear(at(inSpace(row), {4.6, 1, 4.3}, flat(), parallel), one, 0.004f, "drawn last");
  }
}

TEST_F(FilledBoxes, SlabsShowAPlaneSectionInFullColour) {
  const std::vector<BoxInstance> row = {box({2, 1, 2}, {5, 9, 8}, 0), box({5, 1, 2}, {8, 9, 8}, 1)};
  Style style = flat();
  style.inside.slabs[0] = {{0, 1, 0}, 7.5, 2.5};  // from y = 5 on
  for (const bool parallel : {false, true}) {
    const Rgb a = at(inSpace(row), {3.4, 5, 4.3}, style, parallel);
    const Rgb b = at(inSpace(row), {6.4, 5, 4.3}, style, parallel);
    EXPECT_GT(b.r, a.r + 0.2f) << "orange beside blue";
    const Rgb face = at(inSpace(row), {6.4, 1, 4.3}, flat(), parallel);
    EXPECT_GT(b.r, 1.3f * face.r) << "stronger than a face";
    const Rgb border = at(inSpace(row), {5.02, 5, 4.3}, style, parallel);
    EXPECT_GT(border.r, 1.15f * b.r) << "sections have outlines";
    style.inside.slabs[1] = {{0, 1, 0}, 2, 1};  // and nothing of that
    EXPECT_TRUE(isBackground(at(inSpace(row), {3.4, 5, 4.3}, style, parallel)));
    style.inside.slabs[1] = {};
  }
}

// Spheres in front of faces keep their colour, those behind show through.
TEST_F(FilledBoxes, FacesHideNoSpheres) {
  Frame frame = inSpace({box({2, 4, 2}, {8, 8, 8}, 1)});
  const std::vector<PointInstance> balls = {{3, 2, 3, 1, 0, 0, 0}, {7, 6, 7, 1, 0, 0, 0}};
  frame.layers.insert(frame.layers.begin(), layerOf("p", balls, {}));
  Frame bare = frame;
  bare.layers.pop_back();
  expectNear(at(frame, {3, 1.5, 3}, flat()), at(bare, {3, 1.5, 3}, flat()), 0.004f, "in front");
  const Rgb behind = at(frame, {7, 5.5, 7}, flat()), face = at(frame, {7, 4, 4.5}, flat());
  EXPECT_GT(behind.b, face.b + 0.15f);
}

TEST_F(FilledBoxes, EdgesBehindAFaceAreFaint) {
  const std::vector<BoxInstance> two = {box({3, 6, 3}, {7, 8, 7}, 1), box({1, 1, 1}, {9, 3, 9}, 0)};
  const auto seen = [&](const Frame& frame) { return at(frame, {3, 6, 5}, flat()); };
  const Rgb alone = seen(inSpace({two[0]})), hidden = seen(inSpace(two));
  const Rgb face = seen(inSpace({two[1]}));
  EXPECT_GT(alone.r, 0.6f);
  EXPECT_LT(std::abs(hidden.r - face.r), 0.25f * alone.r);
}

// An inner node of a tree, cells beside a selection, cells of another set.
TEST_F(FilledBoxes, WhatHoldsOthersOrIsInactiveHasNoFaces) {
  BoxInstance whole = box({2, 1, 2}, {8, 9, 8}, 1);
  EXPECT_FALSE(isBackground(at(inSpace({whole}), {4.6, 1, 4.3}, flat())));
  whole.level = -1;
  EXPECT_TRUE(isBackground(at(inSpace({whole}), {4.6, 1, 4.3}, flat())));
  whole.level = 0;
  whole.type = kHoldsBoxes;
  EXPECT_TRUE(isBackground(at(inSpace({whole}), {4.6, 1, 4.3}, flat())));
  const BoxInstance inner = box({4, 4, 4}, {6, 6, 6}, 0);
  const Rgb one = at(inSpace({inner}), {4.8, 4, 4.7}, flat());
  expectNear(at(inSpace({whole, inner}), {4.8, 4, 4.7}, flat()), one, 0.004f, "seen within");
  EXPECT_TRUE(isBackground(
      at(inSpace({box({2, 1, 2}, {8, 9, 8}, 0)}, {Mark::opened}), {4.6, 1, 4.3}, flat())));
}

class InPlane : public FilledBoxes {
 protected:
  static Frame nested(int levels, bool hold, Mark mark = Mark::plain) {
    std::vector<BoxInstance> all;
    for (int i = 0; i < levels; ++i) {
      const float m = 0.4f * static_cast<float>(i);
      all.push_back(box({1 + m, 1 + m, 0}, {9 - m, 9 - m, 0}, 0));
      if (hold && i + 1 < levels) all.back().type = kHoldsBoxes;
    }
    return frameOf(plane(10, 10), {boxes(all, {mark})});
  }
  Rgb middle(const Frame& frame) { return pixel(draw(frame, plain(), 200, 200), 100, 100); }
};

TEST_F(InPlane, FillsOfNestedBoxesDoNotAddUp) {
  const Rgb one = middle(nested(1, false));
  EXPECT_FALSE(isBackground(one));
  expectNear(middle(nested(7, true)), one, 0.004f, "the innermost alone");
  EXPECT_GT(middle(nested(7, false)).g, one.g + 0.1f) << "otherwise they do";
  // Types are selected without the bit.
  BoxInstance typed = box({1, 1, 0}, {9, 9, 0}, 0);
  typed.type = kHoldsBoxes | 1;
  const Frame frame = frameOf(plane(10, 10), {boxes({typed}, {Mark::plain})});
  const auto empty = [&] {
    const Image image = draw(frame, plain(), 200, 200);
    return std::all_of(image.rgb.begin(), image.rgb.end(), [](std::uint8_t c) { return c < 40; });
  };
  EXPECT_FALSE(empty());
  renderer.setLook("b", {1, 0, 32767, 0b01});
  EXPECT_TRUE(empty());
  renderer.setLook("b", {1, 0, 32767, 0b10});
  EXPECT_FALSE(empty());
}

// Along the lower side of a box, as the table of marks says; corners are drawn.
TEST_F(InPlane, OutlinesAreDashedAsTheMarkSays) {
  const double halfSide = 4 * Camera::fit(plane(10, 10), kWhole).pixelsPerUnit(kWhole);
  const auto changes = [&](Mark mark) {
    const Image image = draw(nested(1, false, mark), plain(), kWide, kWide);
    const int half = static_cast<int>(halfSide), y = kWide / 2 + half - 1;
    int n = 0;
    bool last = true;
    for (int x = kWide / 2 - half + 1; x < kWide / 2 + half - 1; ++x) {
      const Rgb c = pixel(image, x, y), inner = pixel(image, kWide / 2, kWide / 2);
      const bool drawn = c.r + c.g + c.b > inner.r + inner.g + inner.b + 0.3f;
      n += drawn != last;
      last = drawn;
    }
    EXPECT_TRUE(last) << "at the corner";
    return n;
  };
  EXPECT_EQ(changes(Mark::leaf), 0);
  EXPECT_NEAR(changes(Mark::skipped), 2 * std::lround(2 * halfSide / lookOf(Mark::skipped).dash),
              2);
}

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
  std::vector<LabelInstance> texts;
  for (int i = 0; i < 3; ++i) {
    const float at[3] = {2.0f + 3.0f * static_cast<float>(i), 5, 0};
    texts.push_back(labelOf(at, "M" + std::to_string(i)));
    texts.back().level = static_cast<std::int16_t>(i);
    texts.back().type = static_cast<std::uint16_t>(i);
  }
  Frame frame = frameOf(plane(10, 10), {layerOf("t", texts, marked(Mark::text))});
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
