// Spheres of which nothing can be seen are left out, and nothing of the picture changes.
#include <algorithm>
#include <cstring>
#include <limits>

#include "renderer_fixture.h"
#include "sim/layers/layer_of.h"

namespace cellscope::render::occlusion_test {
namespace {

using namespace test;

constexpr int kSide = 22;  // spheres along an edge
constexpr float kSpacing = 1.04f;

enum class Order { rows, reversed, blocks, shuffled };

// A dense fluid: a cubic lattice, shaken. Values and types repeat.
std::vector<PointInstance> fluid(Order order = Order::blocks) {
  Dice dice(17);
  std::vector<PointInstance> balls;
  for (int i = 0; i < kSide * kSide * kSide; ++i) {
    const int at[3] = {i % kSide, i / kSide % kSide, i / kSide / kSide};
    float x[3];
    for (int a = 0; a < 3; ++a)
      x[a] = (static_cast<float>(at[a]) + 0.5f + 0.6f * (dice() - 0.5f)) * kSpacing;
    balls.push_back({x[0], x[1], x[2], 1, dice(), 0, static_cast<std::uint16_t>(i % 3)});
  }
  if (order == Order::reversed) std::reverse(balls.begin(), balls.end());
  if (order == Order::shuffled)
    for (std::size_t i = balls.size() - 1; i > 0; --i)
      std::swap(balls[i], balls[static_cast<std::size_t>(dice() * static_cast<float>(i + 1))]);
  const auto block = [](const PointInstance& p) {
    const auto part = [](float x) { return static_cast<int>(x / (3 * kSpacing)); };
    return (part(p.z) * 16 + part(p.y)) * 16 + part(p.x);
  };
  if (order == Order::blocks)
    std::stable_sort(balls.begin(), balls.end(),
                     [&](const auto& a, const auto& b) { return block(a) < block(b); });
  return balls;
}

Frame frameOf(const std::vector<PointInstance>& balls) {
  Frame frame;
  frame.box = space(kSide * static_cast<double>(kSpacing));
  frame.layers.push_back(
      layerOf("particles", Primitive::points, balls, {ColourKind::sequential, "v", "", 0, 1}));
  return frame;
}

struct Picture {
  std::vector<std::uint8_t> colour;
  std::vector<float> depth;
  std::optional<std::size_t> kept;
};

class OcclusionTest : public RendererTest {
 protected:
  static constexpr int kWidth = 331, kHeight = 247, kLeft = 19, kBelow = 7;
  const Viewport view{kLeft, kBelow, 300, 233};

  void SetUp() override {
    glCreateRenderbuffers(2, buffers_);
    glNamedRenderbufferStorage(buffers_[0], GL_RGBA8, kWidth, kHeight);
    glNamedRenderbufferStorage(buffers_[1], GL_DEPTH_COMPONENT32F, kWidth, kHeight);
    glCreateFramebuffers(1, &target_);
    glNamedFramebufferRenderbuffer(target_, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, buffers_[0]);
    glNamedFramebufferRenderbuffer(target_, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers_[1]);
  }
  void TearDown() override {
    glDeleteFramebuffers(1, &target_);
    glDeleteRenderbuffers(2, buffers_);
  }
  Camera whole(const Frame& frame) const { return Camera::fit(frame.box, view); }
  Picture drawn(const Camera& camera, Style style, Hidden hidden) {
    style.hidden = hidden;
    glBindFramebuffer(GL_FRAMEBUFFER, target_);
    glDisable(GL_SCISSOR_TEST);
    glDepthMask(GL_TRUE);
    glClearColor(1, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    renderer.draw(camera, view, style);
    Picture p;
    p.colour.resize(4 * kWidth * kHeight);
    p.depth.resize(kWidth * kHeight);
    glReadPixels(0, 0, kWidth, kHeight, GL_RGBA, GL_UNSIGNED_BYTE, p.colour.data());
    glReadPixels(0, 0, kWidth, kHeight, GL_DEPTH_COMPONENT, GL_FLOAT, p.depth.data());
    p.kept = renderer.keptSpheres();
    return p;
  }
  // The share of spheres that was kept.
  double expectSame(const Frame& frame, const Camera& camera, const Style& style,
                    const std::string& what) {
    renderer.upload(frame);
    const Picture all = drawn(camera, style, Hidden::drawn);
    const Picture less = drawn(camera, style, Hidden::leftOut);
    EXPECT_FALSE(all.kept);
    EXPECT_TRUE(less.kept) << what;
    expectEqual(all, less, what);
    RecordProperty(what, std::to_string(share(frame, less)));
    return share(frame, less);
  }
  static double share(const Frame& frame, const Picture& p) {
    return static_cast<double>(p.kept.value_or(0)) / static_cast<double>(frame.layers[0].count);
  }
  static void expectEqual(const Picture& all, const Picture& less, const std::string& what) {
    std::size_t colours = 0, depths = 0, covered = 0;
    // A corner of the picture: neither a sphere nor, as around it, what was there before.
    const std::uint8_t* const background = &all.colour[4 * (kBelow * kWidth + kLeft)];
    for (std::size_t k = 0; k < all.depth.size(); ++k) {
      colours += std::memcmp(&all.colour[4 * k], &less.colour[4 * k], 4) != 0;
      depths += all.depth[k] != less.depth[k];
      covered += std::memcmp(&all.colour[4 * k], background, 4) != 0;
    }
    EXPECT_EQ(colours, 0u) << what;
    EXPECT_EQ(depths, 0u) << what;
    EXPECT_GT(covered, 5u) << what;  // there is something to see
  }

 private:
  GLuint target_ = 0, buffers_[2] = {};
};

TEST_F(OcclusionTest, PicturesAreTheSameInEveryOrderAndProjection) {
  for (const Order order : {Order::rows, Order::reversed, Order::blocks, Order::shuffled})
    for (const bool parallel : {false, true})
      for (const double yaw : {35.0, 215.0}) {
        const Frame frame = frameOf(fluid(order));
        Camera camera = whole(frame);
        camera.orthographic = parallel;
        camera.yaw = yaw;
        const std::string what = std::to_string(static_cast<int>(order)) +
                                 (parallel ? " parallel " : " perspective ") + std::to_string(yaw);
        const double kept = expectSame(frame, camera, {}, what);
        // Seen from where the first are far away, most of a million would be left out; of these
        // few, those in sight and in some pixel behind a silhouette are many.
        EXPECT_LT(kept, yaw < 90 && order != Order::shuffled ? 0.45 : 0.95) << what;
      }
}

TEST_F(OcclusionTest, WhatSlabsAndSelectionsLeaveOutHidesNothing) {
  const Frame frame = frameOf(fluid());
  const double middle = kSide * static_cast<double>(kSpacing) / 2;
  std::vector<std::pair<std::string, Style>> styles(6);
  styles[0].first = "slab";
  styles[0].second.inside.slabs[0] = {{1, 0, 0}, middle, 3};
  styles[1].first = "slabs";
  styles[1].second.inside.slabs[1] = {glm::normalize(glm::dvec3{1, 1, 1}), 12, 9.5};
  styles[1].second.inside.slabs[3] = {{0, 0, 1}, middle, 8};
  for (const Rest rest : {Rest::dimmed, Rest::hidden}) {
    const std::size_t k = rest == Rest::dimmed ? 2 : 4;
    styles[k].first = "types " + std::to_string(k);
    styles[k].second.inside.rest = styles[k + 1].second.inside.rest = rest;
    styles[k].second.inside.types = 0b101;
    styles[k + 1].first = "places " + std::to_string(k);
    styles[k + 1].second.inside.place = {2, middle, middle};
    styles[k + 1].second.inside.radius = 9;
    styles[k + 1].second.inside.boxes = {{{0, 0, 0}, {30, 30, 15}}};
  }
  styles[5].second.inside.slabs[2] = {{0, 1, 0}, middle, 9};
  for (const auto& [what, style] : styles) {
    const double kept = expectSame(frame, whole(frame), style, what);
    EXPECT_LT(kept, 0.9) << what;
    EXPECT_GT(kept, 0.01) << what;
  }
}

TEST_F(OcclusionTest, OtherCamerasAndSizesDrawTheSame) {
  const Frame frame = frameOf(fluid());
  Camera camera = whole(frame);
  Style large;
  large.scale = 2;
  large.shaded = false;
  expectSame(frame, camera, large, "scale");
  for (const bool parallel : {false, true}) {
    camera.orthographic = parallel;
    for (const double distance : {20.0, 6.0, 2.0}) {
      camera.distance = distance;  // the eye is inside the box
      camera.yaw += 100;
      EXPECT_LT(expectSame(frame, camera, {}, "inside " + std::to_string(distance)), 0.8);
    }
  }
  camera = whole(frame);
  camera.target.x += 14;  // a part is beside the picture
  camera.distance /= 2;
  EXPECT_LT(expectSame(frame, camera, {}, "beside"), 0.6);
}

TEST_F(OcclusionTest, OtherSpheresDrawTheSame) {
  std::vector<PointInstance> sizes = fluid(), levels = fluid(), some = fluid();
  for (PointInstance& p : sizes) p.diameter = p.type == 0 ? 0.3f : p.type == 1 ? 1.2f : 3.5f;
  std::size_t k = 0;
  for (PointInstance& p : levels) p.level = static_cast<std::int16_t>(k++ % 7 == 0 ? -1 : k % 4);
  some[100].x = std::numeric_limits<float>::quiet_NaN();
  some[101].diameter = 0;
  some[102].z += 40;  // outside the box
  some[103].z -= 40;
  EXPECT_LT(expectSame(frameOf(sizes), whole(frameOf(sizes)), {}, "sizes"), 0.6);
  const Frame levelled = frameOf(levels);
  EXPECT_LT(expectSame(levelled, whole(levelled), {}, "inactive ones"), 0.6);
  renderer.setLook("particles", {1, 1, 2, 0b011});
  EXPECT_LT(expectSame(levelled, whole(levelled), {}, "levels"), 0.6);
  renderer.setLook("particles", {});
  Frame frame = frameOf(some);
  expectSame(frame, whole(frame), {}, "out of order");
  frame.layers[0].drawn = HostFrameBuffer::of(std::vector<std::uint32_t>{9000});
  expectSame(frame, whole(frame), {}, "counted on the device");
  // A second layer of spheres in and among those, and boxes that make the first one quiet.
  std::vector<PointInstance> others = fluid(Order::reversed);
  for (PointInstance& p : others) p.x += 0.5f, p.y += 4;
  frame.layers.push_back(layerOf("others", Primitive::points, others, {}));
  frame.layers.push_back(layerOf(
      "boxes", Primitive::boxes,
      std::vector<BoxInstance>{{{2, 2, 2}, {9, 9, 30}, 1, 0}, {{9, 2, 2}, {14, 9, 9}, 0, 0}},
      {ColourKind::categorical, "", "", 0, 1, {"a", "b"}}));
  Style quiet;
  quiet.quiet = true;
  expectSame(frame, whole(frame), quiet, "two layers");
}

// One large sphere before many small ones.
TEST_F(OcclusionTest, TheHiddenOnesAreLeftOut) {
  for (const auto& [first, small] : {std::pair{true, 1000}, {false, 1000}, {true, 3}}) {
    std::vector<PointInstance> balls;
    for (int i = 0; i < small; ++i)
      balls.push_back({3.0f + 0.2f * static_cast<float>(i % 10),
                       9.0f + 0.2f * static_cast<float>(i / 10 % 10),
                       9.0f + 0.2f * static_cast<float>(i / 100), 0.4f, 0, 0});
    const auto at = first ? balls.begin() : balls.end();
    PointInstance& large = *balls.insert(at, {14, 10, 10, 8, 0, 0, 1});
    Frame frame = frameOf(balls);
    Camera camera = whole(frame);
    camera.target = {10, 10, 10};
    camera.yaw = camera.pitch = 0;  // from +x
    const auto kept = [&](const Style& style, const std::string& what) {
      frame.layers = frameOf(balls).layers;
      return std::lround(expectSame(frame, camera, style, what) *
                         static_cast<double>(balls.size()));
    };
    EXPECT_EQ(kept({}, "before"), 1);
    Style cut;
    cut.inside.slabs[0] = {{1, 0, 0}, 5, 4};
    EXPECT_GT(kept(cut, "cut"), small / 10 + 1);
    Style others;
    others.inside.types = 0b01;
    others.inside.rest = Rest::dimmed;
    EXPECT_GT(kept(others, "dimmed"), small / 10 + 1);
    large.level = -1;
    EXPECT_GT(kept({}, "inactive"), small / 10 + 1);
    large.level = 0;
    large.x = 0;
    large.diameter = 1;
    EXPECT_GT(kept({}, "behind"), small / 10 + 1);
  }
}

TEST_F(OcclusionTest, FewOrTransparentSpheresAreAllDrawn) {
  const Frame frame = frameOf(fluid());
  renderer.upload(frame);
  EXPECT_FALSE(drawn(whole(frame), {}, Hidden::automatic).kept);  // too few to pay
  renderer.setLook("particles", {0.5f, 0, 32767, ~0u});
  EXPECT_FALSE(drawn(whole(frame), {}, Hidden::leftOut).kept);
}

}  // namespace
}  // namespace cellscope::render::occlusion_test
