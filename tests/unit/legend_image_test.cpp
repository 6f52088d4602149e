// Legends of pictures that are drawn without a window.
#include "render/legend_image.h"

#include <gtest/gtest.h>

#include "render/colour_map.h"
#include "render/font_files.h"

namespace cellscope::render {
namespace {

Image blank() {
  Image image{400, 300, std::vector<std::uint8_t>(400 * 300 * 3, 7)};
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
    Image image = blank();
    ASSERT_EQ(paintLegend(image, {}, perSigma, {}), "");
    EXPECT_EQ(longestRow(image), pixels) << perSigma;
  }
}

TEST_F(LegendImage, BarsAndEntriesHaveTheColoursOfTheirLayers) {
  LayerData speed = layer("speed", ColourKind::sequential, 5);
  LayerData sets = layer("sets", ColourKind::categorical, 5);
  sets.primitive = Primitive::boxes;
  sets.scale.categories = {"a", "b"};
  sets.scale.marks = {Mark::setA, Mark::setB};
  Image image = blank();
  ASSERT_EQ(paintLegend(image, {speed, sets}, 10, {}), "");
  EXPECT_TRUE(has(image, colourOf(speed.scale, 0.5f)));
  EXPECT_TRUE(has(image, colourOf(sets.scale, 0)));
  EXPECT_TRUE(has(image, colourOf(sets.scale, 1)));
}

TEST_F(LegendImage, LayersWithoutInstancesAndTitlesLeaveNoTrace) {
  Image without = blank(), with = blank();
  ASSERT_EQ(paintLegend(without, {}, 10, {}), "");
  ASSERT_EQ(
      paintLegend(with,
                  {layer("speed", ColourKind::sequential, 0), layer("", ColourKind::sequential, 9)},
                  10, {}),
      "");
  EXPECT_EQ(without.rgb, with.rgb);
  EXPECT_NE(without.rgb, blank().rgb);
}

}  // namespace
}  // namespace cellscope::render
