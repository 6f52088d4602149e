// The conditions of the checkerboard, each broken on purpose: the bias is the predicted one, and
// absent where the condition holds. Bounds are five standard errors.
// One checkerboard on several domains: particles, counters and sums are those of one domain bit for
// bit, whatever their number, the way of their exchange and the backend.
#include "sim/algo/gcmc/board.h"
#include "sim/layers/gcmc_work.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using Broken = GcmcBoardExperiment;

class GcmcBoardConditions : public BackendTest {
 protected:
  std::unique_ptr<GcmcEngine> engine(int attempts, Broken broken) const {
    return checkerboardOn(config(1),
                          {.attempts = attempts, .experiment = static_cast<int>(broken)});
  }
  // T = 2, ln z = -2, cut at 2.5, V = 1000: 177.67(7) and variance 211.6 of serial chains.
  Sampled fluid(Broken broken, int attempts, int sweepsOfBlock) const {
    const auto e = holding(engine(attempts, broken), gcmcLattice(cubicBox(10), 0.18), rules_);
    return sample(*e, static_cast<std::uint64_t>(64 * attempts), sweepsOfBlock);
  }
  const GcmcRules rules_ = makeGcmcRules(gcmcFluid(2, std::exp(-2.0)), cubicBox(10));
};

// An ideal gas with displacements only.
GcmcRules movedOnly(const Box& box, double reach) {
  GcmcSettings s = idealGas(0.5);
  s.ratio[0] = 1, s.ratio[1] = s.ratio[2] = 0;
  s.maxDisplacement = reach;
  return makeGcmcRules(s, box);
}

// Along each axis a place x of a cell of width 1 is reached from L(x) = min(x + d, 1) -
// max(x - d, 0). Drawn again until inside, a displacement samples L(x), rejected it samples 1: with
// d = 1/2 the outer quarters hold 5/12 or 1/2.
TEST_P(GcmcBoardConditions, DrawingAgainCrowdsTheMiddleOfACell) {
  const Box box = cubicBox(8);
  for (const bool again : {true, false}) {
    const auto e = engine(64, again ? Broken::retry : Broken::none);
    e->upload(gcmcLattice(box, 2), movedOnly(box, 0.5));
    ASSERT_EQ(e->cells().count[0], 8);
    double outer = 0, all = 0;
    for (int sweep = 0; sweep < 4; ++sweep) {
      e->advance(512 * 64);
      const GcmcCellsView cells = e->cells();
      for (const GcmcPoint& p : e->state().point) {
        const std::uint32_t word[3] = {p.x, p.y, p.z};
        for (int k = 0; k < 3; ++k) {
          const double x = std::fmod((word[k] - cells.shift[k]) / 4294967296.0 * 8, 1.0);
          outer += x < 0.25 || x > 0.75 ? 1 : 0, ++all;
        }
      }
    }
    EXPECT_NEAR(outer / all, again ? 5.0 / 12 : 0.5, 5 * std::sqrt(0.25 / all)) << "of " << all;
  }
}

// Ideal gas, z V = 20, a = 0.005, 64 cells, 4 attempts of each: mean 26.15 and variance 30.03(5)
// where N is frozen for a sweep, 26.156 and 35.538 where it is not.
TEST_P(GcmcBoardConditions, AFrozenNumberFluctuatesTooLittle) {
  const Sampled found = idealGasWithTail(*engine(4, Broken::frozenNumber), 256, 120);
  expectNear(found.n, 26.15, 0.03);
  expectNear(found.variance, 30.03, 0.05);
  EXPECT_LT(found.variance.mean + 5 * found.variance.error, 35.5);
}

// Two attempts of a cell that holds two or more never meet the same particle in array order; they
// do for one cell in n where each is chosen at random. In averages of N the memory of the order is
// below 0.4 % here and is not seen: the condition is needed for the proof.
TEST_P(GcmcBoardConditions, ArrayOrderChoosesByAge) {
  const Box box = cubicBox(8);
  for (const bool inOrder : {true, false}) {
    const auto e = engine(2, inOrder ? Broken::arrayOrder : Broken::none);
    e->upload(gcmcLattice(box, 12), movedOnly(box, 0.5));  // eight or more in each cell
    e->record(1 << 12);
    e->advance(1 << 10);
    const std::vector<GcmcEvent> events = e->events();
    ASSERT_EQ(events.size(), 1024u);
    int same = 0, swapped = 0;
    for (std::size_t k = 0; k + 1 < events.size(); k += 2) {
      same += events[k].id >= 0 && events[k].id == events[k + 1].id ? 1 : 0;
      swapped += events[k].id > events[k + 1].id ? 1 : 0;
    }
    EXPECT_EQ(swapped == 0, inOrder) << "the oldest first";
    EXPECT_EQ(same == 0, inOrder);
  }
}

// Its distribution is too wide, as nothing pulls a cell back within a turn: 195 with 24 attempts.
TEST_P(GcmcBoardConditions, AStaleCountLetsCellsRunAway) {
  const Sampled found = fluid(Broken::staleCount, 24, 10);
  EXPECT_GT(found.n.mean - 5 * found.n.error, 180);
  EXPECT_LT(found.n.mean, 210);
  EXPECT_GT(found.variance.mean, 230);
}

TEST_P(GcmcBoardConditions, AttemptsByTheCountHoldTooFew) {  // 128
  const Sampled found = fluid(Broken::attemptsByCount, 16, 60);
  EXPECT_LT(found.n.mean + 5 * found.n.error, 150);
}

TEST_P(GcmcBoardConditions, WithoutEmptyCellsAnEmptyBoxStaysEmpty) {
  const auto e = holding(engine(16, Broken::skipEmpty), emptyBox(cubicBox(10)), rules_, 100000);
  EXPECT_EQ(e->count(), 0u);
}

// Rejections for want of room depend on where the walls are: 145 particles in place of 178.
TEST_P(GcmcBoardConditions, FullCellsThatRejectHoldTooFew) {
  const Sampled found = fluid(Broken::rejectFull, 8, 20);
  EXPECT_LT(found.n.mean + 5 * found.n.error, 155);
  EXPECT_GT(found.n.mean, 130);
}

// Edges differ by 1/128 of a cell along each axis: this share is lost whenever the grid is shifted.
TEST_P(GcmcBoardConditions, TwoRoundingsLoseParticles) {
  const Box box = cubicBox(8);
  constexpr int kSweeps = 20;
  for (const bool inexact : {true, false}) {
    const auto e = engine(1, inexact ? Broken::inexactCells : Broken::none);
    e->upload(gcmcLattice(box, 2), movedOnly(box, 0.5));
    const double before = e->count();
    e->advance(512 * kSweeps);
    EXPECT_EQ(e->count(), e->state().point.size());
    const double kept = inexact ? std::pow(127.0 / 128, 3 * kSweeps) : 1;
    EXPECT_NEAR(e->count(), before * kept, 5 * std::sqrt(before * kept * (1 - kept)));
  }
  const Sampled found = fluid(Broken::inexactCells, 8, 20);
  EXPECT_LT(found.n.mean + 5 * found.n.error, 177) << "insertions do not make up for it";
}

INSTANTIATE_TEST_SUITE_P(Each, GcmcBoardConditions, kBackends, nameOfBackend);

using GcmcDomains = InDomains;

// On one domain of the same backend: the deviate of the tail correction may differ between two.
std::unique_ptr<GcmcEngine> oracle(Backend where, const GcmcOptions& options = {}) {
  return checkerboardOn({.backend = where, .threads = 1}, options);
}

void expectEqual(GcmcEngine& found, GcmcEngine& right) {
  expectSameState(found.state(), right.state());
  EXPECT_EQ(found.count(), right.count());
  expectSameCounters(found.counters(), right.counters());
  EXPECT_EQ(found.sums().energy, right.sums().energy);
}

struct BoardCut {
  const char* name;
  Box box;
  int domains;
  double density, activity;
  bool tail;
};
Box sides(double x, double y, double z) { return {3, {x, y, z}}; }

// Three layers each, the least there can be, uneven cuts, one domain in vapour, and the plane; the
// tail correction needs the number of all domains in every turn.
const std::vector<BoardCut> kBoardCuts = {
    {"thinTwo", cubicBox(15.2), 2, 0.5, 0.3, true},
    {"unevenThree", sides(10.3, 11, 25.4), 3, 0.4, 0.2, true},
    {"thinFour", sides(10.2, 10.4, 30.5), 4, 0.6, 0.3, true},
    {"unevenFour", sides(10.2, 12.6, 36.1), 4, 0.6, 0.3, false},
    {"dilute", sides(10.2, 10.4, 35.5), 3, 0.002, 0.01, false},
    {"plane", squareBox(35.7), 3, 0.5, 0.3, false}};

TEST_P(GcmcDomains, GiveTheParticlesOfOneDomain) {
  for (std::size_t k = 0; k < 2 * kBoardCuts.size(); ++k) {
    const BoardCut& c = kBoardCuts[k % kBoardCuts.size()];
    const bool mixed = k >= kBoardCuts.size();
    SCOPED_TRACE(std::string(c.name) + (mixed ? ", mixed" : ""));
    GcmcSettings s = gcmcFluid(1.5, c.activity);
    s.tail = c.tail;
    if (mixed) s = gcmcMixture(s, 0.9);
    const GcmcRules rules = makeGcmcRules(s, c.box);
    const GcmcOptions four{.attempts = 4, .mixed = mixed};
    const auto right = oracle(GetParam().config.backend, four),
               found = checkerboardOn(on(c.domains), four);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(c.box, c.density), rules);
      e->advance(1);  // a turn, so that the next call begins within a sweep
      e->advance(30000);
    }
    expectEqual(*found, *right);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->clearCounters();
      e->advance(30000);
    }
    expectEqual(*found, *right);
    EXPECT_GT(found->counters().accepted[0], 0u);
  }
}

// Records are wanted for a while, the rules change, another state comes: the domains go on with
// what the whole board has then.
TEST_P(GcmcDomains, GoOnAfterWhatTheWholeBoardDoes) {
  const Box box = sides(10.2, 10.4, 25.5);
  const GcmcRules rules = makeGcmcRules(gcmcFluid(1.5, 0.3), box);
  GcmcSettings warmer = gcmcFluid(2, 0.5);
  warmer.cutoff = 2;
  for (const int domains : {2, 3}) {
    SCOPED_TRACE(domains);
    const auto right = oracle(GetParam().config.backend), found = checkerboardOn(on(domains));
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(box, 0.5), rules);
      e->advance(20000);
      e->record(100);
      e->advance(20000);
      e->record(0);
      e->advance(20000);
      e->setRules(makeGcmcRules(warmer, box));
      e->advance(20000);
    }
    EXPECT_EQ(found->cells().count[2], right->cells().count[2]);
    expectEqual(*found, *right);
    for (GcmcEngine* e : {right.get(), found.get()}) {
      e->upload(gcmcLattice(cubicBox(27), 0.3), makeGcmcRules(gcmcFluid(), cubicBox(27)));
      e->advance(30000);
    }
    expectEqual(*found, *right);
  }
}

TEST_P(GcmcDomains, GrowTheirCellsTogether) {
  const Box box = sides(4, 4, 16);
  const auto right = oracle(GetParam().config.backend), found = checkerboardOn(on(2));
  std::size_t before = 0;
  for (GcmcEngine* e : {right.get(), found.get()}) {
    e->upload(emptyBox(box), makeGcmcRules(idealGas(40), box));
    before = e->capacity();
    e->advance(200000);
  }
  EXPECT_GT(found->capacity(), before);
  expectEqual(*found, *right);
}

TEST_P(GcmcDomains, RefuseMoreThanThereAreLayers) {
  const Box box = sides(10.2, 10.4, 25.5);  // ten layers
  const auto engine = checkerboardOn(on(4));
  expectRefusal([&] { engine->upload(gcmcLattice(box, 0.3), makeGcmcRules(gcmcFluid(), box)); },
                {"4 domains: each needs 3 layers of cells", "the box has 10; allowed: 1 to 3"});
}

// The picture's rule, by the inverse, and that of the kernels.
TEST(GcmcBoardLayers, AreThoseThatThePictureColours) {
  GcmcBoard b{};
  b.rules.dimension = 3;
  for (const int layers : {6, 10, 42, 100})
    for (const std::uint32_t domains : {1u, 2u, 3u, 5u})
      for (std::uint32_t k = 0; k < 200; ++k) {
        if (static_cast<int>(3 * domains) > layers) continue;
        const std::uint32_t shift[3] = {0, 0, k < 2 ? k : k * 2654435761u};
        b.cube.count[0] = b.cube.count[1] = 2, b.cube.count[2] = layers;
        b.domains = domains;
        const layers::GcmcCut cut{static_cast<int>(domains), static_cast<std::uint32_t>(layers),
                                  shift[2]};
        int all = 0;
        for (b.domain = 0; b.domain < domains; ++b.domain) {
          const GcmcBoardLayers own = gcmcBoardLayers(b, shift);
          all += own.count;
          for (int i = 0; i < own.count; ++i)
            ASSERT_EQ(cut.domainOf(static_cast<std::uint32_t>((own.first + i) % layers)),
                      static_cast<int>(b.domain))
                << layers << " layers, shift " << shift[2];
        }
        ASSERT_EQ(all, layers);
      }
}

INSTANTIATE_TEST_SUITE_P(Places, GcmcDomains, testing::ValuesIn(kDomainPlaces), nameOfPlace);

}  // namespace
}  // namespace cellscope::test
