// Rules of the Gibbs ensemble against its distribution, and small systems that are known exactly.
//
// Sampled means: four and a half errors by blocks, so that one comparison in 10^5 fails by chance;
// fixed seeds.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/algo/gibbs/pairs.h"
#include "sim/algo/observables/block_average.h"
#include "sim/modes/gibbs/parameters.h"

namespace cellscope {
namespace {

constexpr double kGibbsAllowed = 4.5;

void expectGibbsMean(const BlockAverage& found, double expected, const char* what) {
  EXPECT_NEAR(found.mean(), expected, kGibbsAllowed * found.error()) << what;
}

// ln of V_1^n_1 V_2^n_2 / (n_1! n_2!) exp(-(U_1 + U_2) / T), tails included.
double lnWeight(const GibbsRules& r, double n1, double v1, double u1, double u2) {
  const double n2 = r.n - n1, v2 = r.volume - v1;
  const double energy = u1 + u2 + r.tail * n1 * n1 / v1 + r.tail * n2 * n2 / v2;
  return n1 * std::log(v1) + n2 * std::log(v2) - std::lgamma(n1 + 1) - std::lgamma(n2 + 1) -
         r.beta * energy;
}

gibbs::GibbsParameters twentyParticles() {
  gibbs::GibbsParameters p;
  p.n = 20, p.density = 0.04, p.temperature = 0.9, p.cutoff = 2.5;
  return p;
}

// Rounding: some 30 operations on numbers of up to 100, in the exponent.
constexpr double kWeightRounding = 1e-12;

TEST(GibbsRules, AcceptanceIsTheRatioOfWeights) {
  const gibbs::GibbsParameters p = twentyParticles();
  const GibbsRules r = p.rules(0, p.sizes());
  ASSERT_LT(r.tail, 0);
  GibbsHead h{};
  h.n1 = 13, h.share = 0x50000000, h.energy[0] = -11.5, h.energy[1] = -3.25;
  const double v1 = r.volume * 0x50000000 / 4294967296.0;
  const double before = lnWeight(r, 13, v1, h.energy[0], h.energy[1]);
  const double in = -1.75, out = -2.5;
  const double toSecond = lnWeight(r, 12, v1, h.energy[0] - out, h.energy[1] + in) - before;
  const GibbsBox box[2] = {gibbsBox(r, h.share, 0), gibbsBox(r, h.share, 1)};
  EXPECT_NEAR(std::log(gibbsTransfer(r, box[0], box[1], 13, 7, in, out).probability), toSecond,
              30 * kWeightRounding);
  const double toFirst = lnWeight(r, 14, v1, h.energy[0] + in, h.energy[1] - out) - before;
  EXPECT_NEAR(std::log(gibbsTransfer(r, box[1], box[0], 7, 13, in, out).probability), toFirst,
              30 * kWeightRounding);
  const double energy[2] = {-10.75, -4};
  const double v = r.volume * 0x48000000 / 4294967296.0;
  const double exchanged = lnWeight(r, 13, v, energy[0], energy[1]) - before;
  EXPECT_NEAR(std::log(gibbsExchange(r, h, 0x48000000, energy)), exchanged, 30 * kWeightRounding);
}

TEST(GibbsRules, SidesAreCubeRoots) {
  for (const double v : {1.0, 27.0, 216.0, 1234.5678, 3e6, 1e-9}) {
    const double side = gibbsSide(3, v);
    EXPECT_NEAR(side * side * side, v, 8 * v * 2.3e-16) << v;
    EXPECT_EQ(gibbsSide(2, v), std::sqrt(v));
  }
}

TEST(GibbsRules, NoBoxGetsSmallerThanTwoCutoffs) {
  const gibbs::GibbsParameters p = twentyParticles();
  GibbsRules r = p.rules(0, p.sizes());
  EXPECT_GE(gibbsVolume(r, r.least, 0), 125.0 * (1 - 1e-15));
  EXPECT_LT(gibbsVolume(r, r.least - 1, 0), 125.0);
  GibbsDraw d{};
  d.point.x = 0x80000000;  // the largest step down
  r.volumeReach = 100;
  EXPECT_EQ(gibbsExchanged(r, d, r.least + 99), r.least);
  EXPECT_EQ(gibbsExchanged(r, d, r.least + 98), 0u);
  d.point.x = 0x7fffffff;
  EXPECT_EQ(gibbsExchanged(r, d, 0u - r.least - 98), 0u);
}

// Chains of many pairs, each sample after `moves` moves.
template <class F>
void sampledPair(const gibbs::GibbsParameters& p, int samples, std::uint64_t moves, const F& f) {
  const auto pairs = makeGibbsPairsCpu(exec::makeExec({Backend::cpu, 1, 0}));
  const GibbsRules r = p.rules(0, p.sizes());
  pairs->upload(gibbsLattices({r}, p.firstN(), p.firstShare()), {r});
  for (int k = 0; k < samples; ++k) {
    pairs->advance(moves);
    f(r, pairs->heads()[0]);
  }
}

// Without interaction the integral over V_1 leaves each n_1 as likely as the others, and the sum
// over n_1 each V_1; given n_1 the share of V_1 is Beta(n_1 + 1, n_2 + 1), so that
// <V_1 / (n_1 + 1)> = V / (N + 2).
TEST(GibbsRules, IdealGasIsUniformInNumberAndVolume) {
  gibbs::GibbsParameters p;
  p.potential.index = static_cast<std::int64_t>(gibbs::gibbsPotentials().size()) - 1;
  p.n = 4, p.density = 0.1, p.transfers = 0.4, p.exchanges = 0.4, p.maxExchange = 0.3;
  BlockAverage number[5], share[4], together, inverse;
  sampledPair(p, 100000, 8, [&](const GibbsRules& r, const GibbsHead& h) {
    for (std::uint32_t n = 0; n < 5; ++n) number[n].add(h.n1 == n);
    for (std::uint32_t k = 0; k < 4; ++k) share[k].add(h.share >> 30 == k);
    together.add(h.n1 * gibbsVolume(r, h.share, 0) / r.volume);
    inverse.add(gibbsVolume(r, h.share, 0) / (h.n1 + 1));
  });
  for (const BlockAverage& n : number) expectGibbsMean(n, 0.2, "n_1");
  for (const BlockAverage& s : share) expectGibbsMean(s, 0.25, "V_1");
  // <n (n + 1)> / (N + 2) of n = 0 .. 4.
  expectGibbsMean(together, (2 + 6 + 12 + 20) / 5.0 / 6, "n_1 V_1");
  expectGibbsMean(inverse, 40.0 / 6, "V_1 / (n_1 + 1)");
}

// Two particles: with both in a box of V, the integral over their distance is V + B,
// B = integral (exp(-u / T) - 1) 4 pi r^2 dr up to the cutoff, which half a side is not below.
TEST(GibbsRules, TwoParticlesAreKnownExactly) {
  gibbs::GibbsParameters p;
  p.n = 2, p.density = 2.0 / 70, p.temperature = 0.8, p.cutoff = 1.5, p.tail = false;
  p.transfers = 0.5, p.exchanges = 0.2, p.maxDisplacement = 0.7, p.maxExchange = 0.1;
  double b = 0, energy = 0;
  constexpr int kParts = 200000;
  for (int k = 0; k < kParts; ++k) {
    const double r = 1.5 * (k + 0.5) / kParts, s6 = std::pow(r, -6);
    const double u = 4 * s6 * (s6 - 1), f = std::exp(-u / p.temperature);
    const double shell = 4 * 3.14159265358979 * r * r * 1.5 / kParts;
    b += (f - 1) * shell;
    if (f > 0) energy += u * f * shell;
  }
  // Integrals over V_1 from 27 to 43.
  const auto power = [](int k) { return (std::pow(43.0, k) - std::pow(27.0, k)) / k; };
  const double both = (power(3) + b * power(2)) / 2, apart = 70 * power(2) - power(3);
  const double all = 2 * both + apart;
  BlockAverage one, u, firstFull;
  sampledPair(p, 150000, 10, [&](const GibbsRules& r, const GibbsHead& h) {
    one.add(h.n1 == 1);
    u.add(h.energy[0] + h.energy[1]);
    firstFull.add(h.n1 == 2 ? gibbsVolume(r, h.share, 0) : 0);
  });
  EXPECT_LT(one.error(), 0.005);
  expectGibbsMean(one, apart / all, "one in each");
  expectGibbsMean(u, energy * power(2) / all, "energy");
  expectGibbsMean(firstFull, (power(4) + b * power(3)) / 2 / all, "V_1 with both");
}

}  // namespace
}  // namespace cellscope
