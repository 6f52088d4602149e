// Cells of Monte Carlo beside all pairs: over many steps no pair is missing, counted twice or
// extra. Lists and cells of molecular dynamics: list_truth_test.cpp.
//
// 10^5 steps of each method with CELLSCOPE_LONG_RUN set:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*EveryPair*:*ListTruthOfRuns.Sound*'
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

class EveryPair : public BackendTest {
 protected:
  const bool longRun_ = std::getenv("CELLSCOPE_LONG_RUN") != nullptr;
};

// Energies of pairs are multiples of a quantum and their sums exact (sim/core/gcmc_pair.h): one
// pair that an accepted move misses or adds twice changes the running sum for good.
TEST_P(EveryPair, IsInTheEnergyOfGrandCanonicalChains) {
  const std::uint64_t moves = longRun_ ? 100'000 : 2'000;
  for (const int dimension : {2, 3}) {
    const Box box = dimension == 3 ? cubicBox(10.2) : squareBox(13);  // four cells
    const GcmcState start = gcmcLattice(box, dimension == 3 ? 0.3 : 0.6);
    const GcmcRules rules =
        makeGcmcRules(dimension == 3 ? gcmcFluid(1.5, 0.1) : gcmcFluid(0.7, 0.1), box);
    for (const GcmcMethod* m : gcmcMethodsOn(GetParam())) {
      SCOPED_TRACE(std::string(m->key) + " in " + std::to_string(dimension) + "D");
      const auto e = makeGcmcEngine(m->key, exec::makeExec({.backend = GetParam(), .threads = 2}));
      e->upload(start, rules);
      std::uint64_t asked = 0;
      std::size_t looks = 0, most = 0;
      for (; asked < moves; asked += 7, ++looks) {
        e->advance(7);
        const GcmcState s = e->state();
        most = std::max(most, s.point.size());
        const double right = gcmcBruteForce(rules.pair, s.point).energy;
        ASSERT_EQ(e->energy(), right) << "the running sum, move " << s.move;
        ASSERT_EQ(e->sums().energy, right) << "the sum by the method, move " << s.move;
      }
      EXPECT_GT(e->counters().accepted[0], 0u);
      if (longRun_)
        std::printf("%s, %dD: %zu looks in %llu moves of up to %zu particles, no pair wrong\n",
                    m->key, dimension, looks, static_cast<unsigned long long>(e->state().move),
                    most);
    }
  }
}

// A pair that a trial move does not look at comes to overlap sooner or later.
TEST_P(EveryPair, OfHardDisksIsKeptApart) {
  const int sweeps = longRun_ ? 100'000 : 1'000;
  for (const double packing : {0.3, 0.6, 0.72}) {
    SCOPED_TRACE(packing);
    const auto started = startedOn(config(), fmt::format("n=256 packing={}", packing));
    HardDisksMode& mode = *started;
    double nearest = 2;
    for (int s = 0; s < sweeps; s += 7) {
      mode.advance(7);
      const Configuration c = mode.configuration();
      ASSERT_EQ(c.ids.size(), 256u);
      for (std::size_t i = 0; i < c.ids.size(); ++i)
        for (std::size_t j = i + 1; j < c.ids.size(); ++j) {
          const Vec3d d = c.box.minimumImage(c.place(j) - c.place(i));
          nearest = std::min(nearest, dot(d, d));
        }
      // Positions in cells of width w <= 2 are rounded to 2^-23: squared distances by less than
      // this.
      ASSERT_GE(nearest, 1 - 1e-6) << "sweep " << mode.step();
    }
    expectHealthy(mode);
    EXPECT_LT(nearest, 1.01);
    if (longRun_)
      std::printf("packing %g: %llu sweeps, nearest pair ever 1%+.1e sigma\n", packing,
                  static_cast<unsigned long long>(mode.step()), std::sqrt(nearest) - 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryPair, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
