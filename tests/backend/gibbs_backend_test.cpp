// Pairs of boxes make the same decisions with teams of any size and on both backends.
#include "sim/algo/gibbs/moves.h"
#include "sim/algo/gibbs/pairs.h"
#include "sim/modes/gibbs/parameters.h"
#include "tests/support/backend_test.h"

namespace cellscope::test {
namespace {

std::vector<GibbsRules> gibbsRulesOf(gibbs::GibbsParameters p) {
  std::vector<GibbsRules> all;
  for (std::size_t k = 0; k < static_cast<std::size_t>(p.pairs); ++k)
    all.push_back(p.rules(k, {{0.1, 0.5 + 0.1 * static_cast<double>(k)}, 0.01}));
  return all;
}

std::unique_ptr<GibbsPairs> advancedPairs(std::unique_ptr<GibbsPairs> pairs,
                                          const gibbs::GibbsParameters& p) {
  const std::vector<GibbsRules> rules = gibbsRulesOf(p);
  pairs->upload(gibbsLattices(rules, p.firstN(), p.firstShare()), rules);
  for (const std::uint64_t moves : {1, 63, 64, 65, 807}) pairs->advance(moves);
  return pairs;
}

void expectSame(GibbsPairs& a, GibbsPairs& b) {
  const GibbsStates s = a.states(), t = b.states();
  EXPECT_EQ(s.word, t.word);
  EXPECT_EQ(s.id, t.id);
  const std::vector<GcmcEnergyVirial> sums[2] = {a.sums(), b.sums()};
  for (std::size_t k = 0; k < s.head.size(); ++k) {
    SCOPED_TRACE(k);
    const GibbsHead &g = s.head[k], &h = t.head[k];
    EXPECT_EQ(g.move, 1000u);
    EXPECT_EQ(g.move, h.move);
    EXPECT_EQ(g.n1, h.n1);
    EXPECT_EQ(g.share, h.share);
    EXPECT_EQ(g.walls, h.walls);
    for (int i = 0; i < kGibbsKinds; ++i) {
      EXPECT_EQ(g.attempted[i], h.attempted[i]);
      EXPECT_EQ(g.accepted[i], h.accepted[i]);
    }
    for (std::size_t box = 0; box < 2; ++box) {
      EXPECT_EQ(g.energy[box], h.energy[box]);
      EXPECT_EQ(g.energy[box], sums[0][2 * k + box].energy) << "running and recomputed";
      EXPECT_EQ(sums[0][2 * k + box].virial, sums[1][2 * k + box].virial);
      EXPECT_EQ(g.insertions[box], h.insertions[box]);
      // exp() of another library: some units in the last place of each term.
      EXPECT_NEAR(g.inserted[box], h.inserted[box], 1e-13 * g.inserted[box]);
    }
  }
}

std::vector<gibbs::GibbsParameters> gibbsSystems() {
  gibbs::GibbsParameters p;
  p.n = 200, p.density = 0.25, p.cutoff = 2.5, p.temperature = 1.0, p.exchanges = 0.05;
  p.pairs = 3, p.temperatures = 3;
  gibbs::GibbsParameters plane = p, forces = p, ideal = p, empty = p, uneven = p;
  plane.dimension.index = 0, plane.cutoff = 2, plane.temperature = 0.45;
  forces.potential.index = 0, forces.firstParticles = 0.8;
  ideal.potential.index = static_cast<std::int64_t>(gibbs::gibbsPotentials().size()) - 1;
  empty.firstParticles = 0, empty.n = 33, empty.density = 0.05, empty.transfers = 0.9;
  uneven.n = 257, uneven.potential.index = 5, uneven.tail = false;  // mie
  return {p, plane, forces, ideal, empty, uneven};
}

TEST(GibbsTeams, DecideAsOneThreadDoes) {
  const auto exec = exec::makeExec({Backend::cpu, 2, 0});
  for (const gibbs::GibbsParameters& p : gibbsSystems()) {
    const auto one = advancedPairs(makeGibbsPairsCpu(exec), p);
    for (const int threads : {1, 32, 128}) {
      SCOPED_TRACE(threads);
      expectSame(*one, *advancedPairs(makeGibbsPairsCpu(exec, threads), p));
    }
    const std::vector<GibbsHead> heads = one->heads();
    for (const GibbsHead& h : heads) {
      EXPECT_GT(h.accepted[static_cast<int>(GibbsKind::transfer)], 0u);
      EXPECT_GT(h.accepted[static_cast<int>(GibbsKind::volume)], 0u);
    }
  }
}

BACKEND_TESTS(GibbsBackend);

TEST_P(GibbsBackend, MakesTheMovesOfTheCpu) {
  for (const gibbs::GibbsParameters& p : gibbsSystems())
    for (const int threads : {64, 512})
      expectSame(*advancedPairs(makeGibbsPairsCpu(exec::makeExec({Backend::cpu, 1, 0}), 1), p),
                 *advancedPairs(makeGibbsPairs(exec(), threads), p));
}

TEST_P(GibbsBackend, StatesComeBack) {
  const gibbs::GibbsParameters p = gibbsSystems().front();
  const auto pairs = advancedPairs(makeGibbsPairs(exec(), 256), p),
             again = makeGibbsPairs(exec(), 256);
  again->upload(pairs->states(), gibbsRulesOf(p));
  const GibbsState a = pairs->state(2), b = again->state(2);
  EXPECT_EQ(a.point, b.point);
  EXPECT_EQ(a.id, b.id);
  for (GibbsPairs* const each : {pairs.get(), again.get()}) each->advance(500);
  EXPECT_EQ(pairs->states().word, again->states().word);
  pairs->clearCounters();
  EXPECT_EQ(pairs->heads()[1].insertions[0] + pairs->heads()[1].attempted[2], 0u);
}

}  // namespace
}  // namespace cellscope::test
