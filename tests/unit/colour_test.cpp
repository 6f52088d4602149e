#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "render/colour_map.h"

namespace cellscope::render {
namespace {

constexpr float kPi = 3.14159265f;

ColourScale scaleOf(ColourKind kind, float lo = 0, float hi = 1) {
  ColourScale s;
  s.kind = kind;
  s.lo = lo;
  s.hi = hi;
  return s;
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
      ColourScale scale;
      scale.marks = {look.mark};
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
  ColourScale scale;
  scale.kind = ColourKind::categorical;
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

}  // namespace
}  // namespace cellscope::render
