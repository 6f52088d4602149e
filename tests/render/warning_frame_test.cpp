#include "render/legend.h"

#include <gtest/gtest.h>

namespace cellscope::render {
namespace {

TEST(WarningFrame, CoversTheEdgesAndNothingElse) {
  Image image{600, 450, std::vector<std::uint8_t>(600 * 450 * 3, 7)};
  paintWarningFrame(image);
  const auto red = [&](int x, int y) {
    const std::uint8_t* p = &image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))];
    return p[0] > 200 && p[1] < 100 && p[2] < 100;
  };
  const auto kept = [&](int x, int y) {
    return image.rgb[static_cast<std::size_t>(3 * (y * image.width + x))] == 7;
  };
  for (int x = 0; x < image.width; ++x) EXPECT_TRUE(red(x, 0) && red(x, 2) && red(x, 449));
  for (int y = 0; y < image.height; ++y) EXPECT_TRUE(red(0, y) && red(2, y) && red(599, y));
  for (int y = 3; y < 447; ++y) EXPECT_TRUE(kept(3, y) && kept(300, y) && kept(596, y));
  Image small{2, 2, std::vector<std::uint8_t>(12, 7)};
  paintWarningFrame(small);
  for (const std::size_t pixel : {0u, 3u, 6u, 9u}) EXPECT_GT(small.rgb[pixel], 200);
}

}  // namespace
}  // namespace cellscope::render
