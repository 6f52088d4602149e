// Forces that take long: how far they are, and given up.
#include "sim/modes/md/start.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

// Enough particles for the progress of the forces to be reported in parts.
TEST(MdForces, TellHowFarTheyAreAndCanBeGivenUp) {
  const auto mode = small();
  mode->advance(3);
  const std::string before = saved(*mode);
  std::vector<double> reports;
  assign(*mode, "n=9000");
  const auto several = [&] {
    return std::any_of(reports.begin(), reports.end(), [](double p) { return p > 0 && p < 1; });
  };
  mode->watchWork([&](const Preparation& p) {
    reports.push_back(p.progress);
    if (p.progress > 0) throw Cancelled();
  });
  EXPECT_THROW(mode->restart(), Cancelled);
  EXPECT_TRUE(several());
  assign(*mode, "n=256");
  EXPECT_EQ(saved(*mode), before);
  mode->watchWork({});
  mode->advance(1);
  EXPECT_EQ(mode->step(), 4u);

  reports.clear();
  mode->watchWork([&](const Preparation& p) { reports.push_back(p.progress); });
  restartWith(*mode, "n=9000");
  EXPECT_TRUE(several());
  EXPECT_EQ(reports.back(), 1.0);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  const auto whole = startedMd("n=9000");
  for (const char* id : {"potential", "pressure"})
    EXPECT_EQ(sampled(*mode, id), sampled(*whole, id));
}

// Calls `act` while every piece of work is given up at its first report.
template <class F>
void givenUp(Mode& mode, const F& act) {
  mode.watchWork([](const Preparation&) { throw Cancelled(); });
  EXPECT_THROW(act(), Cancelled);
  mode.watchWork({});
}

std::vector<double> numbersOf(const Mode& mode) {
  Configuration c = mode.configuration();
  c.positions.insert(c.positions.end(), c.velocities.begin(), c.velocities.end());
  return c.positions;
}

// Forces of a step, of a phase and of another pair law, on every kernel that tells how far it is.
TEST(MdForces, ThatAreGivenUpLeaveTheStateBefore) {
  for (const char* kernel : {"tuned", "teams", "teams_double"}) {
    SCOPED_TRACE(kernel);
    const auto mode = small(), other = small();
    for (MdMode* m : {mode.get(), other.get()}) {
      change(*m, std::string("kernel=") + kernel);
      m->advance(3);
    }
    const auto before = numbersOf(*mode);
    const double work = mode->work();
    givenUp(*mode, [&] { mode->advance(1); });
    EXPECT_TRUE(numbersOf(*mode) == before);
    EXPECT_EQ(mode->step(), 3u);
    EXPECT_EQ(mode->work(), work);
    assign(*mode, "cutoff=2");
    givenUp(*mode, [&] { mode->applyParameters(); });
    assign(*mode, "cutoff=2.5");
    EXPECT_TRUE(numbersOf(*mode) == before);
    mode->advancePhase();
    givenUp(*mode, [&] { mode->advancePhase(); });
    EXPECT_EQ(mode->nextPhase(), 1);
    mode->advance(2);
    other->advance(2);
    EXPECT_EQ(mode->step(), 5u);
    EXPECT_TRUE(numbersOf(*mode) == numbersOf(*other));
    EXPECT_EQ(sampled(*mode, "potential"), sampled(*other, "potential"));
  }
}

// A step of the first, watched, and one of the other: the parts add up to the same forces, and the
// shares rise to one in at least so many reports.
void expectReports(std::unique_ptr<MdMode> (&modes)[2], std::size_t least) {
  std::vector<double> reports;
  modes[0]->watchWork([&](const Preparation& p) { reports.push_back(p.progress); });
  for (auto& mode : modes) mode->advance(1);
  ASSERT_GE(reports.size(), least);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_GT(reports.front(), 0);
  EXPECT_EQ(reports.back(), 1.0);
  EXPECT_TRUE(numbersOf(*modes[0]) == numbersOf(*modes[1]));
  EXPECT_EQ(sampled(*modes[0], "pressure"), sampled(*modes[1], "pressure"));
}

TEST(MdForces, OfAStepTellHowFarTheyAre) {
  for (const char* kernel : {"tuned", "teams"}) {
    SCOPED_TRACE(kernel);
    std::unique_ptr<MdMode> modes[2];
    for (auto& mode : modes) mode = startedMd(std::string("n=9000 kernel=") + kernel);
    expectReports(modes, 2);
  }
}

// Placeholder cells of which each slot is computed: a sparse box has many.
TEST(MdForces, OfPlaceholderCellsTellHowFarTheyAre) {
  std::unique_ptr<MdMode> modes[2];
  for (auto& mode : modes) {
    mode = small(512);
    change(*mode, "method=placeholder_cells kernel=teams cell_slots=512");
    mode->advance(1);
  }
  const auto before = numbersOf(*modes[0]);
  givenUp(*modes[0], [&] { modes[0]->advance(1); });
  EXPECT_TRUE(numbersOf(*modes[0]) == before);
  EXPECT_EQ(modes[0]->step(), 1u);
  expectReports(modes, 10);
}

// The tuner's trials are given up as well, and begun again.
TEST(MdForces, OfTrialsAreGivenUp) {
  const auto mode = small();
  change(*mode, "tune=all");
  const auto before = numbersOf(*mode);
  for (int k = 0; k < 3; ++k) {
    givenUp(*mode, [&] { mode->advance(1); });
    EXPECT_TRUE(mode->preparation().has_value());
    EXPECT_TRUE(numbersOf(*mode) == before);
    mode->advance(1);
  }
}

// A random start is reported by the work done, not by the particles placed.
TEST(MdForces, RandomStartsTellHowFarTheyAre) {
  std::vector<double> reports;
  md::startRandom(
      20000, cubicBox(std::cbrt(20000 / 0.8442)), 0.85, 1,
      [&](double done) { reports.push_back(done); }, "");
  EXPECT_GE(reports.size(), 3u);
  EXPECT_TRUE(std::is_sorted(reports.begin(), reports.end()));
  EXPECT_LT(reports.back(), 1.0);
}

// What takes seconds in every step is said before the first forces.
TEST(MdForces, OfMillionsOfPairsAreWarnedOf) {
  md::MdParameters p;
  p.n = 16777216;
  EXPECT_TRUE(contains(p.by().warning(p.n), "method = all_pairs looks at 2.8e+14 pairs"));
  p.method.index = 1;
  EXPECT_EQ(p.by().warning(p.n), "");
  p.method.index = 0, p.n = 1000000;
  EXPECT_EQ(p.by().warning(p.n), "");
}

}  // namespace
}  // namespace cellscope::test
