// A mode whose particles come and go, through the house: Session, Runner, batch run and their
// files, on both backends. The CUDA half is skipped without a GPU.
#include <regex>

#include "app/cli/batch_run.h"
#include "sim/io/files.h"
#include "tests/support/backend_test.h"
#include "tests/support/modes.h"
#include "tests/support/program.h"
#include "tests/support/replay.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

Scenario vapour() {
  Scenario s = scenarioWith("gcmc", "length=6 temperature=2 density=0.5 moves_per_step=50");
  s.name = s.title = "vapour";
  s.sampleEvery = 5;
  return s;
}

class GcmcHouse : public Program, public testing::WithParamInterface<Backend> {
 protected:
  void SetUp() override {
    Program::SetUp();
    if (GetParam() == Backend::cuda && !exec::cudaStatus().usable)
      GTEST_SKIP() << exec::cudaStatus().reason;
  }
  static ExecConfig config() { return {GetParam(), 2, 0}; }
  static std::unique_ptr<Session> session() {
    return std::make_unique<Session>(vapour(), config());
  }
  void run(const std::string& name, std::uint64_t steps) const {
    cli::RunOptions o;
    o.resume = o.checkpoint = file(name + ".checkpoint");
    o.steps = steps;
    o.csv = file(name + ".csv");
    o.trajectory = file(name + ".xyz");
    o.trajectoryEvery = 7;
    o.quiet = true;
    o.hardware.backend = toString(GetParam());
    const common::InterruptGuard interrupt;
    cli::BatchRun(o, interrupt).run();
  }
};

// Edits of every kind, phases on their own: resumed, and done again from the log.
TEST_P(GcmcHouse, ResumesAndReplaysByteForByte) {
  const auto run = session(), first = session();
  for (Session* s : {run.get(), first.get()}) {
    s->advance(12);
    s->set("chemical_potential", -4.0);
    s->advance(11);
    s->set({{"temperature", 1.5}, {"max_displacement", 0.1}});
    s->advancePhase();
    s->set("cutoff", 2.0);
    s->advance(4);
  }
  const std::string bytes = first->checkpoint();
  const auto resumed = Session::resumeFrom(bytes, "a.checkpoint", config());
  EXPECT_TRUE(resumed->checkpoint() == bytes);
  for (Session* s : {run.get(), resumed.get()}) s->advance(30);
  EXPECT_TRUE(resumed->checkpoint() == run->checkpoint());
  EXPECT_TRUE(saved(replay(run->log(), run->step(), config())->mode()) == saved(run->mode()));
}

// With everything drawn and somebody picked, it is that of a run alone.
TEST_P(GcmcHouse, TheTrajectoryOfAWindowIsThatOfARunAlone) {
  Runner runner(config(), vapour());
  ViewRequest view;
  for (const LayerInfo& l : describeMode("gcmc").layers) view.layers.push_back(l.key);
  view.picked = 3;
  runner.setView(view);
  runner.play(true);
  ASSERT_TRUE(await(runner, [](const Publication& q) { return q.step > 50; }));
  std::uint64_t steps = 0;
  std::string state;
  runner.finish([&](Session& s) {
    s.finishStep();
    steps = s.step();
    state = saved(s.mode());
  });
  const auto alone = session();
  alone->advanceTo(steps);
  EXPECT_TRUE(saved(alone->mode()) == state);
}

TEST_P(GcmcHouse, APickedParticleIsFollowedToItsDeletionAndIsBackAfterAnUndo) {
  const auto s = session();
  s->advance(2);
  Mode& mode = s->mode();
  ViewRequest view{{"particles"}, "", mode.configuration().ids[20]};
  const auto gone = [&] { return mode.frame(view)->picked.deleted; };
  EXPECT_FALSE(gone());
  s->reset();
  s->undo();
  EXPECT_FALSE(gone());
  EXPECT_EQ(mode.frame(view)->picked.id, view.picked);
  while (!gone() && s->step() < 5000) s->advance(10);
  ASSERT_TRUE(gone());
  EXPECT_LE(gone()->step, s->step());
  EXPECT_GT(gone()->step + 10, s->step());
}

TEST_P(GcmcHouse, FilesOfAResumedRunAreThoseOfAWholeOne) {
  for (const char* name : {"whole", "parts"})
    session()->save(file(std::string(name) + ".checkpoint"));
  run("whole", 70);
  run("parts", 31);
  run("parts", 39);
  EXPECT_TRUE(io::readFile(file("parts.xyz")) == io::readFile(file("whole.xyz")));
  const auto rows = [&](const std::string& name) {
    return std::regex_replace(io::readFile(file(name)), std::regex("# resumed[^\n]*\n"), "");
  };
  EXPECT_EQ(rows("parts.csv"), rows("whole.csv"));
  // The number of particles differs from frame to frame.
  std::vector<std::string> numbers;
  const std::string all = io::readFile(file("whole.xyz"));
  const std::regex count("(^|\n)([0-9]+)\n");
  for (std::sregex_iterator k(all.begin(), all.end(), count), end; k != end; ++k)
    numbers.push_back((*k)[2]);
  ASSERT_EQ(numbers.size(), 11u) << "that of step 0 is one of them";
  EXPECT_NE(std::count(numbers.begin(), numbers.end(), numbers[0]), 11);
}

INSTANTIATE_TEST_SUITE_P(Backends, GcmcHouse, kBackends, nameOfBackend);

}  // namespace
}  // namespace cellscope::test
