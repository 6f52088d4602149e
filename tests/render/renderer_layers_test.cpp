// Lines, patterns, rings and periodic images; what a frame may and may not do to the picture.
#include <limits>

#include "renderer_fixture.h"
#include "sim/base/error.h"
#include "sim/layers/layers.h"

namespace cellscope::render {
namespace {

using namespace test;

TEST_F(RendererTest, LinesHaveConstantWidthAtEveryZoomAndScale) {
  Frame frame =
      frameOf(plane(10, 10), {layerOf<LineInstance>("l", {{{0, 5, 0}, {10, 5, 0}, 0, 0}}, {})});
  for (float scale : {1.0f, 2.0f})
    for (double zoom : {1.0, 8.0}) {
      Style style = plain();
      style.scale = scale;
      const Image image = draw(frame, style, 200, 200, zoom);
      const Rgb low = backgroundColour(true), high = accentColour();
      double width = 0;
      for (int y = 0; y < 200; ++y) width += (pixel(image, 100, y).g - low.g) / (high.g - low.g);
      EXPECT_NEAR(width, 0.9 * 2 * scale, 0.08) << scale << " " << zoom;
    }
}

// What is drawn for each set, once all have the same colour: 1 on a mark, 0 beside it.
std::vector<int> marksOf(const Image& image, int from, int to) {
  std::vector<float> light;
  for (int y = from; y < to; ++y)
    for (int x = from; x < to; ++x) {
      const Rgb c = pixel(image, x, y);
      light.push_back(c.r + c.g + c.b);
    }
  const auto [least, most] = std::minmax_element(light.begin(), light.end());
  EXPECT_GT(*most - *least, 0.1f);
  std::vector<int> marks;
  for (const float b : light) marks.push_back(b > (*least + *most) / 2);
  return marks;
}

void expectAllDifferent(const std::vector<Image>& pictures, int from, int to, int least) {
  for (std::size_t a = 0; a < pictures.size(); ++a)
    for (std::size_t b = a + 1; b < pictures.size(); ++b) {
      const auto ma = marksOf(pictures[a], from, to), mb = marksOf(pictures[b], from, to);
      int different = 0;
      for (std::size_t k = 0; k < ma.size(); ++k) different += ma[k] != mb[k];
      EXPECT_GT(different, least) << a << " " << b;
    }
}

// Cells and disks of the four sets differ in what is drawn on them, also where they are small.
TEST_F(RendererTest, MarksTellTheSetsApartWithoutColour) {
  const std::vector<Mark> marks = {Mark::setA, Mark::setB, Mark::setC, Mark::setD};
  const ColourScale sets{ColourKind::categorical, "", "", 0, 3, {}, marks};
  for (const int side : {120, 14}) {
    std::vector<Image> boxes, disks;
    for (int set = 0; set < 4; ++set) {
      Frame frame = frameOf(plane(1, 1));
      const auto value = static_cast<float>(set);
      frame.layers.push_back(layerOf<BoxInstance>("s", {{{0, 0, 0}, {1, 1, 0}, value, 0}}, sets));
      boxes.push_back(draw(frame, plain(), side, side));
      frame.layers = {layerOf<PointInstance>("s", {{0.5f, 0.5f, 0, 1, value, 0}}, sets)};
      disks.push_back(draw(frame, plain(), side, side));
    }
    const int from = side / 3, to = side - from;
    expectAllDifferent(boxes, from, to, side / 10);
    expectAllDifferent(disks, from, to, side / 10);
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
  const ColourScale scale{ColourKind::categorical, "r", "", 0, 0, {"thin"}, {Mark::tested}};
  Frame frame = frameOf(plane(10, 10), {layerOf<PointInstance>("r", {{5, 5, 0, 1, 0, 0}}, scale)});
  frame.layers[0].events = true;
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
  const double per = pixelsPerUnit(frame, 400, 400);
  for (double zoom : {1.0, 6.0})
    EXPECT_NEAR(distance(draw(frame, plain(), 400, 400, zoom)), zoom * per / 2 + 0.75, 0.3) << zoom;
  const float least = lookOf(Mark::tested).leastRadius;
  EXPECT_NEAR(distance(draw(frame, plain(), 400, 400, 0.1)), least + 0.75, 0.3);
  Style faded = plain();
  const auto ink = [&](float opacity) {
    faded.eventOpacity = opacity;
    const Image image = draw(frame, faded, 400, 400);
    double sum = 0;
    for (int x = 200; x < 400; ++x) sum += (pixel(image, x, 200).b - low.b) / (high.b - low.b);
    return sum;
  };
  const double full = ink(1);
  for (float opacity : {0.883f, 0.65f, 0.3f})
    EXPECT_NEAR(ink(opacity), opacity * full, 0.02 * full) << opacity;
  faded.eventOpacity = 0;
  EXPECT_EQ(distance(draw(frame, faded, 400, 400)), 0);
  frame.layers[0].events = false;
  EXPECT_GT(distance(draw(frame, faded, 400, 400)), 10);
}

// A disk in a corner shows at all four corners, faintly; one in the middle only once.
TEST_F(RendererTest, PeriodicImagesShowWhereDisksReachIn) {
  Frame frame =
      frameOf(plane(10, 10),
              {layerOf<PointInstance>("p", {{0.25f, 9.75f, 0, 1, 0, 0}, {5, 5, 0, 1, 0, 0}}, {})});
  Style style = plain();
  const Image without = draw(frame, style, 400, 400);
  style.images = true;
  const Image with = draw(frame, style, 400, 400), near = draw(frame, style, 400, 400, 3);
  const double per = pixelsPerUnit(frame, 400, 400);
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

TEST_F(RendererTest, LevelsAndTypesCanBeHiddenAndLayersFaded) {
  std::vector<BoxInstance> boxes;
  for (int i = 0; i < 4; ++i) {
    const float x = static_cast<float>(i);
    const auto level = static_cast<std::int16_t>(i == 3 ? -1 : i);
    boxes.push_back({{x, 0, 0}, {x + 1, 1, 0}, 0, level, static_cast<std::uint16_t>(i % 2)});
  }
  const Frame frame = frameOf(plane(4, 1), {layerOf("tree", boxes, {})});
  const Image all = draw(frame, plain(), 400, 100);
  renderer.setLook("tree", {1, 1, 1, ~0u});
  const Image one = draw(frame, plain(), 400, 100);
  const auto shows = [](const Image& image, int i) {
    return pixel(image, 70 + 87 * i, 50).b > backgroundColour(true).b + 0.02f;
  };
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(shows(all, i)) << i;
    EXPECT_EQ(shows(one, i), i == 1 || i == 3) << i;
  }
  renderer.setLook("tree", {1, 0, 32767, 0b10});
  const Image odd = draw(frame, plain(), 400, 100);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(shows(odd, i), i % 2 == 1) << i;
  renderer.setLook("tree", {0.5f});
  const float low = backgroundColour(true).b, full = pixel(all, 70, 50).b - low;
  EXPECT_NEAR(pixel(draw(frame, plain(), 400, 100), 70, 50).b - low, full / 2,
              0.02f * full + 0.004f);
  renderer.setLook("tree", {});
  EXPECT_EQ(draw(frame, plain(), 400, 100).rgb, all.rgb);
}

TEST_F(RendererTest, OddFramesAreSaidOrIgnored) {
  Frame frame = hueWheelDisks();
  frame.layers[0].count += 1;
  EXPECT_THROW(renderer.upload(frame), RunError);
  // Particles outside the world are not drawn, and do no harm.
  Frame lost = frameOf(plane(1, 1));
  const float bad = std::nanf(""), far = std::numeric_limits<float>::infinity();
  lost.layers.push_back(layerOf<PointInstance>(
      "p", {{bad, 0, 0, 1, 0, 0}, {0, far, 0, 1, 0, 0}, {0, 0, 0, -1, 0, 0}}, {}));
  expectNear(pixel(draw(lost, plain(), 50, 50), 25, 25), backgroundColour(true), 0.003f, "lost");
  EXPECT_THROW(renderImage(renderer, {}, {}, 0, 10), InputError);
  EXPECT_THROW(renderImage(renderer, {}, {}, 1 << 20, 10), InputError);
}

// Far larger than a driver draws as points, beside one by which the others would be judged.
TEST_F(RendererTest, TheLargestOfAMixtureIsRound) {
  for (const bool spatial : {false, true}) {
    Frame frame = frameOf(spatial ? space(10) : plane(10, 10));
    const float z = spatial ? 5 : 0;
    frame.layers.push_back(
        layerOf<PointInstance>("p", {{5, 5, z, 0.2f, 0, 0}, {5, 5, z, 6, 0, 0}}, {}));
    const Image image = draw(frame, plain(), 900, 900);
    const Rgb background = backgroundColour(true);
    int left = 900, right = 0, lowest = 900, highest = 0;
    double covered = 0;
    for (int y = 0; y < 900; ++y)
      for (int x = 0; x < 900; ++x) {
        const Rgb c = pixel(image, x, y);
        if (std::abs(c.r - background.r) + std::abs(c.g - background.g) < 0.1f) continue;
        left = std::min(left, x), right = std::max(right, x + 1);
        lowest = std::min(lowest, y), highest = std::max(highest, y + 1);
        ++covered;
      }
    const double width = right - left, height = highest - lowest;
    EXPECT_GT(std::min(width, height), 270) << spatial;
    EXPECT_NEAR(covered / (width * height), kPi / 4, 0.02) << spatial;
  }
}

// In a dense liquid nothing would be seen of cells between spheres that touch.
TEST_F(RendererTest, QuietSpheresAreSmallerAmongBoxes) {
  const auto covered = [&](bool quiet, bool explains) {
    Frame frame = frameOf(space(10), {layerOf<PointInstance>("p", {{5, 5, 5, 4, 0, 0}}, {})});
    BoxInstance corner{};
    for (int axis = 0; axis < 3; ++axis) corner.hi[axis] = 0.01f;
    frame.layers.push_back(layerOf("cells", std::vector{corner}, {}));
    frame.layers.back().explains = explains;
    Style style = plain();
    style.quiet = quiet;
    return sumOver(draw(frame, style, 300, 300),
                   [](const Rgb& c) { return std::abs(c.r - backgroundColour(true).r) > 0.05f; });
  };
  const double whole = covered(false, true);
  EXPECT_EQ(covered(true, false), whole) << "nothing explains";
  EXPECT_NEAR(covered(true, true) / whole, 0.4 * 0.4, 0.02);
}

}  // namespace
}  // namespace cellscope::render
