// Hard-disk Monte Carlo against exact results for two, three and four disks in a periodic square.
//
// Two and three disks: bins of the pair distance (minimum image) follow from areas. Four disks:
// histograms against those of independent random points, kept when no pair overlaps. Errors come
// from block averages; without cell shifts, which breaks the sampling, the check must fail.
#include "tests/support/few_disks.h"
#include "sim/algo/observables/hard_disk_reference.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

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
  EXPECT_NEAR(static_cast<double>(sampler.kept()) / n, p, 4.5 * std::sqrt(p * (1 - p) / n));
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

const MpmcParameters kHonest{.seed = 2024, .d = 0.7f, .nMoves = 4};

struct FewCase {
  const char* name;
  int disks;
  double length;
  bool moveOnce = false;
};
class FewDisksIn : public testing::TestWithParam<FewCase> {};

TEST_P(FewDisksIn, HaveTheExactDistribution) {
  const FewCase& c = GetParam();
  MpmcParameters p = kHonest;
  p.experiments.moveOnce = c.moveOnce;
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
  MpmcParameters p = kHonest;
  p.experiments.noCellShift = true;
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
