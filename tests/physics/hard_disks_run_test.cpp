// Whole runs of the hard-disk mode against published pressures: random start, quick compression,
// live change of packing, tuned move size, both estimators.
#include <gtest/gtest.h>

#include "sim/algo/observables/block_average.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

struct PressuresOfRun {
  BlockAverage contact, sdf;
};

PressuresOfRun measure(HardDisksMode& mode, int samples, std::uint64_t every) {
  PressuresOfRun p;
  for (int i = 0; i < samples; ++i) {
    mode.advance(every);
    const std::vector<double> v = mode.sample();
    p.contact.add(v[0]);
    p.sdf.add(v[1]);
  }
  return p;
}

// Five block-averaged standard errors: a false alarm in a few of a million runs. The error
// itself must be small enough for the check to mean something.
void expectPressure(const PressuresOfRun& p, double expected, double uncertainty,
                    double largestError) {
  for (const BlockAverage* b : {&p.contact, &p.sdf}) {
    EXPECT_NEAR(b->mean(), expected, 5 * b->error() + uncertainty)
        << (b == &p.contact ? "contact" : "scaled distribution") << " +- " << b->error();
    EXPECT_LT(b->error(), largestError);
  }
}

// Li et al. 2022: N = 870 in a square box at packing 0.670, P* = 7.986779(25).
TEST(HardDisksRun, PublishedPressureAfterARandomStart) {
  const auto mode =
      started({{"n", "870"}, {"packing", "0.67"}, {"seed", "4"}, {"neighbours", "radius"}}, 2);
  mode->advance(20000);
  expectPressure(measure(*mode, 2000, 25), 7.986779, 3e-5, 0.06);
  expectHealthy(*mode);
}

// Virial series as a Pade approximant: Z(0.5) = 4.106241 within 5e-4; the canonical ensemble of
// 1024 disks is lower by about 2 phi / N = 1e-3.
TEST(HardDisksRun, PressureAfterALiveChangeOfPackingWithATunedMove) {
  const auto mode =
      started({{"n", "1024"}, {"packing", "0.3"}, {"seed", "8"}, {"neighbours", "radius"}}, 2);
  change(*mode, "packing", "0.62");
  while (mode->preparation()) mode->advance(1);
  change(*mode, "packing", "0.5");
  while (mode->preparation()) mode->advance(1);
  change(*mode, "tune", "true");
  while (mode->preparation()) mode->advance(100);
  mode->advance(2000);
  const double p = 4 * 0.5 / M_PI * 4.106241;
  expectPressure(measure(*mode, 4000, 20), p, 2e-3, 0.02);
  expectHealthy(*mode);
}

}  // namespace
}  // namespace cellscope::test
