// Equations of state as references of molecular dynamics.
#include <gtest/gtest.h>

#include "sim/algo/observables/lennard_jones_reference.h"
#include "sim/core/lennard_jones_eos.h"

namespace cellscope {
namespace {

// Evaluated independently from the published coefficients.
TEST(PetsEquation, GivesThePublishedState) {
  const FluidState s = petsEquation(1.0, 0.8);
  EXPECT_NEAR(s.pressure, 1.70914, 1e-5);
  EXPECT_NEAR(s.energy, -4.70654, 1e-5);
  EXPECT_NEAR(s.excessPotential, -0.59530, 1e-5);
  // An ideal gas with the second virial coefficient, -1.7801271 at T = 1.5 (shifted at 2.5).
  const double rho = 1e-4;
  EXPECT_NEAR((petsEquation(1.5, rho).pressure / (1.5 * rho) - 1) / rho, -1.780, 0.05);
}

TEST(EquationOfState, KnowsWhereItHolds) {
  const auto count = [](const char* potential, double cutoff, double t, double rho) {
    return equationOfState(potential, cutoff, false, t, rho).size();
  };
  EXPECT_EQ(count("shifted", 2.5, 1.0, 0.8), 2u);
  EXPECT_EQ(count("shifted", 2.5, 1.2, 0.3), 2u) << "above the critical point";
  EXPECT_EQ(count("shifted", 2.5, 0.8, 0.3), 0u) << "liquid and vapour coexist";
  EXPECT_EQ(count("shifted", 3.0, 1.0, 0.8), 0u);
  EXPECT_EQ(count("force_shifted", 2.5, 1.0, 0.8), 0u);
  EXPECT_EQ(count("truncated", 3.0, 1.0, 0.3), 0u);
  // T = 1.5, rho = 0.5144 (Howard et al. 2016), truncated at 3: values of the equation less the
  // tail.
  const auto s = equationOfState("truncated", 3.0, false, 1.5, 0.51440329);
  ASSERT_EQ(s.size(), 2u);
  EXPECT_NEAR(s[0].value, -3.2555, 1e-3);
  EXPECT_NEAR(s[1].value, 0.6139, 1e-3);
  const auto full = equationOfState("truncated", 3.0, true, 1.5, 0.51440329);
  EXPECT_NEAR(full[1].value, 0.4498, 1e-3);
}

}  // namespace
}  // namespace cellscope
