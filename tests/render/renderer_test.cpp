// Pixels against numbers: colours, coverage, geometry and depth.
#include "render/renderer.h"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/colour_map.h"
#include "render/oklch.h"
#include "scenes.h"
#include "sim/api/error.h"

namespace cellscope::render {
namespace {

using namespace test;

class RendererTest : public testing::Test {
 protected:
  static Rgb pixel(const Image& image, int x, int y) {
    const std::uint8_t* p = &image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x)];
    return {p[0] / 255.0f, p[1] / 255.0f, p[2] / 255.0f};
  }
  static void expectNear(const Rgb& a, const Rgb& b, float tolerance, const std::string& where) {
    EXPECT_NEAR(a.r, b.r, tolerance) << where;
    EXPECT_NEAR(a.g, b.g, tolerance) << where;
    EXPECT_NEAR(a.b, b.b, tolerance) << where;
  }
  Image draw(const Frame& frame, const Style& style, int width, int height, double zoom = 1) {
    renderer.upload(frame);
    const Viewport view{0, 0, width, height};
    Camera camera = Camera::fit(frame.box, view);
    camera.zoomAbout(view, {width / 2.0, height / 2.0}, zoom);
    return renderImage(renderer, camera, style, width, height);
  }
  static Style plain() {
    Style style;
    style.shaded = false;
    style.drawBoxOutline = false;
    return style;
  }

  OffscreenContext context;
  Renderer renderer{SinkChoice::copy, Backend::cpu};
};

// One flat disk per value in a row; the pixel in its middle must be colourOf(value).
TEST_F(RendererTest, ShaderAndLegendColoursAgree) {
  std::vector<float> values;
  for (int i = 0; i < 64; ++i) values.push_back(-4 + 8 * static_cast<float>(i) / 63);
  values[5] = std::nanf("");
  values[9] = std::numeric_limits<float>::infinity();
  for (ColourKind kind : {ColourKind::plain, ColourKind::sequential, ColourKind::diverging,
                          ColourKind::hueWheel, ColourKind::categorical})
    for (bool checkerboard : {false, true}) {
      ColourScale scale{kind, "", "", -1.5f, 3, {}, checkerboard};
      std::vector<PointInstance> disks;
      for (std::size_t i = 0; i < values.size(); ++i)
        disks.push_back({static_cast<float>(i) + 0.5f, 0.5f, 0, 1, values[i], 0});
      Frame frame;
      frame.box = plane(64, 1);
      frame.layers.push_back(layerOf("p", Primitive::points, disks, scale));
      const Image image = draw(frame, plain(), 64 * 20, 40);
      const Camera camera = Camera::fit(frame.box, {0, 0, 64 * 20, 40});
      const double per = camera.pixelsPerUnit({0, 0, 64 * 20, 40});
      for (std::size_t i = 0; i < values.size(); ++i) {
        const int x = static_cast<int>(640 + (static_cast<double>(i) + 0.5 - 32) * per);
        expectNear(pixel(image, x, 20), colourOf(scale, values[i]), 1.6f / 255,
                   std::to_string(static_cast<int>(kind)) + " value " + std::to_string(values[i]));
      }
    }
}

// Mean linear light of the whole picture: background (1 - coverage) + disk colour * coverage.
TEST_F(RendererTest, TinyDisksKeepTheirCoverage) {
  const int n = 400;
  const float packing = 0.6f;
  const double sizes[] = {400, 130, 60, 30};  // pixels across n lattice sites
  for (double pixels : sizes)
    for (bool dark : {true, false}) {
      Style style = plain();
      style.dark = dark;
      Frame frame;
      frame.box = plane(n, n);
      std::vector<PointInstance> disks;
      const float d = std::sqrt(packing * 4 / kPi);
      for (int i = 0; i < n * n; ++i)
        disks.push_back(
            {static_cast<float>(i % n) + 0.5f, static_cast<float>(i / n) + 0.5f, 0, d, 0, 0});
      frame.layers.push_back(layerOf("p", Primitive::points, disks, {}));
      renderer.upload(frame);
      const int side = 480;
      Camera camera = Camera::fit(frame.box, {0, 0, side, side});
      camera.height = n * side / pixels;
      const Image image = renderImage(renderer, camera, style, side, side);
      double sum = 0, squares = 0;
      int count = 0;
      const int half = static_cast<int>(pixels / 2) - 3;  // away from the rim
      for (int y = side / 2 - half; y < side / 2 + half; ++y)
        for (int x = side / 2 - half; x < side / 2 + half; ++x) {
          const double g = linearFromSrgb(pixel(image, x, y).g);
          sum += g;
          squares += g * g;
          ++count;
        }
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

// Disks from below one pixel to many: the same coverage on both sides of each change of method.
TEST_F(RendererTest, CoverageIsContinuousInSize) {
  const int n = 40, side = 400;
  const float packing = 0.5f, d = std::sqrt(packing * 4 / kPi);
  for (double spacing : {0.71, 1.31, 2.03, 2.47, 3.21, 3.67, 4.23, 6.13}) {
    Frame frame;
    frame.box = plane(n, n);
    std::vector<PointInstance> disks;
    for (int i = 0; i < n * n; ++i)
      disks.push_back(
          {static_cast<float>(i % n) + 0.5f, static_cast<float>(i / n) + 0.5f, 0, d, 0, 0});
    frame.layers.push_back(layerOf("p", Primitive::points, disks, {}));
    renderer.upload(frame);
    Camera camera = Camera::fit(frame.box, {0, 0, side, side});
    camera.height = side / spacing;
    Style style = plain();
    const Image image = renderImage(renderer, camera, style, side, side);
    const bool summed = d * spacing < 3;  // blended in linear light; otherwise in sRGB
    const Rgb low = backgroundColour(true), high = accentColour();
    double coverage = 0;
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        const float v = pixel(image, x, y).b;
        coverage += summed ? (linearFromSrgb(v) - linearFromSrgb(low.b)) /
                                 (linearFromSrgb(high.b) - linearFromSrgb(low.b))
                           : (v - low.b) / (high.b - low.b);
      }
    const double expected = n * n * packing * spacing * spacing;
    EXPECT_NEAR(coverage / expected, 1, 0.015) << spacing;  // disks up to 5 pixels: no outline
  }
}

TEST_F(RendererTest, InactiveInstancesHaveFifteenPercentOpacity) {
  Frame frame;
  frame.box = plane(3, 1);
  frame.layers.push_back(
      layerOf("p", Primitive::points,
              std::vector<PointInstance>{{0.5f, 0.5f, 0, 1, 0, 0}, {2.5f, 0.5f, 0, 1, 0, -1}}, {}));
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
  Frame frame;
  frame.box = space(4);
  // A large sphere, and a small one that sticks out of it towards the eye.
  const ColourScale scale{ColourKind::categorical, "", "", 0, 1, {"large", "small"}};
  frame.layers.push_back(
      layerOf("p", Primitive::points,
              std::vector<PointInstance>{{2, 2, 2, 2, 0, 0}, {2.7f, 2, 2, 1, 1, 0}}, scale));
  Camera camera = Camera::fit(frame.box, {0, 0, 400, 400});
  camera.yaw = 0;
  camera.pitch = 0;  // looking along -x
  camera.fieldOfView = 8;
  camera.distance = 30;
  renderer.upload(frame);
  const Image image = renderImage(renderer, camera, plain(), 400, 400);
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
  Frame frame;
  frame.box = space(1);
  frame.layers.push_back(
      layerOf("p", Primitive::points, std::vector<PointInstance>{{0, 2.0f, 0, 1, 0, 0}}, {}));
  renderer.upload(frame);
  Camera camera;
  camera.dimension = 3;
  camera.target = {0, 0, 0};
  camera.distance = 5;
  camera.yaw = 0;
  camera.pitch = 0;
  camera.fieldOfView = 60;
  const Image image = renderImage(renderer, camera, plain(), 600, 600);
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
  Frame frame;
  frame.box = plane(10, 10);
  frame.layers.push_back(
      layerOf("p", Primitive::points, std::vector<PointInstance>{{-0.3f, 5, 0, 1, 0, 0}}, {}));
  renderer.upload(frame);
  for (int side : {100, 400, 1600}) {  // points, points, corners
    Camera camera = Camera::fit(frame.box, {0, 0, side, side});
    camera.height = 10;
    const Image image = renderImage(renderer, camera, plain(), side, side);
    EXPECT_GT(pixel(image, 0, side / 2).b, 0.8f) << side;
  }
}

TEST_F(RendererTest, LinesHaveConstantWidthAtEveryZoomAndScale) {
  Frame frame;
  frame.box = plane(10, 10);
  frame.layers.push_back(
      layerOf("l", Primitive::lines, std::vector<LineInstance>{{{0, 5, 0}, {10, 5, 0}, 0, 0}}, {}));
  for (float scale : {1.0f, 2.0f})
    for (double zoom : {1.0, 8.0}) {
      Style style = plain();
      style.scale = scale;
      const Image image = draw(frame, style, 200, 200, zoom);
      const Rgb low = backgroundColour(true), high = accentColour();
      double width = 0;
      for (int y = 0; y < 200; ++y) width += (pixel(image, 100, y).g - low.g) / (high.g - low.g);
      EXPECT_NEAR(width, 0.9 * 1.5 * scale, 0.08) << scale << " " << zoom;
    }
}

TEST_F(RendererTest, HatchingTellsTheSetsApartWithoutColour) {
  // Same box under the four sets: after removal of the mean colour the patterns still differ.
  std::vector<Image> pictures;
  for (int set = 0; set < 4; ++set) {
    Frame frame;
    frame.box = plane(1, 1);
    ColourScale sets{ColourKind::categorical, "", "", 0, 3, {}, true};
    frame.layers.push_back(layerOf(
        "s", Primitive::boxes,
        std::vector<BoxInstance>{{{0, 0, 0}, {1, 1, 0}, static_cast<float>(set), 0}}, sets));
    pictures.push_back(draw(frame, plain(), 120, 120));
  }
  const auto brightness = [](const Image& i, int x, int y) {
    const Rgb c = pixel(i, x, y);
    return c.r + c.g + c.b;
  };
  const auto marks = [&](const Image& i) {  // 1 on a stripe, 0 between
    std::vector<int> m;
    float least = 9, most = 0;
    for (int pass = 0; pass < 2; ++pass)
      for (int y = 30; y < 90; ++y)
        for (int x = 30; x < 90; ++x) {
          const float b = brightness(i, x, y);
          if (pass == 0) {
            least = std::min(least, b);
            most = std::max(most, b);
          } else {
            m.push_back(b > (least + most) / 2);
          }
        }
    EXPECT_GT(most - least, 0.1f);
    return m;
  };
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      const auto ma = marks(pictures[a]), mb = marks(pictures[b]);
      int different = 0;
      for (std::size_t k = 0; k < ma.size(); ++k) different += ma[k] != mb[k];
      EXPECT_GT(different, 200) << a << " " << b;
    }
}

TEST_F(RendererTest, DrawsOnlyInsideItsViewportAndLeavesStateClean) {
  renderer.upload(hueWheelDisks());
  GLuint colour = 0, framebuffer = 0;
  glCreateRenderbuffers(1, &colour);
  glNamedRenderbufferStorage(colour, GL_RGBA8, 200, 100);
  glCreateFramebuffers(1, &framebuffer);
  glNamedFramebufferRenderbuffer(framebuffer, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, colour);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glClearColor(1, 0, 1, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  const Viewport view{60, 20, 80, 60};
  for (double zoom : {1.0, 0.05, 6.0}) {
    Camera camera = Camera::fit(hueWheelDisks().box, view);
    camera.zoomAbout(view, {40, 30}, zoom);
    renderer.draw(camera, view, {});
    std::vector<std::uint8_t> p(200 * 100 * 4);
    glReadPixels(0, 0, 200, 100, GL_RGBA, GL_UNSIGNED_BYTE, p.data());
    for (int y = 0; y < 100; ++y)
      for (int x = 0; x < 200; ++x) {
        const bool inside = x >= 60 && x < 140 && y >= 20 && y < 80;
        const std::uint8_t* c = &p[4 * (static_cast<std::size_t>(y) * 200 + x)];
        ASSERT_EQ(c[0] == 255 && c[1] == 0 && c[2] == 255, !inside) << x << " " << y;
      }
  }
  GLint bound = 0;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  EXPECT_EQ(bound, static_cast<GLint>(framebuffer));
  for (GLenum state : {GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_BLEND})
    EXPECT_FALSE(glIsEnabled(state)) << state;
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &colour);
}

TEST_F(RendererTest, LayersComeAndGo) {
  Frame full = checkerboardSets(6, -1, 1), bare = full, empty = full;
  bare.layers.pop_back();
  empty.layers.clear();
  const Image with = draw(full, plain(), 100, 100), without = draw(bare, plain(), 100, 100);
  const Image none = draw(empty, plain(), 100, 100);
  EXPECT_NE(with.rgb, without.rgb);
  EXPECT_EQ(draw(full, plain(), 100, 100).rgb, with.rgb);
  EXPECT_EQ(draw(bare, plain(), 100, 100).rgb, without.rgb);
  expectNear(pixel(none, 50, 50), backgroundColour(true), 0.003f, "empty");
}

// A ring leaves the particle free, stays visible when the particle is tiny, and fades with others
// of its kind.
TEST_F(RendererTest, RingsStandAroundTheirParticlesAndEventsFade) {
  Frame frame;
  frame.box = plane(10, 10);
  const ColourScale scale{ColourKind::categorical, "r", "", 0, 1, {"thin", "dashed", "thick"}};
  frame.layers.push_back(
      layerOf("r", Primitive::points, std::vector<PointInstance>{{5, 5, 0, 1, 0, 0}}, scale));
  frame.layers[0].rings = frame.layers[0].events = true;
  const Rgb low = backgroundColour(true), high = colourOf(scale, 0);
  const auto distance = [&](const Image& image) {  // from the centre to the ring, in pixels
    double sum = 0, weighted = 0;
    for (int x = 200; x < 400; ++x) {
      const double ink = std::max(0.0f, (pixel(image, x, 200).b - low.b) / (high.b - low.b));
      sum += ink;
      weighted += ink * (x + 0.5 - 200);
    }
    return sum > 0.1 ? weighted / sum : 0;
  };
  const double per = Camera::fit(frame.box, {0, 0, 400, 400}).pixelsPerUnit({0, 0, 400, 400});
  for (double zoom : {1.0, 6.0})
    EXPECT_NEAR(distance(draw(frame, plain(), 400, 400, zoom)), zoom * per / 2 + 0.75, 0.3) << zoom;
  frame.layers[0].leastRadius = 30;
  EXPECT_NEAR(distance(draw(frame, plain(), 400, 400)), 30.75, 0.3);
  Style faded = plain();
  faded.eventOpacity = 0;
  EXPECT_EQ(distance(draw(frame, faded, 400, 400)), 0);
  frame.layers[0].events = false;
  EXPECT_GT(distance(draw(frame, faded, 400, 400)), 30);
}

// A disk in a corner shows at all four corners, faintly; one in the middle only once.
TEST_F(RendererTest, PeriodicImagesShowWhereDisksReachIn) {
  Frame frame;
  frame.box = plane(10, 10);
  frame.layers.push_back(
      layerOf("p", Primitive::points,
              std::vector<PointInstance>{{0.25f, 9.75f, 0, 1, 0, 0}, {5, 5, 0, 1, 0, 0}}, {}));
  Style style = plain();
  const Image without = draw(frame, style, 400, 400);
  style.images = true;
  const Image with = draw(frame, style, 400, 400), near = draw(frame, style, 400, 400, 3);
  const Viewport view{0, 0, 400, 400};
  const double per = Camera::fit(frame.box, view).pixelsPerUnit(view);
  const auto at = [&](const Image& image, double x, double y) {
    return pixel(image, static_cast<int>(200 + (x - 5) * per),
                 static_cast<int>(200 - (y - 5) * per));
  };
  const Rgb low = backgroundColour(true), high = accentColour();
  const Rgb faint{low.r + 0.35f * (high.r - low.r), low.g + 0.35f * (high.g - low.g),
                  low.b + 0.35f * (high.b - low.b)};
  for (const auto& [x, y] : {std::pair{10.1, 9.75}, {10.1, -0.1}, {0.25, -0.1}, {9.9, 9.9}}) {
    const std::string where = std::to_string(x) + ", " + std::to_string(y);
    expectNear(at(with, x, y), faint, 0.02f, where);
    expectNear(at(without, x, y), low, 0.003f, where);
  }
  expectNear(at(with, 0.25, 9.75), high, 0.01f, "itself");
  for (const auto& [x, y] : {std::pair{5.0, 10.2}, {10.2, 5.0}})
    expectNear(at(with, x, y), low, 0.003f, "no image of the middle");
  EXPECT_EQ(near.rgb, draw(frame, plain(), 400, 400, 3).rgb) << "no border in view";
}

TEST_F(RendererTest, LevelsCanBeHidden) {
  Frame frame;
  frame.box = plane(4, 1);
  std::vector<BoxInstance> boxes;
  for (int i = 0; i < 4; ++i) {
    const float x = static_cast<float>(i), level = i == 3 ? -1.0f : x;
    boxes.push_back({{x, 0, 0}, {x + 1, 1, 0}, 0, level});
  }
  frame.layers.push_back(layerOf("tree", Primitive::boxes, boxes, {}));
  const Image all = draw(frame, plain(), 400, 100);
  renderer.showLevels("tree", 1, 1);
  const Image one = draw(frame, plain(), 400, 100);
  const auto shows = [](const Image& image, int i) {
    return pixel(image, 70 + 87 * i, 50).b > backgroundColour(true).b + 0.02f;
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(shows(all, i)) << i;
    EXPECT_EQ(shows(one, i), i == 1 || i == 3) << i;
  }
  renderer.showAllLevels("tree");
  EXPECT_EQ(draw(frame, plain(), 400, 100).rgb, all.rgb);
}

TEST_F(RendererTest, OddFramesAreSaidOrIgnored) {
  Frame frame = hueWheelDisks();
  frame.layers[0].count += 1;
  EXPECT_THROW(renderer.upload(frame), RunError);
  // Particles that left the world are not drawn, and hurt nobody.
  Frame lost;
  lost.box = plane(1, 1);
  const float bad = std::nanf(""), far = std::numeric_limits<float>::infinity();
  lost.layers.push_back(layerOf(
      "p", Primitive::points,
      std::vector<PointInstance>{{bad, 0, 0, 1, 0, 0}, {0, far, 0, 1, 0, 0}, {0, 0, 0, -1, 0, 0}},
      {}));
  const Image image = draw(lost, plain(), 50, 50);
  expectNear(pixel(image, 25, 25), backgroundColour(true), 0.003f, "lost");
  EXPECT_THROW(renderImage(renderer, {}, {}, 0, 10), InputError);
  EXPECT_THROW(renderImage(renderer, {}, {}, 1 << 20, 10), InputError);
}

}  // namespace
}  // namespace cellscope::render
