// Many systems of hard disks whose sweeps share launches on a GPU: each is the state of its run
// alone bit for bit, whatever the others are and want.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

#include "sim/algo/mpmc/engine.h"
#include "sim/exec/memory.h"
#include "tests/support/disk_states.h"
#include "tests/support/mpmc_cases.h"

namespace cellscope {
namespace {

struct DiskRun {
  int disks;
  double packing;
  MpmcParameters p;
  GridShape shape;
  std::unique_ptr<MpmcEngine> engine;
};

constexpr int kTogether = 64;

std::vector<DiskRun> someRuns() {
  std::vector<DiskRun> all;
  for (int k = 0; k < kTogether; ++k) {
    const int disks = k % 7 == 0 ? 40 : 1000 + 157 * k;
    const auto seed = static_cast<std::uint64_t>(100 + k);
    MpmcExperiments experiments;
    experiments.noParticleShuffle = k % 5 == 1;
    experiments.noSetShuffle = k % 5 == 2;
    experiments.noCellShift = k % 5 == 3;
    all.push_back({disks, 0.4 + 0.004 * k,
                   test::parameters(seed, 0.1f + 0.002f * k, 4, experiments),
                   k % 3 == 0 ? GridShape{1, 3} : GridShape{}, nullptr});
  }
  return all;
}

// Requests of different lengths, odd ones among them.
void advanceRun(MpmcEngine& engine, const MpmcParameters& p, int system) {
  std::uint64_t sweep = 1000;
  for (const int count : {1, 3 + system, 64, 100 - system, 17}) {
    engine.sweeps(p, sweep, static_cast<std::uint64_t>(count));
    sweep += static_cast<std::uint64_t>(count);
  }
}

TEST(MpmcSideBySide, EachIsTheRunAlone) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  std::vector<DiskRun> all = someRuns();
  const auto start = [](const DiskRun& s) {
    return test::someDisks(s.disks, s.packing, 31, s.shape);
  };
  for (DiskRun& s : all) {
    s.engine = makeMpmcEngine({.backend = Backend::cuda, .together = kTogether});
    s.engine->upload(start(s));
  }
  // The mapping that shares launches is the only one that is offered.
  const DiskRun& large = all[kTogether - 2];
  EXPECT_TRUE(large.engine->offers(kMpmcMappings[0], large.p));
  EXPECT_FALSE(large.engine->offers(kMpmcMappings[2], large.p));
  std::vector<std::thread> threads;
  for (int k = 0; k < kTogether; ++k)
    threads.emplace_back([&s = all[k], k] { advanceRun(*s.engine, s.p, k); });
  for (std::thread& t : threads) t.join();
  for (int k = 0; k < kTogether; ++k) {
    SCOPED_TRACE(k);
    const auto alone = makeMpmcEngine({.backend = Backend::cpu});
    alone->upload(start(all[k]));
    advanceRun(*alone, all[k].p, k);
    EXPECT_TRUE(test::identical(all[k].engine->download(), alone->download()));
    test::expectEqualCounters(all[k].engine->counters(), alone->counters());
    EXPECT_EQ(all[k].engine->check().overlaps, 0u);
  }
}

}  // namespace
}  // namespace cellscope
