// The race of the methods beside a run, while bars come in and at its end; on each backend.
#include "sim/algo/neighbours/methods.h"
#include "tests/support/backend_test.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

class MdRace : public BackendTest {
 protected:
  std::unique_ptr<MdMode> mode(const char* method) const {
    return startedMd(config(), std::string("n=500 density=0.6 cutoff=2 method=") + method);
  }
};

Curve raceOf(const Mode& mode) { return curveOf(mode, "method_race"); }

// Whether the chart of a race, as far as it is, names all candidates, and who has a bar.
void expectRows(const Curve& c, std::size_t entries, bool complete) {
  ASSERT_EQ(c.x.names.size(), entries);
  std::vector<bool> bar(entries, false);
  for (const double x : c.series.at(1).x) bar[static_cast<std::size_t>(x)] = true;
  int timing = 0;
  for (std::size_t k = 0; k < entries; ++k) {
    const std::string& name = c.x.names[k];
    timing += contains(name, "(timing)");
    EXPECT_FALSE(bar[k] && contains(name, "(waiting)")) << name;
    EXPECT_TRUE(!complete || (bar[k] && !contains(name, "ing)"))) << name;
  }
  EXPECT_EQ(timing, complete ? 0 : 1);
  for (const CurveSeries& s : c.series) {
    EXPECT_TRUE(complete || !s.highlight) << s.label;
    for (const double y : s.y) EXPECT_GT(y, 0) << s.label;
  }
}

// Rows of every method from the first turn on, bars as they come in, the fastest at the end, and
// the run goes on as if there were no race.
TEST_P(MdRace, RacesTheMethodsBesideTheRun) {
  const auto raced = mode("tree"), alone = mode("tree");
  change(*raced, "race=true");
  // All pairs, placeholder cells, lists fast and as in the paper.
  std::size_t entries = 2, lists = 0;
  for (const ListMethod& method : listMethods())
    lists += method.differs(ListSearch::paper, GetParam()) ? 2 : 1;
  entries += lists;
  const std::size_t batches = 4 * (entries + lists);  // one round does not count
  for (std::size_t k = 1; k <= 70; ++k) {
    raced->advance(1), alone->advance(1);
    const Curve c = raceOf(*raced);
    expectRows(c, entries, k >= batches);
    if (k == batches / 2) {
      EXPECT_FALSE(c.series.at(1).y.empty()) << "bars after a round";
    }
  }
  ASSERT_LT(batches, 70u);
  EXPECT_EQ(raced->configuration().positions, alone->configuration().positions);
  const Curve c = raceOf(*raced);
  EXPECT_EQ(c.series.at(0).y.size(), lists);
  const CurveSeries& step = c.series.at(2);
  ASSERT_EQ(step.y.size(), entries);
  // None is marked where times vary too much to tell.
  for (std::size_t k = 0; step.highlight && k < entries; ++k)
    EXPECT_GE(step.y[k], step.y.at(*step.highlight));
  for (const double x : c.series.at(0).x)
    EXPECT_TRUE(contains(c.x.names.at(static_cast<std::size_t>(x)), "lists"));
  EXPECT_TRUE(raceOf(*alone).id.empty());
  // Times of another pair law are not shown.
  change(*raced, "cutoff=1.8");
  const Curve anew = raceOf(*raced);
  EXPECT_TRUE(anew.series.empty());
  EXPECT_EQ(anew.waiting, "timed while the run goes on");
  raced->advance(1);
  expectRows(raceOf(*raced), entries, false);
}

INSTANTIATE_TEST_SUITE_P(Each, MdRace, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
