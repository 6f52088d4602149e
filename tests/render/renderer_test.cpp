// Pixels against numbers: colours, coverage, geometry and depth.
#include <limits>

#include "renderer_fixture.h"
#include "sim/layers/layers.h"

namespace cellscope::render {
namespace {

using namespace test;

// One flat disk per value in a row; the pixel in its middle must be colourOf(value).
TEST_F(RendererTest, ShaderAndLegendColoursAgree) {
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(-4 + 8 * static_cast<float>(i) / 63);
  values[5] = std::nanf("");
  values[9] = std::numeric_limits<float>::infinity();
  for (ColourKind kind : {ColourKind::plain, ColourKind::sequential, ColourKind::diverging,
                          ColourKind::hueWheel, ColourKind::categorical})
    for (const auto& marks :
         {std::vector<Mark>{}, {Mark::setA, Mark::setB, Mark::setC, Mark::setD}}) {
      const ColourScale scale{kind, "", "", -1.5f, 3, {}, marks};
      std::vector<PointInstance> disks;
      for (std::size_t i = 0; i < values.size(); ++i)
        disks.push_back({static_cast<float>(i) + 0.5f, 0.5f, 0, 1, values[i], 0});
      Frame frame = frameOf(plane(64, 1), {layerOf("p", disks, scale)});
      const Image image = draw(frame, plain(), 64 * 30, 60);
      const double per = pixelsPerUnit(frame, 64 * 30, 60);
      for (std::size_t i = 0; i < values.size(); ++i) {
        // Beside the hatching in the middle of disks of a checkerboard set.
        const int x = static_cast<int>(960 + (static_cast<double>(i) + 0.5 - 32) * per + 9);
        expectNear(pixel(image, x, 34), colourOf(scale, values[i]), 1.6f / 255,
                   std::to_string(static_cast<int>(kind)) + " value " + std::to_string(values[i]));
      }
    }
}

// A disk of this diameter on each of n x n sites.
Frame onSites(int n, float diameter) {
  std::vector<PointInstance> disks;
  for (int i = 0; i < n * n; ++i)
    disks.push_back(
        {static_cast<float>(i % n) + 0.5f, static_cast<float>(i / n) + 0.5f, 0, diameter, 0, 0});
  return frameOf(plane(n, n), {layerOf("p", disks, {})});
}

// Mean linear light of the whole picture: background (1 - coverage) + disk colour * coverage.
TEST_F(RendererTest, TinyDisksKeepTheirCoverage) {
  const int n = 400;
  const float packing = 0.6f;
  const double sizes[] = {400, 130, 60, 30};  // pixels across n lattice sites
  for (double pixels : sizes)
    for (bool dark : {true, false}) {
      const Style style = plain(dark);
      const int side = 480;
      const Image image =
          drawn(onSites(n, std::sqrt(packing * 4 / kPi)), n * side / pixels, style, side);
      double sum = 0, squares = 0;
      const int half = static_cast<int>(pixels / 2) - 3;  // away from the rim
      for (int y = side / 2 - half; y < side / 2 + half; ++y)
        for (int x = side / 2 - half; x < side / 2 + half; ++x) {
          const double g = linearFromSrgb(pixel(image, x, y).g);
          sum += g, squares += g * g;
        }
      const int count = 4 * half * half;
      const double mean = sum / count,
                   spread = std::sqrt(std::max(squares / count - mean * mean, 0.0));
      const double background = linearFromSrgb(backgroundColour(dark).g);
      const double expected =
          background * (1 - packing) + packing * linearFromSrgb(accentColour().g);
      EXPECT_NEAR(mean, expected, 0.012 * expected) << pixels;
      // A lattice of 400 sites across fewer pixels must not beat with them.
      if (pixels < 200) {
        EXPECT_LT(spread, 0.03 * mean) << pixels;
      }
    }
}

// A dilute gas of disks of a quarter of a pixel: each can be seen, and together they stay what they
// are; where they cover more of the box, nothing is enlarged (the tests around this one).
TEST_F(RendererTest, FewTinyDisksCanBeSeen) {
  const int n = 20, side = 400;
  const float spacing = static_cast<float>(side) / n, d = 0.25f / spacing;
  Frame frame = onSites(n, d);
  frame.layers.back().diameter = d;
  const Image image = drawn(frame, n, plain(), side);
  const double low = linearFromSrgb(backgroundColour(true).g),
               high = linearFromSrgb(accentColour().g);
  double brightest = 0;
  const double sum = sumOver(image, [&](const Rgb& c) {
    const double share = (linearFromSrgb(c.g) - low) / (high - low);
    brightest = std::max(brightest, share);
    return share;
  });
  EXPECT_GT(brightest, 0.3);
  EXPECT_LT(sum / (side * side), 0.1);
}

// Disks from below one pixel to many: the same coverage on both sides of each change of method.
TEST_F(RendererTest, CoverageIsContinuousInSize) {
  const int n = 40, side = 400;
  const float packing = 0.5f, d = std::sqrt(packing * 4 / kPi);
  for (double spacing : {0.71, 1.31, 2.03, 2.47, 3.21, 3.67, 4.23, 6.13}) {
    const Image image = drawn(onSites(n, d), side / spacing, plain(), side);
    const bool summed = d * spacing < 3;  // blended in linear light; otherwise in sRGB
    const Rgb low = backgroundColour(true), high = accentColour();
    const double coverage = sumOver(image, [&](const Rgb& c) {
      return summed ? (linearFromSrgb(c.b) - linearFromSrgb(low.b)) /
                          (linearFromSrgb(high.b) - linearFromSrgb(low.b))
                    : (c.b - low.b) / (high.b - low.b);
    });
    const double expected = n * n * packing * spacing * spacing;
    EXPECT_NEAR(coverage / expected, 1, 0.015) << spacing;  // disks up to 5 pixels: no outline
  }
}

TEST_F(RendererTest, InactiveInstancesHaveFifteenPercentOpacity) {
  Frame frame = frameOf(
      plane(3, 1),
      {layerOf<PointInstance>("p", {{0.5f, 0.5f, 0, 1, 0, 0}, {2.5f, 0.5f, 0, 1, 0, -1}}, {})});
  const Image image = draw(frame, plain(), 300, 100);
  const Rgb back = backgroundColour(true), accent = accentColour();
  expectNear(pixel(image, 58, 50), accent, 0.01f, "active");
  const auto mixed = [](float b, float a) { return b + 0.15f * (a - b); };
  expectNear(pixel(image, 242, 50),
             {mixed(back.r, accent.r), mixed(back.g, accent.g), mixed(back.b, accent.b)}, 0.01f,
             "inactive");
}

// Intersecting spheres: which one is in front is decided per pixel, not per particle.
TEST_F(RendererTest, SpheresCutEachOtherAtTheRightDepth) {
  // A large sphere, and a small one that sticks out of it towards the eye.
  const ColourScale scale{ColourKind::categorical, "", "", 0, 1, {"large", "small"}};
  const Frame frame = frameOf(
      space(4), {layerOf<PointInstance>("p", {{2, 2, 2, 2, 0, 0}, {2.7f, 2, 2, 1, 1, 0}}, scale)});
  Camera camera = Camera::fit(frame.box, {0, 0, 400, 400});
  camera.yaw = 0;
  camera.pitch = 0;  // looking along -x
  camera.fieldOfView = 8;
  camera.distance = 30;
  const Image image = drawn(frame, camera, plain(), 400);
  // Spheres x^2 + rho^2 = 1 and (x - 0.7)^2 + rho^2 = 0.25 meet at x = 0.8857.
  const double focal = 200 / std::tan(4 * kPi / 180), x = 1.24 / 1.4;
  const double radius = focal * std::sqrt(1 - x * x) / (30 - x);
  const auto category = [&](double r) {
    const Rgb c = pixel(image, static_cast<int>(200 + r), 200);
    return c.r > c.g ? 1 : 0;  // orange or green
  };
  EXPECT_EQ(category(radius - 1.5), 1);
  EXPECT_EQ(category(radius + 1.5), 0);
  // Flat disks at the depth of their centres would show the small one up to here.
  EXPECT_GT(focal * 0.5 / (30 - 0.7), radius + 2.5);
}

// A sphere far off the axis is drawn as the ellipse that perspective makes of it.
TEST_F(RendererTest, SilhouettesArePerspective) {
  const Camera camera{
      .dimension = 3, .target = {0, 0, 0}, .distance = 5, .yaw = 0, .pitch = 0, .fieldOfView = 60};
  const Image image =
      drawn(frameOf(space(1), {layerOf<PointInstance>("p", {{0, 2.0f, 0, 1, 0, 0}}, {})}), camera,
            plain(), 600);
  const double focal = 300 / std::tan(kPi / 6);
  // Half angle of the cone about the direction at angle t from the axis.
  const double t = std::atan2(2.0, 5.0), a = std::asin(0.5 / std::hypot(2.0, 5.0));
  const double left = 300 + focal * std::tan(t - a), right = 300 + focal * std::tan(t + a);
  int first = 600, last = 0;
  for (int x = 0; x < 600; ++x)
    if (pixel(image, x, 300).b > 0.15f) {
      first = std::min(first, x);
      last = std::max(last, x);
    }
  EXPECT_NEAR(first, left, 1.2);
  EXPECT_NEAR(last + 1, right, 1.2);
}

TEST_F(RendererTest, DisksJustOutsideThePictureStillShow) {
  Frame frame = frameOf(plane(10, 10), {layerOf<PointInstance>("p", {{-0.3f, 5, 0, 1, 0, 0}}, {})});
  for (int side : {100, 400, 1600})  // points, points, corners
    EXPECT_GT(pixel(drawn(frame, 10, plain(), side), 0, side / 2).b, 0.8f) << side;
}

// What a driver lets a shader see at once is limited: larger pictures are drawn in bands, and many
// particles in parts.
TEST_F(RendererTest, PicturesBeyondOneStorageBlockAreWhole) {
  GLint64 most = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  const int width = 4096;
  const auto rows = static_cast<int>(std::min<GLint64>(most / (16 * width), 1 << 20));
  const int height = rows + 400;
  if (height > 12000) GTEST_SKIP() << "this driver takes " << most << " bytes at once";
  std::vector<PointInstance> disks;
  for (int y = 50; y < height; y += 50)
    disks.push_back({width / 2.0f, static_cast<float>(y), 0, 2, 0, 0});
  const Frame frame = frameOf(plane(width, height), {layerOf("p", disks, {})});
  const Image image = draw(frame, plain(), width, height);
  const double per = pixelsPerUnit(frame, width, height);
  for (const PointInstance& d : disks) {
    const int y = static_cast<int>(height / 2.0 - (d.y - height / 2.0) * per);
    const Rgb shown = pixel(image, width / 2, y), background = pixel(image, 10, y);
    EXPECT_GT(std::abs(shown.g - background.g) + std::abs(shown.b - background.b), 0.2f) << y;
  }
}

TEST_F(RendererTest, ParticlesBeyondOneDispatchAreDrawn) {
  std::vector<PointInstance> few;
  for (int i = 0; i < 1000; ++i)
    few.push_back({static_cast<float>(i % 40) + 0.5f, static_cast<float>(i / 40) + 0.5f, 0, 1,
                   static_cast<float>(i), 0});
  std::vector<PointInstance> many((1 << 22) + 5, {0, 0, 0, 0, 0, 0});  // without size: not drawn
  many.insert(many.end(), few.begin(), few.end());
  Frame frame = frameOf(plane(40, 25), {layerOf("p", few, {})});
  const Image expected = draw(frame, plain(), 80, 50);
  frame.layers[0] = layerOf("p", many, {});
  frame.layers[0].diameter = 1;
  EXPECT_EQ(draw(frame, plain(), 80, 50).rgb, expected.rgb);
}

}  // namespace
}  // namespace cellscope::render
