// What fills boxes: in space the first that the eye meets, at its face or where a slab cuts it; in
// the plane those that hold no others.
#include <algorithm>

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
  const Rgb alone = at(inSpace({two[0]}), {3, 6, 5}, flat());
  const Rgb hidden = at(inSpace(two), {3, 6, 5}, flat());
  const Rgb face = at(inSpace({two[1]}), {3, 6, 5}, flat());
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
  Frame frame = nested(1, false);
  std::vector<BoxInstance> typed = {box({1, 1, 0}, {9, 9, 0}, 0)};
  typed[0].type = kHoldsBoxes | 1;
  frame.layers = {boxes(typed, {Mark::plain})};
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

}  // namespace
}  // namespace cellscope::render
