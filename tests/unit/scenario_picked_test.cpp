// The particle that a scenario picks at its start.
#include <gtest/gtest.h>

#include <string>

#include "sim/run/scenario.h"

namespace cellscope {
namespace {

std::string text(const std::string& picked) {
  return "title = \"t\"\nmode = \"md\"\n[view]\npicked = " + picked + "\n";
}

TEST(ScenarioPicked, IsReadAndWritten) {
  const Scenario s = parseScenario(text("12"), "a.toml");
  EXPECT_EQ(s.picked, 12);
  EXPECT_EQ(parseScenario(scenarioText(s), "b.toml").picked, 12);
  EXPECT_EQ(parseScenario("title = \"t\"\nmode = \"md\"\n", "c.toml").picked, -1);
}

TEST(ScenarioPicked, IsNoNegativeNumber) {
  try {
    parseScenario(text("-3"), "a.toml");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("picked"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace cellscope
