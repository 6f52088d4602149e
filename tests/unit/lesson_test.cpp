// A lesson in every mode: lecturer and followers compute the same states.
#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <string>

#include "sim/run/runner.h"
#include "test_paths.h"
#include "tests/support/lesson_room.h"
#include "tests/support/runner_tools.h"

namespace cellscope {
namespace {

using test::Follower;
using test::Lecturer;
using test::untilHeard;

struct Course {
  const char* scenario;
  const char* live;  // a parameter and its other value
  double value;
};

class Lessons : public testing::TestWithParam<Course> {
 protected:
  static Scenario scenario() {
    Scenario s = findScenario(GetParam().scenario, CELLSCOPE_SOURCE_DIR "/assets/scenarios");
    if (s.mode == "md") setParameter(s, "n", std::int64_t{500});
    if (s.mode == "hard_disks") setParameter(s, "n", std::int64_t{256});
    if (s.mode == "gcmc") setParameter(s, "moves_per_step", std::int64_t{100});
    s.speedLimit = 100;  // nobody is late on a busy machine
    return s;
  }
};

TEST_P(Lessons, EveryoneComputesTheSameStates) {
  Lecturer lecturer(scenario());
  std::list<Follower> all;
  const auto allInStep = [&](std::uint64_t step) {
    return untilHeard([&] {
      return std::all_of(all.begin(), all.end(), [&](const Follower& f) {
        return f.isInStep() && f.status().step >= step;
      });
    });
  };
  const auto now = [&] { return lecturer.runner.latest()->step; };
  for (int k = 0; k < 2; ++k) all.emplace_back(lecturer.address());
  lecturer.runner.play(true);
  ASSERT_TRUE(allInStep(1));
  // A change while it runs.
  const auto [name, key, value] = GetParam();
  lecturer.runner.set(key, value);
  ASSERT_TRUE(test::await(lecturer.runner, [&](const Publication& p) {
    return std::any_of(p.parameters.begin(), p.parameters.end(), [&](const ParameterState& s) {
      return s.info.key == key && s.value == ParameterValue(value);
    });
  }));
  ASSERT_TRUE(allInStep(now() + 1));
  // One comes late.
  all.emplace_back(lecturer.address());
  ASSERT_TRUE(allInStep(now() + 1));
  // One leaves, does something else, and comes back.
  Follower& leaver = all.front();
  leaver.client.follow(false);
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == 2; }));
  leaver.runner.step();
  leaver.runner.reset();
  leaver.client.follow(true);
  ASSERT_TRUE(untilHeard([&] { return lecturer.server.followers() == 3; }));
  ASSERT_TRUE(allInStep(now() + 1));
  // A new start, and steps back.
  lecturer.runner.set("seed", std::int64_t{77});
  ASSERT_TRUE(test::await(lecturer.runner, [&](const Publication& p) { return p.step < 100; }));
  const std::uint64_t compared = all.back().status().compared;
  ASSERT_TRUE(untilHeard([&] { return all.back().isInStep(compared + 2); }));
  lecturer.runner.stepBack();
  lecturer.runner.stepBack();
  ASSERT_TRUE(test::await(lecturer.runner, [](const Publication& p) { return !p.playing; }));
  ASSERT_TRUE(untilHeard([&] {
    return std::all_of(all.begin(), all.end(),
                       [&](const Follower& f) { return f.isInStep() && f.status().step == now(); });
  })) << all.front().status().step
      << " of " << now() << ' ' << all.front().client.words().text;
  EXPECT_TRUE(untilHeard([&] { return lecturer.server.inStep() == 3; }));
  lecturer.server.end();
  const std::uint64_t hash = test::endOf(lecturer.runner);
  for (Follower& f : all) {
    f.client.end();
    EXPECT_EQ(test::endOf(f.runner), hash);
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, Lessons,
                         testing::Values(Course{"hexatic", "packing", 0.7},
                                         Course{"gcmc_liquid", "chemical_potential", -3.5},
                                         Course{"argon", "dt", 0.002}),
                         [](const auto& p) { return std::string(p.param.scenario); });

}  // namespace
}  // namespace cellscope
