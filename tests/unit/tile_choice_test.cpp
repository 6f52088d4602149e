// Tiles of the resident CUDA kernel: they cover the grid, fit a thread block in every sweep, and
// their margins hold everything that their cells depend on (checked cell by cell).
#include "sim/algo/mpmc/tile_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace cellscope::mpmc {
namespace {

constexpr int kBlocks = 132;  // multiprocessors of an H200

template <class See>
void forAllSchedules(See&& see) {
  std::array<std::uint8_t, 4> order{0, 1, 2, 3};
  do {
    for (int direction = 0; direction < 4; ++direction)
      see(SweepSchedule{{order[0], order[1], order[2], order[3]}, {direction, 0.1f}});
  } while (std::next_permutation(order.begin(), order.end()));
}

struct Tile {
  Span x, y;
};

template <class See>
void forAllTiles(int m, TileCount n, See&& see) {
  for (int j = 0; j < n.y; ++j)
    for (int i = 0; i < n.x; ++i)
      see(Tile{{evenBorder(m, n.x, i), evenBorder(m, n.x, i + 1)},
               {evenBorder(m, n.y, j), evenBorder(m, n.y, j + 1)}});
}

TEST(TileChoice, TilesCoverTheGridAndEndOnPairs) {
  for (int m = 4; m <= 190; m += 2) {
    const TileCount n = chooseTiles(m, m, kBlocks);
    ASSERT_TRUE(n.possible()) << m;
    EXPECT_LE(n.x * n.y, kBlocks);
    int cells = 0;
    forAllTiles(m, n, [&](const Tile& t) {
      EXPECT_EQ(t.x.lo % 2 + t.x.hi % 2 + t.y.lo % 2 + t.y.hi % 2, 0);
      cells += (t.x.hi - t.x.lo) * (t.y.hi - t.y.lo);
    });
    EXPECT_EQ(cells, m * m) << m;
  }
}

// 16 words of 8 bytes fill the banks of shared memory once.
TEST(TileChoice, EvenAndOddColumnsAndRowsLieHalfTheBanksApart) {
  for (int pairs = 1; pairs <= kTileSide / 2; ++pairs) {
    EXPECT_GE(bankStride(pairs), pairs);
    EXPECT_EQ(bankStride(pairs) % 16, 8) << pairs;
    EXPECT_GE(rowStride(pairs), bankStride(pairs) + pairs);
    EXPECT_EQ(rowStride(pairs) % 16, 8) << pairs;
  }
}

TEST(TileChoice, EveryRegionFitsInEverySweep) {
  for (int m = 4; m <= 200; m += 2) {
    const TileCount n = chooseTiles(m, m, kBlocks);
    forAllTiles(m, n, [&](const Tile& t) {
      forAllSchedules([&](const SweepSchedule& s) {
        Span x = t.x, y = t.y;
        goThroughMargins(s, x, y, [&](int k, Span needX, Span needY) {
          const int total = activeCells(s.set[k], needX, needY).total;
          ASSERT_LE(total, mostActive(t.x.hi - t.x.lo, t.y.hi - t.y.lo)) << m;
          ASSERT_LE(total, kTileActive) << m;
        });
        // Columns are read in pairs.
        const int width = x.hi - (x.lo & ~1) + 1, height = y.hi - y.lo;
        ASSERT_LE(std::max(width, height), kTileSide) << m;
        ASSERT_LE((width / 2 * 2) * height, kTileCells) << m;
        ASSERT_LE(rowStride(width / 2) * height, kTileSlots) << m;
        // With more than one tile, the margin ends in the next one.
        if (n.x > 1 || n.y > 1) {
          ASSERT_LE(std::max({t.x.lo - (x.lo & ~1), x.hi - t.x.hi, t.y.lo - y.lo, y.hi - t.y.hi}),
                    kTileLeast);
        }
      });
    });
  }
}

// What the cells of a tile depend on, followed back cell by cell without any rule about sides.
TEST(TileChoice, MarginsHoldEverythingThatTheTileDependsOn) {
  for (const Tile& t : {Tile{{0, 6}, {2, 8}}, Tile{{4, 12}, {6, 14}}})
    forAllSchedules([&](const SweepSchedule& s) {
      const int dx = s.shift.direction == 0 ? 1 : s.shift.direction == 1 ? -1 : 0;
      const int dy = s.shift.direction == 2 ? 1 : s.shift.direction == 3 ? -1 : 0;
      std::set<std::pair<int, int>> needed;
      for (int y = t.y.lo; y < t.y.hi; ++y)
        for (int x = t.x.lo; x < t.x.hi; ++x) needed.insert({{x, y}, {x + dx, y + dy}});
      Span regionX = t.x, regionY = t.y;
      goThroughMargins(s, regionX, regionY, [&](int k, Span x, Span y) {
        std::set<std::pair<int, int>> before = needed;
        for (const auto& [cx, cy] : needed) {
          ASSERT_TRUE(x.holds(cx) && y.holds(cy));
          if (checkerboardSet(cx & 1, cy & 1) != s.set[k]) continue;
          for (int v = -1; v <= 1; ++v)
            for (int u = -1; u <= 1; ++u) before.insert({cx + u, cy + v});
        }
        needed = before;
      });
      for (const auto& [cx, cy] : needed) ASSERT_TRUE(regionX.holds(cx) && regionY.holds(cy));
    });
}

TEST(TileChoice, GridsTooLargeForTheDeviceAreNotCut) {
  EXPECT_FALSE(chooseTiles(400, 400, kBlocks).possible());
  EXPECT_FALSE(chooseTiles(194, 194, 20).possible());
  EXPECT_TRUE(chooseTiles(64, 64, 20).possible());
}

}  // namespace
}  // namespace cellscope::mpmc
