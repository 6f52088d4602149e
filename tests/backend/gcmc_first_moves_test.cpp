// The first 10^5 moves of every method, mapping and option that makes the serial chain, decision by
// decision: kind, particle, places, energy change and outcome of each move, and the state after
// the last one. There is no difference to explain: pair energies are multiples of a quantum, so
// that sums in any order have the same bits (sim/core/gcmc_pair.h). Moves in flight have a serial
// chain of their own, which chooses particles by place.
//
// Emulated blocks take long on a CPU: 2000 moves there, and all 10^5 with CELLSCOPE_LONG_RUN set:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*GcmcFirstMoves*'
// Chains stay consistent over many moves: each id once and none that no move has given, all
// particles in the cells that their positions say, cells of the grid that is drawn, colours in the
// order drawn for the sweep, the running energy that of the positions. 10^5 moves of each method;
// with CELLSCOPE_LONG_RUN set 10^8, some 70 s each with one chain of one block of a GPU, less with
// the other two:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*GcmcLongRun*'
// Energy, virial and number of particles are added up where the particles are: a sample is that of
// the state, for every method, and brings a few kilobytes to the host for any number of particles.
// Grand-canonical chains in bad luck: particles at one position, reservoirs that fill or empty the
// box. No overflow, no NaN, nothing lost, whatever the method.
#include <cstdlib>

#include "sim/algo/gcmc/board.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/plain_slot_chain.h"

namespace cellscope::test {
namespace {

constexpr std::uint64_t kFirstMoves = 100000, kEmulatedMoves = 2000;

// A method with one of its mappings or options.
struct Variant {
  std::string method, what;
  GcmcOptions options;
};

// All on a backend: every mapping, microcells beyond the cutoff skipped and read, chosen and fixed
// numbers of candidates.
std::vector<Variant> variantsOn(Backend where, int dimension) {
  std::vector<Variant> all;
  for (const GcmcMethod* m : gcmcExactMethodsOn(where)) {
    const std::string key = m->key;
    if (key == "serial") continue;
    if (key == "cells") {
      for (std::size_t row = 0; row < gcmcMappings(dimension).size(); ++row)
        all.push_back({key, gcmcMappings(dimension)[row].key, {.mapping = static_cast<int>(row)}});
      continue;
    }
    all.push_back({key, "", {}});
    if (key.rfind("microcells", 0) == 0)
      all.push_back({key, "those beyond the cutoff read", {.skipBeyond = false}});
    if (key == "speculative") all.push_back({key, "7 candidates", {.candidates = 7}});
  }
  return all;
}

class GcmcFirstMoves : public BackendTestOf<int> {
 protected:
  GcmcFirstMoves() {
    settings_.tail = true;
    rules_ = makeGcmcRules(settings_, start_.box);
  }
  static int dimension() { return value(); }
  // All the moves are kept.
  std::unique_ptr<GcmcEngine> behind(const Variant& v, Backend on, std::uint64_t moves) const {
    auto e = makeGcmcEngine(v.method, exec::makeExec({.backend = on, .threads = 2}), v.options);
    e->record(moves + 1000);  // moves in flight are made in whole turns
    e->upload(start_, rules_);
    e->advance(moves);
    return e;
  }
  static void expectSameEnd(const GcmcEngine& serial, const GcmcEngine& e) {
    expectSameState(e.state(), serial.state());
    EXPECT_EQ(e.energy(), serial.energy());
    EXPECT_EQ(e.energy(), e.sums().energy);
  }

  const GcmcState start_ =
      dimension() == 3 ? gcmcLattice(cubicBox(8), 0.65) : gcmcLattice(squareBox(13), 0.6);
  GcmcSettings settings_ = dimension() == 3 ? gcmcFluid(1.2, std::exp(-2.5)) : gcmcFluid(0.7, 0.1);
  GcmcRules rules_{};
};

TEST_P(GcmcFirstMoves, AreThoseOfTheSerialChain) {
  const bool all = where() == Backend::cuda || std::getenv("CELLSCOPE_LONG_RUN") != nullptr;
  const auto serial = behind({"serial", "", {}}, Backend::cpu, kFirstMoves);
  const std::vector<GcmcEvent> right = serial->events();
  ASSERT_EQ(right.size(), kFirstMoves);
  EXPECT_GT(std::ranges::count_if(right, [](const GcmcEvent& m) { return m.accepted; }), 5000);
  for (const Variant& v : variantsOn(where(), dimension())) {
    SCOPED_TRACE(v.method + " " + v.what);
    const bool quick = v.method == "serial_cells" || v.method == "speculative";
    const std::uint64_t moves = all || quick ? kFirstMoves : kEmulatedMoves;
    const auto e = behind(v, where(), moves);
    expectSameEvents({right.begin(), right.begin() + static_cast<std::ptrdiff_t>(moves)},
                     e->events());
    if (moves == kFirstMoves) expectSameEnd(*serial, *e);
    if (HasFailure()) return;
  }
}

// The plain chain by slot, its serial loop, and the moves in flight.
TEST_P(GcmcFirstMoves, OfTheChainBySlotToo) {
  const auto serial = behind({"in_order", "", {.movesInFlight = 1}}, Backend::cpu, kFirstMoves);
  const std::uint64_t made = serial->state().move;
  EXPECT_GE(made, kFirstMoves);
  PlainSlotChain plain(start_, rules_, 24);
  plain.advance(made);
  expectSameState(serial->state(), plain.state(start_.box));
  for (const int inFlight : {0, 37}) {
    SCOPED_TRACE(inFlight);
    const auto e = behind({"in_order", "", {.movesInFlight = inFlight}}, where(), kFirstMoves);
    expectSameEvents(serial->events(), e->events());
    expectSameEnd(*serial, *e);
  }
}

INSTANTIATE_TEST_SUITE_P(All, GcmcFirstMoves, testing::Combine(kBackends, testing::Values(3, 2)),
                         [](const auto& i) {
                           return std::string(toString(std::get<0>(i.param))) +
                                  (std::get<1>(i.param) == 3 ? "InSpace" : "InThePlane");
                         });

class GcmcLongRun : public BackendTestOf<std::string> {};

void expectIds(const GcmcState& s) {
  std::vector<ParticleId> ids = s.id;
  std::ranges::sort(ids);
  EXPECT_EQ(std::ranges::adjacent_find(ids), ids.end()) << "an id is used twice";
  ASSERT_FALSE(ids.empty());
  EXPECT_GE(ids.front(), 0);
  EXPECT_LT(ids.back(), s.idBase + static_cast<ParticleId>(s.move));
}

void expectCells(const GcmcEngine& e, const GcmcState& s) {
  const GcmcCellsView v = e.cells();
  GcmcCube cube;
  for (int k = 0; k < 3; ++k) cube.count[k] = std::max(1, v.count[k]);
  std::vector<std::uint32_t> counted(cube.allCells(), 0);
  for (const GcmcPoint& p : s.point)
    counted[cube.cellOf({p.x - v.shift[0], p.y - v.shift[1], p.z - v.shift[2]})]++;
  EXPECT_EQ(filledOf(e), counted);
}

TEST_P(GcmcLongRun, StaysConsistent) {
  const bool longRun = std::getenv("CELLSCOPE_LONG_RUN") != nullptr;
  const bool board = value() == "checkerboard", many = board || value() == "in_order";
  const std::uint64_t moves = longRun ? 100000000 : 100000;
  const int checks = 20;
  const Box box = cubicBox(longRun && many ? 30 : 11);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.35), box);
  const auto e = makeGcmcEngine(value(), exec::makeExec(config()), {.attempts = 8});
  e->upload(gcmcLattice(box, 0.5), rules);
  std::uint64_t made = 0;
  while (made < moves && !HasFailure()) {
    e->clearCounters();
    e->advance(moves / checks);
    for (const std::uint64_t n : e->counters().attempted) made += n;
    const GcmcState s = e->state();
    EXPECT_EQ(s.count(), e->count());
    EXPECT_EQ(e->energy(), e->sums().energy) << "after " << made << " moves";
    expectIds(s);
    expectCells(*e, s);
    if (!board) continue;
    GcmcBoard b{.rules = rules};
    const std::uint64_t turn = s.move / (e->cells().count[0] * e->cells().count[1] *
                                         e->cells().count[2] / b.colours() * 8);
    const std::uint64_t colours = gcmcBoardColours(b, (turn - 1) / b.colours());
    EXPECT_EQ(e->cells().active, colours >> 4 * ((turn - 1) % b.colours()) & 15u)
        << "turn " << turn;
  }
  EXPECT_GE(made, moves);
}

INSTANTIATE_TEST_SUITE_P(Methods, GcmcLongRun,
                         testing::Combine(kBackends, testing::Values("serial_cells", "speculative",
                                                                     "checkerboard", "in_order")),
                         nameOfBoth<std::string>);

BACKEND_TESTS(GcmcSamples);

constexpr double kSampledCutoff = 2.5;

std::unique_ptr<Mode> sampledMode(const ExecConfig& config, const GcmcMethod& method,
                                  double length) {
  auto m = gcmcMode(config, fmt::format("method={} length={} cutoff={} density=0.6 temperature=1.2 "
                                        "chemical_potential=-3 moves_per_step=500",
                                        method.key, length, kSampledCutoff));
  m->advance(2);
  return m;
}

TEST_P(GcmcSamples, AreThoseOfTheState) {
  for (const GcmcMethod* method : gcmcMethodsOn(GetParam())) {
    SCOPED_TRACE(method->key);
    const auto m = sampledMode(config(), *method, 10.1);
    const std::vector<double> sample = m->sample();
    const auto measured = [&](const char* id) {
      return sample.at(columnOf(m->info().observables, id));
    };
    const Configuration c = m->configuration();
    const Box box = cubicBox(10.1);
    std::vector<GcmcPoint> points;
    for (std::size_t i = 0; i < c.size(); ++i) points.push_back(gcmcPointAt(box, c.place(i)));
    const GcmcSums sums = gcmcBruteForce(
        makeGcmcPair(lennardJones(Truncation::plain), {.cutoff = kSampledCutoff}, 3, box.length),
        points);
    const double n = static_cast<double>(c.size()), v = box.volume(), rho = n / v;
    EXPECT_EQ(measured("particles"), n);
    EXPECT_EQ(measured("energy_drift"), 0);
    const double energy = sums.energy + tailEnergy(3, kSampledCutoff) * n * n / v;
    EXPECT_NEAR(measured("total_energy"), energy, 1e-9 * std::abs(energy));
    const double pressure =
        rho * 1.2 + sums.virial / (3 * v) + tailPressure(3, kSampledCutoff) * rho * rho;
    EXPECT_NEAR(measured("pressure"), pressure, 1e-9);
  }
}

// On a GPU: what does not depend on N, where the state is 20 bytes of each particle.
TEST_P(GcmcSamples, LeaveTheStateWhereItIs) {
  constexpr std::size_t kMost = 4096;
  for (const GcmcMethod* method : gcmcMethodsOn(GetParam())) {
    SCOPED_TRACE(method->key);
    std::size_t copied[2] = {0, 0};
    for (const int size : {0, 1}) {
      const auto m = sampledMode(config(), *method, size == 0 ? 10.1 : 15.2);
      m->advance(1);
      const std::size_t before = exec::copiedToHost();
      m->sample();
      copied[size] = exec::copiedToHost() - before;
      if (size == 1) {
        EXPECT_GT(20 * m->configuration().size(), 4 * kMost);
      }
    }
    EXPECT_LT(copied[0], kMost);
    EXPECT_EQ(copied[0], copied[1]);
    EXPECT_EQ(copied[0] == 0, GetParam() == Backend::cpu);
  }
}

BACKEND_TESTS(GcmcBadLuck);

std::uint64_t attempts(const GcmcEngine& engine) {
  const GcmcCounters c = engine.counters();
  return c.attempted[0] + c.attempted[1] + c.attempted[2];
}

// Two particles at one position, and a third one almost there.
TEST_P(GcmcBadLuck, ParticlesAtOnePlaceHaveAFiniteEnergy) {
  for (const GcmcMethod* m : gcmcExactMethodsOn(GetParam()))
    for (const Box& box : {cubicBox(8.1), squareBox(9.3)}) {
      SCOPED_TRACE(m->key);
      GcmcState s = gcmcLattice(box, 0.3);
      s.point[1] = s.point[0];
      s.point[2] = s.point[0], s.point[2].x += 1;
      const GcmcRules rules = makeGcmcRules(gcmcFluid(), box);
      const auto engine = holding(m->make(exec(1), {}), s, rules);
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
  for (const GcmcMethod* m : gcmcExactMethodsOn(GetParam())) {
    SCOPED_TRACE(m->key);
    const auto engine = holding(m->make(exec(1), {.cellCapacity = 2}), gcmcLattice(box, 0.2),
                                makeGcmcRules(s, box), 3000);
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
  for (const GcmcMethod* m : gcmcExactMethodsOn(GetParam())) {
    SCOPED_TRACE(m->key);
    const auto engine = holding(m->make(exec(1), {}), gcmcLattice(box, 0.2),
                                makeGcmcRules(gcmcFluid(1.0, 1e-22), box), 2000);
    EXPECT_EQ(engine->count(), 0u);
    EXPECT_EQ(engine->energy(), 0.0);
    EXPECT_EQ(engine->sums().energy, 0.0);
    EXPECT_EQ(attempts(*engine), 2000u) << "attempts on nobody count";
    EXPECT_TRUE(engine->state().point.empty());
    EXPECT_EQ(engine->energiesAt({{1, 2, 3}})[0], 0.0);
  }
}

}  // namespace
}  // namespace cellscope::test
