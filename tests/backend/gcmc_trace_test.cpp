// Records of single moves, against a replay of the move by brute force on the host, and against the
// tables from which the mappings are drawn.
#include <set>

#include "sim/algo/gcmc/slot_chain.h"
#include "sim/algo/gcmc/trace.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

class GcmcTraces : public BackendTest {
 protected:
  exec::Shared exec_ = isUsable() ? exec(1) : nullptr;
  Recorder recorder_ = isUsable() ? Recorder(GetParam(), 1 << 16) : Recorder();
};

std::vector<const Record*> ofStage(const Recorded& all, GcmcRecord stage) {
  std::vector<const Record*> some;
  for (const Record& r : all.records)
    if (r.phase == static_cast<std::uint16_t>(stage)) some.push_back(&r);
  return some;
}
double inParts(const Record& r) {
  return static_cast<double>(r.number[0]) + static_cast<double>(r.number[1]);
}
// Which cell which threads read, and when.
using CellRead = std::tuple<std::uint32_t, int, int, int>;
CellRead readBy(const Record& r) {
  return {static_cast<std::uint32_t>(r.subject), static_cast<int>(r.number[0]),
          static_cast<int>(r.number[1]), static_cast<int>(r.number[2])};
}
CellRead readBy(const GcmcCellWork& w) { return {w.cell.cell, w.firstThread, w.threads, w.turn}; }
// The energy change by the pairs that were read.
double changeOfPairs(const Recorded& all) {
  double sum = 0;
  for (const Record* r : ofStage(all, GcmcRecord::pair))
    sum += static_cast<double>(r->number[3]) - static_cast<double>(r->number[5]);
  return sum;
}

// A move as the rules say it is.
struct Replay {
  GcmcState before;
  GcmcRules rules;
  GcmcDraw draw;
  std::uint32_t slot = kGcmcNoSlot;
  GcmcPoint from, to;
  bool old = false, fresh = false;
  double change = 0;

  Replay(const GcmcState& s, const GcmcRules& r)
      : before(s), rules(r), draw(gcmcDraw(r, s.move)), from(draw.point), to(draw.point) {
    const bool insertion = draw.kind == GcmcKind::insertion;
    if (!insertion && s.count() == 0) return;
    if (!insertion) slot = gcmcSlot(draw, s.count()), from = to = s.point[slot];
    if (draw.kind == GcmcKind::displacement) to = gcmcDisplaced(r, draw, from);
    old = !insertion, fresh = draw.kind != GcmcKind::deletion;
    for (std::uint32_t j = 0; j < s.count(); ++j) {
      if (j == slot) continue;
      if (fresh) change += gcmcPairAt(r.pair, to, s.point[j]);
      if (old) change -= gcmcPairAt(r.pair, from, s.point[j]);
    }
  }
};

// Every interacting particle is read once at each position, with its distance and energy.
void expectPairs(const Recorded& trace, const Replay& m) {
  std::map<std::pair<std::uint32_t, bool>, int> read;
  for (const Record* r : ofStage(trace, GcmcRecord::pair)) {
    const auto slot = static_cast<std::uint32_t>(r->object);
    ASSERT_LT(slot, m.before.count());
    ASSERT_NE(slot, m.slot);
    EXPECT_EQ(static_cast<ParticleId>(r->subject), m.before.id[slot]);
    const bool byOld = r->number[4] > 0, byFresh = r->number[2] > 0;
    ASSERT_TRUE(byOld || byFresh);
    const GcmcPoint q = m.before.point[slot];
    if (byFresh) {
      read[{slot, true}]++;
      EXPECT_EQ(r->number[2], gcmcDistance2(m.rules.pair, m.to, q));
      EXPECT_EQ(r->number[3], gcmcPairAt(m.rules.pair, m.to, q));
    }
    if (byOld) {
      read[{slot, false}]++;
      EXPECT_EQ(r->number[4], gcmcDistance2(m.rules.pair, m.from, q));
      EXPECT_EQ(r->number[5], gcmcPairAt(m.rules.pair, m.from, q));
    }
  }
  for (const auto& [who, times] : read) EXPECT_EQ(times, 1) << who.first;
  const auto within = [&](GcmcPoint p, std::uint32_t j) {
    return gcmcDistance2(m.rules.pair, p, m.before.point[j]) < m.rules.pair.cutoffSquared;
  };
  for (std::uint32_t j = 0; j < m.before.count(); ++j) {
    if (j == m.slot) continue;
    EXPECT_TRUE(!m.fresh || !within(m.to, j) || read.count({j, true})) << j;
    EXPECT_TRUE(!m.old || !within(m.from, j) || read.count({j, false})) << j;
  }
}

// The cells that threads visit are those of the drawing.
void expectVisits(const Recorded& trace, const Replay& m, const GcmcShare& share) {
  using Row = std::tuple<int, std::uint32_t, int, int, int, int, bool>;
  std::set<Row> drawn, visited;
  const bool own = share.how == GcmcSharing::oneThread;  // it has a rule of its own for skipping
  const bool same = m.old && m.fresh && share.cube.cellOf(m.from) == share.cube.cellOf(m.to);
  // Microcells and the serial chain read them twice.
  const bool once = same && share.lanes > 1;
  bool samePlace = false;
  for (const Record* r : ofStage(trace, GcmcRecord::visit)) {
    const auto side = static_cast<int>(r->number[4]);
    samePlace = samePlace || side == 2;
    const bool skipped = static_cast<GcmcVisitOutcome>(r->outcome) == GcmcVisitOutcome::skipped;
    visited.insert({side, static_cast<std::uint32_t>(r->subject), static_cast<int>(r->group),
                    static_cast<int>(r->number[0]), static_cast<int>(r->number[1]),
                    static_cast<int>(r->number[2]), skipped && !own});
  }
  const auto draw = [&](GcmcPoint at, int side) {
    for (const GcmcCellWork& w : gcmcWork(share, m.rules.pair, at))
      drawn.insert(
          {side, w.cell.cell, w.block, w.firstThread, w.threads, w.turn, w.skipped && !own});
  };
  if (m.old) draw(m.from, once ? 2 : 0);
  if (m.fresh && !once) draw(m.to, 1);
  EXPECT_EQ(visited, drawn);
  EXPECT_EQ(samePlace, once);
}

void expectMove(const Recorded& trace, const Replay& m, const GcmcEvent& event,
                const GcmcEngine& after) {
  EXPECT_EQ(trace.lost, 0u);
  const auto choose = ofStage(trace, GcmcRecord::choose);
  ASSERT_EQ(choose.size(), 1u);
  EXPECT_EQ(choose[0]->outcome, static_cast<std::uint16_t>(m.draw.kind));
  EXPECT_EQ(choose[0]->object, m.slot == kGcmcNoSlot ? kNoObject : m.slot);
  EXPECT_EQ(static_cast<ParticleId>(choose[0]->subject), event.id);
  EXPECT_EQ(static_cast<std::uint32_t>(choose[0]->number[0]), m.before.count());
  expectPairs(trace, m);
  expectVisits(trace, m, after.share());

  double sum = 0;
  for (const Record* r : ofStage(trace, GcmcRecord::partial)) sum += inParts(*r);
  EXPECT_EQ(sum, m.change);
  EXPECT_EQ(changeOfPairs(trace), m.change);
  const auto decide = ofStage(trace, GcmcRecord::decide);
  ASSERT_EQ(decide.size(), 1u);
  EXPECT_EQ(inParts(*decide[0]), event.change);
  EXPECT_EQ(decide[0]->outcome, event.accepted ? 1 : 0);
  EXPECT_EQ(decide[0]->number[4], static_cast<float>(m.draw.a));
  if (m.old || m.fresh) {
    const GcmcDecision d = gcmcDecide(m.rules, m.draw, m.before.count(), m.change);
    if (d.probability < 1e38) {
      EXPECT_NEAR(decide[0]->number[3], d.probability, 1e-6 * d.probability + 1e-37);
    }
  }
  const auto update = ofStage(trace, GcmcRecord::update);
  ASSERT_EQ(update.size(), event.accepted ? 1u : 0u);
  if (event.accepted) {
    EXPECT_EQ(static_cast<std::uint32_t>(update[0]->number[0]), after.count());
    EXPECT_EQ(static_cast<ParticleId>(update[0]->subject), event.id);
  }
}

void follow(GcmcEngine& engine, Recorder& recorder, const GcmcState& start, const GcmcRules& rules,
            int moves) {
  engine.record(1);
  engine.upload(start, rules);
  engine.setTrace(recorder.writer());
  int accepted[kGcmcKinds] = {};
  for (int k = 0; k < moves && !testing::Test::HasFailure(); ++k) {
    SCOPED_TRACE("move " + std::to_string(k));
    engine.setTrace({});
    engine.advance(7);
    const Replay replay(engine.state(), rules);
    engine.setTrace(recorder.writer());
    engine.advance(1);
    ASSERT_EQ(engine.events().size(), 1u);
    expectMove(recorder.read(), replay, engine.events()[0], engine);
    accepted[static_cast<int>(replay.draw.kind)] += engine.events()[0].accepted;
  }
  for (int k = 0; k < 3; ++k) EXPECT_GT(accepted[k], 0);
}

TEST_P(GcmcTraces, AreWhatAReplayFinds) {
  const GcmcSettings settings = gcmcFluid();
  for (const GcmcMethod* method : gcmcExactMethodsOn(GetParam())) {
    for (const Box& box : {cubicBox(5.2), cubicBox(8.1), squareBox(12.7)}) {
      SCOPED_TRACE(std::string(method->key) + ", box " + std::to_string(box.length[0]));
      const auto engine = method->make(exec_);
      follow(*engine, recorder_, gcmcLattice(box, 0.3), makeGcmcRules(settings, box), 120);
    }
  }
}

TEST_P(GcmcTraces, OfEveryMappingAndOfMicrocellsInTurns) {
  for (const Box& box : {cubicBox(8.1), squareBox(12.7)})
    for (std::size_t row = 0; row < gcmcMappings(box.dimension).size(); ++row) {
      SCOPED_TRACE(gcmcMappings(box.dimension)[row].key);
      const auto engine =
          makeGcmcEngine("cells", exec_, {.mapping = static_cast<int>(row), .movesPerLaunch = 3});
      follow(*engine, recorder_, gcmcLattice(box, 0.3), makeGcmcRules(gcmcFluid(), box), 120);
    }
  GcmcSettings wide = gcmcFluid();
  wide.cutoff = 4.25;  // 729 microcells, 512 threads
  for (const bool skip : {true, false}) {
    const auto engine = makeGcmcEngine("microcells", exec_, {.skipBeyond = skip});
    follow(*engine, recorder_, gcmcLattice(cubicBox(10.3), 0.25),
           makeGcmcRules(wide, cubicBox(10.3)), 40);
  }
}

// --- One of many moves in flight ---

// A move of the chain by slot as the rules say it is, from the state before its turn.
struct SlotReplay {
  GcmcSlotDraw draw;
  std::vector<std::uint32_t> filled;
  GcmcPoint from, to;
  ParticleId id = -1;
  double change = 0;

  SlotReplay(const GcmcEngine& e, const GcmcState& s, const GcmcRules& rules, std::uint64_t move) {
    GcmcSlotCells p{};
    p.rules = rules, p.cube = gcmcCells(s.box, rules.pair), p.slots = e.slotsPerCell();
    filled.resize(p.cube.allCells());
    for (const GcmcPoint& q : s.point) filled[p.cube.cellOf(q)]++;
    draw = gcmcSlotDraw(p, move);
    from = to = draw.point, id = s.idBase + static_cast<ParticleId>(move);
    if (draw.kind != GcmcKind::insertion) {
      std::size_t slot = draw.slot;  // particles lie cell by cell
      for (std::uint32_t c = 0; c < draw.cell; ++c) slot += filled[c];
      from = to = s.point.at(slot), id = s.id.at(slot);
    }
    if (draw.kind == GcmcKind::displacement) to = gcmcSlotDisplaced(p, draw.kind, draw.point, from);
    for (std::size_t j = 0; j < s.point.size(); ++j) {
      if (s.id[j] == id) continue;
      if (draw.kind != GcmcKind::deletion) change += gcmcPairAt(rules.pair, to, s.point[j]);
      if (draw.kind != GcmcKind::insertion) change -= gcmcPairAt(rules.pair, from, s.point[j]);
    }
  }
};

// Of a move with one point: which half of the warp reads which cell, and when.
void expectVisitsOf(const Recorded& trace, const SlotReplay& m, const GcmcShare& share,
                    const GcmcPair& pair) {
  std::set<CellRead> drawn, visited;
  std::size_t skipped = 0, drawnSkipped = 0;
  for (const Record* r : ofStage(trace, GcmcRecord::visit)) {
    if (static_cast<GcmcVisitOutcome>(r->outcome) == GcmcVisitOutcome::read)
      visited.insert(readBy(*r));
    skipped += static_cast<GcmcVisitOutcome>(r->outcome) == GcmcVisitOutcome::skipped;
  }
  for (const GcmcCellWork& w : gcmcWork(share, pair, m.to, m.filled)) {
    drawnSkipped += w.skipped;
    if (!w.skipped && m.filled[w.cell.cell] > 0) drawn.insert(readBy(w));
  }
  EXPECT_EQ(visited, drawn);
  EXPECT_EQ(skipped, drawnSkipped);
}

void expectFlight(const Recorded& trace, const SlotReplay& m, const GcmcFlight& made) {
  EXPECT_EQ(trace.lost, 0u);
  const auto choose = ofStage(trace, GcmcRecord::choose),
             decide = ofStage(trace, GcmcRecord::decide);
  ASSERT_EQ(choose.size(), 1u);
  ASSERT_EQ(decide.size(), 1u);
  EXPECT_EQ(choose[0]->outcome, static_cast<std::uint16_t>(m.draw.kind));
  EXPECT_EQ(static_cast<ParticleId>(choose[0]->subject), m.id);
  EXPECT_EQ(made.id, m.id);
  EXPECT_EQ(inParts(*decide[0]), m.change);
  EXPECT_EQ(made.change, m.change);
  EXPECT_EQ(decide[0]->outcome, made.accepted);
  EXPECT_EQ(decide[0]->number[4], static_cast<float>(m.draw.a));
  EXPECT_EQ(changeOfPairs(trace), m.change);
  EXPECT_EQ(ofStage(trace, GcmcRecord::update).size(), made.accepted);
}

// The traced move sees the state before its turn, whatever cell it is asked for near.
TEST_P(GcmcTraces, OfMovesInFlight) {
  for (const Box& box : {cubicBox(8.1), Box{3, {16, 13.1, 10.4}}, squareBox(20)}) {
    const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
    const auto engine = holding(makeGcmcEngine("in_order", exec_), gcmcLattice(box, 0.35), rules);
    int accepted[kGcmcKinds] = {};
    for (std::size_t k = 0; k < 80 && !HasFailure(); ++k) {
      SCOPED_TRACE("turn " + std::to_string(k) + ", box " + std::to_string(box.length[0]));
      const GcmcState before = engine->state();
      engine->setTrace(recorder_.writer(), k % 2 == 0 ? -1 : before.id[k % before.count()]);
      engine->advance(1);
      const GcmcFlightsView turn = engine->flights();
      const std::uint64_t move = engine->numberOfTraced();
      ASSERT_LT(move - turn.first, turn.moves.size());
      const SlotReplay m(*engine, before, rules, move);
      const Recorded trace = recorder_.read();
      expectFlight(trace, m, turn.moves[move - turn.first]);
      if (GetParam() == Backend::cuda && m.draw.kind != GcmcKind::displacement)
        expectVisitsOf(trace, m, engine->share(), rules.pair);
      accepted[static_cast<int>(m.draw.kind)] += turn.moves[move - turn.first].accepted;
    }
    for (int k = 0; k < 3; ++k) EXPECT_GT(accepted[k], 0);
  }
}

// An attempt of the checkerboard is read by the threads that the drawing says.
TEST_P(GcmcTraces, OfTheCheckerboard) {
  const Box box = cubicBox(11);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
  const auto engine = makeGcmcEngine("checkerboard", exec_, {.attempts = 4});
  engine->upload(gcmcLattice(box, 0.4), rules);
  int read = 0;
  for (std::size_t k = 0; k < 40 && !HasFailure(); ++k) {
    const GcmcState before = engine->state();
    engine->setTrace(recorder_.writer(), before.id[k % before.count()]);
    engine->advance(1);
    const Recorded trace = recorder_.read();
    const auto choose = ofStage(trace, GcmcRecord::choose);
    ASSERT_EQ(choose.size(), 1u);
    if (ofStage(trace, GcmcRecord::visit).empty()) continue;  // nobody in the cell
    ++read;
    EXPECT_EQ(changeOfPairs(trace), inParts(*ofStage(trace, GcmcRecord::decide).at(0)));
    std::set<CellRead> drawn, visited;
    for (const Record* r : ofStage(trace, GcmcRecord::visit)) visited.insert(readBy(*r));
    const float* at = choose[0]->number + 3;
    const GcmcPoint place = gcmcPointAt(
        box, {static_cast<double>(at[0]), static_cast<double>(at[1]), static_cast<double>(at[2])});
    GcmcPoint own = place;
    for (std::size_t j = 0; j < before.count(); ++j)
      if (before.id[j] == static_cast<ParticleId>(choose[0]->subject)) own = before.point[j];
    for (const GcmcCellWork& w : gcmcWork(engine->share(), rules.pair, own))
      drawn.insert(readBy(w));
    EXPECT_EQ(visited, drawn);
  }
  EXPECT_GT(read, 20);
}

// The moves of a traced chain are those of one that is not, and the trace is that of the last one.
TEST_P(GcmcTraces, ChangeNothingAndShowTheLastMove) {
  const Box box = cubicBox(8.1);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
  const char* const key = GetParam() == Backend::cuda ? "speculative" : "serial_cells";
  const auto traced = makeGcmcEngine(key, exec_), plain = makeGcmcEngine(key, exec_);
  for (GcmcEngine* e : {traced.get(), plain.get()}) e->upload(gcmcLattice(box, 0.6), rules);
  traced->setTrace(recorder_.writer());
  for (int k = 0; k < 20; ++k) traced->advance(100);
  plain->advance(2000);
  EXPECT_EQ(traced->state().point, plain->state().point);
  EXPECT_EQ(traced->state().id, plain->state().id);
  const Recorded all = recorder_.read();
  EXPECT_EQ(ofStage(all, GcmcRecord::choose).size(), 1u);
  EXPECT_EQ(ofStage(all, GcmcRecord::decide).size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcTraces, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
