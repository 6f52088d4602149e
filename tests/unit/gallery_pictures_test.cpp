// The gallery's pictures: one for each scenario, small in pixels and bytes.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "render/png.h"
#include "sim/run/scenario.h"
#include "test_paths.h"
#include "tests/support/pictures.h"

namespace cellscope {
namespace {

TEST(GalleryPictures, EveryScenarioHasASmallOneThatShowsSomething) {
  std::vector<std::string> refused;
  for (const Scenario& s : gallery(CELLSCOPE_SOURCE_DIR "/assets/scenarios", refused)) {
    SCOPED_TRACE(s.name);
    const auto path = std::filesystem::path(s.path).replace_extension(".png");
    ASSERT_TRUE(std::filesystem::exists(path));
    EXPECT_LT(std::filesystem::file_size(path), 25000u);
    const render::Image image = test::readPng(path.string());
    EXPECT_EQ(image.width, image.height);
    EXPECT_GE(image.width, 180);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
      colours.insert(static_cast<std::uint32_t>(image.rgb[i] << 16 | image.rgb[i + 1] << 8 |
                                                image.rgb[i + 2]));
    EXPECT_GT(colours.size(), 10u);
  }
}

}  // namespace
}  // namespace cellscope
