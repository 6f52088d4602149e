// Colour maps: published values, and what tells colours apart.
// Legends of pictures that are drawn without a window.
#include <gtest/gtest.h>

#include <limits>

#include "render/colour_map.h"
#include "render/font_atlas.h"
#include "render/legend.h"

namespace cellscope::render {
namespace {

constexpr float kPi = 3.14159265f;

ColourScale scaleOf(ColourKind kind, float lo = 0, float hi = 1) {
  return {.kind = kind, .lo = lo, .hi = hi};
}

// Published values of OKLab for sRGB primaries (Ottosson 2020): red L 0.628 C 0.2577 h 29.2.
TEST(Colour, OklchMatchesPublishedValues) {
  const Oklch red = toOklch({1, 0, 0}), white = toOklch({1, 1, 1}), blue = toOklch({0, 0, 1});
  EXPECT_NEAR(red.l, 0.6280f, 5e-4);
  EXPECT_NEAR(red.c, 0.2577f, 5e-4);
  EXPECT_NEAR(red.h, 29.23f, 0.1);
  EXPECT_NEAR(white.l, 1, 1e-4);
  EXPECT_NEAR(white.c, 0, 1e-4);
  EXPECT_NEAR(blue.l, 0.4520f, 5e-4);
  EXPECT_NEAR(blue.h, 264.05f, 0.1);
  const Rgb back = fromOklch(toOklch({0.2f, 0.5f, 0.8f}));
  EXPECT_NEAR(back.r, 0.2f, 1e-3);
  EXPECT_NEAR(back.g, 0.5f, 1e-3);
  EXPECT_NEAR(back.b, 0.8f, 1e-3);
}

TEST(Colour, HueWheelHasConstantLightnessAndChroma) {
  const ColourScale s = scaleOf(ColourKind::hueWheel);
  const Oklch first = toOklch(colourOf(s, 0));
  EXPECT_GT(first.c, 0.1f);
  for (int i = 0; i < 360; ++i) {
    const Oklch k = toOklch(colourOf(s, -kPi + static_cast<float>(i) * kPi / 180));
    EXPECT_NEAR(k.l, first.l, 2e-3) << i;
    EXPECT_NEAR(k.c, first.c, 2e-3) << i;
  }
  const Rgb a = colourOf(s, -kPi + 1e-4f), b = colourOf(s, kPi - 1e-4f);
  EXPECT_NEAR(a.r, b.r, 2e-3);  // no seam
  EXPECT_NEAR(a.g, b.g, 2e-3);
}

// Lines, rings and edges; the larger bodies of particles have the whole map.
TEST(Colour, WhatIsThinStandsOutFromTheBackground) {
  for (const bool dark : {true, false}) {
    const Paint paint = dark ? Paint::thinOnDark : Paint::thinOnLight;
    const Rgb ground = backgroundColour(dark);
    for (const ColourKind kind : {ColourKind::plain, ColourKind::sequential, ColourKind::diverging,
                                  ColourKind::hueWheel, ColourKind::categorical})
      for (int i = 0; i <= 40; ++i) {
        const bool categories = kind == ColourKind::categorical;
        const ColourScale scale = scaleOf(kind, -3, 3);
        const float value =
            categories ? static_cast<float>(i) : -3 + 6 * static_cast<float>(i) / 40;
        EXPECT_GE(contrastOf(colourOf(scale, value, paint), ground), 2.97f)
            << dark << " " << static_cast<int>(kind) << " " << value;
      }
    for (const MarkLook& look : kMarks) {
      ColourScale scale{.marks = {look.mark}};
      const Rgb colour = colourOf(scale, 0, paint), full = colourOf(scale, 0);
      EXPECT_GE(contrastOf(colour, ground), 2.97f) << look.name;
      if (contrastOf(full, ground) >= 3) {
        EXPECT_EQ(colour, full) << look.name;
      }
      EXPECT_NEAR(toOklch(colour).h, toOklch(full).h, 4) << look.name << " keeps its hue";
    }
    const ColourScale map = scaleOf(ColourKind::sequential);
    float last = -1;
    for (int i = 0; i <= 40; ++i) {
      const float l = toOklch(colourOf(map, static_cast<float>(i) / 40, paint)).l;
      EXPECT_GT(l, last) << "lightness still tells values apart";
      last = l;
    }
  }
}

TEST(Colour, BodiesKeepFullColours) {
  ColourScale scale = scaleOf(ColourKind::sequential);
  for (const bool dark : {true, false}) {
    const Paint area = dark ? Paint::area : Paint::areaOnLight;
    const Paint thin = dark ? Paint::thinOnDark : Paint::thinOnLight;
    EXPECT_EQ(paintOf(Primitive::points, scale, dark), area);
    EXPECT_EQ(paintOf(Primitive::cells, scale, dark), area);
    EXPECT_EQ(paintOf(Primitive::lines, scale, dark), thin);
    EXPECT_EQ(paintOf(Primitive::boxes, scale, dark), thin);
    scale.marks = {Mark::setA, Mark::setB};
    EXPECT_EQ(paintOf(Primitive::boxes, scale, dark), area) << "filled";
    scale.marks = {Mark::leaf, Mark::opened};
    EXPECT_EQ(paintOf(Primitive::boxes, scale, dark), thin) << "some are not";
    scale.marks = {Mark::partner};
    EXPECT_EQ(paintOf(Primitive::points, scale, dark), thin) << "a ring";
    scale.marks.clear();
  }
}

// White is 1.16 times as light as the yellow end of the map for dark ground.
TEST(Colour, BodiesAreSeenOnLightGround) {
  for (const ColourKind kind : {ColourKind::sequential, ColourKind::diverging}) {
    const ColourScale scale = scaleOf(kind, -3, 3);
    for (int i = 0; i <= 40; ++i) {
      const float value = -3 + 6 * static_cast<float>(i) / 40;
      EXPECT_GE(contrastOf(colourOf(scale, value, Paint::areaOnLight), backgroundColour(false)),
                1.5f)
          << value;
    }
  }
}

TEST(Colour, SequentialLightnessRisesSteadily) {
  const ColourScale s = scaleOf(ColourKind::sequential, -3, 5);
  float last = toOklch(colourOf(s, -3)).l;
  const float step = (toOklch(colourOf(s, 5)).l - last) / 100;
  EXPECT_GT(step, 0.004f);
  for (int i = 1; i <= 100; ++i) {
    const float l = toOklch(colourOf(s, -3 + 8 * static_cast<float>(i) / 100)).l;
    EXPECT_NEAR(l - last, step, 0.25f * step) << i;
    last = l;
  }
  const Rgb below = colourOf(s, -100), lowest = colourOf(s, -3);
  EXPECT_EQ(below.r, lowest.r);  // clamped
}

TEST(Colour, DivergingIsNeutralAtZeroEvenForUnequalLimits) {
  const ColourScale s = scaleOf(ColourKind::diverging, -1, 4);
  EXPECT_LT(toOklch(colourOf(s, 0)).c, 0.01f);
  const Oklch minus = toOklch(colourOf(s, -2)), plus = toOklch(colourOf(s, 2));
  EXPECT_NEAR(minus.l, plus.l, 5e-3);
  EXPECT_GT(minus.c, 0.05f);
  EXPECT_NEAR(minus.h, 250, 3);
  EXPECT_NEAR(plus.h, 55, 3);
}

// Up to ten categories (numbers of neighbours) are distinguishable.
TEST(Colour, TenCategoriesDiffer) {
  const ColourScale scale = scaleOf(ColourKind::categorical);
  for (int a = 0; a < 10; ++a)
    for (int b = 0; b < a; ++b) {
      const Rgb x = colourOf(scale, static_cast<float>(a)),
                y = colourOf(scale, static_cast<float>(b));
      EXPECT_GT(std::hypot(x.r - y.r, x.g - y.g, x.b - y.b), 0.2f) << a << " " << b;
    }
}

TEST(Colour, UndefinedValuesAreGreyInEveryMap) {
  for (ColourKind kind : {ColourKind::plain, ColourKind::sequential, ColourKind::diverging,
                          ColourKind::hueWheel, ColourKind::categorical})
    for (float v : {std::nanf(""), std::numeric_limits<float>::infinity()})
      EXPECT_LT(toOklch(colourOf(scaleOf(kind), v)).c, 0.03f);
}

TEST(Colour, EmptyRangesAreAllowed) {
  for (ColourKind kind : {ColourKind::sequential, ColourKind::diverging})
    EXPECT_TRUE(std::isfinite(colourOf(scaleOf(kind, 0, 0), 0.3f).r));
}

Image blank() { return {400, 300, std::vector<std::uint8_t>(400 * 300 * 3, 7)}; }
Image painted(const std::vector<LayerData>& layers, double pixelsPerSigma = 10,
              const Style& style = {}) {
  Image image = blank();
  paintLegend(image, layers, pixelsPerSigma, style);
  return image;
}
LayerData layer(const std::string& title, ColourKind kind, std::size_t count) {
  return {.key = title, .count = count, .scale = {.kind = kind, .title = title}};
}
bool has(const Image& image, const Rgb& c) {
  const auto near = [](std::uint8_t a, float b) {
    return std::abs(static_cast<float>(a) - 255 * b) <= 1.5f;
  };
  for (std::size_t i = 0; i < image.rgb.size(); i += 3)
    if (near(image.rgb[i], c.r) && near(image.rgb[i + 1], c.g) && near(image.rgb[i + 2], c.b))
      return true;
  return false;
}
// Longest row of pixels as bright as ink on the dark theme.
int longestRow(const Image& image) {
  int longest = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0, run = 0; x < image.width; ++x) {
      run = image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))] > 225 ? run + 1 : 0;
      longest = std::max(longest, run);
    }
  return longest;
}

class LegendImage : public testing::Test {
 protected:
  void SetUp() override {
    if (numbersFontFile().empty()) GTEST_SKIP() << "JetBrains Mono is not installed";
  }
};

TEST_F(LegendImage, TheScaleBarIsAsLongAsItSays) {
  for (const auto& [perSigma, pixels] : {std::pair{10.0, 100}, {0.6, 120}, {33.0, 66}}) {
    EXPECT_EQ(longestRow(painted({}, perSigma)), pixels) << perSigma;
  }
}

// Quiet spheres among boxes are smaller than particles are, which is told; disks are not.
TEST(Legend, TellsOfSpheresThatAreDrawnSmaller) {
  LayerData spheres = layer("particles", ColourKind::plain, 5);
  LayerData cells = layer("cells", ColourKind::sequential, 5);
  cells.primitive = Primitive::boxes, cells.explains = true;
  EXPECT_EQ(legendParts({spheres, cells}, true, true, 3).at(0).note,
            "particles at 0.4 of their size");
  EXPECT_EQ(legendParts({spheres, cells}, true, true, 2).at(0).note, "");
  EXPECT_EQ(legendParts({spheres, cells}, true, false, 3).at(0).note, "");
}

TEST_F(LegendImage, BarsAndEntriesHaveTheColoursOfTheirLayers) {
  LayerData speed = layer("speed", ColourKind::sequential, 5);
  LayerData sets = layer("sets", ColourKind::categorical, 5);
  sets.primitive = Primitive::boxes;
  sets.scale.categories = {"a", "b"};
  sets.scale.marks = {Mark::setA, Mark::setB};
  const Image image = painted({speed, sets});
  EXPECT_TRUE(has(image, colourOf(speed.scale, 0.5f)));
  EXPECT_TRUE(has(image, colourOf(sets.scale, 0)));
  EXPECT_TRUE(has(image, colourOf(sets.scale, 1)));
}

// Of lines on the light theme the picture leaves out the yellow end, and so does the legend.
TEST_F(LegendImage, LegendsHaveTheColoursOfTheTheme) {
  LayerData speed = layer("speed", ColourKind::sequential, 5);
  speed.primitive = Primitive::lines;
  Style light{.dark = false};
  const Image image = painted({speed}, 10, light);
  EXPECT_TRUE(has(image, colourOf(speed.scale, 0.5f, Paint::thinOnLight)));
  EXPECT_FALSE(has(image, colourOf(speed.scale, 0.95f)));
}

// At values of 1, 2 or 5, where they are on the bar; of counts at whole numbers.
TEST_F(LegendImage, TicksStandAtRoundValues) {
  const auto ticksAt = [](float hi, bool whole, const std::vector<double>& values) {
    LayerData speed = layer("speed", ColourKind::sequential, 5);
    speed.scale.hi = hi;
    speed.scale.whole = whole;
    const Image image = painted({speed}, 0);
    int rows = 0;
    for (int y = 0; y < image.height; ++y) {
      bool all = true;
      for (const double v : values) {
        const int x =
            20 + static_cast<int>(std::lround(std::min(v / static_cast<double>(hi) * 190, 189.0)));
        all = all && image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))] > 225;
      }
      rows += all;
    }
    return rows;
  };
  EXPECT_GE(ticksAt(3.55f, false, {0, 1, 2, 3}), 3);
  EXPECT_LT(ticksAt(3.55f, false, {0, 0.888, 1.775, 2.66}), 3) << "not at quarters";
  EXPECT_GE(ticksAt(2, false, {0.5, 1, 1.5}), 3);
  EXPECT_LT(ticksAt(2, true, {0.5, 1, 1.5}), 3);
  EXPECT_GE(ticksAt(2, true, {0, 1}), 3);
}

// Six hexagons around the wheel, each in the colour of its orientation.
TEST_F(LegendImage, OrientationIsAWheelOfHexagons) {
  // Rows from the first to the last that has the colour of this phase.
  const auto rows = [](const Image& image, const Rgb& c) {
    int first = image.height, last = -1;
    for (int y = 0; y < image.height; ++y) {
      const Image row{
          image.width,
          1,
          {image.rgb.begin() + 3 * y * image.width, image.rgb.begin() + 3 * (y + 1) * image.width}};
      if (has(row, c)) first = std::min(first, y), last = y;
    }
    return last - first;
  };
  LayerData disks = layer("orientation of neighbours, arg psi6, Voronoi", ColourKind::hueWheel, 5);
  ColourScale& scale = disks.scale;
  scale.lo = -3.14159265f, scale.hi = 3.14159265f;
  const Image wheel = painted({disks}, 0);
  for (int k = -2; k <= 3; ++k)
    EXPECT_GE(rows(wheel, colourOf(scale, 3.14159265f / 3 * static_cast<float>(k))), 10) << k;
}

// Categories without a name are left out, and others keep their colours; without any there is no
// title either.
TEST_F(LegendImage, CategoriesWithoutANameAreLeftOut) {
  LayerData types = layer("species", ColourKind::categorical, 5);
  types.scale.categories = {"", "B"};
  const Image image = painted({types});
  EXPECT_FALSE(has(image, colourOf(types.scale, 0)));
  EXPECT_TRUE(has(image, colourOf(types.scale, 1)));
  types.scale.categories = {"", ""};
  EXPECT_EQ(painted({types}).rgb, painted({}).rgb);
}

TEST_F(LegendImage, LayersWithoutInstancesAndTitlesLeaveNoTrace) {
  EXPECT_EQ(painted({}).rgb, painted({layer("speed", ColourKind::sequential, 0),
                                      layer("", ColourKind::sequential, 9)})
                                 .rgb);
  EXPECT_NE(painted({}).rgb, blank().rgb);
}

}  // namespace
}  // namespace cellscope::render
