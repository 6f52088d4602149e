// Every hard-disk engine gives the configuration of the scalar CPU engine bit for bit: each CPU
// kernel set and thread count, and CUDA with both mappings.
#include <algorithm>

#include "sim/exec/machine.h"
#include "tests/support/disk_states.h"

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

// The case of this name, as the scalar engine leaves it.
std::unique_ptr<MpmcEngine> sweptCase(const std::string& name) {
  const Case& c = *std::find_if(kCases.begin(), kCases.end(),
                                [&](const Case& one) { return one.name == name; });
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
    const auto engine = makeMpmcEngineCpu(1, kernels);
    expectSameAsOracle(*engine, GetParam());
    expectSameRelaxation(*engine, GetParam());
  }
}

TEST_P(MpmcBackend, CpuThreads) {
  for (const int threads : {2, 3, 7}) {
    SCOPED_TRACE(std::to_string(threads) + " threads");
    const auto engine = makeMpmcEngineCpu(threads, "");
    expectSameAsOracle(*engine, GetParam());
    expectSameRelaxation(*engine, GetParam());
  }
}

TEST_P(MpmcBackend, Cuda) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    const auto engine = makeMpmcEngine({.backend = Backend::cuda});
    engine->setMapping(info);
    expectSameAsOracle(*engine, GetParam());
    expectSameRelaxation(*engine, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, MpmcBackend, testing::ValuesIn(kCases),
                         [](const auto& c) { return std::string(c.param.name); });

}  // namespace
}  // namespace cellscope::test
