// The thread assignments of the CUDA engine agree bit for bit, counters included, over longer runs
// than the comparison with the scalar rules can afford: the resident kernel of small systems
// (several launches, an odd number of sweeps), the launches of larger ones, and launches that many
// systems share, of which each is the state of its run alone whatever the others are and want.
#include <thread>

#include "sim/exec/memory.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

struct LongRun {
  int side;  // side^2 disks
  double packing;
  std::uint64_t sweeps;
};

class MpmcMappings : public testing::TestWithParam<LongRun> {};

TEST_P(MpmcMappings, Agree) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  const LongRun run = GetParam();
  const DiskCells start = someDisks(run.side * run.side, run.packing, 7);
  MpmcParameters p;
  p.seed = 11;
  std::vector<std::unique_ptr<MpmcEngine>> engines;
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    auto engine = makeMpmcEngine({.backend = Backend::cuda});
    engine->setMapping(info);
    engine->upload(start);
    engine->sweeps(p, 5, run.sweeps);
    engine->sweeps(p, 5 + run.sweeps, 1);
    const auto report = engine->check();
    EXPECT_EQ(report.overlaps, 0u);
    EXPECT_EQ(report.misplaced, 0u);
    EXPECT_EQ(report.disks, static_cast<std::uint64_t>(run.side) * run.side);
    for (const std::uint64_t attempted : engine->counters().attempted) EXPECT_GT(attempted, 0u);
    engines.push_back(std::move(engine));
    EXPECT_TRUE(identical(engines.front()->download(), engines.back()->download()));
    expectEqualCounters(engines.front()->counters(), engines.back()->counters());
  }
}

// Recorded launches hold the keys of their seed.
TEST(MpmcSeed, HoldsFromTheNextSweepOn) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  const DiskCells start = someDisks(900, 0.6, 7);
  const auto oracle = makeMpmcEngine({.backend = Backend::cpu});
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    const auto engine = makeMpmcEngine({.backend = Backend::cuda});
    engine->setMapping(info);
    for (MpmcEngine* e : {oracle.get(), engine.get()}) {
      e->upload(start);
      MpmcParameters p;
      std::uint64_t sweep = 0;
      for (const std::uint64_t seed : {3, 4, 3}) {
        p.seed = seed;
        e->sweeps(p, sweep, 70);
        sweep += 70;
      }
    }
    EXPECT_TRUE(identical(engine->download(), oracle->download()));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, MpmcMappings,
                         testing::Values(LongRun{4, 0.55, 1501}, LongRun{12, 0.6, 2500},
                                         LongRun{64, 0.72, 1501}, LongRun{256, 0.698, 1301},
                                         LongRun{300, 0.698, 101}, LongRun{1900, 0.698, 33}),
                         [](const auto& run) { return "side" + std::to_string(run.param.side); });

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
    all.push_back({disks, 0.4 + 0.004 * k, parameters(seed, 0.1f + 0.002f * k, 4, experiments),
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
  const auto start = [](const DiskRun& s) { return someDisks(s.disks, s.packing, 31, s.shape); };
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
    EXPECT_TRUE(identical(all[k].engine->download(), alone->download()));
    expectEqualCounters(all[k].engine->counters(), alone->counters());
    EXPECT_EQ(all[k].engine->check().overlaps, 0u);
  }
}

}  // namespace
}  // namespace cellscope::test
