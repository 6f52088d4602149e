// Lessons as lists of scenarios, and pages of them as scenario files.
#include <gmock/gmock.h>

#include <cstdlib>

#include "app/common/settings.h"
#include "sim/run/scenario.h"
#include "tests/support/message_of.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
const std::string kAssets = CELLSCOPE_SOURCE_DIR "/assets";

Scenario fromGallery(const std::string& name) { return findScenario(name, kAssets + "/scenarios"); }

class LessonFolder : public Program {};

TEST_F(LessonFolder, HasScenariosOfTheGalleryAndFilesBesideIt) {
  put("mine.toml", "mode = \"hard_disks\"\ntitle = \"Mine\"\n");
  const std::string lesson =
      put("l.toml", "title = \"One\"\nscenarios = [\"hexatic\", \"mine.toml\"]\n");
  EXPECT_TRUE(isPlan(lesson));
  EXPECT_FALSE(isPlan(file("mine.toml")));
  const LessonPlan plan = loadPlan(lesson);
  EXPECT_EQ(plan.title, "One");
  const std::vector<Scenario> pages = pagesOf(plan, fromGallery);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].name, "hexatic");
  EXPECT_EQ(pages[1].title, "Mine");
}

TEST_F(LessonFolder, HasScenariosOfOnesOwnByName) {
  put("cellscope/scenarios/mine.toml", "mode = \"hard_disks\"\ntitle = \"My own\"\n");
  const std::string lesson = put("l.toml", "scenarios = [\"hexatic\", \"mine\"]\n");
  const char* const before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_CONFIG_HOME", folder_.c_str(), 1);
  const std::vector<Scenario> pages = common::pagesOf(loadPlan(lesson));
  before ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[1].title, "My own");
}

TEST_F(LessonFolder, IsAFolderInTheOrderOfItsScenarios) {
  put("a.toml", "mode = \"hard_disks\"\norder = 2\n");
  put("b.toml", "mode = \"hard_disks\"\norder = 1\n");
  const std::vector<Scenario> pages = pagesOf(loadPlan(folder_.string()), fromGallery);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].name, "b");
}

TEST_F(LessonFolder, NamesFileKeyAndWhatIsAllowed) {
  const auto why = [&](const std::string& text) {
    const std::string bad = put("bad.toml", text);
    return messageOf<InputError>([&] { pagesOf(loadPlan(bad), fromGallery); });
  };
  EXPECT_THAT(why("scenarios = []"), HasSubstr("bad.toml:1: scenarios: is empty"));
  EXPECT_THAT(why("scenarios = [1]"), HasSubstr("bad.toml:1: scenarios: 1 is not text"));
  EXPECT_THAT(why("scenarios = [\"hexatic\", \"hexatic\"]"), HasSubstr("named twice"));
  EXPECT_THAT(why("scenarios = [\"hexatik\"]"),
              HasSubstr("bad.toml: scenarios: no scenario 'hexatik'"));
  EXPECT_THAT(why("scenarios = [\"hexatic\"]\nnames = 1"),
              HasSubstr("bad.toml:2: names: unknown key"));
}

TEST(Lessons, OfTheGalleryOpen) {
  std::vector<std::string> refused;
  const std::vector<LessonPlan> all = plansIn(kAssets + "/lessons", refused);
  EXPECT_TRUE(refused.empty());
  EXPECT_GE(all.size(), 3u);
  std::vector<std::string> none;
  for (const LessonPlan& plan : all) {
    EXPECT_GE(pagesOf(plan, fromGallery).size(), 3u) << plan.name;
    // Its name is that of no scenario, which `cellscope window` would open instead.
    EXPECT_FALSE(fs::exists(kAssets + "/scenarios/" + plan.name + ".toml")) << plan.name;
  }
}

TEST(Pages, KeepTheirSecondRunAndWhatTheyHide) {
  const std::string text =
      "mode = \"hard_disks\"\n[against]\npacking = 0.5\n[view]\npanels = \"play\"\n";
  const Scenario s = parseScenario(scenarioText(parseScenario(text, "a.toml")), "b.toml");
  EXPECT_TRUE(s.onlyPlay);
  ASSERT_EQ(s.against.size(), 1u);
  EXPECT_EQ(s.against[0], std::pair(std::string("packing"), ParameterValue(0.5)));
  const auto why = [](const std::string& more) {
    return messageOf<InputError>(
        [&] { parseScenario("mode = \"hard_disks\"\n" + more, "a.toml"); });
  };
  EXPECT_THAT(why("[against]\npacking = 7"), HasSubstr("a.toml:3: against.packing: "));
  EXPECT_THAT(why("[view]\npanels = \"some\""), HasSubstr("allowed: all, play"));
}

}  // namespace
}  // namespace cellscope::test
