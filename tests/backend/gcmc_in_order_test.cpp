// Moves in flight: the decisions, slots and positions of the serial chain by slot, for any number
// of moves in flight, threads and backend; exact and reference averages of that chain; growth of
// cells, exact resume, and what happens when conflicts are ignored. Bounds of averages are five
// standard errors from 40 blocks: a false alarm in some 10^5 runs.
#include "sim/base/error.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/plain_slot_chain.h"

namespace cellscope::test {
namespace {

GcmcOptions inOrder(int inFlight, int slots = 24) {
  return {.movesInFlight = inFlight, .slotsPerCell = slots};
}

std::unique_ptr<GcmcEngine> inOrderEngine(Backend backend, const GcmcOptions& o, int threads = 1) {
  return makeGcmcEngine("in_order", exec::makeExec({.backend = backend, .threads = threads}), o);
}
// One move after another, on the CPU.
std::unique_ptr<GcmcEngine> serialBySlot(int slots = 24) {
  return inOrderEngine(Backend::cpu, inOrder(1, slots));
}

// What was decided of every move of the last turn.
void expectSameDecisions(const GcmcEngine& a, const GcmcEngine& b) {
  const GcmcFlightsView one = a.flights(), other = b.flights();
  EXPECT_EQ(one.first, other.first);
  ASSERT_EQ(one.moves.size(), other.moves.size());
  for (std::size_t k = 0; k < one.moves.size(); ++k) {
    const GcmcFlight &f = one.moves[k], &o = other.moves[k];
    ASSERT_LT(f.batch, one.batches) << k;
    ASSERT_LT(o.batch, other.batches) << k;
    ASSERT_EQ(f.empty, o.empty) << k;
    if (f.empty) continue;
    ASSERT_EQ(f.accepted, o.accepted) << k;
    ASSERT_EQ(f.full, o.full) << k;
    ASSERT_EQ(f.id, o.id) << k;
    ASSERT_EQ(f.slot, o.slot) << k;
    ASSERT_EQ(f.change, o.change) << k;
    ASSERT_EQ(f.from, o.from) << k;
    ASSERT_EQ(f.to, o.to) << k;
  }
}

void expectSameChain(const GcmcEngine& a, const GcmcEngine& b) {
  expectSameRun(a, b);
  EXPECT_EQ(a.flightCounts().empty, b.flightCounts().empty);
  EXPECT_EQ(a.flightCounts().full, b.flightCounts().full);
  EXPECT_EQ(a.slotsPerCell(), b.slotsPerCell());
}

// The plain loop over moves against one that knows neither cells of energies nor turns of work.
TEST(GcmcBySlot, TheSerialLoopIsThePlainChain) {
  for (int k = 0; k < 4; ++k) {
    const Box box = k % 2 == 0 ? Box{3, {10.2, 8, 7.6}} : squareBox(16);
    GcmcSettings s = gcmcFluid(1.5, 0.35);
    s.tail = true;
    if (k >= 2) s = gcmcMixture(s, 0.9);
    const GcmcRules rules = makeGcmcRules(s, box);
    const GcmcState start = gcmcLattice(box, 0.55);
    const auto serial = holding(serialBySlot(), start, rules);
    PlainSlotChain plain(start, rules, 24);
    for (int round = 0; round < 4; ++round) {
      serial->advance(6400);
      plain.advance(6400);
      expectSameState(serial->state(), plain.state(box));
      EXPECT_EQ(filledOf(*serial), plain.filled());
    }
    EXPECT_GT(serial->counters().accepted[1], 50u);
    EXPECT_EQ(serial->flightCounts().full, 0u);
  }
}

class GcmcInOrderTest : public BackendTest {
 protected:
  std::unique_ptr<GcmcEngine> engine(const GcmcOptions& o, int threads = 1) const {
    return inOrderEngine(GetParam(), o, threads);
  }
  // Every decision of the last turn after each of `rounds` rounds of moves, and the state.
  void expectSerial(const GcmcState& start, const GcmcRules& rules, const GcmcOptions& o,
                    int threads, std::uint64_t moves, int rounds) const {
    const auto serial = serialBySlot(o.slotsPerCell);
    GcmcOptions own = o;
    own.mixed = rules.pair.mixed;
    const auto many = engine(own, threads);
    serial->upload(start, rules), many->upload(start, rules);
    for (int k = 0; k < rounds; ++k) {
      serial->advance(moves), many->advance(moves);
      expectSameDecisions(*serial, *many);
      expectSameChain(*serial, *many);
      EXPECT_EQ(filledOf(*serial), filledOf(*many));
      if (HasFailure()) return;
    }
    EXPECT_EQ(many->sums().energy, many->energy());
    EXPECT_EQ(gcmcBruteForce(rules.pair, many->state().point).energy, many->energy());
  }
};

// N about 500, ten thousand moves for each number of moves in flight and threads, 4 x 4 x 3 cells:
// many moves decide again.
TEST_P(GcmcInOrderTest, DecidesWhatTheSerialRunDecides) {
  const Box box{3, {10.2, 10.4, 8}};
  GcmcSettings s = gcmcFluid(1.5, 0.35);
  for (const bool tail : {false, true}) {
    s.tail = tail;
    const GcmcRules rules = makeGcmcRules(s, box);
    for (const int inFlight : {2, 7, 16, 64, 1000000})
      expectSerial(gcmcLattice(box, 0.6), rules, inOrder(inFlight), inFlight % 2 + 1, 3200, 3);
  }
}

// A million moves in all, of some 500 particles.
TEST_P(GcmcInOrderTest, AMillionMovesAreThoseOfTheSerialRun) {
  const Box box{3, {10.2, 10.4, 8}};
  expectSerial(gcmcLattice(box, 0.6), makeGcmcRules(gcmcFluid(1.5, 0.35), box), inOrder(32), 1,
               500000, 2);
}

// 20,000 particles, most moves of a batch decided in the first round.
TEST_P(GcmcInOrderTest, ManyParticlesToo) {
  const Box box = cubicBox(32);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.35), box);
  for (const int inFlight : {0, 2048})
    expectSerial(gcmcLattice(box, 0.6), rules, inOrder(inFlight), 2, 100000, 2);
}

TEST_P(GcmcInOrderTest, InThePlaneToo) {
  GcmcSettings s = gcmcFluid(0.6, 0.1);
  s.tail = true;
  for (const double side : {6.0, 40.0}) {
    const Box box = squareBox(side);
    expectSerial(gcmcLattice(box, 0.4), makeGcmcRules(s, box), inOrder(0), 2, 50000, 2);
  }
}

TEST_P(GcmcInOrderTest, OfMixturesToo) {
  for (const bool hard : {false, true}) {
    GcmcSettings s = gcmcMixture(gcmcFluid(1.5, 0.35));
    if (hard) s.hard = true, s.cutoff = kContactReach;
    for (const Box& box : {Box{3, {10.2, 10.4, 9.4}}, squareBox(25)})
      for (const int inFlight : {7, 64, 1000000})
        expectSerial(hard ? emptyBox(box) : gcmcLattice(box, 0.3), makeGcmcRules(s, box),
                     inOrder(inFlight), inFlight % 2 + 1, 6400, 3);
  }
}

// Displacements across several cells, gases of which cells are mostly empty, full cells, unequal
// shares of insertions and deletions, other truncations, no interaction at all.
TEST_P(GcmcInOrderTest, InUnusualStatesToo) {
  const Box box{3, {13, 10.4, 10.2}};
  GcmcSettings far = gcmcFluid(2, 0.1);
  far.maxDisplacement = 5.1;
  expectSerial(gcmcLattice(box, 0.2), makeGcmcRules(far, box), inOrder(64), 2, 20000, 2);
  GcmcSettings gas = gcmcFluid(1.5, 0.01);
  gas.maxDisplacement = 3, gas.potential = lennardJones(Truncation::force);
  expectSerial(gcmcLattice(box, 0.01), makeGcmcRules(gas, box), inOrder(64, 4), 2, 20000, 2);
  GcmcSettings crowded = gcmcFluid(1.5, 0.35);
  crowded.ratio[0] = 0.4, crowded.ratio[1] = 0.4, crowded.ratio[2] = 0.2;
  crowded.potential = lennardJones(Truncation::energy);
  expectSerial(gcmcLattice(box, 0.05), makeGcmcRules(crowded, box), inOrder(32, 5), 2, 20000, 2);
  GcmcSettings ideal = idealGas(0.5);
  ideal.maxDisplacement = 4;
  expectSerial(gcmcLattice(box, 0.5), makeGcmcRules(ideal, box), inOrder(128, 4), 2, 20000, 2);
}

// Of 24 slots for a mean of 1.7 and less in a cell none is ever short.
TEST_P(GcmcInOrderTest, AnIdealGasIsPoissonian) {
  for (const Box& box : {cubicBox(4.5), squareBox(8)}) {
    const auto e = engine(inOrder(0));
    expectPoissonian(*e, box, 512, 30);
    EXPECT_EQ(e->flightCounts().full, 0u);
  }
}

TEST_P(GcmcInOrderTest, TheTailCorrectionIsExact) {
  expectExactTail(idealGasWithTail(*engine(inOrder(0, 12)), 128, 250));
}

// Two and three particles, by quadrature: P(2) P(0) / P(1)^2 and P(3) P(0)^2 / P(1)^3.
TEST_P(GcmcInOrderTest, FewParticlesAreExact) {
  struct Case {
    double side, temperature, r2, r3;
  };
  for (const Case& c :
       {Case{5, 0.7, 0.57277430, 0.250484}, Case{10, 0.7, 0.50909679, 0.17593580}}) {
    const Box box = cubicBox(c.side);
    GcmcSettings s = gcmcFluid(c.temperature, 1 / box.volume());
    s.maxDisplacement = 0.3 * c.side;
    const auto e = holding(engine(inOrder(0, 4)), emptyBox(box), makeGcmcRules(s, box));
    // Ratios of blocks, so that their errors are known.
    std::vector<double> r2, r3;
    for (int block = 0; block < 20; ++block) {
      const std::vector<double> h = numberHistogram(*e, 800, 64);
      r2.push_back(h.at(2) * h.at(0) / (h.at(1) * h.at(1)));
      r3.push_back(h.at(3) * h.at(0) * h.at(0) / (h.at(1) * h.at(1) * h.at(1)));
    }
    expectNear(estimate(r2), c.r2);
    expectNear(estimate(r3), c.r3);
  }
}

// T = 1.5, z = 0.35, V = 400 / 0.6, r_c = 2.5 without tail: 412.98(34) of a long serial run by
// place, 412.41(40) of one by rank. The number of slots changes nothing.
TEST_P(GcmcInOrderTest, AFluidAgreesWithOtherChains) {
  const Box box = cubicBox(std::cbrt(400 / 0.6));
  for (const int slots : {24, 64}) {
    const auto e = engine(inOrder(0, slots), 2);
    e->upload(gcmcLattice(box, 0.62), makeGcmcRules(gcmcFluid(1.5, 0.35), box));
    expectNear(sample(*e, 2048 * static_cast<unsigned>(slots) / 24, 8).n, 412.7, 0.3);
  }
}

// Cells that are full reject, that is counted, and they grow.
TEST_P(GcmcInOrderTest, CellsGrow) {
  const auto e = holding(engine(inOrder(0, 4)), emptyBox(cubicBox(4)),
                         makeGcmcRules(idealGas(20), cubicBox(4)), 200000);
  EXPECT_GT(e->flightCounts().full, 0u);
  EXPECT_GE(e->slotsPerCell(), 32u);
  EXPECT_NEAR(e->count(), 20 * 64, 5 * std::sqrt(20 * 64.0));
  EXPECT_EQ(e->counters().accepted[1] - e->counters().accepted[2], e->count());
  const GcmcCounters c = e->counters();
  EXPECT_EQ(c.attempted[0] + c.attempted[1] + c.attempted[2] + e->flightCounts().empty,
            e->state().move);
  EXPECT_EQ(c.attempted[0] + c.attempted[1] + c.attempted[2], e->flightCounts().moves);
}

TEST_P(GcmcInOrderTest, ResumesExactly) {
  const Box box{3, {10.2, 10.4, 8}};
  GcmcSettings s = gcmcFluid(1.5, 0.35);
  s.tail = true;
  const auto whole = holding(engine(inOrder(16)), gcmcLattice(box, 0.5), makeGcmcRules(s, box));
  for (const std::uint64_t moves : {64, 640, 1}) {
    whole->advance(moves);
    const auto other = holding(engine(inOrder(16)), whole->state(), makeGcmcRules(s, box));
    whole->advance(5000), other->advance(5000);
    expectSameState(whole->state(), other->state());
    EXPECT_EQ(whole->energy(), other->energy());
  }
}

// A move decides again in the round after an earlier one of its batch has changed its decision,
// and shares of decisions that are not final fall from round to round.
TEST_P(GcmcInOrderTest, RoundsAreCounted) {
  const Box box = cubicBox(16);
  const auto e = holding(engine(inOrder(64)), gcmcLattice(box, 0.6),
                         makeGcmcRules(gcmcFluid(1.5, 0.35), box), 25600);
  const GcmcFlightCounts c = e->flightCounts();
  EXPECT_EQ(c.batches, 25600u / 64);
  EXPECT_GE(c.waiting[0], c.moves);
  std::uint64_t batches = 0, rounds = 0;
  for (int k = 0; k < kFlightRounds; ++k) {
    batches += c.batchesOf[k], rounds += c.batchesOf[k] * static_cast<unsigned>(k);
    if (k > 0) {
      EXPECT_LE(c.waiting[k], c.waiting[k - 1]);
    }
  }
  EXPECT_EQ(batches, c.batches);
  EXPECT_EQ(rounds, c.rounds);
  EXPECT_GT(c.waiting[1], 0u);
  const GcmcFlightsView v = e->flights();
  EXPECT_EQ(v.moves.size(), 256u);
  EXPECT_EQ(v.batches, 4u);
  std::size_t again = 0;
  for (std::size_t k = 0; k < v.moves.size(); ++k) {
    const GcmcFlight& f = v.moves[k];
    EXPECT_GE(f.round, 1u);
    EXPECT_EQ(f.round > 1, f.because > 0) << "nobody corrects the first round";
    if (f.because == 0) continue;
    ++again;
    ASSERT_LT(f.because - 1, k);
    const GcmcFlight& other = v.moves[f.because - 1];
    EXPECT_EQ(other.batch, f.batch);
    EXPECT_GE(other.round + 1, f.round) << "it may have decided once more since";
  }
  EXPECT_GT(again, 5u);
}

// Wrong on purpose: without waiting the moves of a batch do not see each other. In the plane at
// T = 0.6 the median of the energy per particle is -1.6; with half a move in flight for each cell
// particles lie on top of each other most of the time.
TEST_P(GcmcInOrderTest, IgnoringConflictsIsWrong) {
  const Box box = squareBox(50);
  GcmcSettings s = gcmcFluid(0.6, 0.105);
  s.tail = true, s.maxDisplacement = 0.2;
  const GcmcRules rules = makeGcmcRules(s, box);
  GcmcOptions o = inOrder(256);
  const auto serial = serialBySlot();
  o.ignoreConflicts = true;
  const auto wrong = engine(o), again = engine(o);
  for (GcmcEngine* e : {serial.get(), wrong.get(), again.get()}) {
    e->upload(gcmcLattice(box, 0.6), rules);
    e->advance(30000);
    EXPECT_EQ(e->count(), e->state().point.size());
  }
  EXPECT_NE(serial->state().point, wrong->state().point);
  EXPECT_NE(wrong->energy(), wrong->sums().energy) << "energies of pairs are missed";
  expectSameState(wrong->state(), again->state());
  constexpr std::size_t kSamples = 61;
  std::vector<double> right, biased;
  for (std::size_t k = 0; k < kSamples; ++k) {
    serial->advance(1024), wrong->advance(1024);
    right.push_back(serial->sums().energy / serial->count());
    biased.push_back(wrong->sums().energy / wrong->count());
  }
  for (auto* u : {&right, &biased})
    std::nth_element(u->begin(), u->begin() + kSamples / 2, u->end());
  EXPECT_LT(right[kSamples / 2], -1.2);
  EXPECT_GT(biased[kSamples / 2], 0);
}

TEST_P(GcmcInOrderTest, APositiveTailIsRefused) {
  GcmcRules rules = makeGcmcRules(gcmcFluid(), cubicBox(8));
  rules.tail = 0.01;
  EXPECT_THROW(engine({})->upload(emptyBox(cubicBox(8)), rules), InputError);
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcInOrderTest, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
