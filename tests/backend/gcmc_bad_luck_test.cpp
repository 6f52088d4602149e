// Grand-canonical chains in bad luck: particles at one position, reservoirs that fill or empty the
// box. No overflow, no NaN, nothing lost, whatever the method.
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

class GcmcBadLuck : public BackendTest {
 protected:
  std::vector<const GcmcMethod*> methods() const { return gcmcExactMethodsOn(GetParam()); }
  exec::Shared exec_ = isUsable() ? exec(1) : nullptr;
};

std::uint64_t attempts(const GcmcEngine& engine) {
  const GcmcCounters c = engine.counters();
  return c.attempted[0] + c.attempted[1] + c.attempted[2];
}

// Two particles at one position, and a third one almost there.
TEST_P(GcmcBadLuck, ParticlesAtOnePlaceHaveAFiniteEnergy) {
  for (const GcmcMethod* m : methods())
    for (const Box& box : {cubicBox(8.1), squareBox(9.3)}) {
      SCOPED_TRACE(m->key);
      GcmcState s = gcmcLattice(box, 0.3);
      s.point[1] = s.point[0];
      s.point[2] = s.point[0], s.point[2].x += 1;
      const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
      const auto engine = m->make(exec_, {});
      engine->upload(s, rules);
      EXPECT_TRUE(std::isfinite(engine->energy()));
      EXPECT_GT(engine->energy(), 1e7) << "three pairs held at 0.25 sigma";
      EXPECT_TRUE(std::isfinite(engine->energiesAt({s.point[0]})[0]));
      // Nobody is put on top of another one.
      GcmcDraw onTop{GcmcKind::insertion, 0, s.point[5], 1e-300};
      EXPECT_FALSE(gcmcAccepts(rules, onTop, s.count(), engine->energiesAt({s.point[5]})[0]));
      engine->advance(20000);
      EXPECT_TRUE(std::isfinite(engine->energy()));
      EXPECT_LT(engine->energy(), 1e4) << "the overlap was resolved";
      EXPECT_EQ(engine->energy(), engine->sums().energy);
    }
}

// Insertions need room in cells and arrays: they wait for it and are never rejected for want of it.
TEST_P(GcmcBadLuck, AReservoirThatFillsTheBoxLosesNoMove) {
  GcmcSettings s = gcmcFluid(50, 1e22);
  s.cutoff = 1;
  const Box box = cubicBox(5.5);
  std::uint32_t expected = 0;
  for (const GcmcMethod* m : methods()) {
    SCOPED_TRACE(m->key);
    GcmcOptions few;
    few.cellCapacity = 2;
    const auto engine = m->make(exec_, few);
    engine->upload(gcmcLattice(box, 0.2), makeGcmcRules(s, box));
    engine->advance(3000);
    EXPECT_EQ(attempts(*engine), 3000u);
    if (expected == 0) expected = engine->count();
    EXPECT_EQ(engine->count(), expected) << "as the serial chain";
    EXPECT_GT(engine->count(), 250u) << "27 at the start";
    EXPECT_GE(engine->capacity(), engine->count());
    EXPECT_TRUE(std::isfinite(engine->energy()));
    EXPECT_EQ(engine->energy(), engine->sums().energy);
  }
}

TEST_P(GcmcBadLuck, AReservoirThatEmptiesTheBoxLeavesAnEmptyOne) {
  const Box box = cubicBox(5.5);
  for (const GcmcMethod* m : methods()) {
    SCOPED_TRACE(m->key);
    const auto engine = m->make(exec_, {});
    engine->upload(gcmcLattice(box, 0.2), makeGcmcRules(gcmcFluid(1.0, 1e-22), box));
    engine->advance(2000);
    EXPECT_EQ(engine->count(), 0u);
    EXPECT_EQ(engine->energy(), 0.0);
    EXPECT_EQ(engine->sums().energy, 0.0);
    EXPECT_EQ(attempts(*engine), 2000u) << "attempts on nobody count";
    EXPECT_TRUE(engine->state().point.empty());
    EXPECT_EQ(engine->energiesAt({{1, 2, 3}})[0], 0.0);
  }
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcBadLuck, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
