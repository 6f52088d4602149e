// The CPU engine: conservation over many sweeps, golden hash, independence of threads and kernels,
// error reports, memory. Choice of the cell grid, binning, and reading positions back.
#include <fmt/format.h>

#include <bit>
#include <numeric>

#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "tests/support/brute_force.h"
#include "tests/support/disk_states.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

void expectSound(const MpmcEngine& engine, int disks) {
  const auto report = engine.check();
  EXPECT_EQ(report.disks, static_cast<std::uint64_t>(disks));
  EXPECT_EQ(report.overlaps, 0u);
  EXPECT_EQ(report.misplaced, 0u);
  EXPECT_GE(report.smallestSquared, 1.0f);
  const DiskPositions p = positionsOf(engine.download());
  ASSERT_EQ(p.ids.size(), static_cast<std::size_t>(disks));
  for (std::uint32_t k = 0; k < p.ids.size(); ++k) ASSERT_EQ(p.ids[k], k);
}

// Overlaps counted over all pairs, in double.
std::uint64_t overlapsOf(const DiskCells& cells) {
  const PlainDisks disks{boxLength(cells.grid), positionsOf(cells).xy};
  return brutePairs(disks, 0, 1, 1)[0] / 2;  // ordered pairs
}

TEST(MpmcEngine, EveryExperimentKeepsTheDisks) {
  for (int bits = 0; bits < 16; ++bits) {
    const auto engine = engineWith(someDisks(200, 0.65, 5));
    MpmcParameters p{.seed = 6, .d = 0.25f, .nMoves = 4};
    p.experiments = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    engine->sweeps(p, 0, 500);
    if (!p.experiments.leaveCell) {
      expectSound(*engine, 200);
      EXPECT_EQ(overlapsOf(engine->download()), 0u);
      continue;
    }
    const auto report = engine->check();  // overlaps are what this experiment may do
    EXPECT_EQ(report.disks, 200u);
    EXPECT_EQ(report.misplaced, 0u);
    EXPECT_EQ(report.overlaps, overlapsOf(engine->download()));
  }
}

// FNV-1a, 64 bit, over grid, counts, and all slots in memory order.
std::uint64_t hashOfCells(const DiskCells& cells) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&](std::uint32_t word) {
    for (int byte = 0; byte < 4; ++byte)
      hash = (hash ^ (word >> (8 * byte) & 0xffu)) * 0x100000001b3ull;
  };
  const GridInfo& g = cells.grid;
  mix(static_cast<std::uint32_t>(g.m)), mix(static_cast<std::uint32_t>(g.slots));
  mix(std::bit_cast<std::uint32_t>(g.w));
  for (std::size_t c = 0; c < g.cellCount(); ++c) mix(cells.count.data()[c]);
  for (std::size_t s = 0; s < g.slotCount(); ++s) {
    const Vec2 at = cells.disk.data()[s];
    mix(std::bit_cast<std::uint32_t>(at.x)), mix(std::bit_cast<std::uint32_t>(at.y));
    mix(cells.id.data()[s]);
  }
  return hash;
}

// The trajectory is part of what the program promises: seed + scenario replay a run.
TEST(MpmcEngine, GoldenHash) {
  const DiskCells start = someDisks(1000, 0.698, 1);
  ASSERT_EQ(hashOfCells(start), 10271427897272157098ull);
  for (const std::string& kernels : exec::instructionSets())
    for (const int threads : {1, 2, 3}) {
      const auto engine = engineWith(start, threads, kernels);
      engine->sweeps({.seed = 42, .d = 0.16f, .nMoves = 4}, 0, 50);
      EXPECT_EQ(hashOfCells(engine->download()), 17588606514819399445ull)
          << kernels << ", " << threads << " threads";
    }
}

// Two disks at distance 1 + k q along x, for k about 0: touching is allowed, one quantum less is
// not, and every kernel set finds it (in the band where the fast filter must not decide).
TEST(MpmcEngine, TouchingIsDecidedExactly) {
  for (const std::string& kernels : exec::instructionSets())
    for (int k = -3; k <= 3; ++k) {
      const GridInfo grid = chooseGrid(64, 0.3).grid;
      const double x = 0.3, gap = 1 + k / 4194304.0;
      const std::vector<double> xy = {x, 0.5, x + gap, 0.5};
      const auto engine =
          engineWith(fillCells(grid, xy, std::vector<std::uint32_t>{0, 1}), 1, kernels);
      EXPECT_EQ(engine->check().overlaps, k < 0 ? 1u : 0u) << kernels << " " << k;
      // d = 0: the disks stay where they are; a move in overlap is refused.
      engine->sweeps({.seed = 1, .d = 0.0f, .nMoves = 4}, 0, 1);
      const MpmcCounters c = engine->counters();
      std::uint64_t accepted = 0, overlap = 0;
      for (int set = 0; set < 4; ++set) accepted += c.accepted[set], overlap += c.overlap[set];
      EXPECT_EQ(accepted, k < 0 ? 0u : 8u) << kernels << " " << k;
      EXPECT_EQ(overlap, k < 0 ? 8u : 0u) << kernels << " " << k;
    }
}

TEST(MpmcEngine, CheckFindsWhatIsWrong) {
  DiskCells cells = someDisks(300, 0.6, 5);
  const GridInfo& g = cells.grid;
  std::size_t slot = 0;
  while (cells.count.data()[slot] == 0) ++slot;
  cells.disk.data()[slot].x += 0.5f * g.w;
  const auto engine = engineWith(cells);
  if (cells.disk.data()[slot].x < g.w) {
    EXPECT_EQ(engine->check().overlaps, overlapsOf(cells));
  }
  cells.disk.data()[slot].x = g.w;
  engine->upload(cells);
  EXPECT_EQ(engine->check().misplaced, 1u);
  cells.disk.data()[slot].x = 0.0f;
  std::size_t unused = 0;
  while (cells.count.data()[unused] == 4) ++unused;
  cells.id.data()[3 * g.cellCount() + unused] = 5;
  engine->upload(cells);
  EXPECT_EQ(engine->check().misplaced, 1u);
}

// Wherever the closest pair lies among the rows that are looked at in parts.
TEST(MpmcEngine, CheckFindsTheClosestPair) {
  const GridInfo grid = chooseGrid(2000, 0.3).grid;
  ASSERT_GT(grid.m, 40);
  const double length = boxLength(grid);
  for (const double y : {0.5, 0.3 * length, 0.6 * length, length - 0.5})
    for (const int threads : {1, 3}) {
      const std::vector<double> xy = {2, 2, 2, 3.2, 9, y, 9.75, y};
      const auto engine =
          engineWith(fillCells(grid, xy, std::vector<std::uint32_t>{0, 1, 2, 3}), threads);
      EXPECT_NEAR(engine->check().smallestSquared, 0.75 * 0.75, 1e-5) << y << " " << threads;
      EXPECT_EQ(engine->check().overlaps, 1u);
    }
}

// What a shift must give, gathered from cells that are not changed meanwhile.
DiskCells shiftedCopy(const DiskCells& start, const CellShift& shift) {
  DiskCells out = emptyCells(start.grid);
  for (int y = 0; y < start.grid.m; ++y)
    for (int x = 0; x < start.grid.m; ++x)
      writeContents(out.view(), x, y, gatherShifted(start.view(), x, y, shift));
  return out;
}

// The cells are shifted in place: every new cell must have seen its neighbour as it was, in every
// direction, across the ends of rows, of vectors and of the bands of rows of the threads.
TEST(MpmcEngine, ShiftInPlaceEqualsGathering) {
  const std::pair<int, double> states[] = {{2, 0.098},    {20, 0.5},   {24, 0.56},
                                           {40, 0.6},     {870, 0.67}, {1200, 0.698},
                                           {1300, 0.698}, {6000, 0.3}, {7000, 0.698}};
  for (const auto& [disks, packing] : states) {
    const DiskCells start = someDisks(disks, packing, 8);
    const float q = kCoordinateQuantum, w = start.grid.w;
    for (int direction = 0; direction < 4; ++direction)
      for (const float d : {0.0f, q, 0.3125f, std::floor((w / 2 - q) / q) * q}) {
        const DiskCells expected = shiftedCopy(start, {direction, d});
        for (const std::string& kernels : exec::instructionSets())
          for (const int threads : {1, 2, 5}) {
            SCOPED_TRACE(fmt::format("{}, {} threads, m {}, direction {}, d {}", kernels, threads,
                                     start.grid.m, direction, d));
            const auto engine = engineWith(start, threads, kernels);
            engine->shift({direction, d});
            ASSERT_TRUE(identical(engine->download(), expected));
            engine->check();  // no overlap: from now on no cell is asked for room
            engine->shift({direction ^ 1, d});
            engine->shift({direction, d});
            const DiskCells back = shiftedCopy(expected, {direction ^ 1, d});
            ASSERT_TRUE(identical(engine->download(), shiftedCopy(back, {direction, d})))
                << "there and back";
          }
      }
  }
}

// Five disks that a shift would bring into one cell: reported with the cell, and the state is kept,
// with other disks everywhere.
TEST(MpmcEngine, OverflowIsReportedAndTheStateKept) {
  const GridInfo grid = chooseGrid(400, 0.4).grid;
  const double w = grid.w;
  // Along the axis of the shift, in cell widths: a shift by w/3 either way brings all into cell 2.
  const std::vector<double> places[2] = {{2.6, 2.7, 2.8, 3.1, 3.2}, {2.4, 2.3, 2.2, 1.9, 1.8}};
  for (int direction = 0; direction < 4; ++direction) {
    std::vector<double> xy;
    std::vector<std::uint32_t> ids;
    for (const double along : places[direction & 1]) {
      const double x = direction < 2 ? along : 3.5, y = direction < 2 ? 3.5 : along;
      xy.insert(xy.end(), {x * w, y * w});
      ids.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    for (int cell = 5; cell < grid.m; ++cell) {
      xy.insert(xy.end(), {(cell + 0.1) * w, (cell + 0.7) * w});
      ids.push_back(static_cast<std::uint32_t>(ids.size()));
    }
    const DiskCells start = fillCells(grid, xy, ids);
    for (const std::string& kernels : exec::instructionSets())
      for (const int threads : {1, 2}) {
        const auto engine = makeMpmcEngineCpu(threads, kernels);
        // Nothing that was known of an earlier state holds for this one.
        engine->upload(someDisks(400, 0.4, 2));
        EXPECT_EQ(engine->check().overlaps, 0u);
        engine->upload(start);
        if (threads == 1) engine->check();
        SCOPED_TRACE(fmt::format("{}, direction {}", kernels, direction));
        const auto shift = [&] { engine->shift({direction, 0.46875f}); };
        expectRefusal<RunError>(shift, {direction < 2 ? "cell (2, 3)" : "cell (3, 2)"});
        EXPECT_TRUE(identical(engine->download(), start));
      }
  }
}

TEST(MpmcEngine, UnknownKernelsAreRefused) {
  expectRefusal([] { makeMpmcEngineCpu(1, "avx9"); }, {"scalar, sse2"});
}

// 12 bytes for each of 2.25 slots per disk, and a count for each cell.
TEST(MpmcEngine, MemoryPerDisk) {
  for (const int threads : {1, 2, 64}) {
    const auto engine = engineWith(someDisks(20000, 0.698, 1), threads);
    engine->sweeps({.seed = 1, .d = 0.16f, .nMoves = 4}, 0, 2);
    const double perDisk = static_cast<double>(engine->bytes()) / 20000;
    EXPECT_LT(perDisk, threads == 64 ? 48 : 36) << threads;
    EXPECT_GT(perDisk, 24) << threads;
  }
}

// Only disks that leave their cells need a second set of cells, and only as long as they may.
TEST(MpmcEngine, SecondCellsOnlyForDisksThatLeave) {
  const auto engine = engineWith(someDisks(20000, 0.6, 1));
  const std::size_t usual = engine->bytes();
  MpmcParameters p{.seed = 1, .d = 0.16f, .nMoves = 4};
  p.experiments.leaveCell = true;
  engine->subSweep(p, 0, 2);
  EXPECT_GT(engine->bytes(), usual + usual / 2);
  p.experiments.leaveCell = false;
  engine->sweeps(p, 1, 1);
  EXPECT_EQ(engine->bytes(), usual);
}

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
  EXPECT_NEAR(cellscope::lengthOf(870, cellscope::packingOf(870, 31.9343)), 31.9343, 1e-12);
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
  const DiskPositions p = positionsOf(latticeDisks(grid, 500, 9));
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
    expectRefusal([&] { fillCells(grid, xy, ids); }, {"disk 42"});
  }
}

TEST(DiskCells, AFifthDiskInACellIsNamed) {
  const GridInfo grid = chooseGrid(100, 0.4).grid;
  std::vector<double> xy(10);
  for (std::size_t k = 0; k < 10; ++k)
    xy[k] = (k % 2 ? 2 : 1) * grid.w + 0.1 + 0.01 * static_cast<double>(k);
  std::vector<std::uint32_t> ids(5);
  std::iota(ids.begin(), ids.end(), 20u);
  expectRefusal<RunError>([&] { fillCells(grid, xy, ids); }, {"disk 24: cell (1, 2)"});
}

}  // namespace
}  // namespace cellscope::test
