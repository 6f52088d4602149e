// One contract for the three sinks (render/sinks.h).
#include <glad/gl.h>
#include <gtest/gtest.h>
#ifdef CELLSCOPE_HAS_CUDA
#include <cuda_runtime.h>
#endif

#include <cstring>
#include <ostream>

#include "render/sinks.h"
#include "scenes.h"
#include "sim/exec/pooled_buffer.h"

namespace cellscope::render {
namespace {

using Bytes = std::vector<std::byte>;

Bytes pattern(std::size_t n, int seed) {
  Bytes b(n);
  for (std::size_t i = 0; i < n; ++i)
    b[i] = static_cast<std::byte>((i * 31 + static_cast<std::size_t>(seed) * 17 + i / 251) & 255);
  return b;
}

void write(const MappedBuffer& target, const Bytes& bytes) {
  if (target.space == MemorySpace::host) {
    std::memcpy(target.data, bytes.data(), bytes.size());
    return;
  }
#ifdef CELLSCOPE_HAS_CUDA
  ASSERT_EQ(cudaMemcpy(target.data, bytes.data(), bytes.size(), cudaMemcpyHostToDevice),
            cudaSuccess);
#else
  FAIL() << "device memory in a build without CUDA";
#endif
}

enum class Kind { host, copy, interop };
const char* nameOf(Kind k) {
  return k == Kind::host ? "host" : k == Kind::copy ? "copy" : "interop";
}
void PrintTo(Kind k, std::ostream* out) { *out << nameOf(k); }

class SinkContract : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam() != Kind::host) context_ = std::make_unique<OffscreenContext>();
    if (GetParam() == Kind::interop && cudaDeviceOfContext() < 0)
      GTEST_SKIP() << "no CUDA device owns the OpenGL context";
    if (GetParam() == Kind::host)
      sink_ = std::make_unique<HostSink>();
    else if (GetParam() == Kind::copy)
      sink_ = std::make_unique<CopySink>();
    else
      sink_ = makeInteropSink();
    gl_ = dynamic_cast<GlSink*>(sink_.get());
  }

  void store(const std::string& layer, const Bytes& bytes) {
    const std::vector<MappedBuffer> target = sink_->map({{layer, bytes.size()}});
    ASSERT_EQ(target.size(), 1u);
    if (!bytes.empty()) {
      ASSERT_NE(target[0].data, nullptr);
      write(target[0], bytes);
    }
    sink_->unmap();
  }

  void expectStored(const std::string& layer, const Bytes& bytes) {
    store(layer, bytes);
    EXPECT_EQ(stored(layer), bytes);
  }

  // What a draw call would read.
  Bytes stored(const std::string& layer) const {
    if (!gl_) return static_cast<const HostSink&>(*sink_).data(layer);
    const GlLayer* l = gl_->find(layer);
    if (!l) return {};
    Bytes bytes(l->bytes);
    if (l->bytes)
      glGetNamedBufferSubData(l->buffer, 0, static_cast<GLsizeiptr>(l->bytes), bytes.data());
    return bytes;
  }

  std::unique_ptr<OffscreenContext> context_;
  std::unique_ptr<FrameSink> sink_;
  GlSink* gl_ = nullptr;  // null: in host memory
};

TEST_P(SinkContract, NamesItsPath) { EXPECT_STREQ(sink_->path(), nameOf(GetParam())); }

TEST_P(SinkContract, DrawsExactlyWhatWasWritten) {
  expectStored("a", pattern(24 * 1000, 1));
  expectStored("a", pattern(24 * 1000, 2));  // same size, new content
}

TEST_P(SinkContract, LayersOfAnySizeGrowShrinkAndKeepTheOthers) {
  store("other", pattern(4800, 9));
  int seed = 0;
  for (std::size_t n : {0, 1, 24, 23, 100000, 3000000, 24, 100001, 0, 48}) {
    SCOPED_TRACE(n);
    expectStored("a", pattern(n, ++seed));
    EXPECT_EQ(stored("other"), pattern(4800, 9));
  }
}

TEST_P(SinkContract, AllLayersOfAFrameAreMappedInOneCall) {
  store("kept", pattern(480, 7));
  std::vector<LayerSize> sizes;
  std::vector<Bytes> contents;
  for (int i = 0; i < 9; ++i) {
    contents.push_back(pattern(i == 4 ? 0 : 640u * static_cast<unsigned>(i + 1), i));
    sizes.push_back({"layer" + std::to_string(i), contents.back().size()});
  }
  for (int round = 0; round < 2; ++round) {
    const std::vector<MappedBuffer> memory = sink_->map(sizes);
    ASSERT_EQ(memory.size(), sizes.size());
    for (std::size_t i = sizes.size(); i-- > 0;) write(memory[i], contents[i]);
    sink_->unmap();
    for (std::size_t i = 0; i < sizes.size(); ++i)
      EXPECT_EQ(stored(sizes[i].layer), contents[i]) << i;
    std::reverse(contents.begin(), contents.end());  // the second time with other sizes
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i].bytes = contents[i].size();
  }
  EXPECT_EQ(stored("kept"), pattern(480, 7));
}

TEST_P(SinkContract, NothingMayBeMapped) {
  EXPECT_TRUE(sink_->map({}).empty());
  sink_->unmap();
}

TEST_P(SinkContract, BrokenOrderIsSaid) {
  EXPECT_THROW(sink_->unmap(), RunError);
  sink_->map({{"a", 24}});
  EXPECT_THROW(sink_->map({{"b", 24}}), RunError);
  sink_->unmap();
  EXPECT_THROW(sink_->unmap(), RunError);
  EXPECT_THROW(sink_->map({{"a", 24}, {"a", 24}}), RunError);
  expectStored("a", pattern(24, 3));  // and the layer still works
}

TEST_P(SinkContract, DeliveringLeavesNothingMapped) {
  Frame frame;
  frame.layers = {test::brokenLayer(MemorySpace::host)};
  EXPECT_THROW(deliver(frame, *sink_), RunError);
  expectStored("a", pattern(24, 3));
}

TEST_P(SinkContract, DeliverCopiesEveryLayerOfAFrame) {
  Frame frame = test::checkerboardSets(6, -1, 1);
  frame.layers.push_back({"nothing", Primitive::lines, 0, nullptr, {}});
  deliver(frame, *sink_);
  for (int i = 0; i < 2; ++i) {
    const auto& layer = frame.layers[static_cast<std::size_t>(i)];
    const auto& source = static_cast<const HostFrameBuffer&>(*layer.buffer);
    EXPECT_EQ(stored(layer.key), Bytes(source.data(), source.data() + source.bytes()));
  }
}

TEST_P(SinkContract, DeliversTheNumberThatIsThere) {
  Frame frame;
  LayerData layer = layerOf("culled", std::vector<PointInstance>(5), {});
  layer.drawn = HostFrameBuffer::of(std::vector<std::uint32_t>{3});
  frame.layers.push_back(layer);
  deliver(frame, *sink_);
  const Bytes number = stored(countKey("culled"));
  ASSERT_EQ(number.size(), 4u);
  std::uint32_t value = 0;
  std::memcpy(&value, number.data(), 4);
  EXPECT_EQ(value, 3u);
}

TEST_P(SinkContract, ReleasedLayersComeBack) {
  if (!gl_) return;
  store("a", pattern(240, 5));
  gl_->release("a");
  EXPECT_EQ(gl_->find("a"), nullptr);
  gl_->release("a");
  expectStored("a", pattern(48, 6));
}

INSTANTIATE_TEST_SUITE_P(All, SinkContract, testing::Values(Kind::host, Kind::copy, Kind::interop),
                         [](const auto& test) { return std::string(nameOf(test.param)); });

TEST(Capacity, GrowsWithHeadroomAndShrinksWhenFarTooLarge) {
  EXPECT_GE(capacityFor(0), 1u);
  EXPECT_GE(capacityFor(1000000), 1200000u);
  EXPECT_TRUE(unfit(100, 101));
  EXPECT_FALSE(unfit(capacityFor(5000), 5000));
  EXPECT_TRUE(unfit(capacityFor(100000000), 5000));
}

}  // namespace
}  // namespace cellscope::render
