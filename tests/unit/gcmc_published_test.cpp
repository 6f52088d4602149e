// What is published of Lennard-Jones fluids at given chemical potential: the equation of state
// beside an isotherm, for each interaction that has one, above and below the critical temperature;
// and states of the file of references.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/observables/gcmc_reference.h"
#include "sim/modes/gcmc/observables.h"
#include "tests/support/lennard_jones.h"
#include "tests/support/published_states.h"

namespace cellscope::test {
namespace {

gcmc::GcmcParameters isothermAt(double temperature, const char* law, bool tail) {
  gcmc::GcmcParameters p;
  p.temperature = temperature;
  p.potential = gcmc::gcmcPotential(law);
  p.tail = tail;
  p.cutoff = 2.5;
  return p;
}

// Density at a value of ln z; 0 without an equation.
double densityAt(const gcmc::GcmcParameters& p, double lnZ) {
  const auto s = gcmc::equationOfStateIn(p, gcmc::Reservoir::potential);
  if (!s) return 0;
  const double mu = p.temperature * lnZ;
  for (std::size_t k = 1; k < s->x.size(); ++k) {
    if (s->x[k] < mu) continue;
    const double share = (mu - s->x[k - 1]) / (s->x[k] - s->x[k - 1]);
    return s->y[k - 1] + share * (s->y[k] - s->y[k - 1]);
  }
  return 0;
}

// Own serial chains at V = 1000: 676.1, 675.7, 675.9 and 177.7 particles; 1 % for what the mean
// field and the fits leave out.
TEST(GcmcIsothermReference, AgreesWithChainsOfThreeFluids) {
  EXPECT_NEAR(densityAt(isothermAt(1.2, "truncated", true), -2.5), 0.6761, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(1.2, "truncated", false), -1.9), 0.6757, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(1.2, "shifted", false), -1.3), 0.6759, 0.007);
  EXPECT_NEAR(densityAt(isothermAt(2.0, "truncated", false), -2.0), 0.1777, 0.002);
  EXPECT_EQ(densityAt(isothermAt(1.2, "force_shifted", false), -1.0), 0) << "none published";
  gcmc::GcmcParameters other = isothermAt(1.2, "shifted", false);
  other.cutoff = 3;
  EXPECT_EQ(densityAt(other, -1.3), 0) << "of this cutoff only";
}

// Published coexistence of the full potential at T = 1.2: ln z = -3.0308, densities 0.100 and
// 0.564.
TEST(GcmcIsothermReference, BelowTheCriticalPointTheDensityJumps) {
  const auto s =
      gcmc::equationOfStateIn(isothermAt(1.2, "truncated", true), gcmc::Reservoir::potential);
  ASSERT_TRUE(s);
  EXPECT_TRUE(std::is_sorted(s->x.begin(), s->x.end()));
  EXPECT_TRUE(std::is_sorted(s->y.begin(), s->y.end()));
  std::size_t jump = 1;
  for (std::size_t k = 1; k < s->y.size(); ++k)
    if (s->y[k] - s->y[k - 1] > s->y[jump] - s->y[jump - 1]) jump = k;
  EXPECT_NEAR(s->x[jump] / 1.2, -3.0308, 0.01);
  EXPECT_NEAR(s->y[jump - 1], 0.100, 0.006);
  EXPECT_NEAR(s->y[jump], 0.564, 0.012);
  const auto above =
      gcmc::equationOfStateIn(isothermAt(1.5, "truncated", true), gcmc::Reservoir::potential);
  ASSERT_TRUE(above);
  for (std::size_t k = 1; k < above->y.size(); ++k) EXPECT_LT(above->y[k] - above->y[k - 1], 0.01);
}

PublishedState stateOf(const std::string& name, Truncation truncation) {
  for (PublishedState& s : publishedGcmcStates())
    if (s.name == name && s.truncation == truncation) return s;
  ADD_FAILURE() << "there is no state " << name;
  return {};
}

TEST(GcmcPublishedStates, AreThoseOfTheFile) {
  const std::vector<PublishedState> all = publishedGcmcStates();
  EXPECT_EQ(all.size(), 18u + 2 * 5u + 2 * 8u);
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
