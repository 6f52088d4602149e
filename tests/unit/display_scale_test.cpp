// Text grows on large displays.
#include "app/gui/theme.h"

#include <gtest/gtest.h>

namespace cellscope::gui {
namespace {

TEST(DisplayScale, GrowsWithTheHeightThatTheDesktopDoesNotScale) {
  EXPECT_EQ(displayScale(1, 0), 1);  // not known
  EXPECT_EQ(displayScale(1, 768), 1);
  EXPECT_EQ(displayScale(1, 1080), 1);
  EXPECT_EQ(displayScale(1, 1200), 1);
  EXPECT_EQ(displayScale(1, 1440), 1.25f);
  EXPECT_EQ(displayScale(1, 2160), 2);
  EXPECT_EQ(displayScale(1, 4320), 2);
  EXPECT_EQ(displayScale(2, 2160), 2);           // scaled by the desktop already
  EXPECT_EQ(displayScale(1.25f, 2160), 1.875f);  // 1728 high at that scale: a half more
  EXPECT_EQ(displayScale(2, 4320), 4);
  EXPECT_EQ(displayScale(8, 4320), 4);
}

TEST(DisplayScale, InAPresentationTheSmallestPrintIsReadFromTenMetres) {
  for (float height : {600.f, 720.f, 768.f, 1080.f, 1440.f, 2160.f}) {
    const float print = kSmallestPrint * presentationZoom(height);
    EXPECT_GE(print, 0.02f * height) << height;
    EXPECT_GE(presentationZoom(height), 1.5f);
  }
  EXPECT_FLOAT_EQ(presentationZoom(720), 1.5f);
}

}  // namespace
}  // namespace cellscope::gui
