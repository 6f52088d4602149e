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
  Image drawn(const Frame& frame) { return RendererTest::drawn(frame, camera, style, kSide); }
  // More than the background at the first places, nothing else at the others.
  void expectSeen(const Image& image, const std::vector<glm::dvec3>& there,
                  const std::vector<glm::dvec3>& bare) {
    for (const glm::dvec3& p : there)
      EXPECT_FALSE(isBackground(at(image, camera, p))) << p.x << ' ' << p.y << ' ' << p.z;
    for (const glm::dvec3& p : bare)
      EXPECT_TRUE(isBackground(at(image, camera, p))) << p.x << ' ' << p.y << ' ' << p.z;
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

  Camera camera = along(kSide, -90);  // from -y: x to the right
  Style style = flat();
};

TEST_F(Inside, SlabsLeaveOutSpheresBeyondThem) {
  const std::vector<glm::vec3> places = {{2, 5, 5}, {5, 5, 5}, {8, 5, 5}};
  const Frame frame = scene(places);
  for (const bool parallel : {false, true}) {
    camera.orthographic = parallel;
    style = flat();
    expectSeen(drawn(frame), {places[0], places[1], places[2]}, {});
    style.inside.slabs[0] = {{1, 0, 0}, 5, 1.5};
    expectSeen(drawn(frame), {places[1]}, {places[0], places[2]});
    style.inside.slabs[3] = {{0, 0, 1}, 8, 1};  // both at once leave nothing
    expectSeen(drawn(frame), {}, {places[1]});
  }
}

TEST_F(Inside, LinesAndBoxesEndAtASlab) {
  const Frame frame =
      frameOf(space(10), {layerOf<LineInstance>("l", {{{1, 5, 5}, {9, 5, 5}, 0, 0}}, {}),
                          layerOf<BoxInstance>("b", {{{1, 4, 6}, {9, 6, 8}, 0, 0}}, {})});
  style.inside.slabs[0] = {{-1, 0, 0}, -7, 3};  // 4 to 10
  expectSeen(drawn(frame), {{4.1, 5, 5}, {5, 5, 5}, {8.5, 5, 5}, {5, 4, 7}, {8, 4, 7}},
             {{1.5, 5, 5}, {2.5, 5, 5}, {3.5, 5, 5}, {3.9, 5, 5}, {2, 4, 7}, {3, 4, 7}});
}

TEST_F(Inside, WithoutPerspectiveDistanceDoesNotMakeSmaller) {
  const Frame frame = scene({{3, 0.5f, 5}, {7, 9.5f, 5}});  // left near, right far from -y
  Image image = drawn(frame);
  EXPECT_GT(widest(image, 0, kSide / 2), widest(image, kSide / 2, kSide) + 5);
  camera.orthographic = true;
  image = drawn(frame);
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
      camera = along(kSide, yaw, 0, parallel);
      const Rgb seen = at(drawn(frame), camera, {5, 5, 5});
      expectNear(seen, colourOf(scale, yaw < 0 ? 1 : 0), 0.02f, parallel ? "parallel" : "eye");
    }
}

TEST_F(Inside, WhatIsNotSelectedIsDimmedOrHidden) {
  // Near the first across the periodic border: the second; the third is far.
  const std::vector<glm::vec3> places = {{0.5f, 5, 3}, {9.6f, 5, 3}, {5, 5, 7}};
  const Frame frame = scene(places);
  const Image all = drawn(frame);
  style.inside.place = {0.5, 5, 3};
  style.inside.radius = 1.2;
  style.inside.rest = Rest::dimmed;
  const Image dimmed = drawn(frame);
  for (const std::size_t i : {0u, 1u})
    expectNear(at(dimmed, camera, places[i]), at(all, camera, places[i]), 0.01f, "selected");
  const Rgb rest = at(dimmed, camera, places[2]), full = at(all, camera, places[2]);
  EXPECT_FALSE(isBackground(rest));
  EXPECT_LT(rest.b, 0.5f * full.b);
  style.inside.rest = Rest::hidden;
  expectSeen(drawn(frame), {}, {places[2]});
  style = flat();
  style.inside.rest = Rest::hidden;
  style.inside.types = 1u << 2;
  expectSeen(drawn(frame), {places[2]}, {places[0]});
}

// Boxes of the simulation box: one layer of cells, the cells of a thread block.
TEST_F(Inside, OnlyParticlesInTheSelectedBoxesRemain) {
  const std::vector<glm::vec3> places = {{1, 5, 2}, {4, 5, 2}, {7, 5, 2}, {9, 5, 8}};
  const Frame frame = scene(places);
  const Image all = drawn(frame);
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{0, 0, 0}, {2, 10, 10}}, {{6, 4, 0}, {8, 6, 4}}};
  const Image image = drawn(frame);
  for (const std::size_t i : {0u, 2u})
    expectNear(at(image, camera, places[i]), at(all, camera, places[i]), 0.01f, "selected");
  expectSeen(image, {}, {places[1], places[3]});
  // As many as there may be: the last one counts.
  style.inside.boxes.assign(kMostSelectedBoxes, {{0, 0, 0}, {0.1, 0.1, 0.1}});
  style.inside.boxes.back() = {{3, 0, 0}, {5, 10, 10}};
  expectSeen(drawn(frame), {places[1]}, {places[0]});
  style.inside.rest = Rest::dimmed;
  const Rgb rest = at(drawn(frame), camera, places[0]);
  EXPECT_FALSE(isBackground(rest));
  EXPECT_LT(rest.b, 0.5f * at(all, camera, places[0]).b);
}

// Cells of other layers, and of other blocks, go with their particles.
TEST_F(Inside, OtherCellsAreDimmedOrHiddenToo) {
  const std::vector<BoxInstance> cells = {{{1, 4, 1}, {9, 6, 3}, 0, 0},
                                          {{1, 4, 6}, {9, 6, 8}, 0, 0}};
  Frame frame = frameOf(space(10), {layerOf("b", cells, {})});
  const auto faces = [&](double z) { return at(drawn(frame), camera, {5, 4, z}); };
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
  camera = Camera::fit(frame.box, kView);
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{2, -1e9, -1e9}, {7, 1e9, 1e9}}};
  expectSeen(drawn(frame), {{4, 3, 0}}, {{8.3, 3, 0}, {0.7, 3, 0}});
}

TEST_F(Inside, BoxesSelectDisksOfAPlaneToo) {
  const std::vector<PointInstance> disks = {{2, 5, 0, 1, 0, 0, 0}, {8, 5, 0, 1, 0, 0, 0}};
  const Frame frame = frameOf(plane(10, 10), {layerOf("p", disks, {ColourKind::plain})});
  camera = Camera::fit(frame.box, kView);
  style.inside.rest = Rest::hidden;
  style.inside.boxes = {{{7, -1e9, -1e9}, {9, 1e9, 1e9}}};
  expectSeen(drawn(frame), {{8, 5, 0}}, {{2, 5, 0}});
}

// Coverage of tiny spheres is summed by another shader.
TEST_F(Inside, TinySpheresObeySlabsAndSelections) {
  std::vector<glm::vec3> places;
  Dice dice(5);
  for (int i = 0; i < 4000; ++i) places.push_back({10 * dice(), 10 * dice(), 10 * dice()});
  Frame frame = scene(places);
  frame.layers.front().diameter = 0.01f;      // drawn by coverage
  style.inside.slabs[0] = {{1, 0, 0}, 2, 2};  // the left part
  expectSeen(drawn(frame), {{1, 5, 5}}, {{8, 5, 5}});
  style.inside.slabs[0] = {};
  style.inside.rest = Rest::hidden;
  style.inside.place = {8, 5, 5};
  style.inside.radius = 1.5;
  expectSeen(drawn(frame), {{8, 5, 5}}, {{2, 5, 5}});
}

}  // namespace
}  // namespace cellscope::render
