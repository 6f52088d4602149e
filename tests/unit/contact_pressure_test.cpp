// Extrapolation to contact: exact on polynomials, unbiased on model data.
// Every observable of every list follows from its own measurement.
#include <gtest/gtest.h>

#include <set>

#include "sim/algo/observables/disk_kernels.h"
#include "sim/modes/hard_disks/observables.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

// Integral of exp(-k (r - 1)) r over [a, b].
double modelIntegral(double k, double a, double b) {
  if (k == 0) return 0.5 * (b * b - a * a);
  const auto primitive = [k](double r) { return -std::exp(-k * (r - 1)) * (r / k + 1 / (k * k)); };
  return primitive(b) - primitive(a);
}

// n_i per (N rho) for g(r) = g0 exp(-k (r - 1)).
std::vector<double> modelCounts(const RadialBins& bins, double g0, double k) {
  std::vector<double> n;
  for (int i = 0; i < bins.count; ++i)
    n.push_back(2 * kPi * g0 * modelIntegral(k, bins.edge(i), bins.edge(i + 1)));
  return n;
}

double relativeError(int degree, double k) {
  const double g0 = 6.674;
  const ContactFit fit(contactBins(), degree);
  return fit.contactValue(modelCounts(contactBins(), g0, k), 1.0, 1.0) / g0 - 1.0;
}

TEST(ExtrapolationWeights, AreExactOnPolynomialsOfTheDegree) {
  std::vector<double> x;
  for (int i = 0; i < 200; ++i) x.push_back(1.0 + 1e-4 * (i + 0.5));
  for (int degree = 0; degree <= 7; ++degree) {
    const std::vector<double> w = extrapolationWeights(x, 1.0, degree);
    for (int power = 0; power <= degree; ++power) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i)
        sum += w[i] * std::pow((x[i] - 0.99) / 0.01, power);
      EXPECT_NEAR(sum, 1.0, 1e-9) << "degree " << degree << ", power " << power;
    }
  }
}

TEST(ExtrapolationWeights, InterpolateWhenThereAreJustEnoughPoints) {
  const std::vector<double> w = extrapolationWeights(std::vector<double>{1.0, 2.0, 4.0}, 0.0, 2);
  EXPECT_NEAR(w[0], 8.0 / 3.0, 1e-14);
  EXPECT_NEAR(w[1], -2.0, 1e-14);
  EXPECT_NEAR(w[2], 1.0 / 3.0, 1e-14);
}

TEST(ContactFit, ModelDataAreExtrapolatedWithTheKnownErrors) {
  EXPECT_NEAR(relativeError(5, 0), -8e-10, 1e-10);
  EXPECT_NEAR(relativeError(4, 7), 1.8e-8, 5e-9);  // the studies' fit; slope of the dense fluid
  EXPECT_NEAR(relativeError(4, 30), -1.6e-6, 1e-7);
  EXPECT_NEAR(relativeError(3, 10), -8.3e-7, 1e-8);
  EXPECT_NEAR(relativeError(5, 10), 4.1e-8, 2e-9);
  EXPECT_NEAR(relativeError(3, 30), -5.9e-5, 1e-6);
  EXPECT_NEAR(relativeError(5, 30), 3.2e-7, 1e-8);
}

TEST(ContactFit, MeanOfEstimatesIsTheEstimateOfTheMean) {
  const ContactFit fit;
  ContactCounts a, b, sum;
  for (ContactCounts* c : {&a, &b, &sum}) c->clear();
  for (std::size_t i = 0; i < a.pairs.size(); ++i) {
    a.pairs[i] = 1000 + 7 * i % 13;
    b.pairs[i] = 900 + 11 * i % 17;
  }
  a.disks = b.disks = 4096;
  a.samples = b.samples = 1;
  sum.add(a);
  sum.add(b);
  const double density = 0.8887, mean = 0.5 * (fit.pressure(a, density) + fit.pressure(b, density));
  EXPECT_NEAR(fit.pressure(sum, density), mean, 1e-10);
  EXPECT_EQ(sum.samples, 2u);
}

TEST(ContactFit, RadialFollowsEquationFive) {
  const ContactFit fit;
  std::vector<std::uint64_t> n(200, 0);
  n[3] = 17;
  const double R = fit.radii()[3];
  EXPECT_NEAR(R,
              (2.0 / 3) * (std::pow(1.0004, 3) - std::pow(1.0003, 3)) /
                  (std::pow(1.0004, 2) - std::pow(1.0003, 2)),
              1e-10);
  EXPECT_NEAR(fit.radial(n, 1000, 0.9)[3], 17 / (1000 * 0.9 * 2 * kPi * R * 1e-4), 1e-9);
}

// Stretches with the probability l n(l), n = exp(-l / a): the mean of 1 / l is the integral of n.
// In the dense fluid a is about 0.1. The variance, infinite without the cut-off, stays small.
TEST(FreePaths, CuttingShortStretchesOffLeavesTheMean) {
  const double a = 0.1;
  double mean = 0, square = 0;
  constexpr int kSteps = 4000000;
  for (int i = 0; i < kSteps; ++i) {  // midpoints in the root of l: many where l is small
    const double t = (i + 0.5) / kSteps * 1.6, l = t * t;
    const double weight = l * std::exp(-l / a) * 2 * t * (1.6 / kSteps);
    mean += weight * tamedInverse(l);
    square += weight * tamedInverse(l) * tamedInverse(l);
  }
  EXPECT_NEAR(mean / a, 1, 1e-5);
  EXPECT_LT(square, std::log(a / 2e-4) + 1);
}

TEST(ContactFit, WithoutSamplesThereIsNoPressure) {
  ContactCounts empty;
  empty.clear();
  EXPECT_TRUE(std::isnan(ContactFit().pressure(empty, 0.9)));
  EXPECT_TRUE(std::isnan(ScaleFit().pressure(empty, 0.9)));
}

TEST(HardDiskPressure, ContactValueAndPressureBelongTogether) {
  const double density = densityOfPacking(0.698);
  // Z = P* / rho = 1 + 2 phi g(1+) in two dimensions: 10.3172 at g(1+) = 6.674.
  EXPECT_NEAR(pressureOfContact(density, 6.674) / density, 1 + 2 * 0.698 * 6.674, 1e-12);
  EXPECT_NEAR(pressureOfContact(density, 6.674), 9.1693, 1e-3);
}

// Disks whose first contact follows s(x) = s0 exp(-s0 x), the law of independent contacts.
TEST(ScaleFit, RecoversTheRateOfFirstContacts) {
  const ScaleBins bins;
  const double s0 = 37.27;
  const std::uint64_t disks = 1000000000000ull;
  std::vector<std::uint64_t> counts;
  for (int i = 0; i < bins.count; ++i) {
    const double p = std::exp(-s0 * i * bins.width) - std::exp(-s0 * (i + 1) * bins.width);
    counts.push_back(static_cast<std::uint64_t>(std::llround(p * 1e12)));
  }
  EXPECT_NEAR(ScaleFit().atZero(counts, disks) / s0, 1.0, 3e-6);
}

// Shells that leave the periodic box hold too few pairs: g(r) ends at half its side.
TEST(RadialDistribution, EndsAtHalfTheBox) {
  PairCounts counts{.bins = plotBins(4.0)};
  counts.clear();
  counts.disks = 10;
  std::fill(counts.pairs.begin(), counts.pairs.end(), 5);
  const CurveSeries g = radialDistribution(counts, 0.5, 6.0);
  ASSERT_EQ(g.x.size(), 300u);
  EXPECT_LT(g.x.back(), 3.0);
  EXPECT_NEAR(g.y.back(), 5 / (10 * 0.5 * 2 * kPi * g.x.back() * 0.01), 1e-9);
}

// Of all, by id.
template <class Observable, class Sample>
std::map<std::string, double> valuesOf(const std::vector<Observable>& all, const Sample& sample) {
  std::map<std::string, double> found;
  for (const Observable& o : all) found[o.info.id] = o.value(sample);
  return found;
}

// A new observable needs a line here, too.
void expectValues(const std::map<std::string, double>& expected,
                  const std::map<std::string, double>& found) {
  for (const auto& [id, value] : found) {
    ASSERT_TRUE(expected.count(id)) << id;
    EXPECT_NEAR(value, expected.at(id), 1e-14) << id;
  }
  EXPECT_EQ(found.size(), expected.size());
}

DiskSample sampleOfDisks() {
  DiskSample s{.pressure = 9.1, .pressureScaled = 9.2, .pressurePaths = 9.3};
  s.order.psi6 = {0.3, -0.4};
  s.order.meanModulus = 0.75, s.order.densitySpread = 0.02;
  for (std::uint64_t k = 0; k < 4; ++k) {
    s.moves.attempted[k] = 100 * (k + 1);
    s.moves.accepted[k] = 10 * (k + 1) * (k + 1);
    s.moves.leftCell[k] = k + 1;
  }
  s.overlappingPairs = 17;
  s.lostDisks = 3;
  return s;
}

TEST(DiskObservables, FollowFromTheirMeasurements) {
  expectValues({{"pressure", 9.1},
                {"pressure_sdf", 9.2},
                {"pressure_paths", 9.3},
                {"psi6_global", 0.5},
                {"psi6_local", 0.75},
                {"acceptance", 300.0 / 1000},
                {"acceptance_a", 10.0 / 100},
                {"acceptance_b", 40.0 / 200},
                {"acceptance_c", 90.0 / 300},
                {"acceptance_d", 160.0 / 400},
                {"left_cell", 10.0 / 1000},
                {"overlapping_pairs", 17},
                {"lost_disks", 3},
                {"density_spread", 0.02}},
               valuesOf(diskObservables(), sampleOfDisks()));
}

TEST(DiskObservables, AreUndefinedWhereNothingWasMeasured) {
  const std::set<std::string> always = {"psi6_global", "psi6_local", "density_spread"};
  for (const DiskObservable& o : diskObservables()) {
    const std::string id = o.info.id;
    EXPECT_EQ(std::isnan(o.value({})), always.count(id) == 0) << id;
  }
}

TEST(DiskObservables, PublishedPressuresBelongToThoseOfThePressure) {
  for (const DiskObservable& o : diskObservables())
    EXPECT_EQ(o.pressure, o.info.plot == "pressure") << o.info.id;
}

// Eleven particles that do not feel each other, each displaced by 2^-5 along x: every number is
// exact, and the mean square displacement 2^-10.
std::unique_ptr<MdEngine> displaced() {
  MdState state{cubicBox(44)};
  for (int i = 0; i < 11; ++i)
    state.position.push_back({4.0 * i + 1, 1, 1}), state.velocity.push_back({1, 0, 0});
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  engine->setPair({});
  engine->upload(state);
  engine->forces();
  engine->resetDisplacements();
  engine->halfKickDrift(0.03125, 1);
  return engine;
}

TEST(MdObservables, FollowFromTheirMeasurements) {
  constexpr double kKinetic = 30 + 49.0 / 28;  // 30 and, of the drift, |p|^2 / (2 M)
  constexpr double kTotal = (kKinetic - 50) / 11 - 0.25, kConserved = kTotal - 0.5;
  const auto engine = displaced();
  md::MdSample s{.msd = engine->sampleNow(0).sums.displacement2 / 11};
  s.totals.kinetic = kKinetic, s.totals.potential = -50, s.totals.virial = 40;
  s.totals.px = 2, s.totals.py = -3, s.totals.pz = 6;
  s.particles = 11, s.volume = 20, s.mass = 14;
  s.tailEnergy = -0.25, s.tailPressure = -0.125;
  s.startEnergy = -2, s.sinceStart = 4, s.heat = 7.5, s.work = -2;
  s.neighbours = 70, s.builds = 0.05, s.dangerous = 2;
  s.listFill = 0.5;
  s.treeDepth = 9, s.treeOverlap = 0.3, s.treeCost = 31;
  expectValues({{"temperature", 2},
                {"kinetic", kKinetic / 11},
                {"potential", -50.0 / 11 - 0.25},
                {"total", kTotal},
                {"pressure", 100.0 / 60 - 0.125},
                {"drift", (kConserved + 2) / 2},
                {"drift_rate", (kConserved + 2) / 4},
                {"conserved", kConserved},
                {"msd", 0.0009765625},
                {"momentum", 7},
                {"neighbours", 70},
                {"builds", 0.05},
                {"dangerous", 2},
                {"list_fill", 0.5},
                {"tree_depth", 9},
                {"tree_overlap", 0.3},
                {"tree_cost", 31},
                {"density", 0.55}},
               valuesOf(md::mdObservables(), s));
}

TEST(MdObservables, InThePlaneHaveTwoDegreesOfFreedomPerParticle) {
  md::MdSample s;
  s.totals.kinetic = 30, s.totals.virial = 40;
  s.particles = 11, s.volume = 20, s.mass = 11, s.dimension = 2;
  const auto found = valuesOf(md::mdObservables(), s);
  EXPECT_NEAR(found.at("temperature"), 3, 1e-14);
  EXPECT_NEAR(found.at("pressure"), 2.5, 1e-14);
}

TEST(MdObservables, AreUndefinedWhereNothingWasMeasured) {
  md::MdSample s{.particles = 11, .volume = 20, .mass = 11, .startEnergy = std::nan("")};
  const std::set<std::string> never = {"drift",        "drift_rate", "conserved", "msd",
                                       "neighbours",   "builds",     "dangerous", "tree_depth",
                                       "tree_overlap", "tree_cost",  "list_fill"};
  for (const md::MdObservable& o : md::mdObservables())
    EXPECT_EQ(std::isnan(o.value(s)), never.count(o.info.id) == 1) << o.info.id;
}

TEST(MdObservables, PairsOfFewParticlesAreCountedMoreOften) {
  for (const auto& [particles, steps] : {std::pair(300u, 10u), std::pair(4000u, 100u)}) {
    md::MdSampler sampler(particles);
    EXPECT_TRUE(sampler.fillDue(0));
    sampler.fillMeasured(7);
    EXPECT_FALSE(sampler.fillDue(6 + steps)) << particles;
    EXPECT_TRUE(sampler.fillDue(7 + steps)) << particles;
  }
}

}  // namespace
}  // namespace cellscope
