// What a wrong state gave does not count: no speed, no row of a study, no checkpoint.
#include <gmock/gmock.h>

#include "app/bench/bench.h"
#include "app/cli/batch_run.h"
#include "app/reproduce/hard_disks/disk_study.h"
#include "sim/modes/hard_disks/mode.h"
#include "tests/support/fake_mode.h"
#include "tests/support/modes.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

using testing::AllOf, testing::HasSubstr;

constexpr const char* kLost = "self-check 'walkers' failed after step 7: one is lost";

std::shared_ptr<Mode> fakeAt(std::uint64_t step, std::int64_t loseAt, bool onPurpose = false) {
  auto mode = std::make_shared<FakeMode>();
  mode->parameters().at("lose_at").set(loseAt);
  mode->parameters().at("broken").set(onPurpose);
  mode->restart();
  mode->advance(step);
  return mode;
}

TEST(SelfChecks, AFailureIsNamedUnlessItIsOnPurpose) {
  EXPECT_TRUE(common::requireSound(*fakeAt(7, 8)).empty());
  EXPECT_EQ(messageOf<RunError>([] { common::requireSound(*fakeAt(7, 7)); }), kLost);
  const std::vector<SelfCheck> known = common::requireSound(*fakeAt(7, 7, true));
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].detail, "one is lost");
}

TEST(SelfChecks, ASpeedCountsOnlyWithNothingLost) {
  bench::Case c;
  const auto measured = [&](std::int64_t loseAt) {
    c.row.run = [=](const bench::Size&, const bench::Setup&) {
      return bench::Measurement{.values = {1e9}, .modes = {fakeAt(7, 0), fakeAt(7, loseAt)}};
    };
    return bench::measured(c, {kOneThread, "auto"});
  };
  EXPECT_EQ(measured(8).values.size(), 1u);
  EXPECT_EQ(messageOf<RunError>([&] { measured(7); }), kLost);
}

// The cases themselves hand over what they ran.
class BenchCase : public testing::TestWithParam<const char*> {};
TEST_P(BenchCase, HandsItsModesOver) {
  for (const bench::Case& c : bench::casesOf(bench::allRows())) {
    if (c.name() != GetParam() || c.size.backend != Backend::cpu) continue;
    const bench::Measurement m = c.row.run(c.size, {kOneThread, "auto"});
    ASSERT_FALSE(m.modes.empty());
    for (const auto& mode : m.modes) EXPECT_GT(mode->work(), 0);
    return;
  }
  FAIL() << "no such case";
}
INSTANTIATE_TEST_SUITE_P(Timed, BenchCase,
                         testing::Values("hard_disks/256^2 one thread", "hard_disks/256^2 speedup",
                                         "md/4096 all pairs"));

// A folder of its own, which the test works in.
class InFolder : public Program {
 protected:
  void SetUp() override {
    Program::SetUp();
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    Program::TearDown();
  }
  const fs::path before_ = fs::current_path();
};

// A batch run that goes on from a.checkpoint, of step 0, and loses a walker at step 40.
class LosingRun : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    startWith({{"lose_at", std::int64_t{40}}, {"delay", 5.0}});
    o_.resume = o_.checkpoint = "a.checkpoint";
    o_.csv = "a.csv";
    o_.hardware.backend = "cpu";
    o_.quiet = true;
  }
  static void startWith(const decltype(Scenario::parameters)& parameters) {
    Session(fakeScenario(parameters), kOneThread, fakeModes).save("a.checkpoint");
  }
  template <class Error = RunError>
  std::string failure() {
    const common::InterruptGuard interrupt;
    return messageOf<Error>([&] { cli::BatchRun(o_, interrupt, fakeModes).run(); });
  }
  static std::uint64_t stepOf(const std::string& checkpoint) {
    return Session::resume(checkpoint, kOneThread, fakeModes)->step();
  }
  cli::RunOptions o_;
};

TEST_F(LosingRun, DoesNotReplaceItsCheckpointAtTheEnd) {
  o_.steps = 41;
  o_.checkpointEvery = 1e6;
  const std::string good = io::readFile("a.checkpoint");
  EXPECT_THAT(failure(), HasSubstr("self-check 'walkers' failed after step 41"));
  EXPECT_EQ(io::readFile("a.checkpoint"), good);
  EXPECT_EQ(stepOf("fake-failed.checkpoint"), 41u);
  EXPECT_THAT(io::readFile("a.csv"),
              AllOf(HasSubstr("\n40,"), HasSubstr("do not trust the averages")));
}

TEST_F(LosingRun, StopsAtTheFirstCheckpointAfterTheLoss) {
  o_.steps = 100000;
  o_.checkpointEvery = 0.02;
  EXPECT_THAT(failure(), HasSubstr("self-check 'walkers' failed after step"));
  EXPECT_GT(stepOf("a.checkpoint"), 0u);
  EXPECT_LT(stepOf("a.checkpoint"), 40u);
  EXPECT_LT(stepOf("fake-failed.checkpoint"), 100000u);
}

// At every multiple of the steps: the last one before the loss is the last good state.
TEST_F(LosingRun, WritesCheckpointsEverySoManySteps) {
  o_.steps = 60;
  o_.checkpointEvery = 1e6;
  o_.checkpointSteps = 13;
  EXPECT_THAT(failure(), HasSubstr("self-check 'walkers' failed after step 52"));
  EXPECT_EQ(stepOf("a.checkpoint"), 39u);
}

TEST_F(LosingRun, EndsWellWithoutTheLoss) {
  o_.steps = 39;
  EXPECT_EQ(failure(), "");
  EXPECT_EQ(stepOf("a.checkpoint"), 39u);
  EXPECT_FALSE(fs::exists("fake-failed.checkpoint"));
}

// An error of the program ends the run as a wrong state does: saved under a name of its own, and
// the cause is said.
TEST_F(LosingRun, AnInternalCheckSavesTheState) {
  startWith({{"break_at", std::int64_t{30}}});
  const std::string good = io::readFile("a.checkpoint");
  o_.steps = 60;
  o_.checkpointEvery = 1e6;
  EXPECT_THAT(failure<InternalError>(),
              AllOf(HasSubstr("internal check failed: active().breakAt == 0 ||"),
                    HasSubstr("(fake_mode.h:"), HasSubstr("an error of cellscope")));
  EXPECT_EQ(io::readFile("a.checkpoint"), good);
  EXPECT_EQ(stepOf("fake-failed.checkpoint"), 29u);
  EXPECT_THAT(io::readFile("a.csv"),
              AllOf(HasSubstr("\n20,"), HasSubstr("do not trust the averages")));
}

// A reservoir that empties the box is no failure: a line at the end, and one in the file.
TEST_F(InFolder, AWarningIsInTheTimeSeries) {
  for (const double mu : {-40.0, -3.0}) {
    Scenario s;
    s.name = "box", s.mode = "gcmc", s.sampleEvery = 5;
    s.parameters = {{"length", 6.0}, {"density", 0.1}, {"chemical_potential", mu}};
    Session(s, kOneThread).save("box.checkpoint");
    cli::RunOptions o;
    o.resume = "box.checkpoint", o.csv = "box.csv", o.steps = 20;
    o.hardware.backend = "cpu";
    o.quiet = o.overwrite = true;
    const common::InterruptGuard interrupt;
    EXPECT_EQ(cli::BatchRun(o, interrupt).run(), 0);
    const bool named = io::readFile("box.csv").find("# Warning: the reservoir empties the box") !=
                       std::string::npos;
    EXPECT_EQ(named, mu < -10) << mu;
    fs::remove("box.csv");
  }
}

// Hard disks that never pass.
class LosingDisks final : public HardDisksMode {
 public:
  using HardDisksMode::HardDisksMode;
  std::vector<SelfCheck> selfChecks() override { return {{"disks", false, "63 of 64"}}; }
};

class LosingStudy : public InFolder {
 protected:
  const ModeFactory losing_ = [](const std::string&, const ExecConfig& config) {
    return std::make_unique<LosingDisks>(config);
  };
  static constexpr double kMinutes = 0.005;
};
constexpr const char* kDiskLost = "self-check 'disks' failed after sweep";

TEST_F(LosingStudy, LongRunsNeitherCountNorReplaceTheirCheckpoint) {
  const std::vector<reproduce::State> states = {{"t", "0.3", "a state", 8, 0.3, {}, 16, 0.1}};
  reproduce::RunsOptions fromTheFluid;
  fromTheFluid.start.index = 0;
  reproduce::StudyContext context{folder_.string(), kMinutes, kOneThread, "t", "", losing_};
  std::uint64_t sweeps = 1;
  const auto run = [&] {
    reproduce::measureStates(states, fromTheFluid, context,
                             [&](const std::vector<reproduce::StateResult>& r, bool last) {
                               if (last) sweeps = r.at(0).sweeps;
                             });
  };
  EXPECT_THAT(messageOf<RunError>(run),
              AllOf(HasSubstr("a state, from the fluid, seed 1: "), HasSubstr(kDiskLost)));
  EXPECT_EQ(sweeps, 0u);
  const std::string checkpoint = "t-8-0.3-random-1.checkpoint";
  EXPECT_FALSE(fs::exists(checkpoint));
  context.modes = {};
  run();
  EXPECT_GT(sweeps, 0u);
  const std::string good = io::readFile(checkpoint);
  context.modes = losing_;
  expectRefusal<RunError>(run, {kDiskLost});
  EXPECT_EQ(sweeps, 0u);
  EXPECT_EQ(io::readFile(checkpoint), good);
}

}  // namespace
}  // namespace cellscope::test
