// Chains stay consistent over many moves: each id once and none that no move has given, all
// particles in the cells that their positions say, cells of the grid that is drawn, colours in the
// order drawn for the sweep, the running energy that of the positions. 10^5 moves of each method;
// with CELLSCOPE_LONG_RUN set 10^8, some 70 s each with one chain of one block of a GPU, less with
// the other two:
//   CELLSCOPE_LONG_RUN=1 backend_tests --gtest_filter='*GcmcLongRun*'
#include <cstdlib>

#include "sim/algo/gcmc/board.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_states.h"

namespace cellscope::test {
namespace {

class GcmcLongRun : public BackendTestOf<std::string> {};

void expectIds(const GcmcState& s) {
  std::vector<ParticleId> ids = s.id;
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(std::adjacent_find(ids.begin(), ids.end()), ids.end()) << "an id is used twice";
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
    GcmcBoard b{};
    b.rules = rules;
    const std::uint64_t turn = s.move / (e->cells().count[0] * e->cells().count[1] *
                                         e->cells().count[2] / b.colours() * 8);
    EXPECT_EQ(e->cells().active, gcmcBoardColour(b, turn - 1)) << "turn " << turn;
  }
  EXPECT_GE(made, moves);
}

INSTANTIATE_TEST_SUITE_P(Methods, GcmcLongRun,
                         testing::Combine(kBackends, testing::Values("serial_cells", "speculative",
                                                                     "checkerboard", "in_order")),
                         nameOfBoth<std::string>);

}  // namespace
}  // namespace cellscope::test
