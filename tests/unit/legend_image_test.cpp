// Legends of pictures that are drawn without a window.
#include "render/legend.h"

#include <gtest/gtest.h>

#include "render/colour_map.h"
#include "render/font_atlas.h"

namespace cellscope::render {
namespace {

Image blank() { return {400, 300, std::vector<std::uint8_t>(400 * 300 * 3, 7)}; }
Image painted(const std::vector<LayerData>& layers, double pixelsPerSigma = 10,
              const Style& style = {}) {
  Image image = blank();
  paintLegend(image, layers, pixelsPerSigma, style);
  return image;
}
LayerData layer(const std::string& title, ColourKind kind, std::size_t count) {
  LayerData data;
  data.key = title;
  data.count = count;
  data.scale.kind = kind;
  data.scale.title = title;
  return data;
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
  Style light;
  light.dark = false;
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
