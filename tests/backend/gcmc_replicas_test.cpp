// Replicas make the moves that each chain makes alone.
#include "sim/algo/gcmc/replicas.h"
#include "sim/modes/gcmc/replica_run.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(GcmcReplicasTest);

void expectChainsOfTheirOwn(Backend where, bool mixed) {
  std::vector<GcmcReplica> all;
  constexpr std::uint32_t kRows = 400;
  exec::Array<GcmcTransition> tables(where, 9 * kRows);
  tables.zero();
  for (int k = 0; k < 9; ++k) {
    const Box box = k == 4       ? Box{3, {9, 5.5, 7.2}}
                    : k % 3 == 2 ? squareBox(9 + k)
                                 : cubicBox(6.0 + 0.4 * k);
    GcmcSettings s = gcmcFluid(1.2 + 0.2 * k, 0.1 + 0.05 * k);
    s.seed = static_cast<std::uint64_t>(100 + k / 2);
    s.chain = static_cast<std::uint32_t>(k);
    if (mixed) s = gcmcMixture(s, 0.9), s.shareB = 0.1 * (k + 1);
    all.push_back({gcmcLattice(box, k == 0 ? 0.05 : 0.5), makeGcmcRules(s, box)});
    GcmcRules& rules = all.back().rules;
    rules.transitions = tables.data() + k * kRows;
    rules.transitionCount = kRows, rules.reference = 1.5;
  }
  const auto exec = exec::makeExec({.backend = where, .threads = 2});
  const auto replicas = makeGcmcReplicas(exec, {.movesPerLaunch = 700, .mixed = mixed});
  replicas->upload(all);
  ASSERT_EQ(replicas->size(), all.size());
  for (const std::uint64_t moves : {1, 1999}) replicas->advance(moves);
  const auto alone = makeGcmcEngine("serial", exec::makeExec({.backend = Backend::cpu}));
  const std::vector<GcmcTransition> found = tables.get();
  for (std::size_t k = 0; k < all.size(); ++k) {
    SCOPED_TRACE(k);
    std::vector<GcmcTransition> own(kRows);
    all[k].rules.transitions = own.data();
    alone->upload(all[k].state, all[k].rules);
    alone->advance(2000);
    expectSameState(alone->state(), replicas->chain(k).state());
    EXPECT_EQ(alone->energy(), replicas->chain(k).energy());
    EXPECT_GT(replicas->chain(k).counters().accepted[1], 0u);
    EXPECT_EQ(replicas->chain(k).counters().accepted[3] > 0, mixed);
    EXPECT_EQ(replicas->now()[k].n, alone->count());
    EXPECT_EQ(replicas->now()[k].energy, alone->energy());
    for (std::uint32_t n = 0; n < kRows; ++n) {
      SCOPED_TRACE(n);
      const GcmcTransition &x = own[n], &y = found[k * kRows + n];
      EXPECT_EQ(x.insertions, y.insertions);
      EXPECT_EQ(x.deletions, y.deletions);
      // Terms of at most 1, added in another order; their Boltzmann factors may differ by a few
      // ulp.
      constexpr double kUlp = 2.3e-16;
      EXPECT_NEAR(x.up, y.up, (x.insertions + 4) * x.insertions * kUlp);
      EXPECT_NEAR(x.down, y.down, (x.deletions + 4) * x.deletions * kUlp);
    }
  }
}

TEST_P(GcmcReplicasTest, EveryChainIsTheOneThatItIsAlone) {
  for (const bool mixed : {false, true}) {
    SCOPED_TRACE(mixed ? "two types" : "one type");
    expectChainsOfTheirOwn(GetParam(), mixed);
  }
}

// As the chains are the same, so are the points of the charts, and which of them are hollow.
TEST_P(GcmcReplicasTest, PointsAreThoseOfTheCpu) {
  gcmc::GcmcParameters p;
  p.length = 7, p.cutoff = 3, p.temperature = 1.5, p.density = 0.6;
  p.mu = -3, p.activity = activityOfPotential(p.mu, p.temperature);
  p.replicas = 6, p.replicaFrom = -6, p.replicaTo = -2.5;
  gcmc::ReplicaRun runs[2] = {
      gcmc::ReplicaRun(exec::makeExec({.backend = GetParam(), .threads = 2})),
      gcmc::ReplicaRun(exec::makeExec({.backend = Backend::cpu, .threads = 1}))};
  for (gcmc::ReplicaRun& run : runs) run.start(p);
  std::size_t hollow = 0, filled = 0;
  for (const int steps : {20, 60, 200, 500}) {
    for (gcmc::ReplicaRun& run : runs)
      for (int k = 0; k < steps; ++k) run.advance(p, 100);
    const std::vector<Curve> a = runs[0].curves(p), b = runs[1].curves(p);
    for (std::size_t c = 0; c < 2; ++c) {
      ASSERT_EQ(a[c].series.size(), b[c].series.size()) << a[c].id;
      for (std::size_t s = 0; s < a[c].series.size(); ++s) {
        const CurveSeries &x = a[c].series[s], &y = b[c].series[s];
        EXPECT_EQ(x.label, y.label);
        EXPECT_EQ(x.provisional, y.provisional);
        if (x.label.find("replicas") != 0) continue;  // the others are sums in another order
        EXPECT_EQ(x.x, y.x);
        EXPECT_EQ(x.y, y.y) << a[c].id << " after " << steps;
        EXPECT_EQ(x.error, y.error);
        (x.provisional ? hollow : filled) += x.y.size();
      }
    }
  }
  EXPECT_GT(hollow, 0u);
  EXPECT_GT(filled, 0u);
}

}  // namespace
}  // namespace cellscope::test
