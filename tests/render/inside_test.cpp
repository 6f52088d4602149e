// Slices, selections and parallel projection, at pixels whose colour is known.
#include "renderer_fixture.h"
#include "sim/layers/layers.h"

namespace cellscope::render {
namespace {

using namespace test;

constexpr int kSide = 400;
const Viewport kView{0, 0, kSide, kSide};

class Inside : public RendererTest {
 protected:
  // Spheres of diameter 1 in a box of side 10.
  static Frame scene(const std::vector<glm::vec3>& places) {
    std::vector<PointInstance> balls;
    for (std::size_t i = 0; i < places.size(); ++i)
      balls.push_back(
          {places[i].x, places[i].y, places[i].z, 1, 0, 0, static_cast<std::uint16_t>(i)});
    return frameOf(space(10), {layerOf("p", balls, {ColourKind::plain})});
  }
  Image drawn(const Frame& frame, const Camera& camera, const Style& style) {
    return RendererTest::drawn(frame, camera, style, kSide);
  }
  // Pixels of the widest row that are not background, within a part of the columns.
  static int widest(const Image& image, int from, int to) {
    int most = 0;
    for (int y = 0; y < kSide; ++y) {
      int count = 0;
      for (int x = from; x < to; ++x) count += !isBackground(pixel(image, x, y));
      most = std::max(most, count);
    }
    return most;
  }
};

TEST_F(Inside, SlabsLeaveOutSpheresBeyondThem) {
  const std::vector<glm::vec3> places = {{2, 5, 5}, {5, 5, 5}, {8, 5, 5}};
  const Frame frame = scene(places);
  for (const bool parallel : {false, true}) {
    const Camera camera = along(kSide, -90, 0, parallel);  // from -y: x to the right
    Style style = flat();
    for (const glm::vec3& p : places)
      EXPECT_FALSE(isBackground(at(drawn(frame, camera, style), camera, p))) << p.x;
    style.inside.slabs[0] = {{1, 0, 0}, 5, 1.5};
    const Image one = drawn(frame, camera, style);
    EXPECT_TRUE(isBackground(at(one, camera, places[0])));
    EXPECT_FALSE(isBackground(at(one, camera, places[1])));
    EXPECT_TRUE(isBackground(at(one, camera, places[2])));
    style.inside.slabs[3] = {{0, 0, 1}, 8, 1};  // both at once leave nothing
    EXPECT_TRUE(isBackground(at(drawn(frame, camera, style), camera, places[1])));
  }
}

TEST_F(Inside, LinesAndBoxesEndAtASlab) {
  const Frame frame =
      frameOf(space(10), {layerOf<LineInstance>("l", {{{1, 5, 5}, {9, 5, 5}, 0, 0}}, {}),
                          layerOf<BoxInstance>("b", {{{1, 4, 6}, {9, 6, 8}, 0, 0}}, {})});
  const Camera camera = along(kSide, -90);
  Style style = flat();
  style.inside.slabs[0] = {{-1, 0, 0}, -7, 3};  // 4 to 10
  const Image image = drawn(frame, camera, style);
  for (const double x : {1.5, 2.5, 3.5, 3.9})
    EXPECT_TRUE(isBackground(at(image, camera, {x, 5, 5}))) << x;
  for (const double x : {4.1, 5.0, 8.5}) EXPECT_FALSE(isBackground(at(image, camera, {x, 5, 5})));
  for (const double x : {2.0, 3.0}) EXPECT_TRUE(isBackground(at(image, camera, {x, 4, 7})));
  for (const double x : {5.0, 8.0}) EXPECT_FALSE(isBackground(at(image, camera, {x, 4, 7})));
}

TEST_F(Inside, WithoutPerspectiveDistanceDoesNotMakeSmaller) {
  const Frame frame = scene({{3, 0.5f, 5}, {7, 9.5f, 5}});  // left near, right far from -y
  Camera camera = along(kSide, -90);
  Image image = drawn(frame, camera, flat());
  EXPECT_GT(widest(image, 0, kSide / 2), widest(image, kSide / 2, kSide) + 5);
  camera.orthographic = true;
  image = drawn(frame, camera, flat());
  const double expected = camera.pixelsPerUnit(kView);  // diameter 1
  EXPECT_NEAR(widest(image, 0, kSide / 2), expected, 2);
  EXPECT_NEAR(widest(image, kSide / 2, kSide), expected, 2);
}

TEST_F(Inside, TheNearerSphereHidesTheFartherInBothProjections) {
  const std::vector<PointInstance> balls = {{5, 8, 5, 1, 0, 0, 0}, {5, 2, 5, 1, 1, 0, 0}};
  const ColourScale scale{ColourKind::categorical, "", "", 0, 1, {"far", "near"}};
  const Frame frame = frameOf(space(10), {layerOf("p", balls, scale)});
  for (const bool parallel : {false, true})
    for (const double yaw : {-90.0, 90.0}) {
      const Camera camera = along(kSide, yaw, 0, parallel);
      const Rgb seen = at(drawn(frame, camera, flat()), camera, {5, 5, 5});
      expectNear(seen, colourOf(scale, yaw < 0 ? 1 : 0), 0.02f, parallel ? "parallel" : "eye");
    }
}

TEST_F(Inside, WhatIsNotSelectedIsDimmedOrHidden) {
  // Near the first across the periodic border: the second; the third is far.
  const std::vector<glm::vec3> places = {{0.5f, 5, 3}, {9.6f, 5, 3}, {5, 5, 7}};
  const Frame frame = scene(places);
  const Camera camera = along(kSide, -90);
  Style style = flat();
  const Image all = drawn(frame, camera, style);
  style.inside.place = {0.5, 5, 3};
  style.inside.radius = 1.2;
  style.inside.rest = Rest::dimmed;
  const Image dimmed = drawn(frame, camera, style);
  for (int i : {0, 1}) {
    const glm::vec3 p = places[static_cast<std::size_t>(i)];
    expectNear(at(dimmed, camera, p), at(all, camera, p), 0.01f, "selected");
  }
  const Rgb rest = at(dimmed, camera, places[2]), full = at(all, camera, places[2]);
  EXPECT_FALSE(isBackground(rest));
  EXPECT_LT(rest.b, 0.5f * full.b);
  style.inside.rest = Rest::hidden;
  EXPECT_TRUE(isBackground(at(drawn(frame, camera, style), camera, places[2])));
  style.inside = {};
  style.inside.depthCue = 0;
  style.inside.rest = Rest::hidden;
  style.inside.types = 1u << 2;
  const Image third = drawn(frame, camera, style);
  EXPECT_TRUE(isBackground(at(third, camera, places[0])));
  EXPECT_FALSE(isBackground(at(third, camera, places[2])));
}

// Boxes of the simulation box: one layer of cells, the cells of a thread block.
TEST_F(Inside, OnlyParticlesInTheSelectedBoxesRemain) {
  const std::vector<glm::vec3> places = {{1, 5, 2}, {4, 5, 2}, {7, 5, 2}, {9, 5, 8}};
  const Frame frame = scene(places);
  const Camera camera = along(kSide, -90);
  Style style = flat();
  const Image all = drawn(frame, camera, style);
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{0, 0, 0}, {2, 10, 10}}, {{6, 4, 0}, {8, 6, 4}}};
  Image image = drawn(frame, camera, style);
  for (const int i : {0, 2}) {
    const glm::vec3 p = places[static_cast<std::size_t>(i)];
    expectNear(at(image, camera, p), at(all, camera, p), 0.01f, "selected");
  }
  for (const int i : {1, 3})
    EXPECT_TRUE(isBackground(at(image, camera, places[static_cast<std::size_t>(i)])));
  // As many as there may be: the last one counts.
  style.inside.boxes.assign(kMostSelectedBoxes, {{0, 0, 0}, {0.1, 0.1, 0.1}});
  style.inside.boxes.back() = {{3, 0, 0}, {5, 10, 10}};
  image = drawn(frame, camera, style);
  EXPECT_TRUE(isBackground(at(image, camera, places[0])));
  EXPECT_FALSE(isBackground(at(image, camera, places[1])));
  style.inside.rest = Rest::dimmed;
  const Rgb rest = at(drawn(frame, camera, style), camera, places[0]);
  EXPECT_FALSE(isBackground(rest));
  EXPECT_LT(rest.b, 0.5f * at(all, camera, places[0]).b);
}

// Cells of other layers, and of other blocks, go with their particles.
TEST_F(Inside, OtherCellsAreDimmedOrHiddenToo) {
  const std::vector<BoxInstance> cells = {{{1, 4, 1}, {9, 6, 3}, 0, 0},
                                          {{1, 4, 6}, {9, 6, 8}, 0, 0}};
  Frame frame = frameOf(space(10), {layerOf("b", cells, {})});
  const Camera camera = along(kSide, -90);
  Style style = flat();
  const auto faces = [&](double z) { return at(drawn(frame, camera, style), camera, {5, 4, z}); };
  const Rgb low = faces(2), high = faces(7);
  EXPECT_FALSE(isBackground(low));
  EXPECT_FALSE(isBackground(high));
  style.inside.boxes = {{{-1e9, -1e9, 0}, {1e9, 1e9, 5}}};
  style.inside.rest = Rest::hidden;
  expectNear(faces(2), low, 0.01f, "selected");
  EXPECT_TRUE(isBackground(faces(7)));
  style.inside.rest = Rest::dimmed;
  EXPECT_LT(faces(7).b + faces(7).g, high.b + high.g);
  // In a plane they are found from the pixels.
  frame.box = plane(10, 10);
  frame.layers = {{.key = "c", .primitive = Primitive::cells, .count = 4}};
  frame.layers[0].lattice = CellLattice{{2, 2}, {5, 5}, {2, 0}};
  const Camera flatCamera = Camera::fit(frame.box, kView);
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{2, -1e9, -1e9}, {7, 1e9, 1e9}}};
  const Image image = drawn(frame, flatCamera, style);
  EXPECT_FALSE(isBackground(at(image, flatCamera, {4, 3, 0})));
  EXPECT_TRUE(isBackground(at(image, flatCamera, {8.3, 3, 0})));
  EXPECT_TRUE(isBackground(at(image, flatCamera, {0.7, 3, 0})));
}

TEST_F(Inside, BoxesSelectDisksOfAPlaneToo) {
  const std::vector<PointInstance> disks = {{2, 5, 0, 1, 0, 0, 0}, {8, 5, 0, 1, 0, 0, 0}};
  const Frame frame = frameOf(plane(10, 10), {layerOf("p", disks, {ColourKind::plain})});
  const Camera camera = Camera::fit(frame.box, kView);
  Style style = flat();
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{7, -1e9, -1e9}, {9, 1e9, 1e9}}};
  const Image image = drawn(frame, camera, style);
  EXPECT_TRUE(isBackground(at(image, camera, {2, 5, 0})));
  EXPECT_FALSE(isBackground(at(image, camera, {8, 5, 0})));
}

// Coverage of tiny spheres is summed by another shader.
TEST_F(Inside, TinySpheresObeySlabsAndSelections) {
  std::vector<glm::vec3> places;
  Dice dice(5);
  for (int i = 0; i < 4000; ++i) places.push_back({10 * dice(), 10 * dice(), 10 * dice()});
  Frame frame = scene(places);
  frame.layers.front().diameter = 0.01f;  // drawn by coverage
  const Camera camera = along(kSide, -90);
  Style style = flat();
  style.inside.slabs[0] = {{1, 0, 0}, 2, 2};  // the left part
  const Image left = drawn(frame, camera, style);
  EXPECT_TRUE(isBackground(at(left, camera, {8, 5, 5})));
  EXPECT_FALSE(isBackground(at(left, camera, {1, 5, 5})));
  style.inside.slabs[0] = {};
  style.inside.rest = Rest::hidden;
  style.inside.place = {8, 5, 5};
  style.inside.radius = 1.5;
  const Image right = drawn(frame, camera, style);
  EXPECT_TRUE(isBackground(at(right, camera, {2, 5, 5})));
  EXPECT_FALSE(isBackground(at(right, camera, {8, 5, 5})));
}

}  // namespace
}  // namespace cellscope::render
