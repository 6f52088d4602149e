// One grid on several domains: cells, counters and what is measured are those of one engine bit for
// bit, whatever the number of domains, the way of their exchange and the backend.
#include <gmock/gmock.h>

#include "sim/algo/mpmc/domains.h"
#include "sim/layers/disks.h"
#include "tests/support/backend_test.h"
#include "tests/support/disk_states.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

// m columns and rows of cells, or other rows, filled to a packing fraction.
DiskCells filledGrid(int m, double packing, int rows = 0) {
  GridInfo grid{.m = m, .w = 1.25f};
  if (rows > 0) grid.taller = rows - m;
  return latticeDisks(grid, static_cast<int>(packing * boxOf(grid).volume() * 4 / M_PI), 17);
}

struct Cut {
  const char* name;
  int m, domains;
  double packing;
  MpmcParameters p;
  std::uint64_t sweeps;
  int rows = 0;
};

// Strips as thin as their halo, uneven ones, and more sweeps than are planned at once. Sixteen
// sweeps miss one of the four directions of the shift with probability 4 (3/4)^16 = 4 %, seventy
// with 7e-9.
const std::vector<Cut> kCuts = {
    {"thinTwo", 12, 2, 0.6, parameters(1, 0.3f, 4), 70},
    {"thinThree", 18, 3, 0.6, parameters(2, 0.3f, 4), 70},
    {"thinFour", 24, 4, 0.65, parameters(3, 0.2f, 4), 70},
    {"unevenTwo", 14, 2, 0.6, parameters(4, 0.3f, 4), 40},
    {"unevenThree", 26, 3, 0.698, parameters(5, 0.16f, 4), 40},
    {"unevenFour", 30, 4, 0.698, parameters(6, 0.16f, 4), 40},
    {"wide", 150, 4, 0.698, parameters(7, 0.16f, 4), 12},
    {"tallThree", 16, 3, 0.6, parameters(15, 0.2f, 4), 70, 44},
    {"flatTwo", 48, 2, 0.6, parameters(16, 0.2f, 4), 70, 14},
    {"sevenMoves", 40, 3, 0.5, parameters(8, 0.3f, 7), 40},
    {"oneMove", 40, 2, 0.2, parameters(9, 0.5f, 1), 40},
    {"inOrder", 40, 4, 0.6,
     parameters(10, 0.2f, 4, {.noParticleShuffle = true, .noSetShuffle = true}), 40},
    {"noShift", 40, 4, 0.6, parameters(11, 0.2f, 4, {.noCellShift = true}), 40},
    {"leaveCell", 24, 3, 0.6, parameters(12, 0.2f, 4, {.leaveCell = true}), 20},
    {"moveOnce", 24, 3, 0.6, parameters(13, 0.2f, 4, {.moveOnce = true}), 20},
    {"rounded", 24, 3, 0.6, parameters(14, 0.2f, 4, {.shiftBits = 12}), 40}};

using MpmcDomains = InDomains;

TEST_P(MpmcDomains, GiveTheCellsOfOneEngine) {
  for (const Cut& c : kCuts) {
    SCOPED_TRACE(c.name);
    const DiskCells start = filledGrid(c.m, c.packing, c.rows);
    const auto oracle = makeMpmcEngineCpu(1, "scalar");
    const auto engine = makeMpmcEngine(on(c.domains));
    for (MpmcEngine* e : {oracle.get(), engine.get()}) {
      e->upload(start);
      e->sweeps(c.p, 1000, c.sweeps / 2);
      e->sweeps(c.p, 1000 + c.sweeps / 2, c.sweeps - c.sweeps / 2);
    }
    expectSameCells(*engine, *oracle);
    EXPECT_EQ(engine->check().disks, oracle->check().disks);
    EXPECT_EQ(engine->check().misplaced, 0u);
    EXPECT_EQ(engine->check().smallestSquared, oracle->check().smallestSquared);
  }
}

// Sweeps, single phases, relaxing moves and a new state in turn: each begins with the cells that
// the one before left, wherever it was done.
TEST_P(MpmcDomains, HandTheCellsOnBetweenSweepsAndPhases) {
  const MpmcParameters p = parameters(21, 0.2f, 4);
  const auto oracle = makeMpmcEngineCpu(1, "scalar");
  for (const int domains : {2, 3, 4}) {
    SCOPED_TRACE(domains);
    const auto engine = makeMpmcEngine(on(domains));
    for (MpmcEngine* e : {oracle.get(), engine.get()}) {
      e->upload(filledGrid(40, 0.6));
      e->resetCounters();
      e->sweeps(p, 0, 5);
      const SweepSchedule s = scheduleOfSweep(p, e->grid().w, 5);
      for (const std::uint8_t set : s.set) e->subSweep(p, 5, set);
      e->shift(s.shift);
      e->sweeps(p, 6, 5);
      for (int set = 0; set < 4; ++set) e->relax(p, 11, set);
      e->sweeps(p, 12, 33);
    }
    expectSameCells(*engine, *oracle);
    for (MpmcEngine* e : {oracle.get(), engine.get()}) {
      e->upload(filledGrid(26, 0.698));  // of another size
      e->sweeps(p, 50, 9);
    }
    expectSameCells(*engine, *oracle);
    engine->resetCounters();
    EXPECT_EQ(engine->counters().attempted[2], 0u);
  }
}

// Disks that overlap are swept by the engine of the whole grid until none do.
TEST_P(MpmcDomains, LeaveOverlapsToOneEngine) {
  DiskCells start = filledGrid(24, 0.6);
  std::size_t cell = 0;
  while (start.count.data()[cell] < 2) ++cell;
  Vec2* const disk = start.disk.data() + cell;
  disk[start.grid.cellCount()] = {disk[0].x, disk[0].y};
  const MpmcParameters p = parameters(22, 0.2f, 4);
  const auto oracle = makeMpmcEngineCpu(1, "scalar");
  const auto engine = makeMpmcEngine(on(3));
  for (MpmcEngine* e : {oracle.get(), engine.get()}) {
    e->upload(start);
    for (std::uint64_t k = 0; k < 20; ++k) e->sweeps(p, 8 * k, 8);
  }
  EXPECT_TRUE(identical(engine->download(), oracle->download()));
  EXPECT_EQ(engine->check().overlaps, oracle->check().overlaps);
}

// A whole run of the mode: compression, tuning, samples, curves and checkpoint; and a run that goes
// on with another number of domains.
TEST_P(MpmcDomains, MakeTheRunOfOneEngine) {
  const std::string settings = "n=900 packing=0.6 start=random";
  const auto samples = [](HardDisksMode& mode) {
    std::vector<double> all;
    for (int k = 0; k < 12; ++k) {
      mode.advance(9);
      mode.advancePhase();
      mode.advance(1);
      for (const double v : mode.sample()) all.push_back(std::isnan(v) ? -1 : v);
    }
    return all;
  };
  const auto one = startedOn(config_.backend == Backend::cpu ? config_ : on(1), settings);
  settle(*one);
  const std::string before = saved(*one);
  const std::vector<double> expected = samples(*one);
  for (const int domains : {2, 3, 4}) {
    SCOPED_TRACE(domains);
    const auto mode = startedOn(on(domains), settings);
    settle(*mode);
    EXPECT_EQ(saved(*mode), before);
    EXPECT_EQ(samples(*mode), expected);
    EXPECT_EQ(saved(*mode), saved(*one));
    EXPECT_EQ(mode->work(), one->work());
    expectHealthy(*mode);
    HardDisksMode other(on(5 - domains / 2));
    load(other, before);
    EXPECT_EQ(samples(other), expected);
    EXPECT_EQ(saved(other), saved(*one));
  }
}

// Each message has the outermost rows of its domain on that side.
void expectMessages(const MpmcEngine& engine, int domains, int rows) {
  const GridInfo g = engine.grid();
  const std::vector<HaloMessage> all = engine.messages();
  ASSERT_EQ(all.size(), 2 * static_cast<std::size_t>(domains));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const HaloMessage& m = all[k];
    const int own = static_cast<int>(k / 2);
    EXPECT_EQ(m.from, own);
    EXPECT_EQ(m.ahead, k % 2 == 1);
    EXPECT_EQ(m.to, (own + (m.ahead ? 1 : domains - 1)) % domains);
    EXPECT_EQ(m.rows, rows);
    EXPECT_EQ(m.row, m.ahead ? evenBorder(g.allRows(), domains, own + 1) - rows
                             : evenBorder(g.allRows(), domains, own));
    EXPECT_EQ(m.cells, static_cast<std::size_t>(rows) * g.m);
    EXPECT_EQ(m.bytes, m.cells * (g.slots * 12u + 1u));
  }
}

// Rows of the disks that overlap others.
std::vector<int> rowsOfOverlaps(DiskCells cells) {
  std::vector<int> rows;
  const GridInfo& g = cells.grid;
  for (int y = 0; y < g.rows(); ++y)
    for (int x = 0; x < g.m; ++x) {
      const Neighbourhood n = readNeighbourhood(cells.view(), x, y);
      for (int i = 0; i < n.count[4]; ++i)
        for (int k = 0; k < 9; ++k)
          for (int j = 0; j < n.count[k]; ++j) {
            const Vec2 a = n.disk[4][i], b = n.disk[k][j];
            const float w = g.w, dx = b.x + static_cast<float>(k % 3 - 1) * w - a.x,
                        dy = b.y + static_cast<float>(k / 3 - 1) * w - a.y;
            if ((k != 4 || i != j) && overlaps(dx, dy)) rows.push_back(y);
          }
    }
  return rows;
}

// Sweeps of one state each: disks that were in the rows beside a seam overlap, which a shift moves
// by less than a row, and no others do. All places compute the same.
TEST_P(MpmcDomains, StaleHalosMakeOverlapsAtSeams) {
  DiskCells start = filledGrid(24, 0.698);
  MpmcParameters p = parameters(31, 0.3f, 4);
  p.experiments.staleHalo = true;
  for (const int domains : {1, 2, 3}) {
    SCOPED_TRACE(domains);
    const int cut = std::max(domains, kStaleDomains);
    const auto engine = makeMpmcEngine(on(domains));
    const auto oracle = makeMpmcEngine({.threads = 1, .domains = domains});
    std::size_t found = 0;
    for (std::uint64_t sweep = 0; sweep < 20; ++sweep) {
      MpmcParameters right = p;
      right.experiments.staleHalo = false;
      engine->upload(start);
      engine->sweeps(right, sweep, 1);
      EXPECT_EQ(engine->check().overlaps, 0u);
      if (domains > 1) expectMessages(*engine, domains, kHaloRows);
      for (MpmcEngine* e : {engine.get(), oracle.get()}) {
        e->upload(start);
        e->sweeps(p, sweep, 1);
        expectMessages(*e, cut, kStaleHaloRows);
      }
      EXPECT_TRUE(identical(engine->download(), oracle->download()));
      const std::vector<int> rows = rowsOfOverlaps(engine->download());
      EXPECT_EQ(rows.size(), 2 * engine->check().overlaps);
      found += rows.size();
      for (const int y : rows) {
        bool beside = false;
        for (int k = 0; k < cut; ++k) {
          const int after = (y - evenBorder(start.grid.rows(), cut, k) + 2 + start.grid.rows()) %
                            start.grid.rows();
          beside = beside || after < 4;
        }
        EXPECT_TRUE(beside) << "row " << y;
      }
    }
    EXPECT_GT(found, 0u);
  }
}

// In the mode: the self-check counts them and names the cause, phases do the same as sweeps, what
// was sent is drawn; and once the experiment is off, the overlaps are removed.
TEST_P(MpmcDomains, StaleHalosAreReportedAndMended) {
  const std::string settings = "n=900 packing=0.69 start=hexagonal d=0.3";
  const auto mode = startedOn(on(2), settings), byPhases = startedOn(on(2), settings);
  for (HardDisksMode* m : {mode.get(), byPhases.get()}) change(*m, "stale_halo=true");
  mode->advance(30);
  for (int k = 0; k < 30 * 6; ++k) byPhases->advancePhase();
  EXPECT_EQ(saved(*mode), saved(*byPhases));
  const SelfCheck wrong = checkOf(*mode, "overlaps");
  EXPECT_FALSE(wrong.ok);
  EXPECT_TRUE(wrong.onPurpose);
  expectWords(wrong.detail, {"stale_halo"});
  const auto frame = mode->frame({{layers::kDisks, layers::kHalos}, "domain", -1});
  std::vector<std::string> keys;
  for (const LayerData& l : frame->layers)
    if (l.count > 0) keys.push_back(l.key);
  EXPECT_THAT(keys, testing::IsSupersetOf({layers::kHalos, layers::kMessages,
                                           layers::kMessageLabels, layers::kOverlaps}));
  settle(*mode, "stale_halo=false");
  mode->advance(40);
  EXPECT_TRUE(checkOf(*mode, "overlaps").ok);
  expectHealthy(*mode);
}

INSTANTIATE_TEST_SUITE_P(Places, MpmcDomains, testing::ValuesIn(kDomainPlaces), nameOfPlace);

// Own rows make up the grid; rows of halos are those beside them; numbers of cells are the grid's.
TEST(MpmcStrips, CoverTheGrid) {
  for (int m = 12; m <= 80; m += 2)
    for (int domains = 2; domains <= m / kHaloRows; ++domains) {
      GridInfo grid{.m = m + 20, .taller = -20};
      std::vector<int> owners(static_cast<std::size_t>(m));
      int least = m, most = 0;
      for (int k = 0; k < domains; ++k) {
        const GridInfo s = stripOf(grid, domains, k);
        const int own = s.rows() - 2 * s.halo;
        least = std::min(least, own), most = std::max(most, own);
        ASSERT_GE(own, kHaloRows);
        for (int y = 0; y < s.rows(); ++y) {
          const int row = grid.wrapFarRow(s.first + y);
          ASSERT_EQ(s.id(3, y), grid.id(3, row));
          if (!s.owns(y)) continue;
          ++owners[static_cast<std::size_t>(row)];
          // The picture shows the same.
          const layers::DisksInCells disks{.cells = {.grid = grid}, .domains = domains};
          const bool copied = y < 2 * s.halo || y >= s.rows() - 2 * s.halo;
          ASSERT_EQ(layers::DiskDomain::value({disks, {3, row}, 0}),
                    static_cast<float>(2 * (k % 3) + copied));
        }
      }
      EXPECT_LE(most - least, 2);
      for (const int n : owners) ASSERT_EQ(n, 1) << m << " rows, " << domains << " domains";
    }
}

TEST(MpmcStrips, ThinnerThanTheirHaloAreRefused) {
  GridInfo grid;
  for (const auto& [m, domains, allowed] :
       {std::tuple{10, 2, "allowed: 1"}, {22, 4, "allowed: 1 to 3"}, {600, 101, "1 to 100"}}) {
    grid.m = m;
    SCOPED_TRACE(m);
    expectRefusal([&, n = domains] { stripOf(grid, n, 0); },
                  {allowed, std::to_string(domains) + " domains"});
  }
  EXPECT_THROW(startedOn({.threads = 1, .domains = 9}, "n=900"), InputError);
}

}  // namespace
}  // namespace cellscope::test
