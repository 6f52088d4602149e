// Experiments as one line of text: written, read back, and opened by the program.
#include "app/common/settings.h"
#include "sim/base/build.h"
#include "sim/run/session.h"
#include "tests/support/message_of.h"
#include "tests/support/modes.h"

namespace cellscope::common {
namespace {

TEST(ExperimentLine, ReadsBackWhatItWrites) {
  ExperimentLine line;
  line.scenario = "/home/a user's/my scenario.toml";
  line.configuration = "state 1.xyz";
  line.settings = {"packing=0.71", "seed=3", "start=two phases"};
  line.madeWith = "1.2.3";
  for (const std::string before : {"", "cellscope run ", "cellscope window ", "run ", "  \n"}) {
    line.replicate = line.replicate == 2 ? 3 : 2;
    const ExperimentLine read = parseExperimentLine(before + textOf(line) + "\n");
    EXPECT_EQ(read.scenario, line.scenario);
    EXPECT_EQ(read.configuration, line.configuration);
    EXPECT_EQ(read.replicate, line.replicate);
    EXPECT_EQ(read.settings, line.settings);
    EXPECT_EQ(read.madeWith, "1.2.3");
  }
  ExperimentLine resumed;
  resumed.resume = "/tmp/c.checkpoint";
  resumed.settings = {"seed=1"};
  EXPECT_EQ(textOf(resumed), "--resume /tmp/c.checkpoint --set seed=1");
  EXPECT_EQ(parseExperimentLine(textOf(resumed)).resume, "/tmp/c.checkpoint");
}

TEST(ExperimentLine, WhatIsNoLineIsRefusedWithTheReason) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"  \n ", "empty"},
      {"--set a=1", "neither a scenario nor a checkpoint"},
      {"hexatic --resume c", "both"},
      {"hexatic --steps 10", "--steps is not part"},
      {"hexatic solid", "'solid' follows"},
      {"hexatic --set", "--set has no value"},
      {"'hexatic", "no closing one"},
      {"hexatic --replicate two", "--replicate two"}};
  for (const auto& [text, why] : cases) {
    SCOPED_TRACE(text);
    test::expectWords(test::messageOf<InputError>([&] { parseExperimentLine(text); }), {why});
  }
}

TEST(ExperimentLine, IsToldFromAPath) {
  EXPECT_TRUE(isExperimentLine("hexatic --set packing=0.7"));
  EXPECT_TRUE(isExperimentLine("--resume c.checkpoint"));
  EXPECT_FALSE(isExperimentLine("/home/me/hexatic.toml"));
  EXPECT_FALSE(isExperimentLine("my-state.xyz"));
}

TEST(ExperimentLine, AnotherVersionIsNamed) {
  EXPECT_EQ(versionNote(programVersion()), "");
  EXPECT_EQ(versionNote(""), "");
  EXPECT_NE(versionNote("0.0.1").find("0.0.1"), std::string::npos);
}

// A checkpoint stands for its scenario, as a picture does.
TEST(ExperimentLine, ACheckpointIsOpenedAsAScenario) {
  const std::string path = testing::TempDir() + "/line.state";  // whatever its name
  Scenario s = test::shipped("four_disks");
  Session session(s, ExecConfig{Backend::cpu, 1, 0});
  session.set("d", 0.2);
  session.advanceTo(3);
  session.save(path);
  const Scenario opened = openScenario(path);
  EXPECT_EQ(opened.name, "four_disks");
  EXPECT_EQ(opened.mode, "hard_disks");
}

}  // namespace
}  // namespace cellscope::common
