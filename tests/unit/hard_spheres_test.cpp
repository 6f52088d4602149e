// Hard spheres: the kernel of their pressure, their equations of state, and their starts.
#include "sim/core/equations_of_state.h"

#include <cmath>

#include "sim/algo/gcmc/engine.h"
#include "sim/modes/gcmc/start.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

// Integral of k(s) (1 + s)^(d - 1) g(1 + s) over the shell by Simpson's rule in 1000 parts.
template <class G>
double throughKernel(int dimension, const G& g) {
  const auto k = contactKernel(dimension);
  const double c = kContactReach - 1;
  const int parts = 1000;
  double sum = 0;
  for (int i = 0; i <= parts; ++i) {
    const double s = c * i / parts, weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
    double kernel = 0;
    for (int j = kContactTerms - 1; j >= 0; --j)
      kernel = kernel * s + k[static_cast<std::size_t>(j)];
    sum += weight * kernel * std::pow(1 + s, dimension - 1) * g(s);
  }
  return sum * c / (3 * parts);
}

TEST(HardSpheres, TheKernelFindsTheContactValue) {
  for (const int d : {2, 3}) {
    for (int power = 0; power < kContactTerms; ++power)
      EXPECT_NEAR(throughKernel(d, [&](double s) { return std::pow(s / 0.05, power); }),
                  power == 0 ? 1 : 0, 1e-8);
    EXPECT_NEAR(throughKernel(d, [](double s) { return 6 * std::exp(-20 * s); }), 6, 6 * 3e-5);
  }
}

// Z of Carnahan and Starling at eta = 0.1 and 0.49 worked out by hand, and ln z by integrating it:
// mu_ex / T = Z - 1 + integral of (Z - 1) / rho.
TEST(HardSpheres, TheFluidIsThatOfCarnahanAndStarling) {
  const double sphere = 3.14159265358979 / 6;
  EXPECT_NEAR(hardSphereFluid(0.1 / sphere).pressure * sphere / 0.1, 1.109 / 0.729, 1e-12);
  EXPECT_NEAR(hardSphereFluid(0.49 / sphere).pressure * sphere / 0.49, 1.612451 / 0.132651, 1e-9);
  const double rho = 0.7;
  double integral = 0;
  for (int k = 0; k < 10000; ++k) {
    const double at = rho * (k + 0.5) / 10000;
    integral += (hardSphereFluid(at).pressure / at - 1) / at * rho / 10000;
  }
  const FluidState s = hardSphereFluid(rho);
  EXPECT_NEAR(s.excessPotential, s.pressure / rho - 1 + integral, 1e-6);
}

// Fluid and crystal have the same pressure where they coexist, to the accuracy of the two fits.
TEST(HardSpheres, TheEquationsMeetAtTheTransition) {
  EXPECT_NEAR(hardSphereFluid(kHardSphereFreezing).pressure,
              hardSphereCrystalPressure(kHardSphereMelting), 0.003 * 11.57);
}

TEST(HardSpheres, OverlapIsDecidedAtOneDiameter) {
  const double length[3] = {8, 8, 8};
  const GcmcPair pair = hardSpherePair(3, length);
  EXPECT_EQ(gcmcPairEnergy(pair, std::nextafter(1.0f, 0.0f)), kGcmcOverlap);
  EXPECT_EQ(gcmcPairEnergy(pair, 1.0f), 0);
  EXPECT_EQ(gcmcPairVirial(pair, 0.9f), 0);
  EXPECT_GT(gcmcPairVirial(pair, 1.0f), 0);
}

// Every number of spheres that fits on a lattice starts without overlap; one more is refused.
TEST(HardSpheres, StartWithoutOverlap) {
  GcmcSettings s;
  s.hard = true, s.cutoff = kContactReach;
  for (const Box& box : {cubicBox(6), squareBox(6.5)}) {
    const std::size_t most = box.dimension == 3 ? 256 : 36;
    for (std::size_t n : {std::size_t{1}, most / 2, most * 9 / 10, most})
      EXPECT_EQ(gcmcBruteForce(makeGcmcPair(s, box), gcmc::latticeState(box, n, true).point).energy,
                0)
          << n;
    expectWords(messageOf<InputError>([&] { gcmc::latticeState(box, most + 1, true); }),
                {std::to_string(most)});
  }
}

// A liquid of Lennard-Jones particles becomes one of hard spheres while the chain goes on: what
// overlapped parts, and no move makes a new overlap.
TEST(HardSpheres, AnotherPotentialDuringTheRun) {
  const auto mode = gcmcMode("length=6 density=0.6 temperature=2 cutoff=2.5 method=serial_cells");
  mode->advance(5);
  change(*mode, "potential=hard_spheres");
  mode->advance(100);
  expectHealthy(*mode);
  EXPECT_EQ(mode->sample()[3], 0);  // energy
}

}  // namespace
}  // namespace cellscope::test
