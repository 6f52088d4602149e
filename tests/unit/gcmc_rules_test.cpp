// Rules of a grand-canonical move: random numbers, pair energies, tail, acceptance.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/algo/observables/gcmc_reference.h"
#include "sim/api/configuration.h"
#include "sim/core/gcmc_tail.h"
#include "sim/core/lennard_jones_eos.h"
#include "tests/support/gcmc_chains.h"
#include "tests/support/lennard_jones.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

GcmcState nist(int number) {
  const NistConfiguration c = nistConfiguration(number);
  GcmcState s;
  s.box = c.box;
  for (const Vec3d& r : c.position) s.point.push_back(gcmcPointAt(s.box, r));
  s.id = firstIds(c.position.size());
  s.idBase = static_cast<ParticleId>(c.position.size());
  return s;
}

// Tolerance: floats and rounding to 2^-20 per pair.
TEST(GcmcRules, EnergiesOfTheNistConfigurations) {
  for (const NistRow& row : kNist) {
    const GcmcState s = nist(row.configuration);
    GcmcSettings settings = chainSettings(1, 0.1);
    settings.potential = potentialOf(row.potential);
    settings.cutoff = row.cutoff;
    const auto serial = chainOf("serial", s, settings),
               cells = chainOf("serial_cells", s, settings);
    const double pairs = 30.0 * static_cast<double>(s.point.size());
    EXPECT_NEAR(serial->sums().energy, row.energy, 2e-6 * pairs) << row.configuration << row.cutoff;
    EXPECT_NEAR(serial->sums().virial, row.virial, 3e-5 * pairs) << row.configuration << row.cutoff;
    EXPECT_EQ(cells->sums().energy, serial->sums().energy);
    EXPECT_EQ(cells->sums().virial, serial->sums().virial);
    EXPECT_EQ(cells->energy(), serial->energy());
  }
}

TEST(GcmcRules, PairEnergiesFollowTheLawAndAreMultiplesOfTheQuantum) {
  const double length[3] = {12, 12, 12};
  for (const Truncation t : {Truncation::plain, Truncation::energy, Truncation::force}) {
    const GcmcPair p = makeGcmcPair(lennardJones(t), {.cutoff = 2.5}, 3, length);
    const double fc = t == Truncation::force ? ljForce(2.5) : 0;
    const double shift = t == Truncation::plain ? 0 : ljEnergy(2.5);
    for (double r = 0.8; r < 2.5; r += 0.013) {
      const auto r2 = static_cast<float>(r * r);
      const double u = gcmcPairEnergy(p, r2), x = std::sqrt(static_cast<double>(r2));
      const double law = ljEnergy(x) - shift + (x - 2.5) * fc;
      EXPECT_NEAR(u, law, 2e-6 * std::max(1.0, std::abs(law))) << r;
      const double virial = (ljForce(x) - fc) * x;
      EXPECT_NEAR(gcmcPairVirial(p, r2), virial, 3e-6 * std::max(1.0, std::abs(virial))) << r;
      EXPECT_EQ(u / kGcmcQuantum, std::round(u / kGcmcQuantum)) << r;
    }
    for (const float r2 : {0.0f, 1e-30f, 1e-6f, 0.01f}) {
      EXPECT_TRUE(std::isfinite(gcmcPairEnergy(p, r2)));
      EXPECT_GT(gcmcPairEnergy(p, r2), 6e7f);
    }
  }
}

// Published constants for five cutoffs in space; in the plane, the integrals by Simpson's rule.
TEST(GcmcRules, TailConstants) {
  const double rows[][3] = {{2.5, -0.5354331021, -1.0694021158},
                            {3.0, -0.3101388809, -0.6199940116},
                            {3.5, -0.1953600303, -0.3906491984},
                            {4.0, -0.1308890413, -0.2617567772},
                            {4.25, -0.1091257517, -0.2182391574}};
  for (const auto& row : rows) {
    EXPECT_NEAR(tailEnergy(3, row[0]), row[1], 1e-10);
    EXPECT_NEAR(tailPressure(3, row[0]), row[2], 1e-10);
  }
  // U_tail = (N^2 / 2 A) int u 2 pi r dr and p_tail = (rho^2 / 4) int r f 2 pi r dr beyond r_c,
  // with r = 1 / s.
  const double rc = 2.5;
  double u = 0, p = 0;
  const int steps = 2000;
  const double h = 1 / rc / steps;
  for (int k = 1; k <= steps; ++k) {
    const double s = h * k, r = 1 / s, weight = (k == steps ? 1 : k % 2 ? 4 : 2) * h / 3;
    u += weight * ljEnergy(r) * r / (s * s);
    p += weight * ljForce(r) * r * r / (s * s);
  }
  EXPECT_NEAR(tailEnergy(2, rc), 3.14159265358979 * u, 1e-9);
  EXPECT_NEAR(tailPressure(2, rc), 0.5 * 3.14159265358979 * p, 1e-9);
}

TEST(GcmcRules, TailChangesSumToTheTailEnergy) {
  GcmcSettings settings = chainSettings(1.2, 0.1);
  settings.tail = true;
  const GcmcRules r = makeGcmcRules(settings, cubicBox(8));
  double energy = 0;
  for (std::uint32_t n = 0; n < 100; ++n) {
    energy += gcmcTailChange(r, GcmcKind::insertion, n);
    const double whole = tailEnergy(3, 2.5) * (n + 1.0) * (n + 1.0) / 512;
    EXPECT_NEAR(energy, whole, 1e-12);
    EXPECT_NEAR(gcmcTailChange(r, GcmcKind::deletion, n + 1),
                -gcmcTailChange(r, GcmcKind::insertion, n), 1e-15);
  }
}

TEST(GcmcRules, DrawsAreAFunctionOfTheMoveAndCoverTheirRanges) {
  const GcmcRules r = makeGcmcRules(chainSettings(1, 0.1), cubicBox(10));
  double kinds[3] = {}, sum = 0;
  constexpr int kMoves = 100000;
  for (std::uint64_t m = 0; m < kMoves; ++m) {
    const GcmcDraw d = gcmcDraw(r, m), again = gcmcDraw(r, m);
    EXPECT_EQ(d.point, again.point);
    EXPECT_EQ(d.a, again.a);
    kinds[static_cast<int>(d.kind)]++;
    sum += d.a;
    EXPECT_TRUE(d.a > 0 && d.a < 1);
    const std::int32_t offset = static_cast<std::int32_t>(gcmcOffset(d.point.x, r.reach[0]));
    EXPECT_LE(std::abs(offset * (10 / 4294967296.0)), 0.3);
    EXPECT_EQ(gcmcOffset(~d.point.x, r.reach[0]) | 1u, static_cast<std::uint32_t>(-offset) | 1u)
        << "the opposite offset belongs to the opposite word";
  }
  // Binomial deviations, five sigma: false alarms below 1e-5.
  EXPECT_NEAR(kinds[0], 0.30 * kMoves, 5 * std::sqrt(0.21 * kMoves));
  EXPECT_NEAR(kinds[1], 0.35 * kMoves, 5 * std::sqrt(0.23 * kMoves));
  EXPECT_NEAR(sum / kMoves, 0.5, 5 * std::sqrt(1.0 / 12 / kMoves));
  GcmcRules other = r;
  other.chain = 1;
  EXPECT_NE(gcmcDraw(other, 0).point, gcmcDraw(r, 0).point) << "chains are independent";
}

// Supplement points of Thol et al. (2016), and their own test value that tells a misprint.
TEST(LennardJonesEos, GivesThePublishedPoints) {
  const double rows[][4] = {{0.8, 0.005, 3.8430053e-3, -5.4597389e-2},
                            {1.0, 0.71, 7.5247483e-2, -4.9564222},
                            {2.0, 0.5, 1.0751638, -3.1525021},
                            {7.0, 1.0, 41.531352, -0.62393078}};
  for (const auto& row : rows) {
    const FluidState s = tholEquation(row[0], row[1]);
    EXPECT_NEAR(s.pressure, row[2], 2e-8 * std::max(1.0, row[2]));
    EXPECT_NEAR(s.energy, row[3], 1e-7);
  }
  EXPECT_NEAR(tholEquation(1.2, 0.675).excessPotential, -2.5271510682, 1e-9);
  EXPECT_NEAR(tholEquation(1.5, 0.1).excessPotential, -0.6951296041, 1e-9);
}

// NIST's averages and the equation of state agree: ln z within 0.01 where the fluid is uniform.
TEST(GcmcReference, AgreesWithTheEquationOfState) {
  int compared = 0;
  for (const GrandCanonicalAverages& a : grandCanonicalData()) {
    const double rho = a.particles / 512;
    if (a.at.temperature < 1.4 && rho > 0.05 && rho < 0.62) continue;
    const double lnZ =
        std::log(rho) + tholEquation(a.at.temperature, rho).excessPotential / a.at.temperature;
    if (rho > 0.1 && rho < 0.5) continue;  // finite-size rounding near the critical point
    EXPECT_NEAR(lnZ, a.at.lnActivity, 0.012) << a.at.temperature << " " << rho;
    ++compared;
  }
  EXPECT_GE(compared, 8);
  EXPECT_TRUE(gcmcReferences({1.2, -2.5, 8, 2.5, true}).empty()) << "another cutoff";
  EXPECT_TRUE(gcmcReferences({1.2, -2.5, 8, 3, false}).empty()) << "without the tail";
  EXPECT_EQ(gcmcReferences({1.2, -2.5, 8, 3, true}).size(), 5u);
  EXPECT_TRUE(gcmcReferences({1.2, -2.5, 30, 3, true}).empty()) << "a larger box";
  const auto larger = gcmcReferencesOfLarger({1.2, -2.5, 30, 3, true});
  ASSERT_EQ(larger.size(), 3u) << "what does not depend on it";
  EXPECT_EQ(larger[0].observable, "density");
  EXPECT_NEAR(larger[0].value, 0.674, 0.001);
  EXPECT_TRUE(gcmcReferencesOfLarger({1.2, -2.5, 6, 3, true}).empty()) << "a smaller box";
}

}  // namespace
}  // namespace cellscope::test
