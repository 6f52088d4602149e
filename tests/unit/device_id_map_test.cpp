// The map from ids to slots that is built where the particles are, against the one of the host.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "sim/algo/particles/device_id_map.h"
#include "sim/exec/memory.h"
#include "tests/support/exec_verbs.h"

namespace cellscope::test {
namespace {

constexpr ParticleId kLargest = std::numeric_limits<ParticleId>::max();

// n unique ids in [0, stride n), scattered over the slots.
std::vector<ParticleId> sparseIds(std::size_t n, ParticleId stride, std::uint32_t seed) {
  std::vector<ParticleId> ids(n);
  for (std::size_t i = 0; i < n; ++i)
    ids[i] =
        static_cast<ParticleId>(i) * stride + static_cast<ParticleId>(mixed(i + seed)) % stride;
  for (std::size_t i = n; i > 1; --i) std::swap(ids[i - 1], ids[mixed(i + 3 * seed) % i]);
  return ids;
}

class IdMapOnDevice : public testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
    exec_ = exec::makeExec({GetParam(), 2});
    map_ = makeDeviceIdMap(exec_);
  }

  void build(const std::vector<ParticleId>& ids, ParticleId end) {
    ids_ = exec::Array<ParticleId>(GetParam(), ids);
    map_->build(ids_.data(), ids.size(), end);
  }
  // Every id, and as many beside them.
  void expectLikeHost(const std::vector<ParticleId>& ids) {
    const IdMap host(ids);
    ASSERT_EQ(map_->view().n, ids.size());
    std::vector<ParticleId> asked = ids;
    for (const ParticleId id : ids) asked.push_back(id == kLargest ? id - 1 : id + 1);
    asked.push_back(-1), asked.push_back(0), asked.push_back(kLargest);
    const exec::Array<ParticleId> in(GetParam(), asked);
    const exec::Array<std::uint32_t> out(GetParam(), asked.size());
    map_->findAll(in.data(), asked.size(), out.data());
    (void)map_->find(0);  // waits
    const std::vector<std::uint32_t> found = out.get();
    for (std::size_t k = 0; k < asked.size(); ++k)
      ASSERT_EQ(found[k], host.find(asked[k]).value_or(kNoSlot)) << "id " << asked[k];
  }

  exec::Shared exec_;
  std::unique_ptr<DeviceIdMap> map_;
  exec::Array<ParticleId> ids_;
};

TEST_P(IdMapOnDevice, IsThatOfTheHost) {
  for (const std::size_t n : {1, 2, 7, 1000, 70001})
    for (const ParticleId stride : {ParticleId{1}, ParticleId{3}, ParticleId{1} << 40}) {
      const std::vector<ParticleId> ids = sparseIds(n, stride, 5);
      build(ids, stride * static_cast<ParticleId>(n));
      expectLikeHost(ids);
    }
}

TEST_P(IdMapOnDevice, TakesTheSmallestAndTheLargestIds) {
  const std::vector<ParticleId> ids{kLargest - 1, 0, 77, kLargest - 2, 1};
  build(ids, kLargest);
  expectLikeHost(ids);
  EXPECT_EQ(map_->find(kLargest - 1), 0u);
  EXPECT_EQ(map_->find(0), 1u);
  EXPECT_FALSE(map_->find(2).has_value());
  EXPECT_FALSE(map_->find(-1).has_value());
  build({0}, 1);
  EXPECT_EQ(map_->find(0), 0u);
  EXPECT_FALSE(map_->find(77).has_value()) << "of the map before";
}

TEST_P(IdMapOnDevice, FollowsParticlesThatComeAndGo) {
  std::vector<ParticleId> ids = sparseIds(500, 9, 1);
  ParticleId next = 500 * 9;
  std::size_t most = 0;
  for (std::uint32_t round = 0; round < 40; ++round) {
    for (std::uint32_t k = 0; k < 30; ++k) {
      if (mixed(round * 64 + k) % 2) {
        ids.push_back(next++);
      } else {  // the last one takes the place of the one that goes
        ids[mixed(round * 64 + k + 7) % ids.size()] = ids.back();
        ids.pop_back();
      }
    }
    build(ids, next);
    expectLikeHost(ids);
    most = std::max(most, ids.size());
  }
  EXPECT_LE(map_->bytes(), IdMapArrays::layout(most + most / 4).bytes());
  EXPECT_GE(map_->bytes(), IdMapArrays::layout(most).bytes());
}

TEST_P(IdMapOnDevice, HoldsNobodyWhenThereIsNobody) {
  EXPECT_FALSE(map_->find(0).has_value());
  build(sparseIds(100, 2, 1), 200);
  build({}, 200);
  EXPECT_EQ(map_->view().n, 0u);
  EXPECT_FALSE(map_->find(1).has_value());
}

INSTANTIATE_TEST_SUITE_P(Backends, IdMapOnDevice, testing::Values(Backend::cpu, Backend::cuda),
                         [](const auto& p) { return toString(p.param); });

}  // namespace
}  // namespace cellscope::test
