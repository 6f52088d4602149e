// Initial states of hard disks: no overlap by brute force, for many N and packings; and the start
// with two phases: shares, shapes, and that each phase is where it should be.
#include <fmt/format.h>
#include <sys/resource.h>

#include "sim/modes/hard_disks/mode.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace {

double smallestDistance(const std::vector<double>& xy, double length) {
  double smallest = 1e300;
  const auto nearest = [length](double d) { return std::min(std::fabs(d), length - std::fabs(d)); };
  for (std::size_t i = 0; i < xy.size(); i += 2)
    for (std::size_t j = 0; j < i; j += 2)
      smallest =
          std::min(smallest, std::hypot(nearest(xy[i] - xy[j]), nearest(xy[i + 1] - xy[j + 1])));
  return smallest;
}

double lengthOf(std::int64_t n, double packing) {
  return std::sqrt(static_cast<double>(n) * std::numbers::pi / (4 * packing));
}

constexpr std::int64_t kSizes[] = {17, 19, 23, 30, 64, 97, 100, 101, 211, 256, 509, 870, 1009};

TEST(LatticeStart, LargestPackingIsExactlyTheOneWithoutOverlap) {
  for (const DiskStart start : {DiskStart::square, DiskStart::hexagonal})
    for (const std::int64_t n : kSizes) {
      const LatticeShape shape = latticeShape(start, n);
      ASSERT_GE(shape.columns * shape.rows, n);
      const double largest = shape.largestPacking(n), length = lengthOf(n, largest);
      const auto xy = latticePositions(shape, n, length);
      ASSERT_EQ(xy.size(), static_cast<std::size_t>(2 * n));
      EXPECT_GE(smallestDistance(xy, length), 1.0) << n;
      const auto dense = latticePositions(shape, n, length * 0.9999);
      EXPECT_LT(smallestDistance(dense, length * 0.9999), 1.0) << n;
    }
}

TEST(LatticeStart, ApproachesClosePackingForLargeSystems) {
  const LatticeShape shape = latticeShape(DiskStart::hexagonal, 1 << 20);
  EXPECT_GT(shape.largestPacking(1 << 20), 0.9);
  EXPECT_LT(shape.largestPacking(1 << 20), 0.9069);
  EXPECT_NEAR(latticeShape(DiskStart::square, 1 << 20).largestPacking(1 << 20),
              std::numbers::pi / 4, 1e-5);
}

TEST(LatticeStart, RefusesWhatDoesNotFitAndNamesTheWayOut) {
  for (const auto& [n, packing, start] :
       {std::tuple{100L, 0.79, DiskStart::square}, std::tuple{100L, 0.9, DiskStart::hexagonal},
        std::tuple{4L, 0.7, DiskStart::random}, std::tuple{10L, 0.5, DiskStart::square}}) {
    const std::string m = messageOf<InputError>([&] { checkPossible(n, packing, start); });
    expectWords(m, {"packing"});
    EXPECT_TRUE(m.find("at most") != std::string::npos || m.find("up to") != std::string::npos)
        << m;
  }
  EXPECT_NO_THROW(checkPossible(4, 0.19, DiskStart::random));
  EXPECT_THROW(checkPossible(4, 0.197, DiskStart::random), InputError);
}

TEST(RandomStart, HasNoOverlapAndDependsOnTheSeedOnly) {
  for (const std::int64_t n : kSizes) {
    const double length = lengthOf(n, 0.45);
    const auto a = randomPositions(n, squareBox(length), 5);
    EXPECT_GE(smallestDistance(a, length), 1.0) << n;
    EXPECT_EQ(a, randomPositions(n, squareBox(length), 5));
    EXPECT_NE(a, randomPositions(n, squareBox(length), 6));
    for (const double v : a) ASSERT_TRUE(v >= 0 && v < length);
  }
}

// Mean number of disks in each quarter of the box, over seeds: placement is homogeneous. Variance
// of a quarter's count is below that of independent points, N 3/16; limit 5 sigma of the mean over
// 200 seeds: false alarm below 1e-6 for each of the four.
TEST(RandomStart, IsHomogeneous) {
  const double length = lengthOf(64, 0.3);
  double quarter[4] = {};
  constexpr int kSeeds = 200;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto xy = randomPositions(64, squareBox(length), static_cast<std::uint64_t>(seed));
    for (std::size_t i = 0; i < xy.size(); i += 2)
      quarter[(xy[i] > length / 2) + 2 * (xy[i + 1] > length / 2)] += 1.0 / kSeeds;
  }
  for (const double q : quarter) EXPECT_NEAR(q, 16, 5 * std::sqrt(64 * 3 / 16.0 / kSeeds));
}

TEST(StateOfARun, SaysHowManyDisksFitTheMemory) {
  EXPECT_NO_THROW(requireBytes(1000, "disks", 50000, 50000, "GPU memory", ""));
  const std::string m = messageOf([] {
    requireBytes(1000000, "disks at this packing", 2147483648u, 1073741824u, "GPU memory",
                 "; or denser");
  });
  expectWords(m, {"out of GPU memory", "1000000 disks at this packing need 2.00 GiB",
                  "1.00 GiB are free", "about 475000", "; or denser", "--backend cpu"});
}

// A slider at its left end would ask for 65 GB: refused before a byte of it is touched, and the run
// goes on. Made real by a limit on the address space, which sanitizers do not live with.
TEST(StateOfARun, IsRefusedWhenItDoesNotFitTheMemoryOfTheHost) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  HardDisksMode mode(kOneThread);
  assign(mode, "start=square n=1000000 packing=0.5");
  mode.restart();
  mode.advance(1);
  rlimit before{}, small{};
  getrlimit(RLIMIT_AS, &before);
  small = before;
  small.rlim_cur = 3ull << 30;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &small), 0);
  const std::string live = messageOf([&] { change(mode, "packing=0.001"); });
  assign(mode, "n=60000000");
  const std::string start = messageOf([&] { mode.restart(); });
  setrlimit(RLIMIT_AS, &before);
  for (const std::string& m : {live, start})
    expectWords(m, {"out of memory", "the largest 'n' that fits is about"});
  EXPECT_EQ(valueIn(mode, "packing"), 0.5);
  mode.advance(1);
  expectHealthy(mode);
#else
  GTEST_SKIP() << "sanitizers need an address space without limit";
#endif
}

// Every start at every size through the mode: self-checks and the realised packing.
TEST(StateOfARun, IsValidForEveryStartAndSize) {
  HardDisksMode mode(kOneThread);
  const char* starts[] = {"square", "hexagonal", "random"};
  for (const char* const& start : starts)
    for (const std::int64_t n : kSizes) {
      const double packings[] = {0.05, 0.3, 0.55, 0.68};
      for (const double packing : packings) {
        SCOPED_TRACE(fmt::format("{} {} {}", start, n, packing));
        assign(mode, fmt::format("start={} n={} packing={}", start, n, packing));
        try {
          mode.restart();
        } catch (const InputError& e) {
          const DiskStart kind = static_cast<DiskStart>(&start - starts);
          const bool tooDense =
              kind != DiskStart::random && packing > latticeShape(kind, n).largestPacking(n);
          EXPECT_TRUE(lengthOf(n, packing) < 4.00001 || tooDense) << e.what();
          continue;
        }
        expectHealthy(mode);
        EXPECT_EQ(mode.particleCount(), static_cast<std::size_t>(n));
        EXPECT_EQ(mode.step(), 0u);
        const Configuration c = mode.configuration();
        std::vector<double> xy;
        for (std::size_t k = 0; k < c.ids.size(); ++k) {
          EXPECT_EQ(c.ids[k], k);
          xy.insert(xy.end(), {c.positions[3 * k], c.positions[3 * k + 1]});
        }
        EXPECT_GE(smallestDistance(xy, c.box.length[0]), 1.0);
      }
    }
}

TEST(StateOfARun, TellsHowFarItIsAndCanBeCancelled) {
  HardDisksMode mode(kOneThread);
  std::vector<Preparation> reports;
  double giveUpAt = 2;
  mode.watchWork([&](const Preparation& p) {
    reports.push_back(p);
    if (p.progress > giveUpAt) throw Cancelled();
  });
  assign(mode, "start=random n=10000 packing=0.6");
  mode.restart();
  ASSERT_GT(reports.size(), 20u);
  EXPECT_EQ(reports.front().label, "inserting disks: 0 of 10000");
  expectWords(reports.back().label, {"compressing: packing 0.5", " of 0.600"});
  EXPECT_GE(reports.front().progress, 0);
  EXPECT_GT(reports.back().progress, 0.9);
  EXPECT_LE(reports.back().progress, 1);
  for (std::size_t i = 1; i < reports.size(); ++i)
    EXPECT_GE(reports[i].progress, reports[i - 1].progress) << reports[i].label;

  mode.advance(3);
  const Configuration before = mode.configuration();
  for (const double share : {0.0, 0.05, 0.5}) {
    giveUpAt = share;
    assign(mode, "n=12000 packing=0.62");
    EXPECT_THROW(mode.restart(), Cancelled);
    EXPECT_EQ(mode.configuration().positions, before.positions);
    EXPECT_EQ(mode.step(), 3u);
    expectHealthy(mode);
  }
}

TEST(StateOfARun, NearClosePackingFromTheHexagonalLattice) {
  HardDisksMode mode(kOneThread);
  for (const std::int64_t n : {780L, 4130L}) {
    const double largest = latticeShape(DiskStart::hexagonal, n).largestPacking(n);
    assign(mode.parameters(),
           fmt::format("start=hexagonal n={} packing={} d=0.002", n, largest - 1e-6));
    mode.restart();
    mode.advance(50);
    expectHealthy(mode);
    EXPECT_GT(mode.work(), 0);
  }
}

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
  }
  EXPECT_GE(smallestDistance(xy, length), 1);
}

void startTwoPhases(HardDisksMode& mode, std::int64_t n, double packing) {
  assign(mode, fmt::format("start=coexistence n={} packing={}", n, packing));
  mode.restart();
}

TEST(Coexistence, StatesAreValidFromEndToEnd) {
  HardDisksMode mode(kOneThread);
  for (const std::int64_t n : {1024L, 1500L, 4096L, 9001L})
    for (const double packing : {0.700, 0.7001, 0.702, 0.706, 0.709, 0.713, 0.7159, 0.716}) {
      SCOPED_TRACE(fmt::format("{} {}", n, packing));
      startTwoPhases(mode, n, packing);
      EXPECT_EQ(mode.particleCount(), static_cast<std::size_t>(n));
      expectHealthy(mode);
      mode.advance(20);
      expectHealthy(mode);
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
  HardDisksMode mode(kOneThread);
  startTwoPhases(mode, 8000, 0.708);
  const double length = mode.configuration().box.length[0];
  EXPECT_GT(orderBetween(mode.configuration(), 0.05 * length, 0.45 * length), 0.99);
  EXPECT_LT(orderBetween(mode.configuration(), 0.55 * length, 0.95 * length), 0.2);
  mode.advance(500);
  EXPECT_GT(orderBetween(mode.configuration(), 0.1 * length, 0.4 * length), 0.5);
  EXPECT_LT(orderBetween(mode.configuration(), 0.6 * length, 0.9 * length), 0.3);
}

TEST(Coexistence, RefusesOnePhaseAndTooFewDisks) {
  HardDisksMode mode(kOneThread);
  const auto why = [&](std::int64_t n, double packing) {
    return messageOf<InputError>([&] { startTwoPhases(mode, n, packing); });
  };
  for (const double packing : {0.698, 0.7165})
    expectWords(why(4096, packing), {"parameter 'packing'", "0.700 to 0.716"});
  expectWords(why(1023, 0.708), {"at least 1024"});
}

}  // namespace
}  // namespace cellscope::test
