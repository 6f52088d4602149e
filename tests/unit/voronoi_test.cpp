// Where disks lie to each other: the walk around a Voronoi cell on lattices with known answers;
// bins of squared integer distances: every value beside an edge falls on its right side.
#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>

#include "sim/algo/observables/near_points.h"
#include "sim/core/radial_bins.h"

namespace cellscope {
namespace {

constexpr double kPi = 3.14159265358979323846;

struct Points {
  std::vector<Vec2> point;
  template <class Visitor>
  void visit(Visitor& v) const {
    for (std::size_t k = 0; k < point.size(); ++k) v(point[k], static_cast<std::int64_t>(k));
  }
};

// Lattice points i a + j b + offset within `range`, without the origin, turned by `angle`.
void addLattice(Points& points, std::complex<double> a, std::complex<double> b,
                std::complex<double> offset, double angle, double range = 3.2) {
  for (int i = -8; i <= 8; ++i)
    for (int j = -8; j <= 8; ++j) {
      const std::complex<double> z =
          static_cast<double>(i) * a + static_cast<double>(j) * b + offset;
      if (std::abs(z) < 1e-9 || std::abs(z) > range) continue;
      const std::complex<double> r = z * std::polar(1.0, angle);
      points.point.push_back({static_cast<float>(r.real()), static_cast<float>(r.imag())});
    }
}

std::complex<double> psi6(const VoronoiCell& cell) {
  return std::complex<double>(cell.psi6.x, cell.psi6.y) / static_cast<double>(cell.neighbours);
}

// The cell of the origin of a lattice.
void expectCell(const Points& points, int neighbours, std::complex<double> order, double area) {
  const VoronoiCell cell = voronoiCell(points);
  ASSERT_TRUE(cell.closed);
  EXPECT_EQ(cell.neighbours, neighbours);
  EXPECT_LT(std::abs(psi6(cell) - order), 2e-6);
  EXPECT_NEAR(cell.area, area, neighbours == 6 ? 1e-6 : 2e-6);
}

TEST(Voronoi, TriangularLatticeTurnsBySixTimesTheAngle) {
  for (double angle : {0.0, 0.1, 0.3, 1.0, 2.5}) {
    SCOPED_TRACE(angle);
    Points points;
    addLattice(points, 1.1, std::polar(1.1, kPi / 3), 0, angle);
    expectCell(points, 6, std::polar(1.0, 6 * angle), 1.21 * std::sqrt(3.0) / 2);
    EXPECT_NEAR(voronoiCell(points).farthest, 1.21 / 3, 1e-6);
  }
}

// Four cells meet in each corner of a square lattice: the diagonal points only touch.
TEST(Voronoi, SquareLatticeHasFourNeighboursAndNoSixfoldOrder) {
  for (double angle : {0.0, 0.2, 0.7, kPi / 4, 1.9}) {
    SCOPED_TRACE(angle);
    Points points;
    addLattice(points, 1.2, std::complex<double>(0, 1.2), 0, angle);
    expectCell(points, 4, 0, 1.44);
  }
}

// Bonds at 90, 210 and 330 degrees: exp(6 i theta) = -1; the other sublattice sees the opposite
// bonds and the same sign.
TEST(Voronoi, HoneycombHasThreeNeighboursAndSignMinusOne) {
  const std::complex<double> a = std::sqrt(3.0), b = std::polar(std::sqrt(3.0), kPi / 3);
  for (double side : {1.0, -1.0}) {
    SCOPED_TRACE(side);
    Points points;
    addLattice(points, a, b, 0, 0);
    addLattice(points, a, b, {0, side}, 0);
    expectCell(points, 3, -1, 3 * std::sqrt(3.0) / 4);
  }
}

TEST(Voronoi, CellIsOpenWhenPointsLieOnOneSide) {
  const Points line{{{1, 0}, {2, 0.5f}, {1.5f, -0.5f}}};
  EXPECT_FALSE(voronoiCell(line).closed);
  EXPECT_FALSE(voronoiCell(Points{}).closed);
}

// A short edge counts down to about 1e-5 of the neighbour's distance.
TEST(Voronoi, VeryShortEdgesAreNotNeighbours) {
  const auto neighbours = [](float diagonal) {
    Points points{{{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {diagonal, diagonal}}};
    return voronoiCell(points).neighbours;
  };
  EXPECT_EQ(neighbours(1.001f), 4);
  EXPECT_EQ(neighbours(1.0f - 1e-6f), 4);
  EXPECT_EQ(neighbours(1.0f - 1e-3f), 5);
}

void expectSame(const VoronoiCell& a, const VoronoiCell& b) {
  EXPECT_EQ(a.closed, b.closed);
  EXPECT_EQ(a.neighbours, b.neighbours);
  EXPECT_EQ(a.psi6.x, b.psi6.x);
  EXPECT_EQ(a.psi6.y, b.psi6.y);
  EXPECT_EQ(a.area, b.area);
  EXPECT_EQ(a.farthest, b.farthest);
}

VoronoiCell fromList(const Points& points, float radius) {
  NearPoints near(radius * radius);
  points.visit(near);
  EXPECT_FALSE(near.overflow);
  return voronoiCell(near);
}

// The list of near points that looks at several at a time ends at the same neighbours, bit for
// bit, also where bisectors meet in one vertex and the order of the points counts.
TEST(NearPoints, GiveTheSameCellAsPointsOneByOne) {
  for (const double angle : {0.0, 0.2, 0.7, kPi / 4}) {
    for (const double other : {kPi / 3, kPi / 2, 2 * kPi / 5}) {
      Points points;
      addLattice(points, 1.1, std::polar(1.1, other), 0, angle);
      expectSame(fromList(points, 3.5f), voronoiCell(points));
    }
  }
  std::mt19937 random(7);
  for (int trial = 0; trial < 20000; ++trial) {
    // Coarse coordinates make many exact ties.
    const double step = trial % 2 ? 0.25 : 1e-6;
    Points points;
    for (int k = trial % 61; k >= 0; --k) {
      const auto draw = [&] {
        const double u = static_cast<double>(random()) / 4294967296.0;
        return static_cast<float>(step * std::round((4 * u - 2) / step));
      };
      points.point.push_back({draw(), draw()});
    }
    expectSame(fromList(points, 3.0f), voronoiCell(points));
  }
}

TEST(NearPoints, KeepWhatIsNearAndSayWhenThereIsNoRoom) {
  NearPoints near(1.0f);
  for (int k = 0; k < kMostCandidates; ++k) {
    near({0.5f, 0.01f * static_cast<float>(k)}, k);
    near({2.0f, 0.0f}, k);
  }
  EXPECT_EQ(near.count, kMostCandidates);
  EXPECT_FALSE(near.overflow);
  near({2.0f, 0.0f}, 0);
  EXPECT_FALSE(near.overflow);
  near({0.5f, 0.0f}, 0);
  EXPECT_TRUE(near.overflow);
}

TEST(Sixfold, IsTheSixthPowerOfTheDirection) {
  for (int k = 0; k < 48; ++k) {
    const double theta = 0.131 * k;
    const Vec2 z = sixfold(
        {static_cast<float>(1.3 * std::cos(theta)), static_cast<float>(1.3 * std::sin(theta))});
    EXPECT_LT(std::abs(std::complex<double>(z.x, z.y) - std::polar(1.0, 6 * theta)), 3e-6);
  }
}

// Bin by search, the definition.
int searched(std::int64_t d2, const std::vector<std::int64_t>& edge) {
  if (d2 < edge.front() || d2 >= edge.back()) return -1;
  return static_cast<int>(std::upper_bound(edge.begin(), edge.end(), d2) - edge.begin()) - 1;
}

template <class Binning>
void compare(const Binning& binning, const std::vector<std::int64_t>& edge) {
  for (const std::int64_t e : edge)
    for (std::int64_t d2 = std::max<std::int64_t>(0, e - 3); d2 <= e + 3; ++d2)
      ASSERT_EQ(binning.bin(d2, edge.data()), searched(d2, edge)) << d2;
  std::mt19937_64 random(3);
  std::uniform_int_distribution<std::int64_t> any(0, edge.back() + edge.back() / 10);
  for (int k = 0; k < 100000; ++k) {
    const std::int64_t d2 = any(random);
    ASSERT_EQ(binning.bin(d2, edge.data()), searched(d2, edge)) << d2;
  }
}

RadialBinning binningOf(const RadialBins& b) {
  return {static_cast<float>(b.first), static_cast<float>(1 / b.width), b.count};
}

TEST(RadialBins, EveryDistanceFindsItsBin) {
  for (const RadialBins& b : {contactBins(), plotBins(), RadialBins{1, 1e-5, 1024},
                              RadialBins{0.9, 0.003, 150}, plotBins(10.24)})
    compare(binningOf(b), squaredEdges(b));
}

TEST(ScaleBins, EveryDistanceFindsItsBin) {
  for (const double width : {1e-4, 1e-5, 2e-3}) {
    compare(ScaleBinning{static_cast<float>(1 / width), 200}, squaredScaleEdges(width, 200));
  }
}

TEST(RadialBins, TouchingDisksFallIntoTheFirstBin) {
  const std::vector<std::int64_t> edge = squaredEdges(contactBins());
  const std::int64_t touching = squaredQuanta(quanta(1.0f), 0);
  EXPECT_EQ(edge[0], touching);
  EXPECT_EQ(binningOf(contactBins()).bin(touching, edge.data()), 0);
  EXPECT_EQ(binningOf(contactBins()).bin(touching - 1, edge.data()), -1);
  EXPECT_EQ(plotBins(4.0).count, 400);
  EXPECT_NEAR(contactBins().last(), 1.02, 1e-15);
}

TEST(RadialBins, QuantaAreExactOnTheCoordinateGrid) {
  for (const std::int32_t n : {0, 1, 4194303, 4194304, 6291455, 16777215})
    EXPECT_EQ(quanta(static_cast<float>(n) * kCoordinateQuantum), n);
  EXPECT_EQ(quanta(-0.25f), -1048576);
}

}  // namespace
}  // namespace cellscope
