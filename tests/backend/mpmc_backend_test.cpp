// Every hard-disk engine gives the configuration of the scalar CPU engine bit for bit: each CPU
// kernel set and thread count, and CUDA with both mappings.
// The thread assignments of the CUDA engine agree bit for bit, counters included, over longer runs
// than the comparison with the scalar rules can afford: the resident kernel of small systems
// (several launches, an odd number of sweeps), the launches of larger ones, and launches that many
// systems share, of which each is the state of its run alone whatever the others are and want.
// Overlapping disks, of which a cell shift would bring five into one cell: every engine names the
// same cell and keeps the same state, that before the shift.
#include "sim/base/error.h"
#include "sim/exec/machine.h"
#include "tests/support/disk_states.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using Case = MpmcCase;

constexpr MpmcExperiments kAllExperiments{
    .noParticleShuffle = true, .noSetShuffle = true, .leaveCell = true, .noCellShift = true};
constexpr MpmcExperiments kInOrder{
    .noParticleShuffle = true, .noSetShuffle = true, .leaveCell = true, .moveOnce = true};

const std::vector<Case> kCases = {
    {"smallestBox", 2, 0.098, parameters(1, 0.5f, 4), 200},
    {"fourCells", 20, 0.5, parameters(2, 0.3f, 5), 60},
    {"fiveSlots", 24, 0.56, parameters(3, 0.3f, 4), 60},
    {"sixCells", 40, 0.6, parameters(4, 0.2f, 4), 40},
    {"oneMove", 300, 0.4, parameters(5, 0.9f, 1), 30},
    {"twoMoves", 870, 0.67, parameters(6, 0.2f, 2), 30},
    {"threeMoves", 1000, 0.1, parameters(7, 0.6f, 3), 30},
    {"sixMoves", 2000, 0.72, parameters(8, 0.1f, 6), 20},
    {"nineMoves", 1500, 0.3, parameters(9, 0.3f, 9), 20},
    {"manyMoves", 500, 0.5, parameters(10, 0.2f, 40), 6},
    {"noMove", 500, 0.5, parameters(10, 0.0f, 4), 6},
    {"usual", 4096, 0.698, parameters(11, 0.16f, 4), 20},
    {"oddHalfRow", 4300, 0.698, parameters(12, 0.16f, 4), 20},
    {"large", 30000, 0.698, parameters(~0ull, 0.16f, 4), 6},
    {"noParticleShuffle", 900, 0.6, parameters(13, 0.2f, 4, {.noParticleShuffle = true})},
    {"noSetShuffle", 900, 0.6, parameters(14, 0.2f, 4, {.noSetShuffle = true})},
    {"leaveCell", 900, 0.6, parameters(15, 0.2f, 4, {.leaveCell = true})},
    {"leaveCellOverlapping", 900, 0.67, parameters(18, 0.16f, 32, {.leaveCell = true}), 40},
    {"leaveCellFiveSlots", 24, 0.56, parameters(19, 0.2f, 16, {.leaveCell = true}), 60},
    {"noCellShift", 900, 0.6, parameters(16, 0.2f, 4, {.noCellShift = true})},
    {"moveOnce", 900, 0.6, parameters(20, 0.2f, 4, {.moveOnce = true})},
    {"leaveCellMoveOnce", 900, 0.6, parameters(21, 0.2f, 4, {.leaveCell = true, .moveOnce = true}),
     30},
    {"leaveCellMoveOnceInOrder", 900, 0.67, parameters(22, 0.4f, 4, kInOrder), 40},
    {"roundedShift", 900, 0.6, parameters(23, 0.2f, 4, {.shiftBits = 12}), 60},
    {"roundedShiftFiveSlots", 24, 0.56, parameters(24, 0.2f, 4, {.shiftBits = 12}), 60},
    {"roundedShiftLeaveCell", 900, 0.6,
     parameters(25, 0.2f, 4, {.leaveCell = true, .moveOnce = true, .shiftBits = 14}), 40},
    {"tall", 900, 0.6, parameters(26, 0.2f, 4), 30, {1, 3}},
    {"wide", 1000, 0.67, parameters(27, 0.16f, 4), 30, {5, 2}},
    {"tallest", 870, 0.698, parameters(28, 0.16f, 3), 30, {2, 17}},
    {"wideLarge", 30000, 0.698, parameters(29, 0.16f, 4), 6, {3, 1}},
    {"tallLeaveCell", 900, 0.6, parameters(30, 0.2f, 4, {.leaveCell = true}), 30, {1, 2}},
    {"wideRoundedShift", 900, 0.6, parameters(31, 0.2f, 4, {.shiftBits = 12}), 60, {3, 2}},
    {"allExperiments", 900, 0.6, parameters(17, 0.2f, 7, kAllExperiments)}};

// Whole sweeps, single phases, and a state with overlaps that is relaxed.
void expectSameAsOracle(MpmcEngine& engine, const Case& c) {
  const DiskCells start = someDisks(c.disks, c.packing, 31, c.shape);
  const auto oracle = makeMpmcEngineCpu(1, "scalar");
  for (MpmcEngine* e : {oracle.get(), &engine}) {
    e->upload(start);
    e->resetCounters();
    e->sweeps(c.p, 1000000000000ull, c.sweeps);
  }
  const DiskCells expected = oracle->download();
  ASSERT_TRUE(identical(engine.download(), expected)) << c.name;
  expectEqualCounters(engine.counters(), oracle->counters());

  engine.upload(start);
  for (std::uint64_t k = 0; k < c.sweeps; ++k) {
    const std::uint64_t sweep = 1000000000000ull + k;
    const SweepSchedule s = scheduleOfSweep(c.p, start.grid.w, sweep);
    for (const std::uint8_t set : s.set) engine.subSweep(c.p, sweep, set);
    engine.shift(s.shift);
  }
  EXPECT_TRUE(identical(engine.download(), expected)) << c.name << ", phase by phase";

  const auto report = engine.check(), oracleReport = oracle->check();
  EXPECT_EQ(report.overlaps, oracleReport.overlaps);
  if (!c.p.experiments.mayOverlap()) {
    EXPECT_EQ(report.overlaps, 0u);
  }
  EXPECT_EQ(report.misplaced, 0u);
  EXPECT_EQ(report.disks, oracleReport.disks);
  if (!c.p.experiments.roundsShift()) {
    EXPECT_EQ(report.disks, static_cast<std::uint64_t>(c.disks));
  }
  EXPECT_EQ(report.smallestSquared, oracleReport.smallestSquared);
}

// Disks pushed into overlap: every position is moved inside its cell by up to 0.1.
DiskCells squeezed(const DiskCells& start) {
  DiskCells cells = copyOf(start);
  const GridInfo& g = cells.grid;
  for (int y = 0; y < g.rows(); ++y)
    for (int x = 0; x < g.m; ++x)
      for (int i = 0; i < cells.count.data()[g.cell(x, y)]; ++i) {
        Vec2& p = cells.disk.data()[g.slot(x, y, i)];
        const float step = (x + y + i) % 2 ? 0.09375f : -0.0625f;
        if (insideCell(p.x + step, p.y - step, g.w)) p = {p.x + step, p.y - step};
      }
  return cells;
}

void expectSameRelaxation(MpmcEngine& engine, const Case& c) {
  const DiskCells start = squeezed(someDisks(c.disks, c.packing, 32, c.shape));
  const auto oracle = makeMpmcEngineCpu(1, "scalar");
  for (MpmcEngine* e : {oracle.get(), &engine}) {
    e->upload(start);
    e->resetCounters();
    for (std::uint64_t k = 0; k < 5; ++k)
      for (int set = 0; set < 4; ++set) e->relax(c.p, k, set);
  }
  EXPECT_TRUE(identical(engine.download(), oracle->download())) << c.name;
  expectEqualCounters(engine.counters(), oracle->counters());
  EXPECT_EQ(engine.check().overlaps, oracle->check().overlaps);
  EXPECT_EQ(engine.check().smallestSquared, oracle->check().smallestSquared);
}

void expectLikeOracle(MpmcEngine& engine, const Case& c) {
  expectSameAsOracle(engine, c);
  expectSameRelaxation(engine, c);
}

std::unique_ptr<MpmcEngine> mappedCuda(const MpmcMappingInfo& info) {
  auto engine = makeMpmcEngine({.backend = Backend::cuda});
  engine->setMapping(info);
  return engine;
}

// The case of this name, as the scalar engine leaves it.
std::unique_ptr<MpmcEngine> sweptCase(const std::string& name) {
  const Case& c = *std::ranges::find_if(kCases, [&](const Case& one) { return one.name == name; });
  auto oracle = engineWith(someDisks(c.disks, c.packing, 31, c.shape), 1, "scalar");
  oracle->sweeps(c.p, 1000000000000ull, c.sweeps);
  return oracle;
}

// The cases of the experiment lose disks, or equality would show little.
TEST(RoundedShift, LosesDisks) {
  const auto report = sweptCase("roundedShift")->check();
  EXPECT_LT(report.disks, 900u);
  EXPECT_EQ(report.misplaced, 0u);
}

// The cases of the experiment reach states with overlaps, or equality would show little.
TEST(LeaveCell, LeavesOverlaps) {
  const auto oracle = sweptCase("leaveCellOverlapping");
  const float w = oracle->grid().w;
  EXPECT_GT(oracle->check().overlaps, 0u);
  EXPECT_GE(oracle->check().smallestSquared, (2 - w) * (2 - w) * 0.999f);
}

class MpmcBackend : public testing::TestWithParam<Case> {};

TEST_P(MpmcBackend, CpuKernels) {
  for (const std::string& kernels : exec::instructionSets()) {
    SCOPED_TRACE(kernels);
    expectLikeOracle(*makeMpmcEngineCpu(1, kernels), GetParam());
  }
}

TEST_P(MpmcBackend, CpuThreads) {
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    expectLikeOracle(*makeMpmcEngineCpu(threads, ""), GetParam());
  }
}

TEST_P(MpmcBackend, Cuda) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    expectLikeOracle(*mappedCuda(info), GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, MpmcBackend, testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.name); });

struct LongRun {
  int side;  // side^2 disks
  double packing;
  std::uint64_t sweeps;
};

class MpmcMappings : public testing::TestWithParam<LongRun> {};

TEST_P(MpmcMappings, Agree) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  const LongRun run = GetParam();
  const DiskCells start = someDisks(run.side * run.side, run.packing, 7);
  MpmcParameters p{.seed = 11};
  std::vector<std::unique_ptr<MpmcEngine>> engines;
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    auto engine = mappedCuda(info);
    engine->upload(start);
    engine->sweeps(p, 5, run.sweeps);
    engine->sweeps(p, 5 + run.sweeps, 1);
    const auto report = engine->check();
    EXPECT_EQ(report.overlaps, 0u);
    EXPECT_EQ(report.misplaced, 0u);
    EXPECT_EQ(report.disks, static_cast<std::uint64_t>(run.side) * run.side);
    for (const std::uint64_t attempted : engine->counters().attempted) EXPECT_GT(attempted, 0u);
    engines.push_back(std::move(engine));
    expectSameCells(*engines.front(), *engines.back());
  }
}

// Recorded launches hold the keys of their seed.
TEST(MpmcSeed, HoldsFromTheNextSweepOn) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  const DiskCells start = someDisks(900, 0.6, 7);
  const auto oracle = makeMpmcEngine({.backend = Backend::cpu});
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    const auto engine = mappedCuda(info);
    for (MpmcEngine* e : {oracle.get(), engine.get()}) {
      e->upload(start);
      MpmcParameters p;
      std::uint64_t sweep = 0;
      for (const std::uint64_t seed : {3, 4, 3}) {
        p.seed = seed;
        e->sweeps(p, sweep, 70);
        sweep += 70;
      }
    }
    EXPECT_TRUE(identical(engine->download(), oracle->download()));
  }
}

INSTANTIATE_TEST_SUITE_P(Sizes, MpmcMappings,
                         testing::Values(LongRun{4, 0.55, 1501}, LongRun{12, 0.6, 2500},
                                         LongRun{64, 0.72, 1501}, LongRun{256, 0.698, 1301},
                                         LongRun{300, 0.698, 101}, LongRun{1900, 0.698, 33}),
                         [](const auto& run) { return "side" + std::to_string(run.param.side); });

struct DiskRun {
  int disks;
  double packing;
  MpmcParameters p;
  GridShape shape;
  std::unique_ptr<MpmcEngine> engine;
};

constexpr int kTogether = 64;

std::vector<DiskRun> someRuns() {
  std::vector<DiskRun> all;
  for (int k = 0; k < kTogether; ++k) {
    const int disks = k % 7 == 0 ? 40 : 1000 + 157 * k;
    const auto seed = static_cast<std::uint64_t>(100 + k);
    const MpmcExperiments experiments{
        .noParticleShuffle = k % 5 == 1, .noSetShuffle = k % 5 == 2, .noCellShift = k % 5 == 3};
    all.push_back({disks, 0.4 + 0.004 * k, parameters(seed, 0.1f + 0.002f * k, 4, experiments),
                   k % 3 == 0 ? GridShape{1, 3} : GridShape{}, nullptr});
  }
  return all;
}

// Requests of different lengths, odd ones among them.
void advanceRun(MpmcEngine& engine, const MpmcParameters& p, int system) {
  std::uint64_t sweep = 1000;
  for (const int count : {1, 3 + system, 64, 100 - system, 17}) {
    engine.sweeps(p, sweep, static_cast<std::uint64_t>(count));
    sweep += static_cast<std::uint64_t>(count);
  }
}

TEST(MpmcSideBySide, EachIsTheRunAlone) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  std::vector<DiskRun> all = someRuns();
  const auto start = [](const DiskRun& s) { return someDisks(s.disks, s.packing, 31, s.shape); };
  for (DiskRun& s : all) {
    s.engine = makeMpmcEngine({.backend = Backend::cuda, .together = kTogether});
    s.engine->upload(start(s));
  }
  // The mapping that shares launches is the only one that is offered.
  const DiskRun& large = all[kTogether - 2];
  EXPECT_TRUE(large.engine->offers(kMpmcMappings[0], large.p));
  EXPECT_FALSE(large.engine->offers(kMpmcMappings[2], large.p));
  std::vector<std::thread> threads;
  for (int k = 0; k < kTogether; ++k)
    threads.emplace_back([&s = all[k], k] { advanceRun(*s.engine, s.p, k); });
  for (std::thread& t : threads) t.join();
  for (int k = 0; k < kTogether; ++k) {
    SCOPED_TRACE(k);
    const auto alone = makeMpmcEngine({.backend = Backend::cpu});
    alone->upload(start(all[k]));
    advanceRun(*alone, all[k].p, k);
    expectSameCells(*all[k].engine, *alone);
    EXPECT_EQ(all[k].engine->check().overlaps, 0u);
  }
}

constexpr int kCrowd = 5, kAlone = 60;

// Five disks in a heap on the border of two cells, three on one side and two on the other: they
// are too near each other to move, and a shift along the axis by more than a hundredth of a cell
// puts them into one cell. Others move freely elsewhere.
DiskCells heapOnBorder(bool alongY) {
  const GridInfo grid = chooseGrid(400, 0.4).grid;
  const double w = grid.w;
  std::vector<double> xy;
  std::vector<std::uint32_t> ids;
  for (const double along : {2.991, 2.994, 2.997, 3.003, 3.006}) {
    const double x = alongY ? 3.5 : along, y = alongY ? along : 3.5;
    xy.insert(xy.end(), {x * w, y * w});
  }
  for (int k = 0; k < kAlone; ++k)
    xy.insert(xy.end(), {(k % 10 + 0.5) * w, (6 + k / 10 + 0.5) * w});
  for (std::uint32_t k = 0; k < kCrowd + kAlone; ++k) ids.push_back(k);
  return fillCells(grid, xy, ids);
}

// Sweeps in long stretches until one fails; the failure, and "" when none did.
std::string sweepUntilFull(MpmcEngine& engine, const MpmcParameters& p) {
  return messageOf<RunError>([&] {
    for (std::uint64_t first = 0; first < 400; first += 40) engine.sweeps(p, first, 40);
  });
}

struct Try {
  std::string name;
  std::unique_ptr<MpmcEngine> engine;
};

std::vector<Try> engines() {
  std::vector<Try> all;
  for (const std::string& kernels : exec::instructionSets())
    for (const int threads : {1, 3})
      all.push_back({kernels + std::to_string(threads), makeMpmcEngineCpu(threads, kernels)});
  if (!exec::cudaStatus().usable) return all;
  for (const MpmcMappingInfo& info : kMpmcMappings)
    all.push_back({std::string("cuda, ") + info.key, mappedCuda(info)});
  return all;
}

TEST(MpmcOverflow, SweepsNameTheCellAndKeepTheState) {
  for (const bool alongY : {false, true})
    for (const int moves : {4, 6}) {
      const DiskCells start = heapOnBorder(alongY);
      MpmcParameters p{.seed = 5, .nMoves = moves};
      const auto oracle = engineWith(start, 1, "scalar");
      const std::string expected = sweepUntilFull(*oracle, p);
      ASSERT_NE(expected.find("overflowed while shifting"), std::string::npos) << expected;
      ASSERT_FALSE(identical(oracle->download(), start));  // the others moved before
      for (Try& t : engines()) {
        SCOPED_TRACE(t.name + (alongY ? ", along y, " : ", along x, ") + std::to_string(moves));
        t.engine->upload(start);
        EXPECT_EQ(sweepUntilFull(*t.engine, p), expected);
        EXPECT_TRUE(identical(t.engine->download(), oracle->download()));
        EXPECT_EQ(t.engine->check().disks, static_cast<std::uint64_t>(kCrowd + kAlone));
        // It can go on with another state, and fails again with this one.
        t.engine->upload(someDisks(400, 0.4, 2));
        EXPECT_EQ(sweepUntilFull(*t.engine, p), "");
        t.engine->upload(start);
        EXPECT_EQ(sweepUntilFull(*t.engine, p), expected);
      }
    }
}

TEST(MpmcOverflow, SingleShiftsNameTheCellAndKeepTheState) {
  for (int direction = 0; direction < 4; ++direction) {
    const DiskCells start = heapOnBorder(direction >= 2);
    const CellShift shift{direction, 0.25f};
    const auto oracle = engineWith(start, 1, "scalar");
    const std::string expected = messageOf<RunError>([&] { oracle->shift(shift); });
    EXPECT_FALSE(expected.empty());
    for (Try& t : engines()) {
      SCOPED_TRACE(t.name + ", direction " + std::to_string(direction));
      t.engine->upload(start);
      EXPECT_EQ(messageOf<RunError>([&] { t.engine->shift(shift); }), expected);
      EXPECT_TRUE(identical(t.engine->download(), start));
    }
  }
}

}  // namespace
}  // namespace cellscope::test
