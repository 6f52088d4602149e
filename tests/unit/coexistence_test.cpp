// The start with two phases: shares, shapes, and that each phase is where it should be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "sim/modes/hard_disks/mode.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"

namespace cellscope {
namespace {

// Share of points on a fine grid that lie inside.
double areaShare(const HexaticRegion& region, double length) {
  constexpr int kPoints = 1000;
  int inside = 0;
  for (int j = 0; j < kPoints; ++j)
    for (int i = 0; i < kPoints; ++i)
      inside += region.contains((i + 0.5) * length / kPoints, (j + 0.5) * length / kPoints);
  return inside / static_cast<double>(kPoints * kPoints);
}

TEST(Coexistence, LeverRuleGivesTheArea) {
  for (const double packing : {0.7003, 0.702, 0.705, 0.706, 0.708, 0.71, 0.711, 0.714, 0.7157}) {
    const double share = (packing - 0.700) / 0.016;
    const HexaticRegion region(packing, squareBox(100));
    EXPECT_NEAR(areaShare(region, 100), share, 2e-3) << packing;
  }
}

TEST(Coexistence, TheBoundaryIsTheShortestOfTheThreeShapes) {
  for (double packing = 0.7001; packing < 0.716; packing += 0.0003) {
    const double share = HexaticRegion::shareAt(packing);
    const double disc = 2 * std::sqrt(std::numbers::pi * share);
    const double hole = 2 * std::sqrt(std::numbers::pi * (1 - share));
    EXPECT_NEAR(HexaticRegion(packing, squareBox(50)).boundary() / 50, std::min({disc, hole, 2.0}),
                1e-9)
        << packing;
  }
}

TEST(Coexistence, AStripeHoldsWholeRows) {
  HexaticRegion region(0.7081, squareBox(64));
  region.holdWholeRows(10);
  EXPECT_NEAR(areaShare(region, 64), 0.5, 1e-9);
  EXPECT_EQ(region.boundary(), 128);
}

// A lattice of sites that overlap the liquid's: sites inside stay, of the liquid what is outside
// and at least a diameter from them, and never two disks that overlap.
TEST(Coexistence, JoinsLatticeAndLiquidWithoutOverlap) {
  const double length = 40;
  const HexaticRegion region(0.708, squareBox(length));
  const auto lattice = latticePositions({38, 40, true}, 38 * 40, length);
  const auto liquid = randomPositions(900, squareBox(length), 3);
  const std::size_t most = 20000;
  EXPECT_THROW(joinedPhases(region, lattice, liquid, most, squareBox(length)), RunError);
  const std::vector<double> xy = joinedPhases(region, lattice, liquid, 1150, squareBox(length));
  ASSERT_EQ(xy.size(), 2300u);
  const auto isOneOf = [](const std::vector<double>& all, double x, double y) {
    for (std::size_t k = 0; k < all.size(); k += 2)
      if (all[k] == x && all[k + 1] == y) return true;
    return false;
  };
  for (std::size_t k = 0; k < xy.size(); k += 2) {
    const bool inside = region.contains(xy[k], xy[k + 1]);
    EXPECT_TRUE(isOneOf(inside ? lattice : liquid, xy[k], xy[k + 1])) << k / 2;
    for (std::size_t j = 0; j < k; j += 2) {
      double dx = std::fabs(xy[k] - xy[j]), dy = std::fabs(xy[k + 1] - xy[j + 1]);
      dx = std::min(dx, length - dx), dy = std::min(dy, length - dy);
      ASSERT_GE(std::hypot(dx, dy), 1) << j / 2 << " and " << k / 2;
    }
  }
}

void set(HardDisksMode& mode, std::int64_t n, double packing) {
  test::assign(mode.parameters(), fmt::format("start=coexistence n={} packing={}", n, packing));
}

TEST(Coexistence, StatesAreValidFromEndToEnd) {
  HardDisksMode mode({Backend::cpu, 1, 0});
  for (const std::int64_t n : {1024L, 1500L, 4096L, 9001L})
    for (const double packing : {0.700, 0.7001, 0.702, 0.706, 0.709, 0.713, 0.7159, 0.716}) {
      SCOPED_TRACE(fmt::format("{} {}", n, packing));
      set(mode, n, packing);
      mode.restart();
      EXPECT_EQ(mode.particleCount(), static_cast<std::size_t>(n));
      test::expectHealthy(mode);
      mode.advance(20);
      test::expectHealthy(mode);
    }
}

// |mean of exp(6 i angle)| over all pairs nearer than 1.4 in a strip: 1 for a lattice in one
// orientation, near 0 for liquid.
double orderBetween(const Configuration& c, double low, double high) {
  double re = 0, im = 0, pairs = 0;
  for (std::size_t i = 0; i < c.ids.size(); ++i) {
    const double x = c.positions[3 * i], y = c.positions[3 * i + 1];
    if (y < low || y > high) continue;
    for (std::size_t j = 0; j < c.ids.size(); ++j) {
      const double dx = c.positions[3 * j] - x, dy = c.positions[3 * j + 1] - y;
      if (i == j || dx * dx + dy * dy > 1.4 * 1.4) continue;
      const double angle = 6 * std::atan2(dy, dx);
      re += std::cos(angle), im += std::sin(angle), pairs += 1;
    }
  }
  return std::hypot(re, im) / pairs;
}

TEST(Coexistence, TheStripeIsOrderedTheRestIsNotAndBothKeepSo) {
  HardDisksMode mode({Backend::cpu, 1, 0});
  set(mode, 8000, 0.708);
  mode.restart();
  const double length = mode.configuration().box.length[0];
  EXPECT_GT(orderBetween(mode.configuration(), 0.05 * length, 0.45 * length), 0.99);
  EXPECT_LT(orderBetween(mode.configuration(), 0.55 * length, 0.95 * length), 0.2);
  mode.advance(500);
  EXPECT_GT(orderBetween(mode.configuration(), 0.1 * length, 0.4 * length), 0.5);
  EXPECT_LT(orderBetween(mode.configuration(), 0.6 * length, 0.9 * length), 0.3);
}

TEST(Coexistence, RefusesOnePhaseAndTooFewDisks) {
  HardDisksMode mode({Backend::cpu, 1, 0});
  for (const double packing : {0.698, 0.7165}) {
    set(mode, 4096, packing);
    test::expectWords(test::messageOf<InputError>([&] { mode.restart(); }),
                      {"parameter 'packing'", "0.700 to 0.716"});
  }
  set(mode, 1023, 0.708);
  test::expectWords(test::messageOf<InputError>([&] { mode.restart(); }), {"at least 1024"});
}

}  // namespace
}  // namespace cellscope
