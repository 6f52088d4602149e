// Published states at given chemical potential, as the file of references has them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/observables/gcmc_reference.h"
#include "tests/support/lennard_jones.h"
#include "tests/support/published_states.h"

namespace cellscope::test {
namespace {

PublishedState stateOf(const std::string& name, Truncation truncation) {
  for (PublishedState& s : publishedGcmcStates())
    if (s.name == name && s.truncation == truncation) return s;
  ADD_FAILURE() << "there is no state " << name;
  return {};
}

TEST(GcmcPublishedStates, AreThoseOfTheFile) {
  const std::vector<PublishedState> all = publishedGcmcStates();
  EXPECT_EQ(all.size(), 18u + 11u + 2 * 5u + 2 * 8u);
  for (const PublishedState& s : all) {
    EXPECT_GT(s.density.value, 0) << s.name;
    EXPECT_GT(s.density.error, 0) << s.name;
    EXPECT_LT(s.density.error, 0.002 * s.density.value) << s.name;
    EXPECT_GT(s.pressure.value, 0) << s.name;
    EXPECT_EQ(s.length, 8) << s.name;
    EXPECT_EQ(s.tail, s.truncation == Truncation::plain) << s.name;
    EXPECT_NE(s.source.find("NIST"), std::string::npos) << s.name;
  }
  const PublishedState liquid = stateOf("saturated liquid, T = 0.85", Truncation::plain);
  EXPECT_DOUBLE_EQ(liquid.density.value, 0.77681);
  EXPECT_NEAR(liquid.density.error, 5e-6, 1e-12) << "half of the last digit";
  EXPECT_DOUBLE_EQ(liquid.energy.value, -5.5179);
  EXPECT_DOUBLE_EQ(liquid.lnActivity, -4.7788);
  EXPECT_NEAR(liquid.lnActivityError, 5e-5, 1e-12);
  const PublishedState shifted = stateOf("saturated liquid, T = 0.85", Truncation::force);
  EXPECT_NEAR(shifted.density.error, 6.1e-5, 1e-12) << "as published";
  EXPECT_FALSE(std::isfinite(stateOf("vapour, T = 0.90", Truncation::force).energy.value));
}

// The vapour isotherms against the virial expansion: second coefficients of the fluid force-shifted
// at 2.5 by quadrature. Higher terms are below 1e-4 of the density at these pressures.
TEST(GcmcPublishedStates, VapoursFollowTheSecondVirialCoefficient) {
  int compared = 0;
  for (const PublishedState& s : publishedGcmcStates()) {
    if (s.truncation != Truncation::force || s.cutoff != 2.5 || s.density.value > 2e-4) continue;
    double integral = 0;  // of (exp(-u / T) - 1) r^2
    constexpr double kStep = 1e-4;
    for (double r = 0.5 * kStep; r < s.cutoff; r += kStep) {
      const double u = ljEnergy(r) - ljEnergy(s.cutoff) + (r - s.cutoff) * ljForce(s.cutoff);
      integral += std::expm1(-u / s.temperature) * r * r * kStep;
    }
    const double b2 = -2 * std::acos(-1.0) * integral, z = std::exp(s.lnActivity);
    EXPECT_NEAR(s.density.value, z - 2 * b2 * z * z, 2 * s.density.error) << s.name;
    ++compared;
  }
  EXPECT_EQ(compared, 2);
}

}  // namespace
}  // namespace cellscope::test
