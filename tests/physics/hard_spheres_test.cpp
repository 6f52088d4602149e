// Hard spheres on the checkerboard of eight colours and by a serial chain: the fluid beside the
// equation of state of Carnahan and Starling, the crystal beside that of Speedy, and a crystal
// that melts. Seeds are fixed; bounds: 4.5 block errors (false alarms below 1e-5) and 0.3 %, the
// accuracy of both equations and of boxes of this size.
#include <cstdio>

#include "sim/algo/observables/block_average.h"
#include "sim/core/equations_of_state.h"
#include "tests/support/gcmc_modes.h"

namespace cellscope::test {
namespace {

constexpr double kAccuracy = 0.003;

struct Averaged {
  BlockAverage density, pressure;
};

Averaged run(const std::string& method, double length, double density, const std::string& more,
             int steps) {
  const auto mode =
      gcmcMode(fmt::format("potential=hard_spheres temperature=1 length={} density={} method={} "
                           "moves_per_step=4000 max_displacement=0.1 widom_points=1 seed=3 {}",
                           length, density, method, more));
  mode->advance(static_cast<std::uint64_t>(steps) / 5);
  const auto r = averaged(*mode, {"density", "pressure"}, steps, 1);
  expectHealthy(*mode);
  return {r[0], r[1]};
}

const std::string kClosed = "displacements=1 insertions=0 deletions=0";

void expectPressure(const Averaged& r, double reference) {
  std::printf("rho = %.5f: P = %.4f(%.4f), reference %.4f\n", r.density.mean(), r.pressure.mean(),
              r.pressure.error(), reference);
  EXPECT_NEAR(r.pressure.mean(), reference, 4.5 * r.pressure.error() + kAccuracy * reference);
  EXPECT_LT(r.pressure.error(), 0.01 * reference);
}

class HardSphereRuns : public testing::TestWithParam<const char*> {};

TEST_P(HardSphereRuns, AtAChemicalPotentialHaveTheDensityOfTheFluid) {
  const double rho = 0.6, mu = std::log(rho) + hardSphereFluid(rho).excessPotential;
  const Averaged r = run(GetParam(), 8.4, rho, fmt::format("chemical_potential={}", mu), 2000);
  std::printf("rho = %.5f(%.5f), reference %.5f\n", r.density.mean(), r.density.error(), rho);
  EXPECT_NEAR(r.density.mean(), rho, 4.5 * r.density.error() + kAccuracy * rho);
  EXPECT_LT(r.density.error(), 0.005 * rho);
}

TEST_P(HardSphereRuns, TheCrystalHasItsPressure) {
  const double rho = 864 / std::pow(9.4, 3);
  expectPressure(run(GetParam(), 9.4, rho, kClosed, 2500), hardSphereCrystalPressure(rho));
}

// Begun on a face-centred cubic lattice with vacancies, below the density of freezing.
TEST_P(HardSphereRuns, BelowFreezingACrystalMelts) {
  const double rho = 756 / std::pow(9.4, 3);
  expectPressure(run(GetParam(), 9.4, rho, kClosed, 2500), hardSphereFluid(rho).pressure);
}

INSTANTIATE_TEST_SUITE_P(List, HardSphereRuns, testing::Values("serial_cells", "checkerboard"),
                         [](const auto& i) { return std::string(i.param); });

}  // namespace
}  // namespace cellscope::test
