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

#include "sim/algo/mpmc/engine_cpu.h"
#include "tests/support/disk_states.h"

namespace cellscope {
namespace {

// Area of the part of a disk of radius r inside the square of side L around its centre, r <=
// L/sqrt2.
double areaInSquare(double r, double length) {
  const double h = length / 2;
  if (r <= h) return std::numbers::pi * r * r;
  const double angle = std::acos(h / r);  // each side cuts off a circular segment
  return std::numbers::pi * r * r - 4 * (r * r * angle - h * std::sqrt(r * r - h * h));
}

std::vector<double> exactBins(const std::vector<double>& edges, double length) {
  std::vector<double> p;
  for (std::size_t k = 0; k + 1 < edges.size(); ++k)
    p.push_back((areaInSquare(edges[k + 1], length) - areaInSquare(edges[k], length)) /
                (length * length - std::numbers::pi));
  return p;
}

struct Points {
  std::vector<double> x, y;
};

Points pointsOf(const DiskCellsView& c) {
  Points p;
  for (int cy = 0; cy < c.grid.m; ++cy)
    for (int cx = 0; cx < c.grid.m; ++cx)
      for (int i = 0; i < c.count[c.grid.cell(cx, cy)]; ++i) {
        const Vec2 local = c.disk[c.grid.slot(cx, cy, i)];
        p.x.push_back(cx * static_cast<double>(c.grid.w) + local.x);
        p.y.push_back(cy * static_cast<double>(c.grid.w) + local.y);
      }
  return p;
}

// Add `weight` to the bin of each pair distance (minimum image); false when a pair overlaps.
bool addPairs(const Points& p, double length, const std::vector<double>& edges, double weight,
              std::vector<double>& bins) {
  for (std::size_t i = 0; i < p.x.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double r = std::hypot(std::remainder(p.x[i] - p.x[j], length),
                                  std::remainder(p.y[i] - p.y[j], length));
      if (r < 1) return false;
      std::size_t bin = 0;
      while (bin + 1 < bins.size() && r >= edges[bin + 1]) ++bin;
      bins[bin] += weight;
    }
  return true;
}

// Solution of the symmetric positive definite system a x = b (Gaussian elimination).
std::vector<double> solve(std::vector<std::vector<double>> a, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t r = i + 1; r < n; ++r) {
      const double factor = a[r][i] / a[i][i];
      for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
      b[r] -= factor * b[i];
    }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t c = i + 1; c < n; ++c) b[i] -= a[i][c] * b[c];
    b[i] /= a[i][i];
  }
  return b;
}

// Hotelling's statistic of block means against `expected` (last bin dropped: bins sum to 1). With
// many blocks it follows chi-square with bins - 1 degrees of freedom when the sampling is right.
double hotelling(const std::vector<std::vector<double>>& blocks,
                 const std::vector<double>& expected) {
  const std::size_t p = expected.size() - 1;
  const auto n = static_cast<double>(blocks.size());
  std::vector<double> mean(p, 0.0), deviation(p);
  for (const auto& b : blocks)
    for (std::size_t k = 0; k < p; ++k) mean[k] += b[k] / n;
  std::vector<std::vector<double>> covariance(p, std::vector<double>(p, 0.0));
  for (const auto& b : blocks)
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t j = 0; j < p; ++j)
        covariance[i][j] += (b[i] - mean[i]) * (b[j] - mean[j]) / (n * (n - 1));
  for (std::size_t i = 0; i < p; ++i) {
    deviation[i] = mean[i] - expected[i];
    covariance[i][i] += 1e-14;  // a bin that never changes is certain, not undefined
  }
  const std::vector<double> x = solve(covariance, deviation);
  double t2 = 0;
  for (std::size_t i = 0; i < p; ++i) t2 += deviation[i] * x[i];
  return t2;
}

constexpr int kBlocks = 400;
constexpr double kUnlikely = 45;  // chi-square, 7 degrees of freedom: exceeded with 1.4e-7
using Blocks = std::vector<std::vector<double>>;

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

// The same from independent random points, kept when no pair overlaps.
Blocks drawnDirectly(double length, int disks, const std::vector<double>& edges, int perBlock) {
  const double weight = 2.0 / (disks * (disks - 1)) / perBlock;
  Blocks blocks(kBlocks, std::vector<double>(edges.size() - 1, 0.0));
  std::uint64_t tries = 0;
  for (auto& bins : blocks)
    for (int kept = 0; kept < perBlock; ++tries) {
      Points p;
      for (int k = 0; k < disks; ++k) {
        const Random4 r =
            draw(hashSeed(5), RngPurpose::test, tries, static_cast<std::uint32_t>(k), 0);
        p.x.push_back(length * uniformOpen(r.w[0], r.w[1]));
        p.y.push_back(length * uniformOpen(r.w[2], r.w[3]));
      }
      std::vector<double> after = bins;
      if (!addPairs(p, length, edges, weight, after)) continue;
      bins = after;
      ++kept;
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
  return hotelling(sampled(grid, 2, edges, p, sweepsPerBlock), exactBins(edges, boxLength(grid)));
}

// The first bin is narrow: a wrong diameter, by a thousandth, empties half of it.
const std::vector<double> kEdges4 = {1, 1.002, 1.1, 1.25, 1.5, 2, 2.5};
const std::vector<double> kEdges56 = {1, 1.002, 1.1, 1.25, 1.5, 2, 2.5, 3};

TEST(FewDisks, ExactBinsAgreeWithTabulatedOnes) {
  const std::vector<double> four =
      exactBins({1, 1.1, 1.25, 1.5, 2, 2.5, 4 / std::numbers::sqrt2}, 4);
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
TEST(FewDisks, TwoDisksInFivePlaceCells) {
  EXPECT_EQ(chooseGrid(2, std::numbers::pi / 2 / (5.9 * 5.9)).grid.places, 5);
  EXPECT_LT(twoDiskStatistic(5.9, kEdges56, kHonest, 2000), kUnlikely);
}
TEST(FewDisks, WithoutCellShiftTheCheckFails) {
  MpmcParameters p = kHonest;
  p.experiments.noCellShift = true;
  EXPECT_GT(twoDiskStatistic(4.0, kEdges4, p, 200), 2 * kUnlikely);
}
TEST(FewDisks, FourDisksAgreeWithDirectSampling) {
  const GridInfo grid = chooseGrid(4, std::numbers::pi / (4.2 * 4.2)).grid;
  const std::vector<double> edges = upTo(boxLength(grid), kEdges4);
  Blocks difference = sampled(grid, 4, edges, {.seed = 7, .d = 0.5f, .nMoves = 4}, 1500);
  const Blocks direct = drawnDirectly(boxLength(grid), 4, edges, 1000);
  for (std::size_t b = 0; b < difference.size(); ++b)
    for (std::size_t k = 0; k < edges.size() - 1; ++k) difference[b][k] -= direct[b][k];
  EXPECT_LT(hotelling(difference, std::vector<double>(edges.size() - 1, 0.0)), kUnlikely);
}

}  // namespace
}  // namespace cellscope
