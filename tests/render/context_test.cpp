// Contexts without a display, and what is said when they cannot be.
#include <cstdlib>

#include "render/gl.h"
#include "render/renderer.h"
#include "render/sinks.h"
#include "sim/base/error.h"
#include "tests/support/message_of.h"

namespace cellscope::render {
namespace {

using cellscope::test::messageOf;

TEST(Context, GivesOpenGl45WithoutADisplay) {
  OffscreenContext context;
  EXPECT_EQ(glDescriptionOfContext().rfind("OpenGL 4.", 0), 0u) << glDescriptionOfContext();
  EXPECT_EQ(glGetError(), static_cast<GLenum>(GL_NO_ERROR));
}

TEST(Context, CanBeMadeAgain) {
  for (int i = 0; i < 3; ++i) {
    OffscreenContext context;
    Renderer renderer(SinkChoice::copy, Backend::cpu);
    EXPECT_STREQ(renderer.sink().path(), "copy");
  }
}

TEST(Context, RendererWithoutContextSaysSo) {
  EXPECT_NE(
      messageOf<RunError>([] { Renderer(SinkChoice::copy, Backend::cpu); }).find("OpenGL 4.5"),
      std::string::npos);
}

// Mesa reads its override once: in a process of its own.
TEST(OldOpenGl, IsRefusedWithBothVersions) {
  setenv("MESA_GL_VERSION_OVERRIDE", "3.3", 1);
  const std::string refusal = messageOf<RunError>([] { OffscreenContext(); });
  if (refusal.empty()) GTEST_SKIP() << "this driver cannot be told to offer an older OpenGL";
  EXPECT_NE(refusal.find("OpenGL 3.3 found, 4.5 needed"), std::string::npos) << refusal;
}

TEST(Sinks, CpuBackendCopiesAndGivesTheReason) {
  OffscreenContext context;
  Renderer renderer(SinkChoice::automatic, Backend::cpu);
  EXPECT_STREQ(renderer.sink().path(), "copy");
  EXPECT_NE(renderer.sinkReason(), "");
}

// Hybrid laptops: the GL context belongs to the other GPU unless the GL library is configured for
// it.
TEST(Sinks, AForeignContextIsNamedWithTheWayToTheNvidiaGpu) {
  const std::string offload = "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia";
  const std::string hybrid = foreignContext("OpenGL 4.6, Intel UHD", 1, "no device");
  EXPECT_NE(hybrid.find("OpenGL 4.6, Intel UHD, which no CUDA device owns"), std::string::npos);
  EXPECT_NE(hybrid.find("start with " + offload), std::string::npos) << hybrid;
  const std::string none = foreignContext("OpenGL 4.6, Intel UHD", 0, "no device");
  EXPECT_EQ(none.find(offload), std::string::npos) << none;  // it would not help
}

TEST(Sinks, AutomaticNeverFailsAndForcedSaysWhy) {
  OffscreenContext context;
  Renderer automatic(SinkChoice::automatic, Backend::cuda);
  if (cudaDeviceOfContext() >= 0) {
    EXPECT_STREQ(automatic.sink().path(), "interop");
    EXPECT_EQ(automatic.sinkReason(), "");
    Renderer forced(SinkChoice::interop, Backend::cuda);
    EXPECT_STREQ(forced.sink().path(), "interop");
    return;
  }
  EXPECT_STREQ(automatic.sink().path(), "copy");
  EXPECT_NE(automatic.sinkReason().find("interop is not possible"), std::string::npos);
  const std::string message =
      messageOf<RunError>([] { Renderer(SinkChoice::interop, Backend::cuda); });
  EXPECT_EQ(message, automatic.sinkReason());
  EXPECT_THROW(Renderer(SinkChoice::interop, Backend::cuda), InteropError);
}

}  // namespace
}  // namespace cellscope::render
