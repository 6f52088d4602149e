// The serial grand-canonical chain, with and without cells, against each other and against exact
// statistics. Seeds are fixed; statistical bounds are five standard errors or a chi-square quantile
// of 1e-5.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/observables/block_average.h"
#include "tests/support/gcmc_chains.h"
#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

void expectSame(GcmcEngine& a, GcmcEngine& b) {
  const GcmcState x = a.state(), y = b.state();
  ASSERT_EQ(x.id, y.id);
  ASSERT_TRUE(x.point == y.point);
  EXPECT_EQ(x.move, y.move);
  EXPECT_EQ(a.energy(), b.energy());
  EXPECT_EQ(a.energy(), b.sums().energy) << "running sums do not drift";
}

TEST(GcmcChain, CellsGiveTheDecisionsOfTheSerialChain) {
  for (const int dimension : {2, 3})
    for (const Truncation t : {Truncation::plain, Truncation::energy, Truncation::force}) {
      const Box box = dimension == 3 ? cubicBox(8) : squareBox(20);
      GcmcSettings s = chainSettings(1.2, dimension == 3 ? 0.1 : 0.3);
      s.potential = lennardJones(t);
      s.tail = t == Truncation::plain;
      s.cutoff = dimension == 3 ? 3 : 2.5;
      const GcmcState start = chainState(box, dimension == 3 ? 200 : 150);
      const auto serial = chainOf("serial", start, s), cells = chainOf("serial_cells", start, s);
      for (int part = 0; part < 4; ++part) {
        serial->advance(5000), cells->advance(5000);
        expectSame(*serial, *cells);
      }
      const GcmcCounters c = cells->counters();
      for (int k = 0; k < 3; ++k) EXPECT_GT(c.accepted[k], 20u) << k;
    }
}

// The chain with cells, after so many moves of both.
std::unique_ptr<GcmcEngine> followed(const GcmcState& start, const GcmcSettings& s, int moves) {
  const auto serial = chainOf("serial", start, s);
  auto cells = chainOf("serial_cells", start, s);
  const auto count = static_cast<std::uint64_t>(moves);
  serial->advance(count), cells->advance(count);
  expectSame(*serial, *cells);
  return cells;
}

// 10^5 moves of the dense liquid, and from nothing: cells fill up and their storage grows.
TEST(GcmcChain, CellsFollowTheSerialChainThroughGrowth) {
  GcmcSettings s = chainSettings(1.2, std::exp(-2.5));
  s.tail = true;
  s.cutoff = 3;
  followed(chainState(cubicBox(8), 345), s, 100000);
  s.activity = 2;
  const GcmcState nothing = chainState(cubicBox(9), 0);
  const auto grown = followed(nothing, s, 30000);
  EXPECT_GT(grown->count(), 250u);
  EXPECT_GT(grown->capacity(), chainOf("serial_cells", nothing, s)->capacity());
}

// In a box of less than three cutoffs all 27 cells cover it exactly once.
TEST(GcmcChain, SmallBoxes) {
  for (const double side : {5.0, 6.1, 7.4, 7.6, 10.1}) {
    SCOPED_TRACE(side);
    followed(chainState(cubicBox(side), 30), chainSettings(1.5, 0.3), 10000);
  }
}

TEST(GcmcChain, ResumesAnywhereAndTakesOtherRules) {
  GcmcSettings s = chainSettings(1.5, 0.1);
  const auto a = chainOf("serial_cells", chainState(cubicBox(8), 100), s);
  a->advance(777);
  const auto b = chainOf("serial", a->state(), s);
  a->advance(1000), b->advance(1000);
  expectSame(*a, *b);
  s.temperature = 2, s.cutoff = 3.5;
  const GcmcRules rules = makeGcmcRules(s, cubicBox(8));
  a->setRules(rules), b->setRules(rules);
  a->advance(1000), b->advance(1000);
  expectSame(*a, *b);
}

TEST(GcmcChain, IdsAreUniqueAndEventsTellWhatHappened) {
  GcmcSettings s = chainSettings(2, 0.05);
  const auto chain = chainOf("serial_cells", chainState(cubicBox(8), 20), s);
  std::vector<ParticleId> before = chain->state().id;
  chain->record(1000);
  chain->advance(1000);
  const std::vector<GcmcEvent> events = chain->events();
  ASSERT_EQ(events.size(), 1000u);
  std::vector<ParticleId> ids = before;
  for (const GcmcEvent& e : events) {
    if (!e.accepted) continue;
    if (e.kind == GcmcKind::insertion) ids.push_back(e.id);
    if (e.kind == GcmcKind::deletion) {
      const auto at = std::find(ids.begin(), ids.end(), e.id);
      ASSERT_NE(at, ids.end());
      ids.erase(at);
    }
  }
  std::vector<ParticleId> now = chain->state().id;
  std::sort(ids.begin(), ids.end()), std::sort(now.begin(), now.end());
  EXPECT_EQ(ids, now);
  EXPECT_EQ(std::adjacent_find(now.begin(), now.end()), now.end());
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
// integration. Errors are propagated from ten batches.
TEST(GcmcChain, TinyBoxesHaveTheirExactRatios) {
  for (const TinyBox& b : {TinyBox{5, 0.7, 0.57277430, 0.250484},
                           {5, 1.0, 0.53823080, 0.207755},
                           {7.5, 0.5, 0.54073914, 0.21120804}}) {
    GcmcSettings s = chainSettings(b.temperature, 1.5 / std::pow(b.side, 3));
    s.maxDisplacement = 2;
    auto chain = chainOf("serial_cells", chainState(cubicBox(b.side), 1), s);
    constexpr int kBatches = 16;
    double sum[2] = {}, square[2] = {};
    for (int k = 0; k < kBatches; ++k) {
      const std::vector<double> p = numberHistogram(*chain, 20000, 6);
      const double value[2] = {p[2] * p[0] / (p[1] * p[1]),
                               p[3] * p[0] * p[0] / (p[1] * p[1] * p[1])};
      for (int i = 0; i < 2; ++i) sum[i] += value[i], square[i] += value[i] * value[i];
    }
    const double exact[2] = {b.r2, b.r3};
    for (int i = 0; i < 2; ++i) {
      const double mean = sum[i] / kBatches;
      const double error = std::sqrt((square[i] / kBatches - mean * mean) / (kBatches - 1));
      // Student's t of 15 degrees of freedom: 5.6 has a false-alarm rate of 5e-5. The ratio of
      // noisy counts is biased by less than a tenth of the error.
      EXPECT_NEAR(mean, exact[i], 5.7 * error) << b.side << " " << b.temperature << " R" << i + 2;
      EXPECT_LT(error, 0.02 * exact[i]);
    }
  }
}

// A dilute supercritical state of NIST's grand-canonical reference data: <N> = 35.514.
TEST(GcmcChain, NistVapourAtT15) {
  GcmcSettings s = chainSettings(1.5, std::exp(-3.0));
  s.cutoff = 3;
  s.tail = true;
  s.maxDisplacement = 1;
  auto chain = chainOf("serial_cells", chainState(cubicBox(8), 36), s);
  chain->advance(20000);
  BlockAverage n;
  for (int k = 0; k < 8000; ++k) {
    chain->advance(100);
    n.add(chain->count());
  }
  EXPECT_NEAR(n.mean(), 35.514, 4.5 * n.error() + 0.0015 * 35.5);
  EXPECT_LT(n.error(), 0.5);
  EXPECT_NEAR(n.variance(), 51.64, 8);
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
  const auto engine = chainOf("serial", chainState(cubicBox(2), 4), s);
  const Sampled found = sample(*engine, 10, 2500);
  EXPECT_GT(mean, 9);
  expectNear(found.n, mean);
  EXPECT_NEAR(found.variance.mean, square - mean * mean, 0.05 * (square - mean * mean));
}

}  // namespace
}  // namespace cellscope::test
