// Pressure of hard disks by all three estimators against exact small systems, the virial series and
// published simulations; and of whole runs of the mode: random start, quick compression, live
// change of packing, tuned move size. Seeds are fixed; errors come from block averages.
// Hard-disk Monte Carlo against exact results for two, three and four disks in a periodic square.
//
// Two and three disks: bins of the pair distance (minimum image) follow from areas. Four disks:
// histograms against those of independent random points, kept when no pair overlaps. Errors come
// from block averages; without cell shifts, which breaks the sampling, the check must fail.
#include <fmt/format.h>

#include "sim/algo/observables/hard_disk_reference.h"
#include "tests/support/disk_states.h"
#include "tests/support/few_disks.h"
#include "tests/support/hard_disks.h"
#include "tests/support/virial.h"

namespace cellscope::test {
namespace {

struct Run {
  int disks = 0;
  double packing = 0;
  MpmcParameters parameters;
  std::uint64_t equilibration = 0, samples = 0, sweepsPerSample = 1;
  double range = 0.02;  // of the fits, in 200 bins
  int degree = 5;
};

struct Pressures {
  double density = 0;
  BlockAverage contact, scale, paths;
  double contactOfSum = 0;  // estimate from the summed counts
};

Pressures measure(const Run& run, const DiskCells& start) {
  const auto engine = engineWith(start);
  engine->sweeps(run.parameters, 0, run.equilibration);
  const auto observables = test::observablesOn({Backend::cpu, 1});
  ContactCounts sum{.pairBins = {1.0, run.range / 200, 200}, .scaleBins = {run.range / 200, 200}};
  const ContactFit contact(sum.pairBins, run.degree);
  const ScaleFit scale(sum.scaleBins, run.degree);
  Pressures p;
  p.density = densityOfPacking(packingOf(start.grid, run.disks));
  std::uint64_t sweep = run.equilibration;
  sum.clear();
  for (std::uint64_t k = 0; k < run.samples; ++k, sweep += run.sweepsPerSample) {
    engine->sweeps(run.parameters, sweep, run.sweepsPerSample);
    ContactCounts one = sum;
    one.clear();
    observables->contact(engine->view(), one);
    p.contact.add(contact.pressure(one, p.density));
    p.scale.add(scale.pressure(one, p.density));
    p.paths.add(pressureOfPaths(p.density, observables->freePaths(engine->view())));
    sum.add(one);
  }
  p.contactOfSum = contact.pressure(sum, p.density);
  return p;
}

// All estimates within 4.5 standard errors of `exact` plus `allowance` (false alarm 2e-5 each), and
// sharp enough to mean something: the fits to `sharpness`, the free paths to a quarter of it. Of
// long runs one in 30 does not count as long enough; two of three estimates must say so.
void check(const Pressures& p, double exact, double allowance, double sharpness) {
  int longEnough = 0;
  for (const BlockAverage* a : {&p.contact, &p.scale, &p.paths}) {
    SCOPED_TRACE(a == &p.paths     ? "free paths"
                 : a == &p.contact ? "contact value"
                                   : "scale distribution");
    longEnough += a->converged();
    EXPECT_LT(a->error(), (a == &p.paths ? 0.25 : 1.0) * sharpness * exact);
    EXPECT_NEAR(a->mean(), exact, 4.5 * a->error() + allowance);
    std::printf("P* = %.5f +- %.5f, expected %.5f (%+.1f standard errors)\n", a->mean(), a->error(),
                exact, (a->mean() - exact) / a->error());
  }
  EXPECT_GE(longEnough, 2);
  EXPECT_NEAR(p.contactOfSum, p.contact.mean(), 1e-9 * exact);
}

struct Expected {
  double pressure, allowance = 0;
};
// From cluster integrals; eq. (4) with eq. (5) holds at any N.
Expected exactly(const Run& run, double density) {
  return {fewDisks(run.disks, std::sqrt(run.disks / density)).pressure};
}
// The canonical ensemble of N disks lies 2 eta / N and a little more below the series; with 256
// disks that is two to three errors of the free paths at 0.1 and 0.2. What the series to B10 leaves
// out is allowed for: 1e-9, 1e-6 and 1e-4 of Z.
Expected bySeries(const Run& run, double density) {
  const VirialSum series = hardDiskVirial(run.packing);
  const FluidPressure fluid = hardDiskFluid(run.packing, static_cast<std::uint64_t>(run.disks));
  return {density * series.z + fluid.finite - fluid.bulk, density * series.leftOut};
}
// The fluid's most precise equation of state, good to 1e-5 at 0.6, with its term for the number of
// disks (-3.6e-4 of P* for 1024).
Expected byKolafaAndRottner(const Run& run, double) {
  const FluidPressure fluid = hardDiskFluid(run.packing, static_cast<std::uint64_t>(run.disks));
  return {fluid.finite, fluid.error};
}
Expected published(const Run& run, double) {
  const auto all = hardDiskReferences(static_cast<std::uint64_t>(run.disks), run.packing);
  return {all.at(0).value, all.at(0).error};
}

// A false alarm of each in 6e-5 of choices of its seed: three estimates, 2e-5 each.
struct PressureCase {
  const char* name;
  Run run;
  Expected (*expected)(const Run& run, double density);
  double sharpness;
};
class HardDiskState : public testing::TestWithParam<PressureCase> {};

TEST_P(HardDiskState, HasItsPressure) {
  const PressureCase& c = GetParam();
  const Pressures p = measure(c.run, test::someDisks(c.run.disks, c.run.packing, 5));
  const Expected expected = c.expected(c.run, p.density);
  check(p, expected.pressure, expected.allowance, c.sharpness);
}

MpmcParameters moves(std::uint64_t seed, float d) { return {.seed = seed, .d = d, .nMoves = 4}; }

// In the liquid degree 3 instead of 5: 1.5 times less noise, and a bias below 1e-4.
const PressureCase kPressureCases[] = {
    {"TwoDisks",
     {2, kPi / 2 / (5.6 * 5.6), moves(1, 0.7f), 1000, 300000, 2, 0.1, 2},
     exactly,
     0.004},
    {"FourDisks", {4, kPi / (4.2 * 4.2), moves(2, 0.5f), 1000, 200000, 2, 0.1, 2}, exactly, 0.005},
    {"DiluteGas", {256, 0.1, moves(7, 0.5f), 4000, 30000, 5, 0.1, 2}, bySeries, 0.002},
    {"Gas", {256, 0.2, moves(8, 0.5f), 4000, 30000, 5, 0.1, 2}, bySeries, 0.003},
    {"Fluid", {1024, 0.3, moves(3, 0.3f), 2000, 4000, 5, 0.05, 2}, bySeries, 0.004},
    {"DenseFluid", {1024, 0.6, moves(5, 0.2f), 5000, 4000, 16, 0.02, 3}, byKolafaAndRottner, 0.006},
    {"DenseLiquid", {870, 0.67, moves(4, 0.16f), 10000, 12000, 6, 0.02, 3}, published, 0.004}};
INSTANTIATE_TEST_SUITE_P(Of, HardDiskState, testing::ValuesIn(kPressureCases),
                         [](const auto& i) { return std::string(i.param.name); });

const Run kNearTransition = {870, 0.698, moves(6, 0.16f), 20000, 12000, 16, 0.02, 3};

// The lowest packing of S3's Table 2, where order sets in, in a box small enough for equilibrium
// within seconds: from a compressed fluid and from a crystal, compared with the published value and
// with each other. A run sees the slow fluctuations some forty times, too seldom to know its error
// well; but the means of 47 such runs with other seeds scatter by 0.039 about the published value,
// whichever the estimate and the start. The bound of 0.18, 2 % of P*, is 4.6 of these: false alarm
// 4e-6 for each estimate, and 6e-5 were the scatter 15 % larger than it was seen. It notices a
// pressure that is 2 % off, as at a packing fraction wrong by 0.0045.
TEST(HardDiskPressure, BothStartsReachThePublishedPressureNearTheTransition) {
  constexpr double kBound = 0.18;
  ASSERT_EQ(hardDiskReferences(870, 0.698).size(), 1u);
  const double there = published(kNearTransition, 0).pressure;
  double paths[2];
  for (const bool crystal : {false, true}) {
    SCOPED_TRACE(crystal ? "from the crystal" : "from the fluid");
    const auto mode = test::started(
        fmt::format("n=870 packing=0.698 start={}", crystal ? "hexagonal" : "random"));
    const Pressures p = measure(kNearTransition, mode->cells());
    std::printf("P* = %.4f, %.4f, %.4f, published %.4f\n", p.contact.mean(), p.scale.mean(),
                p.paths.mean(), there);
    for (const BlockAverage* a : {&p.contact, &p.scale, &p.paths})
      EXPECT_NEAR(a->mean(), there, kBound);
    paths[crystal] = p.paths.mean();
  }
  EXPECT_NEAR(paths[0], paths[1], std::sqrt(2.0) * kBound);
}

// Virial series as a Pade approximant: Z(0.5) = 4.106241 within 5e-4; the canonical ensemble of
// 1024 disks is lower by about 2 phi / N = 1e-3. Five block-averaged standard errors: a false alarm
// in a few of a million runs. The error itself must be small enough for the check to mean
// something.
TEST(HardDisksRun, PressureAfterALiveChangeOfPackingWithATunedMove) {
  const auto mode = started("n=1024 packing=0.3 seed=8 neighbours=radius", 2);
  settle(*mode, "packing=0.62");
  settle(*mode, "packing=0.5");
  change(*mode, "tune=true");
  while (mode->preparation()) mode->advance(100);
  mode->advance(2000);
  const double p = 4 * 0.5 / M_PI * 4.106241;
  for (const BlockAverage& b : averaged(*mode, {"pressure", "pressure_sdf"}, 4000, 20)) {
    EXPECT_NEAR(b.mean(), p, 5 * b.error() + 2e-3);
    EXPECT_LT(b.error(), 0.02);
  }
  expectHealthy(*mode);
}

constexpr int kBlocks = 400;
// Chi-square of 7 and of 4 degrees of freedom: exceeded with 1.4e-7.
constexpr double kUnlikely = 45, kUnlikely5 = 37.6;

// Histograms of the pair distance, one per block of sweeps.
Blocks sampledBlocks(const GridInfo& grid, int disks, const std::vector<double>& edges,
                     const MpmcParameters& p, int sweepsPerBlock) {
  const auto engine = engineWith(test::randomDisks(grid, disks, 21), 1, "scalar");
  const double weight = 2.0 / (disks * (disks - 1)) / sweepsPerBlock;
  Blocks blocks(kBlocks, std::vector<double>(edges.size() - 1, 0.0));
  std::uint64_t sweep = 0;
  for (auto& bins : blocks)
    for (int k = 0; k < sweepsPerBlock; ++k) {
      engine->sweeps(p, sweep++, 1);
      EXPECT_TRUE(
          addPairs(positionsOf(engine->download()).xy, boxLength(grid), edges, weight, bins));
    }
  return blocks;
}

std::vector<double> upTo(double length, std::vector<double> edges) {
  edges.push_back(length / std::numbers::sqrt2);
  return edges;
}

double statistic(int disks, double length, const std::vector<double>& inner,
                 const MpmcParameters& p, int sweepsPerBlock) {
  const GridInfo grid = chooseGrid(disks, disks * kPi / 4 / (length * length)).grid;
  const std::vector<double> edges = upTo(boxLength(grid), inner);
  const BlockMeans exact{exactBins(disks, boxLength(grid), edges), {}};
  return hotelling(meansOf(sampledBlocks(grid, disks, edges, p, sweepsPerBlock)), exact);
}

// The first bin is narrow: a wrong diameter, by a thousandth, empties half of it.
const std::vector<double> kEdges4 = {1, 1.002, 1.1, 1.25, 1.5, 2, 2.5};
const std::vector<double> kEdges56 = {1, 1.002, 1.1, 1.25, 1.5, 2, 2.5, 3};

TEST(FewDisks, ExactBinsAgreeWithTabulatedOnes) {
  const std::vector<double> four =
      exactBins(2, 4, {1, 1.1, 1.25, 1.5, 2, 2.5, 4 / std::numbers::sqrt2});
  const double expected4[] = {0.05130763, 0.08612353, 0.16797142,
                              0.42756362, 0.23183709, 0.03519671};
  for (int k = 0; k < 6; ++k) EXPECT_NEAR(four[static_cast<std::size_t>(k)], expected4[k], 1e-8);
}

// Tabulated from the same recursion elsewhere; the shares were checked there by random points.
TEST(FewDisks, AgreeWithTabulatedOnes) {
  struct Row {
    int disks;
    double length, free, pressure;
  };
  for (const Row& r :
       {Row{2, 2.5, 0.497345175426, 0.481708157444}, Row{2, 5.6, 0.899821662832, 0.067325616202},
        Row{4, 4.2, 0.279156748291, 0.313418602239}}) {
    EXPECT_NEAR(fewDisks(r.disks, r.length).free, r.free, r.disks == 4 ? 1e-11 : 1e-12);
    EXPECT_NEAR(fewDisks(r.disks, r.length).pressure, r.pressure, r.disks == 4 ? 1e-11 : 1e-12);
  }
  for (const PublishedSimulation& s : hardDiskData().exact) {
    const double length = std::sqrt(static_cast<double>(s.disks) * kPi / (4 * s.packing[0]));
    EXPECT_NEAR(fewDisks(static_cast<int>(s.disks), length).pressure, s.pressure[0], 1e-9);
  }
}

// Two roads to the pressure of three disks: cluster integrals, and the density of pairs at contact,
// where P* = rho (1 + (pi / 2) rho g(1+)) and (n - 1) p(1) = 2 pi rho g(1+).
TEST(FewDisks, PressureFollowsFromPairsAtContact) {
  constexpr double kNarrow = 1e-5;
  for (const int disks : {2, 3})
    for (const double length : {4.0, 4.5, 5.9}) {
      const double density = disks / (length * length);
      const double p = exactBins(disks, length, {1, 1 + kNarrow})[0] / kNarrow;
      const double pressure = density * (1 + (disks - 1) * p / 4);
      EXPECT_NEAR(pressure / fewDisks(disks, length).pressure, 1, kNarrow) << disks << length;
    }
}

Blocks drawn(int disks, double length, const std::vector<double>& edges, std::uint64_t seed) {
  DirectSampler sampler(disks, length, edges, seed);
  Blocks blocks;
  for (int k = 0; k < 200; ++k) blocks.push_back(sampler.block(500));
  const double n = static_cast<double>(sampler.tries()), p = fewDisks(disks, length).free;
  EXPECT_NEAR(200 * 500 / n, p, 4.5 * std::sqrt(p * (1 - p) / n));
  return blocks;
}

// Random points against exact bins, and against each other; two disks are not three.
TEST(FewDisks, RandomPointsHaveTheExactDistribution) {
  const double length = 4.5;
  const std::vector<double> edges = {1, 1.1, 1.25, 1.5, 2, length / std::numbers::sqrt2};
  const BlockMeans two = meansOf(drawn(2, length, edges, 1)),
                   three = meansOf(drawn(3, length, edges, 2)),
                   four = meansOf(drawn(4, length, edges, 3)),
                   others = meansOf(drawn(4, length, edges, 4));
  const auto exact = [&](int disks) { return BlockMeans{exactBins(disks, length, edges), {}}; };
  EXPECT_LT(hotelling(two, exact(2)), kUnlikely5);
  EXPECT_LT(hotelling(three, exact(3)), kUnlikely5);
  EXPECT_LT(hotelling(four, others), kUnlikely5);
  EXPECT_GT(hotelling(three, exact(2)), 2 * kUnlikely5);
  EXPECT_GT(hotelling(four, three), 2 * kUnlikely5);
}

struct FewCase {
  const char* name;
  int disks;
  double length;
  bool moveOnce = false;
};
class FewDisksIn : public testing::TestWithParam<FewCase> {};

TEST_P(FewDisksIn, HaveTheExactDistribution) {
  const FewCase& c = GetParam();
  const MpmcParameters p = parameters(2024, 0.7f, 4, {.moveOnce = c.moveOnce});
  EXPECT_LT(statistic(c.disks, c.length, c.length < 5 ? kEdges4 : kEdges56, p, 2000), kUnlikely);
}

// MoveOnce: one trial of each disk in a sweep instead of n_M of each cell, inside the cells: as
// correct.
INSTANTIATE_TEST_SUITE_P(Box, FewDisksIn,
                         testing::Values(FewCase{"Smallest", 2, 4.0}, FewCase{"WideCells", 2, 5.6},
                                         FewCase{"FiveSlotCells", 2, 5.9},
                                         FewCase{"MoveOnce", 2, 5.6, true},
                                         FewCase{"ThreeDisks", 3, 4.5}),
                         [](const auto& i) { return std::string(i.param.name); });

TEST(FewDisks, FiveSlotCellsAreOfFiveSlots) {
  EXPECT_EQ(chooseGrid(2, kPi / 2 / (5.9 * 5.9)).grid.slots, 5);
}
TEST(FewDisks, WithoutCellShiftTheCheckFails) {
  const MpmcParameters p = parameters(2024, 0.7f, 4, {.noCellShift = true});
  EXPECT_GT(statistic(2, 4.0, kEdges4, p, 200), 2 * kUnlikely);
}
TEST(FewDisks, FourDisksAgreeWithDirectSampling) {
  const GridInfo grid = chooseGrid(4, kPi / (4.2 * 4.2)).grid;
  const std::vector<double> edges = upTo(boxLength(grid), kEdges4);
  const Blocks engine = sampledBlocks(grid, 4, edges, {.seed = 7, .d = 0.5f, .nMoves = 4}, 1500);
  DirectSampler sampler(4, boxLength(grid), edges, 5);
  Blocks direct;
  for (int b = 0; b < kBlocks; ++b) direct.push_back(sampler.block(1000));
  EXPECT_LT(hotelling(meansOf(engine), meansOf(direct)), kUnlikely);
}

}  // namespace
}  // namespace cellscope::test
