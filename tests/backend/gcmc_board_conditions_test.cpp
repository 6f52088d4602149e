// The conditions of the checkerboard, each broken on purpose: the bias is the predicted one, and
// absent where the condition holds. Bounds are five standard errors.
#include "sim/algo/gcmc/board.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

using Broken = GcmcBoardExperiment;

class GcmcBoardConditions : public BackendTest {
 protected:
  std::unique_ptr<GcmcEngine> engine(int attempts, Broken broken) const {
    return makeGcmcEngine("checkerboard", exec::makeExec({.backend = GetParam(), .threads = 1}),
                          {.attempts = attempts, .experiment = static_cast<int>(broken)});
  }
  // T = 2, ln z = -2, cut at 2.5, V = 1000: 177.67(7) and variance 211.6 of serial chains.
  Sampled fluid(Broken broken, int attempts, int sweepsOfBlock) const {
    const auto e = engine(attempts, broken);
    e->upload(gcmcLattice(cubicBox(10), 0.18), rules_);
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
  const auto e = engine(16, Broken::skipEmpty);
  e->upload(emptyBox(cubicBox(10)), rules_);
  e->advance(100000);
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

}  // namespace
}  // namespace cellscope::test
