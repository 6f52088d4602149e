// Hard-disk Monte Carlo against exact results for two and four disks in a periodic square.
//
// Two disks: the pair distance (minimum image) is uniform on the square without the unit disk, so
// bin probabilities follow from areas. Four disks: histograms of the pair distance against those of
// independent random points, kept when no pair overlaps. Errors come from block averages; without
// cell shifts, which breaks the sampling, the check must fail.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "app/reproduce/hard_disks/few_disks.h"
#include "sim/algo/mpmc/engine_cpu.h"
#include "tests/support/disk_states.h"

namespace cellscope {
namespace {

using namespace reproduce;

std::vector<double> pointsOf(const DiskCellsView& c) {
  std::vector<double> xy;
  for (int cy = 0; cy < c.grid.m; ++cy)
    for (int cx = 0; cx < c.grid.m; ++cx)
      for (int i = 0; i < c.count[c.grid.cell(cx, cy)]; ++i) {
        const Vec2 local = c.disk[c.grid.slot(cx, cy, i)];
        xy.push_back(cx * static_cast<double>(c.grid.w) + local.x);
        xy.push_back(cy * static_cast<double>(c.grid.w) + local.y);
      }
  return xy;
}

constexpr int kBlocks = 400;
constexpr double kUnlikely = 45;  // chi-square, 7 degrees of freedom: exceeded with 1.4e-7

// Histograms of the pair distance, one per block of sweeps.
Blocks sampled(const GridInfo& grid, int disks, const std::vector<double>& edges,
               const MpmcParameters& p, int sweepsPerBlock) {
  const auto engine = makeMpmcEngineCpu(1, "scalar");
  engine->upload(test::randomDisks(grid, disks, 21));
  const double weight = 2.0 / (disks * (disks - 1)) / sweepsPerBlock;
  Blocks blocks(kBlocks, std::vector<double>(edges.size() - 1, 0.0));
  std::uint64_t sweep = 0;
  for (auto& bins : blocks)
    for (int k = 0; k < sweepsPerBlock; ++k) {
      engine->sweeps(p, sweep++, 1);
      EXPECT_TRUE(addPairs(pointsOf(engine->view()), boxLength(grid), edges, weight, bins));
    }
  return blocks;
}

std::vector<double> upTo(double length, std::vector<double> edges) {
  edges.push_back(length / std::numbers::sqrt2);
  return edges;
}

double twoDiskStatistic(double length, const std::vector<double>& inner, const MpmcParameters& p,
                        int sweepsPerBlock) {
  const GridInfo grid = chooseGrid(2, std::numbers::pi / 2 / (length * length)).grid;
  const std::vector<double> edges = upTo(boxLength(grid), inner);
  const BlockMeans exact{exactBins(2, boxLength(grid), edges), {}, 0};
  return hotelling(meansOf(sampled(grid, 2, edges, p, sweepsPerBlock)), exact).t2;
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

const MpmcParameters kHonest{.seed = 2024, .d = 0.7f, .nMoves = 4};

TEST(FewDisks, TwoDisksInTheSmallestBox) {
  EXPECT_LT(twoDiskStatistic(4.0, kEdges4, kHonest, 2000), kUnlikely);
}
TEST(FewDisks, TwoDisksInWideCells) {
  EXPECT_LT(twoDiskStatistic(5.6, kEdges56, kHonest, 2000), kUnlikely);
}
TEST(FewDisks, TwoDisksInFiveSlotCells) {
  EXPECT_EQ(chooseGrid(2, std::numbers::pi / 2 / (5.9 * 5.9)).grid.slots, 5);
  EXPECT_LT(twoDiskStatistic(5.9, kEdges56, kHonest, 2000), kUnlikely);
}
// One trial of each disk in a sweep instead of n_M of each cell, inside the cells: as correct.
TEST(FewDisks, TwoDisksThatMoveOnce) {
  MpmcParameters p = kHonest;
  p.experiments.moveOnce = true;
  EXPECT_LT(twoDiskStatistic(5.6, kEdges56, p, 2000), kUnlikely);
}
TEST(FewDisks, WithoutCellShiftTheCheckFails) {
  MpmcParameters p = kHonest;
  p.experiments.noCellShift = true;
  EXPECT_GT(twoDiskStatistic(4.0, kEdges4, p, 200), 2 * kUnlikely);
}
TEST(FewDisks, FourDisksAgreeWithDirectSampling) {
  const GridInfo grid = chooseGrid(4, std::numbers::pi / (4.2 * 4.2)).grid;
  const std::vector<double> edges = upTo(boxLength(grid), kEdges4);
  const Blocks engine = sampled(grid, 4, edges, {.seed = 7, .d = 0.5f, .nMoves = 4}, 1500);
  DirectSampler sampler(4, boxLength(grid), edges, 5);
  Blocks direct;
  for (int b = 0; b < kBlocks; ++b) direct.push_back(sampler.block(1000));
  EXPECT_LT(hotelling(meansOf(engine), meansOf(direct)).t2, kUnlikely);
}

}  // namespace
}  // namespace cellscope
