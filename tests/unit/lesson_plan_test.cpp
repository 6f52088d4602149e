// Lessons as lists of scenarios, and pages of them as scenario files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "app/common/settings.h"
#include "sim/run/scenario.h"
#include "test_paths.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

namespace fs = std::filesystem;
using test::messageOf;
using testing::HasSubstr;
const std::string kAssets = CELLSCOPE_SOURCE_DIR "/assets";

Scenario fromGallery(const std::string& name) { return findScenario(name, kAssets + "/scenarios"); }

struct LessonFolder : testing::Test {
  LessonFolder() { fs::create_directories(path); }
  ~LessonFolder() override { fs::remove_all(path); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path / name) << text;
    return (path / name).string();
  }
  fs::path path = fs::path(testing::TempDir()) / "cellscope-lesson-plan";
};

TEST_F(LessonFolder, HasScenariosOfTheGalleryAndFilesBesideIt) {
  write("mine.toml", "mode = \"hard_disks\"\ntitle = \"Mine\"\n");
  const std::string lesson =
      write("l.toml", "title = \"One\"\nscenarios = [\"hexatic\", \"mine.toml\"]\n");
  EXPECT_TRUE(isPlan(lesson));
  EXPECT_FALSE(isPlan((path / "mine.toml").string()));
  const LessonPlan plan = loadPlan(lesson);
  EXPECT_EQ(plan.title, "One");
  const std::vector<Scenario> pages = pagesOf(plan, fromGallery);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].name, "hexatic");
  EXPECT_EQ(pages[1].title, "Mine");
}

TEST_F(LessonFolder, HasScenariosOfOnesOwnByName) {
  fs::create_directories(path / "cellscope" / "scenarios");
  write("cellscope/scenarios/mine.toml", "mode = \"hard_disks\"\ntitle = \"My own\"\n");
  const std::string lesson = write("l.toml", "scenarios = [\"hexatic\", \"mine\"]\n");
  const char* const before = std::getenv("XDG_CONFIG_HOME");
  const std::string kept = before ? before : "";
  setenv("XDG_CONFIG_HOME", path.c_str(), 1);
  const std::vector<Scenario> pages = common::pagesOf(loadPlan(lesson));
  before ? setenv("XDG_CONFIG_HOME", kept.c_str(), 1) : unsetenv("XDG_CONFIG_HOME");
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[1].title, "My own");
}

TEST_F(LessonFolder, IsAFolderInTheOrderOfItsScenarios) {
  write("a.toml", "mode = \"hard_disks\"\norder = 2\n");
  write("b.toml", "mode = \"hard_disks\"\norder = 1\n");
  const std::vector<Scenario> pages = pagesOf(loadPlan(path.string()), fromGallery);
  ASSERT_EQ(pages.size(), 2u);
  EXPECT_EQ(pages[0].name, "b");
}

TEST_F(LessonFolder, NamesFileKeyAndWhatIsAllowed) {
  const std::string bad = (path / "bad.toml").string();
  const auto why = [&](const std::string& text) {
    write("bad.toml", text);
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
}  // namespace cellscope
