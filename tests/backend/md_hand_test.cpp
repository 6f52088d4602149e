// Springs of a hand, particles added and deleted, on each backend: as on one thread of the CPU.
#include "sim/api/inspect.h"
#include "sim/run/session.h"
#include "tests/support/backend_test.h"
#include "tests/support/modes.h"

namespace cellscope::test {
namespace hands {  // tests are compiled in groups
namespace {

BACKEND_TESTS(MdHand);

Scenario liquid(const std::string& method) {
  return scenarioWith("md",
                      "n=600 density=0.5 temperature=1.2 dt=0.002 cutoff=1.5 "
                      "potential=force_shifted method=" +
                          method);
}

// Single precision of pair forces, 1e-6 of some 100 epsilon / sigma, makes 1e-7 sigma in 40 steps;
// collisions multiply that by ten or so.
TEST_P(MdHand, PullsAlikeOnEachBackend) {
  for (const char* method :
       {"all_pairs", "placeholder_cells", "cells", "stencils", "tree", "clusters"}) {
    SCOPED_TRACE(method);
    Session here(liquid(method), config()), oracle(liquid("all_pairs"), kOneThread);
    double work[2] = {};
    Configuration end[2];
    for (int k = 0; k < 2; ++k) {
      Session& s = k == 0 ? here : oracle;
      s.hand("grab 4 4 4 1.5 40");
      s.hand("pull 6 5 4 1 1");
      s.advance(20);
      s.hand("pull 3 4 4 1 1");
      s.advance(20);
      work[k] = dynamic_cast<TakesHands&>(s.mode()).grip()->work;
      expectHealthy(s.mode());
      s.hand("release 0 0 0 1 1");
      s.hand("delete 2 2 2 1.2 1");
      s.hand("add 2 2 2 1.5 1");
      end[k] = s.mode().configuration();
    }
    EXPECT_GT(std::abs(work[1]), 0.1);
    EXPECT_NEAR(work[0], work[1], 1e-4 * std::abs(work[1]) + 1e-5);
    ASSERT_EQ(end[0].ids, end[1].ids);
    for (std::size_t i = 0; i < end[0].positions.size(); ++i) {
      const double l = end[0].box.length[0], d = end[0].positions[i] - end[1].positions[i];
      ASSERT_NEAR(d - l * std::rint(d / l), 0, 2e-5) << i;
      ASSERT_NEAR(end[0].velocities[i], end[1].velocities[i], 2e-3) << i;
    }
  }
}

BACKEND_TESTS(HandOnChains);

// Disks and chains, bit for bit.
TEST_P(HandOnChains, TouchesAlikeOnEachBackend) {
  for (const Scenario& scenario : {scenarioWith("hard_disks", "n=400 packing=0.5"),
                                   scenarioWith("gcmc", "length=8 density=0.2 temperature=1.5")}) {
    SCOPED_TRACE(scenario.mode);
    Session here(scenario, config()), oracle(scenario, kOneThread);
    for (Session* s : {&here, &oracle}) {
      s->advance(5);
      s->hand("delete 3 3 3 1.5 1");
      s->advance(5);
      s->hand("add 3 3 3 2 1");
      if (scenario.mode == "hard_disks") {
        s->hand("grab 6 6 0 1.2 1");
        s->hand("pull 7 6.5 0 1 1");
        s->hand("release 0 0 0 1 1");
      }
      s->advance(5);
      expectHealthy(s->mode());
    }
    const Configuration a = here.mode().configuration(), b = oracle.mode().configuration();
    EXPECT_EQ(a.ids, b.ids);
    EXPECT_EQ(a.positions, b.positions);
  }
}

}  // namespace
}  // namespace hands
}  // namespace cellscope::test
