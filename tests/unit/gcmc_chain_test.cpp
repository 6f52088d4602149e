// Rules of a grand-canonical move: random numbers, pair energies, tail, acceptance; and the serial
// chain against exact statistics. That all methods make its moves, the one with cells among them,
// is seen in tests/backend (gcmc_methods_test.cpp, gcmc_first_moves_test.cpp). Seeds are fixed;
// statistical bounds are five standard errors or a chi-square quantile of 1e-5.
#include "sim/algo/observables/fluid_reference.h"
#include "sim/api/configuration.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

TEST(GcmcChain, IdsAreUniqueAndEventsTellWhatHappened) {
  GcmcSettings s = chainSettings(2, 0.05);
  const auto chain = chainOf("serial_cells", chainState(cubicBox(8), 20), s);
  std::vector<ParticleId> ids = chain->state().id;
  chain->record(1000);
  chain->advance(1000);
  const std::vector<GcmcEvent> events = chain->events();
  ASSERT_EQ(events.size(), 1000u);
  for (const GcmcEvent& e : events) {
    if (!e.accepted) continue;
    if (e.kind == GcmcKind::insertion) ids.push_back(e.id);
    if (e.kind == GcmcKind::deletion) {
      const auto at = std::ranges::find(ids, e.id);
      ASSERT_NE(at, ids.end());
      ids.erase(at);
    }
  }
  std::vector<ParticleId> now = chain->state().id;
  std::ranges::sort(ids), std::ranges::sort(now);
  EXPECT_EQ(ids, now);
  EXPECT_EQ(std::ranges::adjacent_find(now), now.end());
}

// Chi-square of P(N) against the Poisson distribution of mean z V, bins of at least 20 expected.
double poissonChiSquare(const std::vector<double>& counts, double mean, int& bins) {
  double samples = 0, chi2 = 0;
  for (const double c : counts) samples += c;
  bins = 0;
  for (std::size_t n = 0; n < counts.size() + 5; ++n) {
    const double k = static_cast<double>(n);
    const double expected = samples * std::exp(k * std::log(mean) - mean - std::lgamma(k + 1));
    if (expected < 20) continue;
    const double c = n < counts.size() ? counts[n] : 0;
    chi2 += (c - expected) * (c - expected) / expected;
    ++bins;
  }
  return chi2;
}

// Ideal gas: N is Poisson about z V. One in 120 moves is counted: successive counts are
// independent for a mean of 6.
TEST(GcmcChain, IdealGasIsPoisson) {
  for (const int dimension : {2, 3}) {
    const Box box = dimension == 3 ? cubicBox(4) : squareBox(8);
    GcmcSettings s = chainSettings(1, 6 / box.volume());
    s.cutoff = 0;
    int bins = 0;
    const auto chi2 = [&](int every) {
      const auto chain = chainOf("serial_cells", chainState(box, 6), s);
      return poissonChiSquare(numberHistogram(*chain, 20000, every), 6, bins);
    };
    // Quantile of 1e-5 for some 15 degrees of freedom: 50.
    EXPECT_LT(chi2(120), 50);
    EXPECT_GE(bins, 12);
    s.oldNumber = true;
    EXPECT_GT(chi2(120), 500) << "dividing by the old N shows";
    s.oldNumber = false;
    // Unequal shares of insertions and deletions are made up for by the rule.
    s.ratio[1] = 0.2, s.ratio[2] = 0.5;
    EXPECT_LT(chi2(150), 50);
  }
}

struct TinyBox {
  double side, temperature, r2, r3;
};

// P(2) P(0) / P(1)^2 and P(3) P(0)^2 / P(1)^3 of truncated particles in a tiny box, exact by
// integration. Errors are those of sixteen batches.
TEST(GcmcChain, TinyBoxesHaveTheirExactRatios) {
  for (const TinyBox& b : {TinyBox{5, 0.7, 0.57277430, 0.250484},
                           {5, 1.0, 0.53823080, 0.207755},
                           {7.5, 0.5, 0.54073914, 0.21120804}}) {
    GcmcSettings s = chainSettings(b.temperature, 1.5 / std::pow(b.side, 3));
    s.maxDisplacement = 2;
    auto chain = chainOf("serial_cells", chainState(cubicBox(b.side), 1), s);
    std::vector<double> ratio[2];
    for (int k = 0; k < 16; ++k) {
      const std::vector<double> p = numberHistogram(*chain, 20000, 6);
      ratio[0].push_back(p[2] * p[0] / (p[1] * p[1]));
      ratio[1].push_back(p[3] * p[0] * p[0] / (p[1] * p[1] * p[1]));
    }
    const double exact[2] = {b.r2, b.r3};
    for (int i = 0; i < 2; ++i) {
      const Estimate found = estimate(ratio[i]);
      // Student's t of 15 degrees of freedom: 5.6 has a false-alarm rate of 5e-5. The ratio of
      // noisy counts is biased by less than a tenth of the error.
      EXPECT_NEAR(found.mean, exact[i], 5.7 * found.error)
          << b.side << " " << b.temperature << " R" << i + 2;
      EXPECT_LT(found.error, 0.02 * exact[i]);
    }
  }
}

// Ideal gas, V = 8, z = 0.5: with the printed sign an insertion is accepted with min(1, (V / z) /
// (N + 1)) and a deletion with min(1, N / (z V)). That has an exact distribution, flat from 4 to
// 16, of mean 10.3 in place of 4.
TEST(GcmcChain, TheSignAsPrintedHasItsExactBias) {
  GcmcSettings s = chainSettings(1, 0.5);
  s.cutoff = 0;
  s.signAsPrinted = true;
  double p = 1, sum = 0, mean = 0, square = 0;
  for (int n = 0; n < 200; ++n) {
    sum += p, mean += n * p, square += static_cast<double>(n) * n * p;
    p *= std::min(1.0, 16.0 / (n + 1)) / std::min(1.0, (n + 1) / 4.0);
  }
  mean /= sum, square /= sum;
  const Sampled found = sample(*chainOf("serial", chainState(cubicBox(2), 4), s), 10, 2500);
  EXPECT_GT(mean, 9);
  expectNear(found.n, mean);
  EXPECT_NEAR(found.variance.mean, square - mean * mean, 0.05 * (square - mean * mean));
}

GcmcState nist(int number) {
  const NistConfiguration c = nistConfiguration(number);
  GcmcState s{.box = c.box};
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
    EXPECT_NEAR(energy, tailEnergy(3, 2.5) * (n + 1.0) * (n + 1.0) / 512, 1e-12);
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
  const auto known = gcmcReferences({1.2, -2.5, 8, 3, true});
  EXPECT_EQ(known.size(), 5u);
  for (const ReferenceValue& r : known) EXPECT_NE(r.source.find("NIST"), r.source.npos) << r.source;
  const auto density = std::ranges::find_if(
      known, [](const ReferenceValue& r) { return r.observable == "density"; });
  ASSERT_NE(density, known.end());
  EXPECT_GT(density->error, 0);
  EXPECT_LT(density->error, 0.002 * density->value);
  EXPECT_TRUE(gcmcReferences({1.2, -2.5, 30, 3, true}).empty()) << "a larger box";
  const auto larger = gcmcReferencesOfLarger({1.2, -2.5, 30, 3, true});
  ASSERT_EQ(larger.size(), 3u) << "what does not depend on it";
  EXPECT_EQ(larger[0].observable, "density");
  EXPECT_NEAR(larger[0].value, 0.674, 0.001);
  EXPECT_TRUE(gcmcReferencesOfLarger({1.2, -2.5, 6, 3, true}).empty()) << "a smaller box";
}

}  // namespace
}  // namespace cellscope::test
