// Contexts without a display, and what is said when they cannot be.
// Frames in CUDA memory: the same picture by interop as by copying. `cellscope bench` has the time.
#include <cstdlib>

#include "render/gl.h"
#include "render/renderer.h"
#include "scenes.h"
#include "sim/exec/memory.h"
#include "tests/support/message_of.h"

namespace cellscope::render {
namespace {

using cellscope::test::expectRefusal, cellscope::test::expectWords, cellscope::test::messageOf;

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
  expectRefusal<RunError>([] { Renderer(SinkChoice::copy, Backend::cpu); }, {"OpenGL 4.5"});
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
  expectWords(hybrid,
              {"OpenGL 4.6, Intel UHD, which no CUDA device owns", "start with " + offload});
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
  const auto forced = [] { Renderer(SinkChoice::interop, Backend::cuda); };
  EXPECT_EQ(messageOf<RunError>(forced), automatic.sinkReason());
  EXPECT_THROW(forced(), InteropError);
}

using namespace test;

class DeviceBuffer final : public FrameBuffer {
 public:
  explicit DeviceBuffer(const std::vector<PointInstance>& points) : data_(Backend::cuda, points) {}
  std::size_t bytes() const override { return data_.bytes(); }
  MemorySpace space() const override { return MemorySpace::device; }
  void copyTo(void* destination, MemorySpace where) const override {
    exec::copy(where == MemorySpace::device ? Backend::cuda : Backend::cpu, destination,
               Backend::cuda, data_.data(), data_.bytes());
  }

 private:
  exec::Array<PointInstance> data_;
};

class Interop : public testing::Test {
 protected:
  void SetUp() override {
    if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
    if (cudaDeviceOfContext() < 0) GTEST_SKIP() << "no CUDA device owns the OpenGL context";
    exec::useCudaDevice(cudaDeviceOfContext());
  }
  static Frame onDevice(Frame frame) {
    for (LayerData& layer : frame.layers) {
      std::vector<PointInstance> points(layer.count);
      layer.buffer->copyTo(points.data(), MemorySpace::host);
      layer.buffer = std::make_shared<DeviceBuffer>(points);
    }
    return frame;
  }
  static Image draw(Renderer& renderer, const Frame& frame) {
    renderer.upload(frame);
    return renderImage(renderer, Camera::fit(frame.box, {0, 0, 320, 240}), {}, 320, 240);
  }

  OffscreenContext context;
};

TEST_F(Interop, DrawsTheSamePictureAsCopying) {
  Renderer interop(SinkChoice::interop, Backend::cuda), copy(SinkChoice::copy, Backend::cuda);
  for (int n : {40, 300, 20, 500}) {  // grows and shrinks
    const Frame host = manyDisks(n, 0.7f), device = onDevice(host);
    const Image expected = draw(copy, host);
    EXPECT_EQ(draw(interop, device).rgb, expected.rgb) << n;
    EXPECT_EQ(draw(copy, device).rgb, expected.rgb) << n;
  }
}

// As many as the benchmark has, all in one picture and those in the corners disk by disk: the first
// and the last of the buffer are there.
TEST_F(Interop, DrawsFourMillionDisksAsCopyingDoes) {
  constexpr int kDisksAlong = 2000;
  const Viewport view{0, 0, 320, 240};
  Renderer interop(SinkChoice::interop, Backend::cuda), copy(SinkChoice::copy, Backend::cuda);
  const Frame host = manyDisks(kDisksAlong, 0.7f);
  interop.upload(onDevice(host));
  copy.upload(host);
  std::vector<Camera> cameras = {Camera::fit(host.box, view)};
  for (const double corner : {10.0, kDisksAlong - 10.0}) {
    cameras.push_back(cameras.front());
    cameras.back().target = {corner, corner, 0};
    cameras.back().height = 20;
  }
  for (const Camera& camera : cameras) {
    const Image expected = renderImage(copy, camera, {}, view.width, view.height);
    EXPECT_EQ(renderImage(interop, camera, {}, view.width, view.height).rgb, expected.rgb);
    const auto [darkest, lightest] = std::minmax_element(expected.rgb.begin(), expected.rgb.end());
    EXPECT_GT(*lightest, *darkest + 50) << "nothing is drawn";
  }
}

TEST_F(Interop, AutomaticFallsBackWhileRunningAndSaysWhy) {
  Renderer renderer(SinkChoice::automatic, Backend::cuda);
  ASSERT_STREQ(renderer.sink().path(), "interop");
  Frame frame = onDevice(manyDisks(40, 0.7f));
  frame.layers.push_back(brokenLayer(MemorySpace::device));
  EXPECT_THROW(renderer.upload(frame), RunError);  // copying cannot help either
  EXPECT_STREQ(renderer.sink().path(), "copy");
  EXPECT_NE(renderer.sinkReason().find("device was lost"), std::string::npos);
  frame.layers.pop_back();
  Renderer copy(SinkChoice::copy, Backend::cuda);
  EXPECT_EQ(draw(renderer, frame).rgb, draw(copy, frame).rgb);
}

}  // namespace
}  // namespace cellscope::render
