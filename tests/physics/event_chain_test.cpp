// The event chains of tests/support/event_chain.h by themselves, before they are held against the
// engine (ordered_phases_test.cpp, where no two overlap after many chains): exact results for two
// and four disks, published pressures of the fluid, and what must hold in any state. Seeds are
// fixed; errors come from block averages.
#include "tests/support/event_chain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/hard_disk_reference.h"

namespace cellscope::test {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kChainLimit = 4.5;  // standard errors; a false alarm in 2e-5 of random runs

void expectMean(const char* what, const BlockAverage& a, double exact, double largestError) {
  std::printf("%s %.6f(%.6f), expected %.6f (%+.1f standard errors)\n", what, a.mean(), a.error(),
              exact, (a.mean() - exact) / a.error());
  EXPECT_TRUE(a.converged()) << what;
  EXPECT_LT(a.error(), largestError) << what;
  EXPECT_NEAR(a.mean(), exact, kChainLimit * a.error()) << what;
}

// The pair distance (minimum image) of two disks is uniform on the square without the unit disk:
// nearer than r <= L/2 with the probability pi (r^2 - 1) / (A - pi), and
// beta P = (2/A) (1 + pi / (2 (A - pi))). Chains shorter than the box, and others that wind round
// it. Their length over that of the box is irrational: two disks that miss each other would
// otherwise come back to the same few places.
TEST(EventChain, TwoDisksAreExact) {
  const double length = 5.6, area = length * length;
  for (const double chainLength : {length / std::numbers::phi, length * std::numbers::phi}) {
    SCOPED_TRACE(chainLength);
    EventChains disks(length, {1, 1, 3.2, 4.1}, 1, 11);
    BlockAverage nearly, near, along[2];
    for (int k = 0; k < 400000; ++k) {
      const int axis = k % 2;
      along[axis].add(2 / area * disks.chain(axis, chainLength) / chainLength);
      const double r = disks.distance(0, 1);
      nearly.add(r < 1.05);
      near.add(r < 2);
    }
    const double pressure = 2 / area * (1 + kPi / (2 * (area - kPi)));
    expectMean("P_xx", along[0], pressure, 0.002 * pressure);
    expectMean("P_yy", along[1], pressure, 0.002 * pressure);
    expectMean("nearer than 1.05", nearly, kPi * (1.05 * 1.05 - 1) / (area - kPi), 0.0003);
    expectMean("nearer than 2", near, kPi * 3 / (area - kPi), 0.001);
  }
}

// Partition function from cluster integrals (no winding, L > N).
TEST(EventChain, FourDisksHaveTheExactPressure) {
  EventChains disks(4.2, {1, 1, 3.1, 1, 1, 3.1, 3.1, 3.1}, 1, 12);
  BlockAverage pressure;
  for (int k = 0; k < 20000; ++k) pressure.add(disks.pressure(10, 3));
  expectMean("P*", pressure, 0.313418602239, 0.0003);
}

// A dense fluid against Kolafa and Rottner, a dense liquid against what is published.
TEST(EventChain, FluidsHaveTheKnownPressures) {
  const auto liquid = hardDiskReferences(870, 0.67);
  ASSERT_FALSE(liquid.empty());
  struct Row {
    double packing, pressure, largestError;
  };
  for (const Row& row : {Row{0.6, hardDiskFluid(0.6, 870).finite, 0.001 * 4.93},
                         Row{0.67, liquid[0].value, 0.001 * 7.99}}) {
    SCOPED_TRACE(row.packing);
    const double length = std::sqrt(870 * kPi / (4 * row.packing));
    EventChains disks(length, triangularLattice(29, 30, length), 1, 13);
    disks.pressure(100000, 3);  // melts
    BlockAverage pressure;
    for (int k = 0; k < 2000; ++k) pressure.add(disks.pressure(200, 3));
    EXPECT_LT(disks.bondOrder(1.5).global, 0.3);
    expectMean("P*", pressure, row.pressure, row.largestError);
  }
}

TEST(EventChain, WrongStartsAreRefused) {
  EXPECT_THROW(EventChains(5, {1, 1, 1.5, 1.5}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(5, {1, 1, 5, 1.5}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(5, {0.1, 1, 4.9, 1}, 1, 1), std::invalid_argument);
  EXPECT_THROW(EventChains(3.9, {1, 1}, 1, 1), std::invalid_argument);
}

// 26 x 30 fits the square to 7e-4. A square lattice has no sixfold order with eight neighbours:
// exp(6 i theta) is +1 along x and -1 along y, and +-i along the diagonals.
TEST(EventChain, BondOrderOfLattices) {
  const EventChains hexagons(30, triangularLattice(26, 30, 30), 1, 1);
  EXPECT_GT(hexagons.bondOrder(1.5).global, 0.999);
  EXPECT_GT(hexagons.bondOrder(1.5).local, 0.999);
  EXPECT_EQ(hexagons.bondOrder(0.9).local, 0);  // no neighbours
  std::vector<double> square;
  for (int k = 0; k < 64; ++k) square.insert(square.end(), {1.05 * (k % 8), 1.05 * (k / 8)});
  const EventChains squares(8 * 1.05, square, 1, 1);
  EXPECT_NEAR(squares.bondOrder(1.5).local, 0, 1e-12);
  EXPECT_NEAR(squares.bondOrder(1.5).global, 0, 1e-12);
}

}  // namespace
}  // namespace cellscope::test
