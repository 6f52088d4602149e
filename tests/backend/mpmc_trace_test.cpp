// What recording kernels write is what a replay of the rules on a copy tells, record by record, for
// every kernel set and mapping; and recording changes nothing.
#include "sim/exec/machine.h"
#include "tests/support/backend_test.h"
#include "tests/support/disk_states.h"

namespace cellscope::test {
namespace {

using Case = MpmcCase;

const std::vector<Case> kTracedCases = {
    {"smallestBox", 2, 0.098, parameters(1, 0.5f, 4), 400},
    {"fiveSlots", 24, 0.56, parameters(3, 0.3f, 4), 400},
    {"usual", 300, 0.698, parameters(11, 0.16f, 4), 2500},
    {"largeMoves", 870, 0.3, parameters(6, 0.5f, 4), 400},
    {"nineMoves", 300, 0.6, parameters(9, 0.3f, 9), 400},
    {"tiles", 4096, 0.698, parameters(12, 0.16f, 4), 40},
    {"noShuffles", 300, 0.6,
     parameters(13, 0.2f, 4,
                {.noParticleShuffle = true, .noSetShuffle = true, .noCellShift = true}),
     200},
    {"leaveCell", 300, 0.6, parameters(15, 0.2f, 4, {.leaveCell = true}), 200}};

bool same(const TrialRecord& a, const TrialRecord& b) {
  return a.slot == b.slot && a.id == b.id && a.from.x == b.from.x && a.from.y == b.from.y &&
         a.to.x == b.to.x && a.to.y == b.to.y && a.outcome == b.outcome && a.blocking == b.blocking;
}

// For the cells of a set.
template <class Act>
void forEachActive(const GridInfo& g, int set, const Act& act) {
  for (int y = set >> 1; y < g.m; y += 2)
    for (int x = set & 1; x < g.m; x += 2) act(x, y);
}

// The records that a sub-sweep should give, from a copy of the cells before it, to those before.
void replayUpdates(std::vector<Record>& all, const DiskCells& before, const MpmcParameters& p,
                   std::uint64_t sweep, int position, int set, std::uint32_t followed) {
  const GridInfo& g = before.grid;
  const CellRule rule = cellRule(p, g.w, sweep, false);
  forEachActive(g, set, [&](int x, int y) {
    const Neighbourhood n = readNeighbourhood(before.view(), x, y);
    bool holds = false;
    for (int i = 0; i < n.count[kOwnCell]; ++i) holds |= n.id[kOwnCell][i] == followed;
    if (!holds) return;
    Record r{.stage = traceStage(sweep, position),
             .group = g.id(x, y),
             .phase = static_cast<std::uint16_t>(MpmcRecord::found)};
    for (int k = 0; k < 9; ++k)
      for (int i = 0; i < n.count[k]; ++i) {
        r.order = static_cast<std::uint32_t>(kMaxSlots * k + i);
        r.subject = n.id[k][i];
        const float numbers[] = {n.disk[k][i].x, n.disk[k][i].y, static_cast<float>(k),
                                 static_cast<float>(i)};
        std::ranges::copy(numbers, r.number);
        all.push_back(r);
      }
    r.phase = static_cast<std::uint16_t>(MpmcRecord::trial);
    r.order = kFirstTrial;
    for (const TrialRecord& t : replayedUpdate(n, rule, r.group)) {
      r.subject = t.id;
      r.object = t.blocking == kNoId ? kNoObject : t.blocking;
      r.outcome = static_cast<std::uint16_t>(t.outcome);
      const float numbers[] = {t.from.x, t.from.y, t.to.x, t.to.y, static_cast<float>(t.slot)};
      std::ranges::copy(numbers, r.number);
      all.push_back(r);
      EXPECT_TRUE(same(trialOf(r), t));
      ++r.order;
    }
  });
}

// One record for each disk that was tried in any active cell.
void replayDisks(std::vector<Record>& all, const DiskCells& before, const MpmcParameters& p,
                 std::uint64_t sweep, int position, int set) {
  const GridInfo& g = before.grid;
  const CellRule rule = cellRule(p, g.w, sweep, false);
  forEachActive(g, set, [&](int x, int y) {
    std::map<int, Record> disks;  // by slot
    const auto trials = replayedUpdate(readNeighbourhood(before.view(), x, y), rule, g.id(x, y));
    for (const TrialRecord& t : trials) {
      // Made by the first of its trials.
      Record& r =
          disks
              .try_emplace(t.slot, Record{.subject = t.id,
                                          .stage = traceStage(sweep, position),
                                          .group = g.id(x, y),
                                          .order = static_cast<std::uint32_t>(t.slot),
                                          .phase = static_cast<std::uint16_t>(MpmcRecord::disk),
                                          .number = {t.from.x, t.from.y, t.from.x, t.from.y}})
              .first->second;
      if (t.outcome != TrialOutcome::accepted) continue;
      r.outcome = 1;
      r.number[2] = t.to.x;
      r.number[3] = t.to.y;
    }
    for (const auto& [slot, r] : disks) all.push_back(r);
  });
}

void expectSame(const std::vector<Record>& a, const std::vector<Record>& b, std::uint64_t sweep) {
  ASSERT_EQ(a.size(), b.size()) << "sweep " << sweep;
  for (std::size_t i = 0; i < a.size(); ++i) {
    SCOPED_TRACE("sweep " + std::to_string(sweep) + ", record " + std::to_string(i));
    ASSERT_EQ(a[i].subject, b[i].subject);
    ASSERT_EQ(a[i].object, b[i].object);
    ASSERT_EQ(a[i].stage, b[i].stage);
    ASSERT_EQ(a[i].group, b[i].group);
    ASSERT_EQ(a[i].order, b[i].order);
    ASSERT_EQ(a[i].phase, b[i].phase);
    ASSERT_EQ(a[i].outcome, b[i].outcome);
    for (int k = 0; k < 5; ++k) ASSERT_EQ(a[i].number[k], b[i].number[k]);
  }
}

// Both of a whole sweep, which the oracle makes.
struct Replayed {
  std::vector<Record> update, disks;
};
Replayed sweepOf(MpmcEngine& oracle, const MpmcParameters& p, std::uint64_t sweep,
                 std::uint32_t followed) {
  Replayed all;
  const SweepSchedule s = scheduleOfSweep(p, oracle.grid().w, sweep);
  for (int position = 0; position < 4; ++position) {
    const DiskCells before = oracle.download();
    replayUpdates(all.update, before, p, sweep, position, s.set[position], followed);
    replayDisks(all.disks, before, p, sweep, position, s.set[position]);
    oracle.subSweep(p, sweep, s.set[position]);
  }
  oracle.shift(s.shift);
  return all;
}

struct Seen {
  std::uint64_t trials = 0, accepted = 0, overlap = 0;
};

void count(Seen& seen, const std::vector<Record>& records) {
  for (const Record& r : records) {
    if (r.phase != static_cast<std::uint16_t>(MpmcRecord::trial)) continue;
    const auto outcome = static_cast<TrialOutcome>(r.outcome);
    seen.trials += 1;
    seen.accepted += outcome == TrialOutcome::accepted;
    seen.overlap += outcome == TrialOutcome::overlap;
  }
}

// Whole sweeps (whole), or sub-sweeps and shifts one by one.
void expectReplay(MpmcEngine& engine, const Case& c, bool whole) {
  SCOPED_TRACE(std::string(c.name) + (whole ? ", whole sweeps" : ", phase by phase"));
  const DiskCells start = someDisks(c.disks, c.packing, 31);
  const auto oracle = engineWith(start, 1, "scalar");
  engine.upload(start);
  engine.resetCounters();
  Recorder update(engine.backend(), 1024),
      disks(engine.backend(), static_cast<std::size_t>(2 * c.disks + 8));
  Seen seen;
  for (std::uint64_t sweep = 0; sweep < c.sweeps; ++sweep) {
    const auto followed = static_cast<std::uint32_t>(sweep / 5) % static_cast<unsigned>(c.disks);
    const Replayed expected = sweepOf(*oracle, c.p, sweep, followed);
    update.reset();
    disks.reset();
    // Sometimes both, sometimes one alone, as the fast kernels then do the rest.
    const bool wantDisks = sweep % 3 != 0, wantUpdate = sweep % 3 != 1;
    engine.setTrace({followed, wantUpdate ? update.writer() : RecordWriter{},
                     wantDisks ? disks.writer() : RecordWriter{}});
    if (whole) {
      engine.sweeps(c.p, sweep, 1);
    } else {
      const SweepSchedule s = scheduleOfSweep(c.p, start.grid.w, sweep);
      for (const std::uint8_t set : s.set) engine.subSweep(c.p, sweep, set);
      engine.shift(s.shift);
    }
    engine.setTrace({});
    const Recorded recorded = update.read(), recordedDisks = disks.read();
    ASSERT_EQ(recorded.lost + recordedDisks.lost, 0u);
    expectSame(recorded.records, wantUpdate ? expected.update : std::vector<Record>{}, sweep);
    expectSame(recordedDisks.records, wantDisks ? expected.disks : std::vector<Record>{}, sweep);
    if (testing::Test::HasFatalFailure()) return;
    count(seen, recorded.records);
  }
  EXPECT_TRUE(identical(engine.download(), oracle->download())) << "recording changes nothing";
  expectEqualCounters(engine.counters(), oracle->counters());
  EXPECT_GT(seen.trials, c.sweeps);
  EXPECT_GT(seen.accepted, 0u);
  EXPECT_GT(seen.overlap, 0u);
}

class MpmcTraces : public testing::TestWithParam<Case> {};

TEST_P(MpmcTraces, AreTheReplayOnTheCpu) {
  for (const std::string& kernels : exec::instructionSets())
    for (const int threads : {1, 3}) {
      SCOPED_TRACE(kernels + ", threads " + std::to_string(threads));
      const auto engine = makeMpmcEngineCpu(threads, kernels);
      Case c = GetParam();
      if (threads > 1) c.sweeps = c.sweeps / 10 + 10;
      expectReplay(*engine, c, true);
      if (threads > 1) expectReplay(*engine, c, false);
    }
}

TEST_P(MpmcTraces, AreTheReplayOnCuda) {
  if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  const auto engine = makeMpmcEngine({.backend = Backend::cuda});
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    engine->setMapping(info);
    expectReplay(*engine, GetParam(), true);
  }
  Case c = GetParam();
  c.sweeps = c.sweeps / 10 + 10;
  expectReplay(*engine, c, false);
}

// Sweeps that are not recorded run between those that are, from graphs on CUDA; and several sweeps
// are recorded at once.
void expectSeveral(MpmcEngine& engine) {
  const Case c{"several", 900, 0.65, parameters(21, 0.2f, 4), 3};
  const DiskCells start = someDisks(c.disks, c.packing, 5);
  const auto oracle = engineWith(start, 1, "scalar");
  Recorder update(engine.backend(), 1024);
  engine.upload(start);
  for (std::uint64_t sweep = 0; sweep < 200; sweep += 40) {
    engine.sweeps(c.p, sweep, 37);
    oracle->sweeps(c.p, sweep, 37);
    std::vector<Record> expected;
    for (std::uint64_t s = sweep + 37; s < sweep + 40; ++s)
      for (const Record& r : sweepOf(*oracle, c.p, s, 17).update) expected.push_back(r);
    update.reset();
    engine.setTrace({17, update.writer(), {}});
    engine.sweeps(c.p, sweep + 37, 3);
    engine.setTrace({});
    expectSame(update.read().records, expected, sweep);
  }
  EXPECT_TRUE(identical(engine.download(), oracle->download()));
}

BACKEND_TESTS(MpmcTrace);

TEST_P(MpmcTrace, SeveralSweepsAreRecordedAtOnce) {
  for (const MpmcMappingInfo& info : kMpmcMappings) {
    SCOPED_TRACE(info.key);
    const auto engine = makeMpmcEngine(config());
    engine->setMapping(info);
    expectSeveral(*engine);
    if (GetParam() == Backend::cpu) return;  // it has one mapping
  }
}

// A recorder that is too small loses records and nothing else.
TEST_P(MpmcTrace, OverflowIsCounted) {
  const DiskCells start = someDisks(900, 0.65, 5);
  const auto engine = makeMpmcEngine(config());
  Recorder disks(GetParam(), 100);
  engine->upload(start);
  engine->setTrace({kNoId, {}, disks.writer()});
  engine->sweeps(parameters(3, 0.2f, 4), 0, 2);
  engine->setTrace({});
  const Recorded recorded = disks.read();
  EXPECT_EQ(recorded.records.size(), 100u);
  EXPECT_GT(recorded.lost, 1000u);
  const auto oracle = engineWith(start, 1, "scalar");
  oracle->sweeps(parameters(3, 0.2f, 4), 0, 2);
  EXPECT_TRUE(identical(engine->download(), oracle->download()));
}

INSTANTIATE_TEST_SUITE_P(Cases, MpmcTraces, testing::ValuesIn(kTracedCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace cellscope::test
