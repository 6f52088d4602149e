// Particles of any mode packed where they are: arrays of several kinds, types, slice planes, counts
// that only the device knows. The CUDA half is skipped without a GPU.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/exec/context.h"
#include "sim/exec/memory.h"
#include "sim/layers/packer.h"
#include "sim/layers/particles.h"

namespace cellscope::layers {
namespace {

constexpr std::size_t kSlots = 10007;

struct Shown {
  Region slice{};
  std::uint32_t types = ~0u;
};

class ParticlesOnBackend : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
    exec_ = exec::makeExec({GetParam(), 2, 0});
    packer_ = makePacker(exec_);
    for (std::size_t i = 0; i < kSlots; ++i) {
      const auto f = static_cast<double>(i);
      position_.push_back(
          {std::fmod(0.37 * f, 20.0), std::fmod(0.61 * f, 20.0), std::fmod(0.83 * f, 20.0)});
      velocity_.push_back({static_cast<float>(std::sin(f)), 0.5f, static_cast<float>(i % 3), 7});
      type_.push_back(static_cast<std::uint16_t>(i % 3));
    }
    positions_ = onDevice(position_);
    velocities_ = onDevice(velocity_);
    types_ = onDevice(type_);
    view_.slots = kSlots;
    view_.position = positions_.data();
    view_.velocity = velocities_.data();
    view_.type = types_.data();
    view_.diameters = {1, 10, 2};
    view_.colour = ParticleColour::speed;
  }
  template <class T>
  exec::Array<T> onDevice(const std::vector<T>& items) const {
    exec::Array<T> a(GetParam(), items.size());
    a.set(items);
    return a;
  }
  template <class Instance>
  std::vector<Instance> packed(const Layer& layer, const Shown& shown) {
    Structures s;
    s.slice = shown.slice;
    s.types = shown.types;
    s.slots = view_;
    Frame frame;
    Canvas canvas{packer_.get(), frame};
    layer.draw(s, canvas);
    const LayerData& data = frame.layers.at(0);
    std::vector<Instance> all(data.count);
    if (!all.empty()) data.buffer->copyTo(all.data(), MemorySpace::host);
    std::uint32_t count = static_cast<std::uint32_t>(data.count);
    if (data.drawn) data.drawn->copyTo(&count, MemorySpace::host);
    EXPECT_LE(count, data.count);
    all.resize(count);
    return all;
  }
  std::vector<PointInstance> points(const Shown& shown) {
    return packed<PointInstance>(ParticlesLayer("help"), shown);
  }
  double speedOf(std::size_t i) const {
    const Vec4 v = velocity_[i];
    return std::hypot(static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z));
  }

  exec::Shared exec_;
  std::unique_ptr<Packer> packer_;
  std::vector<Vec3d> position_;
  std::vector<Vec4> velocity_;
  std::vector<std::uint16_t> type_;
  exec::Array<Vec3d> positions_;
  exec::Array<Vec4> velocities_;
  exec::Array<std::uint16_t> types_;
  ParticlesView view_;
};

TEST_P(ParticlesOnBackend, EverySlotIsAnInstanceInOrder) {
  const auto all = points({});
  ASSERT_EQ(all.size(), kSlots);
  for (std::size_t i = 0; i < kSlots; ++i) {
    EXPECT_EQ(all[i].x, static_cast<float>(position_[i].x));
    EXPECT_EQ(all[i].z, static_cast<float>(position_[i].z));
    EXPECT_EQ(all[i].type, type_[i]);
    EXPECT_EQ(all[i].diameter, view_.diameters[type_[i]]);
    ASSERT_NEAR(all[i].value, speedOf(i), 1e-6);
  }
}

TEST_P(ParticlesOnBackend, SlicePlanesTypesAndUnusedSlotsAreLeftOutInOrder) {
  const std::uint32_t used = 9001;
  const exec::Array<std::uint32_t> usedThere = onDevice(std::vector<std::uint32_t>{used});
  view_.used = usedThere.data();
  Shown shown;
  shown.slice.lo[0] = 3;
  shown.slice.hi[2] = 11.5;
  shown.types = 0b101;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < used; ++i)
    if (position_[i].x >= 3 && position_[i].z <= 11.5 && type_[i] != 1) wanted.push_back(i);
  ASSERT_GT(wanted.size(), 1000u);
  const auto some = points(shown);
  ASSERT_EQ(some.size(), wanted.size());
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    EXPECT_EQ(some[k].x, static_cast<float>(position_[wanted[k]].x));
    ASSERT_EQ(some[k].type, type_[wanted[k]]);
  }
}

TEST_P(ParticlesOnBackend, ArrowsBeginAtTheSurfaceAndAreAsLongAsTheSpeedSays) {
  view_.arrowLength = 0.25;
  const auto arrows = packed<LineInstance>(VelocitiesLayer(), {});
  ASSERT_EQ(arrows.size(), kSlots);
  for (std::size_t i = 0; i < kSlots; ++i) {
    const LineInstance& a = arrows[i];
    const double start = std::hypot(static_cast<double>(a.a[0]) - position_[i].x,
                                    static_cast<double>(a.a[1]) - position_[i].y,
                                    static_cast<double>(a.a[2]) - position_[i].z);
    const double length =
        std::hypot(static_cast<double>(a.b[0] - a.a[0]), static_cast<double>(a.b[1] - a.a[1]),
                   static_cast<double>(a.b[2] - a.a[2]));
    EXPECT_NEAR(start, 0.5 * static_cast<double>(view_.diameters[type_[i]]), 1e-4);
    ASSERT_NEAR(length, 0.25 * speedOf(i), 1e-4);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, ParticlesOnBackend,
                         ::testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& backend) { return std::string(toString(backend.param)); });

}  // namespace
}  // namespace cellscope::layers
