// The checkerboard chain: exact and reference averages, the same states for any number of threads,
// exact resume, growth of cells; its conditions: gcmc_board_conditions_test.cpp. Bounds of averages
// are five standard errors from 40 blocks: a false alarm in some 10^5 runs.
#include "sim/algo/gcmc/trace.h"
#include "sim/base/error.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(GcmcCheckerboardTest);

TEST_P(GcmcCheckerboardTest, AnIdealGasIsPoissonian) {
  for (const Box& box : {cubicBox(4.5), squareBox(8)})
    expectPoissonian(*checkerboardOn(config(1), {.attempts = 4}), box, 256, 200);
}

// Freezing N during a sweep would give the variance 30.0.
TEST_P(GcmcCheckerboardTest, TheTailCorrectionIsExact) {
  expectExactTail(idealGasWithTail(*checkerboardOn(config(1), {.attempts = 4}), 256, 500));
}

// T = 2, ln z = -2, cut at 2.5, V = 1000: <N> = 177.67(7) and variance 211.6(30) of serial chains.
GcmcRules fluidRules() { return makeGcmcRules(gcmcFluid(2, std::exp(-2.0)), cubicBox(10)); }

TEST_P(GcmcCheckerboardTest, AFluidAgreesWithTheSerialChain) {
  const auto e = checkerboardOn(config(1), {.attempts = 8});
  e->upload(gcmcLattice(cubicBox(10), 0.18), fluidRules());
  const Sampled found = sample(*e, 512, 60);
  expectNear(found.n, 177.67, 0.07);
  expectNear(found.variance, 211.6, 3);
}

TEST_P(GcmcCheckerboardTest, StatesDoNotDependOnThreadsOrBackend) {
  for (int k = 0; k < 4; ++k) {
    const Box box = k % 2 == 0 ? Box{3, {10.5, 13, 16}} : squareBox(21);
    GcmcSettings s = gcmcFluid(1.2, std::exp(-2.5));
    s.tail = true;
    if (k >= 2) s = gcmcMixture(s, 0.9);
    const GcmcRules rules = makeGcmcRules(s, box);
    const auto one = checkerboardOn({.threads = 1}),
               other = checkerboardOn(config(), {.mixed = s.mixed});
    for (GcmcEngine* e : {one.get(), other.get()}) {
      e->upload(gcmcLattice(box, 0.6), rules);
      e->advance(20000);
      EXPECT_EQ(e->count(), e->state().point.size());
    }
    expectSameState(one->state(), other->state());
    EXPECT_EQ(one->sums().energy, other->sums().energy);
    EXPECT_EQ(gcmcBruteForce(rules.pair, other->state().point).energy, other->energy());
  }
}

// A drop in a large box has more around its cells than fits the memory of a block; cells of a plane
// 4,200 long are four times as wide as the cutoff.
TEST_P(GcmcCheckerboardTest, DropsAndWideCellsAreTheSameOnEveryBackend) {
  GcmcState drop = gcmcLattice(cubicBox(8), 0.7);
  drop.box = cubicBox(32);
  for (GcmcPoint& p : drop.point) p = {p.x / 4, p.y / 4, p.z / 4};
  GcmcSettings narrow = gcmcFluid(1.2, 0.05);
  narrow.cutoff = 1;
  const Box plane{2, {4200, 10.5}};
  const std::pair<GcmcState, GcmcSettings> cases[] = {{drop, gcmcFluid(0.7, 1e-3)},
                                                      {gcmcLattice(plane, 0.3), narrow}};
  for (const auto& [state, settings] : cases) {
    const GcmcRules rules = makeGcmcRules(settings, state.box);
    const auto one = holding(checkerboardOn({}, {.attempts = 40}), state, rules, 300000),
               other = holding(checkerboardOn(config(), {.attempts = 40}), state, rules, 300000);
    expectSameState(one->state(), other->state());
    EXPECT_GT(one->counters().accepted[0], 1000u);
    EXPECT_EQ(gcmcBruteForce(rules.pair, other->state().point).energy, other->energy());
  }
}

// A cell has as many words of either type: its edges are even in a grid that begins at an even one.
TEST(GcmcCheckerboard, CellsHoldBothTypesOfAPlace) {
  GcmcCube cube;
  cube.count[0] = cube.count[1] = 6;
  const std::vector<std::uint32_t> even = gcmcEdges(cube, kGcmcTypeBit), edges = gcmcEdges(cube);
  for (int i = 0; i < 6; ++i) {
    const std::uint32_t first = even[static_cast<std::size_t>(i)];
    EXPECT_EQ(first % 2, 0u);
    EXPECT_LE(first - edges[static_cast<std::size_t>(i)], 1u);
    EXPECT_EQ(cube.along(first, 0), i);
    EXPECT_EQ(cube.along((first - 1) & ~kGcmcTypeBit, 0), (i + 5) % 6);
  }
}

// From any turn, in the middle of a sweep too.
TEST_P(GcmcCheckerboardTest, ResumesExactly) {
  const auto whole = checkerboardOn(config(1), {.attempts = 8});
  whole->upload(gcmcLattice(cubicBox(10.4), 0.5), fluidRules());
  for (const std::uint64_t moves : {512, 64, 192, 1}) {
    whole->advance(moves);
    const auto other = checkerboardOn(config(1), {.attempts = 8});
    other->upload(whole->state(), fluidRules());
    for (GcmcEngine* e : {whole.get(), other.get()}) e->advance(3000);
    expectSameState(whole->state(), other->state());
  }
}

// Every attempt counts; cells that run out of room grow, and no insertion is lost to that.
TEST_P(GcmcCheckerboardTest, CellsGrow) {
  const auto e = checkerboardOn(config(1), {.attempts = 16});
  e->upload(emptyBox(cubicBox(4)), makeGcmcRules(idealGas(40), cubicBox(4)));
  const std::size_t before = e->capacity();
  e->advance(64000);
  EXPECT_GT(e->capacity(), before);
  std::uint64_t attempted = 0;
  for (const std::uint64_t of : e->counters().attempted) attempted += of;
  EXPECT_EQ(attempted, e->state().move);
  EXPECT_NEAR(e->count(), 40 * 64, 5 * std::sqrt(40 * 64.0));
  EXPECT_EQ(e->counters().accepted[1] - e->counters().accepted[2], e->count());
}

TEST_P(GcmcCheckerboardTest, ABoxWithoutFourCellsIsRefused) {
  const auto e = checkerboardOn(config(1));
  const Box box = cubicBox(9.9);
  EXPECT_THROW(e->upload(emptyBox(box), makeGcmcRules(gcmcFluid(), box)), InputError);
}

// Events, applied to the state before, give the state after; recording changes nothing.
TEST_P(GcmcCheckerboardTest, EventsTellWhatHappened) {
  const Box box = cubicBox(11);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.35), box);
  const GcmcState start = gcmcLattice(box, 0.5);
  const auto noted = holding(checkerboardOn(config(), {.attempts = 4}), start, rules, 3000),
             plain = holding(checkerboardOn(config(1), {.attempts = 4}), start, rules, 3000);
  const GcmcState before = noted->state();
  noted->record(100000);
  noted->advance(2048), plain->advance(2048);
  const GcmcState after = noted->state();
  expectSameState(after, plain->state());
  std::map<ParticleId, GcmcPoint> particles;
  for (std::uint32_t i = 0; i < before.count(); ++i) particles[before.id[i]] = before.point[i];
  const std::vector<GcmcEvent> events = noted->events();
  ASSERT_EQ(events.size(), after.move - before.move);
  int accepted[kGcmcKinds] = {};
  double change = 0;
  for (std::size_t k = 0; k < events.size(); ++k) {
    const GcmcEvent& e = events[k];
    ASSERT_EQ(e.move, before.move + k);
    if (!e.accepted) continue;
    accepted[static_cast<int>(e.kind)]++;
    change += e.change;
    if (e.kind != GcmcKind::insertion) {
      ASSERT_EQ(particles.at(e.id), e.before);
    }
    if (e.kind == GcmcKind::deletion)
      particles.erase(e.id);
    else
      particles[e.id] = e.after;
  }
  for (int k = 0; k < 3; ++k) EXPECT_GT(accepted[k], 0);
  EXPECT_EQ(particles.size(), after.count());
  for (std::uint32_t i = 0; i < after.count(); ++i)
    EXPECT_EQ(particles.at(after.id[i]), after.point[i]);
  noted->record(100);
  noted->advance(2048);
  ASSERT_EQ(noted->events().size(), 100u);
  EXPECT_EQ(noted->events().back().move + 1, noted->state().move);
  EXPECT_EQ(gcmcBruteForce(rules.pair, before.point).energy + change,
            gcmcBruteForce(rules.pair, after.point).energy);
}

// The first attempt of a cell: it sees the state before its colour.
TEST_P(GcmcCheckerboardTest, TheTracedAttemptIsWhatAReplayFinds) {
  for (int k = 0; k < 4; ++k) {
    const Box box = k % 2 == 0 ? cubicBox(11) : squareBox(12.7);
    const bool mixed = k >= 2;
    const GcmcSettings one = gcmcFluid(1.5, 0.35);
    const GcmcRules rules = makeGcmcRules(mixed ? gcmcMixture(one, 0.9) : one, box);
    const GcmcOptions three{.attempts = 3, .mixed = mixed};
    const auto e = checkerboardOn(config(), three), plain = checkerboardOn(config(1), three);
    for (GcmcEngine* each : {e.get(), plain.get()}) each->upload(gcmcLattice(box, 0.5), rules);
    Recorder recorder(GetParam(), 1 << 14);
    e->record(1 << 14);
    int kinds[kGcmcKinds] = {};
    for (int turn = 0; turn < 60 && !HasFailure(); ++turn) {
      const GcmcState before = e->state();
      ASSERT_FALSE(before.id.empty());
      e->setTrace(recorder.writer(), before.id[static_cast<std::size_t>(turn) % before.id.size()]);
      e->advance(1), plain->advance(1);
      const Recorded all = recorder.read();
      std::map<ParticleId, const Record*> pairs;
      const Record *choose = nullptr, *decide = nullptr, *update = nullptr;
      for (const Record& r : all.records) {
        const auto stage = static_cast<GcmcRecord>(r.phase);
        if (stage == GcmcRecord::choose) choose = &r;
        if (stage == GcmcRecord::decide) decide = &r;
        if (stage == GcmcRecord::update) update = &r;
        if (stage == GcmcRecord::pair) {
          EXPECT_TRUE(pairs.emplace(static_cast<ParticleId>(r.subject), &r).second);
        }
      }
      ASSERT_TRUE(choose && decide);
      const std::vector<GcmcEvent> events = e->events();
      const auto found = std::ranges::find_if(
          events, [&](const GcmcEvent& x) { return x.move == e->numberOfTraced(); });
      ASSERT_NE(found, events.end());
      EXPECT_EQ(decide->outcome == 1, found->accepted);
      EXPECT_EQ(update != nullptr, found->accepted);
      if (found->id < 0) continue;
      EXPECT_EQ(static_cast<ParticleId>(choose->subject), found->id);
      kinds[static_cast<int>(found->kind)]++;
      const bool old = found->kind != GcmcKind::insertion,
                 fresh = found->kind != GcmcKind::deletion;
      if (fresh && mixed) {
        EXPECT_EQ(choose->number[2], gcmcTypeOf(found->after));
      }
      double change = 0;
      for (std::uint32_t j = 0; j < before.count(); ++j) {
        if (before.id[j] == found->id) continue;
        const float r2[2] = {gcmcReduced(rules.pair, found->after, before.point[j]).r2,
                             gcmcReduced(rules.pair, found->before, before.point[j]).r2};
        // A displacement out of the cell looks beyond what lies around it.
        const bool leaves = decide->object == 1;
        if ((fresh && !leaves && r2[0] < rules.pair.cutoffSquared) ||
            (old && r2[1] < rules.pair.cutoffSquared)) {
          ASSERT_EQ(pairs.count(before.id[j]), 1u);
          const Record& r = *pairs.at(before.id[j]);
          if (fresh) {
            EXPECT_EQ(r.number[2], r2[0]);
          }
          if (old) {
            EXPECT_EQ(r.number[4], r2[1]);
          }
        }
        if (fresh) change += gcmcPairAt(rules.pair, found->after, before.point[j]);
        if (old) change -= gcmcPairAt(rules.pair, found->before, before.point[j]);
      }
      if (decide->object != 1) {
        EXPECT_EQ(found->change, change);
      }
    }
    for (int kind = 0; kind < (mixed ? 4 : 3); ++kind) EXPECT_GT(kinds[kind], 0);
    EXPECT_EQ(e->state().point, plain->state().point) << "recording changes nothing";
  }
}

}  // namespace
}  // namespace cellscope::test
