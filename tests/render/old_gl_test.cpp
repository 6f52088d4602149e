// What is said where OpenGL is too old. Mesa reads its override once, so this is a program of its
// own.
#include <gtest/gtest.h>

#include <cstdlib>

#include "render/renderer.h"
#include "sim/base/error.h"

namespace cellscope::render {
namespace {

TEST(OldOpenGl, IsRefusedWithBothVersions) {
  setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1);
  try {
    OffscreenContext context;
  } catch (const RunError& e) {
    EXPECT_NE(std::string(e.what()).find("OpenGL 3.3 found, 4.5 needed"), std::string::npos)
        << e.what();
    return;
  }
  GTEST_SKIP() << "this driver cannot be told to offer an older OpenGL";
}

}  // namespace
}  // namespace cellscope::render
