// Choice of the cell grid, binning, and reading positions back.
#include <cmath>
#include <numbers>
#include <numeric>

#include "sim/base/error.h"
#include "tests/support/disk_states.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

double packingFor(double length, int disks) {
  return disks * std::numbers::pi / 4 / (length * length);
}

// Every box from 4 sigma upwards gets a legal grid: m even, 1 <= w < sqrt 2 and four slots, or
// m = 4 with five slots below 6 sigma; no smaller even m would do.
TEST(GridChoice, IsLegalForEveryBox) {
  for (double length = 4.0; length < 300; length += 0.0137) {
    const GridChoice c = chooseGrid(4, packingFor(length, 4));
    const GridInfo& g = c.grid;
    ASSERT_EQ(g.m % 2, 0);
    ASSERT_GE(g.m, 4);
    ASSERT_GE(g.w, 1.0f) << length;
    ASSERT_EQ(g.w / kCoordinateQuantum, std::floor(g.w / kCoordinateQuantum));
    ASSERT_NEAR(boxLength(g) / length, 1, 1e-6);
    ASSERT_NEAR(c.packing / packingFor(length, 4), 1, 1e-6);
    if (g.slots == 4) {
      ASSERT_LT(static_cast<double>(g.w), std::numbers::sqrt2);
      if (g.m > 4) {
        ASSERT_GT(length / (g.m - 2), std::numbers::sqrt2 - 1e-5);
      }
    } else {
      ASSERT_EQ(g.slots, 5);
      ASSERT_EQ(g.m, 4);
      ASSERT_LT(g.w, 1.5f);
      ASSERT_GT(length, 5.65);
    }
  }
}

// What is chosen is possible; one step beyond any of its bounds is not.
TEST(GridChoice, ImpossibleGridsAreKnown) {
  for (double length = 4.0; length < 100; length += 0.37)
    EXPECT_TRUE(possibleGrid(chooseGrid(4, packingFor(length, 4)).grid)) << length;
  const auto with = [](int m, int places, float w) {
    return GridInfo{static_cast<std::int32_t>(m), places, w};
  };
  EXPECT_TRUE(possibleGrid(with(6, 4, 1.25f)));
  EXPECT_TRUE(possibleGrid(with(4, 5, 1.5f)));
  for (const GridInfo& g :
       {with(2, 4, 1.25f), with(7, 4, 1.25f), with(65536, 4, 1.25f), with(6, 3, 1.25f),
        with(6, 6, 1.25f), with(6, 4, 1.0f - kCoordinateQuantum), with(6, 4, 1.4375f),
        with(6, 5, 1.6875f), with(6, 4, 1.25f + kCoordinateQuantum / 2), with(6, 4, std::nanf(""))})
    EXPECT_FALSE(possibleGrid(g)) << g.m << " " << g.slots << " " << g.w;
  EXPECT_NEAR(lengthOf(870, cellscope::packingOf(870, 31.9343)), 31.9343, 1e-12);
}

TEST(GridChoice, KnownGrids) {
  const GridInfo big = chooseGrid(65536, 0.698).grid;
  EXPECT_EQ(big.m, 194);
  EXPECT_EQ(big.slots, 4);
  EXPECT_EQ(chooseGrid(2, packingFor(4.0, 2)).grid.w, 1.0f);
  EXPECT_EQ(chooseGrid(2, packingFor(5.9, 2)).grid.slots, 5);
  EXPECT_EQ(chooseGrid(2, packingFor(6.0, 2)).grid.m, 6);
}

std::string refusal(std::int64_t disks, double packing) {
  return messageOf<InputError>([&] { chooseGrid(disks, packing); });
}

TEST(GridChoice, RefusalsNameTheWayOut) {
  expectWords(refusal(10, 0.7),  // L = 3.35
              {"10 disks", "0.7", "3.3496", "at least 15 disks", "at most 0.490874"});
  EXPECT_EQ(refusal(15, 0.7), "");
  EXPECT_EQ(refusal(10, 0.4908), "");
  expectWords(refusal(0, 0.5), {"at least 1"});
  expectWords(refusal(100, 0.0), {"packing"});
  expectWords(refusal(100, 0.95), {"0.9069"});
  expectWords(refusal(100, std::nan("")), {"packing"});
  expectWords(refusal(9000000000, 0.5), {"per side"});
}

double numberAfter(const std::string& text, const std::string& words) {
  const std::size_t at = text.find(words);
  return at == std::string::npos ? -1 : std::stod(text.substr(at + words.size()));
}

TEST(GridChoice, TheWayOutOfTooManyCellsIsOne) {
  const std::string large = refusal(16000000, 0.001);
  const double packing = numberAfter(large, "packing fraction of at least ");
  const double disks = numberAfter(large, "or at most ");
  EXPECT_NEAR(packing, 0.0015, 0.0001) << large;
  EXPECT_NEAR(disks, 1.09e7, 1e5) << large;
  EXPECT_EQ(refusal(16000000, packing), "");
  EXPECT_EQ(refusal(static_cast<std::int64_t>(disks), 0.001), "");
  EXPECT_NE(refusal(16000000, 0.99 * packing), "");
  EXPECT_NE(refusal(static_cast<std::int64_t>(1.01 * disks), 0.001), "");
}

TEST(DiskCells, PositionsComeBackExactly) {
  const GridInfo grid = chooseGrid(500, 0.4).grid;
  const DiskCells cells = latticeDisks(grid, 500, 9);
  const DiskPositions p = positionsOf(cells);
  ASSERT_EQ(p.ids.size(), 500u);
  for (std::uint32_t k = 0; k < 500; ++k) EXPECT_EQ(p.ids[k], k);
  const DiskPositions again = positionsOf(fillCells(grid, p.xy, p.ids));
  EXPECT_EQ(p.xy, again.xy);
  EXPECT_EQ(p.ids, again.ids);
}

TEST(DiskCells, TheFarEdgeOfTheBoxIsTheNearOne) {
  const GridInfo grid = chooseGrid(100, 0.4).grid;
  const double length = boxLength(grid);
  const std::vector<double> xy = {length, 0.0, length - 1e-9, 3.0, 5.0, length};
  const std::vector<std::uint32_t> ids = {7, 8, 9};
  const DiskPositions p = positionsOf(fillCells(grid, xy, ids));
  EXPECT_EQ(p.ids, ids);
  EXPECT_EQ(p.xy[0], 0.0);
  EXPECT_EQ(p.xy[2], 0.0);  // rounds to the edge
  EXPECT_EQ(p.xy[5], 0.0);
}

TEST(DiskCells, BadPositionsAreNamed) {
  const GridInfo grid = chooseGrid(100, 0.4).grid;
  const std::vector<std::uint32_t> ids = {42};
  for (const double bad : {-0.001, boxLength(grid) + 0.001, std::nan("")}) {
    const std::vector<double> xy = {1.0, bad};
    SCOPED_TRACE(bad);
    expectWords(messageOf<InputError>([&] { fillCells(grid, xy, ids); }), {"disk 42"});
  }
}

TEST(DiskCells, AFifthDiskInACellIsNamed) {
  const GridInfo grid = chooseGrid(100, 0.4).grid;
  std::vector<double> xy(10);
  for (std::size_t k = 0; k < 10; ++k)
    xy[k] = (k % 2 ? 2 : 1) * grid.w + 0.1 + 0.01 * static_cast<double>(k);
  std::vector<std::uint32_t> ids(5);
  std::iota(ids.begin(), ids.end(), 20u);
  expectWords(messageOf<RunError>([&] { fillCells(grid, xy, ids); }), {"disk 24: cell (1, 2)"});
}

}  // namespace
}  // namespace cellscope::test
