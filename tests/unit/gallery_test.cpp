// Every scenario that ships: valid, explained, able to start and to be drawn, and with a picture
// that is small in pixels and bytes.
// Lessons as lists of scenarios, and pages of them as scenario files.
#include <gmock/gmock.h>

#include <cstdlib>
#include <set>

#include "app/common/settings.h"
#include "sim/modes/hard_disks/initial_states.h"
#include "sim/run/session.h"
#include "tests/support/message_of.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"

namespace cellscope::test {
namespace {

const std::vector<Scenario>& all() {
  static std::vector<std::string> refused;
  static const std::vector<Scenario> scenarios =
      gallery(CELLSCOPE_SOURCE_DIR "/assets/scenarios", refused);
  EXPECT_TRUE(refused.empty()) << refused.front();
  return scenarios;
}

// The scenario with few particles, so that it starts quickly; two phases need 1024.
Scenario smaller(Scenario s) {
  for (auto& [key, value] : s.parameters)
    if (key == "n") value = std::min(std::get<std::int64_t>(value), std::int64_t{1024});
  for (auto& [key, value] : s.parameters)  // the number of particles grows as its cube
    if (key == "colloid_diameter") value = std::min(std::get<double>(value), 5.0);
  for (auto& [key, value] : s.parameters)  // a checkerboard has four cells of 2.5 along each axis
    if (s.mode == "gcmc" && key == "length") value = std::min(std::get<double>(value), 12.0);
  return s;
}

TEST(Gallery, IsOrderedAndExplained) {
  EXPECT_GE(all().size(), 7u);
  std::set<std::string> titles;
  std::set<std::int64_t> places;
  for (const Scenario& s : all()) {
    EXPECT_TRUE(places.insert(s.order).second) << s.name << ": order " << s.order << " is taken";
    EXPECT_GT(s.text.size(), 200u) << s.name;
    EXPECT_TRUE(titles.insert(s.title).second) << s.title;
  }
  EXPECT_EQ(all().front().name, "workbench");
  EXPECT_EQ(findScenario("solid", CELLSCOPE_SOURCE_DIR "/assets/scenarios").name, "solid");
}

bool brokenOnPurpose(const Scenario& s) {
  return s.title.find("Broken on purpose") != std::string::npos;
}

// Each says what to play with and what to watch; what is played with acts on the run that is seen.
TEST(Gallery, EveryScenarioHasAParameterToPlayWithAndSaysWhatIsWrongOnPurpose) {
  for (const Scenario& s : all()) {
    SCOPED_TRACE(s.name);
    const std::unique_ptr<Mode> mode = makeMode(s.mode, ExecConfig{});
    bool experiment = false;
    for (const auto& [key, value] : s.parameters) {  // a switch that is on, or one of its choices
      const Parameter& p = mode->parameters().at(key);
      experiment |= p.info.experiment && value != p.fallback;
    }
    EXPECT_EQ(experiment, brokenOnPurpose(s));
    EXPECT_FALSE(s.watch.empty());
    ASSERT_FALSE(s.promote.key.empty());
    const ParameterInfo& promoted = mode->parameters().at(s.promote.key).info;
    EXPECT_NE(promoted.effect, Effect::restart);
    EXPECT_TRUE(promoted.experiment || !brokenOnPurpose(s));
  }
}

// A crystal has a disk on every site: vacancies would be those of the number, not of the physics.
TEST(Gallery, CrystalsFillTheirLattice) {
  int crystals = 0;
  for (const Scenario& s : all()) {
    const auto find = [&](const char* key) {
      return std::ranges::find_if(s.parameters,
                                  [&](const auto& entry) { return entry.first == key; });
    };
    const auto start = find("start"), n = find("n");
    if (s.mode != "hard_disks" || start == s.parameters.end()) continue;
    if (start->second != ParameterValue(std::string("hexagonal"))) continue;
    ++crystals;
    const std::int64_t disks = std::get<std::int64_t>(n->second);
    const LatticeShape shape = latticeShape(DiskStart::hexagonal, disks);
    EXPECT_EQ(shape.columns * shape.rows, disks) << s.name;
  }
  EXPECT_EQ(crystals, 2);
}

TEST(Gallery, EveryScenarioRuns) {
  for (const Scenario& s : all()) {
    SCOPED_TRACE(s.name);
    Session session(smaller(s), ExecConfig{Backend::cpu, 1, 0});
    session.advanceTo(2 * s.sampleEvery + 1);
    // Marked in red, in files and in pictures.
    EXPECT_EQ(!session.experiments().empty(), brokenOnPurpose(s));
    const ModeInfo& info = session.mode().info();
    std::vector<std::string> plots;
    for (const ObservableInfo& o : info.observables) plots.push_back(o.plot);
    // All that it may ever make: some need a picked particle, or a race that has begun.
    const ModeDescription& all = session.mode().description();
    plots.insert(plots.end(), all.curves.begin(), all.curves.end());
    for (const Curve& c : session.mode().curves())
      EXPECT_NE(std::ranges::find(plots, c.id), plots.end()) << c.id;
    for (const std::string& p : s.plots) EXPECT_NE(std::ranges::find(plots, p), plots.end()) << p;
    std::vector<std::string> layers;  // without their options
    for (const std::string& layer : s.layers) layers.push_back(layer.substr(0, layer.find(' ')));
    const auto frame = session.mode().frame({layers, s.colouring, -1});
    // Particles of all replicas where they stand side by side.
    const std::size_t shown = frame->layers.front().count, own = session.mode().particleCount();
    const bool wall = std::ranges::find(layers, "replicas") != layers.end();
    EXPECT_TRUE(wall ? shown > own : shown == own) << shown << " of " << own;
    for (const SelfCheck& c : session.mode().selfChecks())
      EXPECT_TRUE(c.ok || c.onPurpose) << c.label << c.detail;
  }
}

TEST(GalleryPictures, EveryScenarioHasASmallOneThatShowsSomething) {
  for (const Scenario& s : all()) {
    SCOPED_TRACE(s.name);
    const auto path = std::filesystem::path(s.path).replace_extension(".png");
    ASSERT_TRUE(std::filesystem::exists(path));
    EXPECT_LT(std::filesystem::file_size(path), 25000u);
    const render::Image image = readPng(path.string());
    EXPECT_EQ(image.width, image.height);
    EXPECT_GE(image.width, 180);
    std::set<std::uint32_t> colours;
    for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3)
      colours.insert(static_cast<std::uint32_t>(image.rgb[i] << 16 | image.rgb[i + 1] << 8 |
                                                image.rgb[i + 2]));
    EXPECT_GT(colours.size(), 10u);
  }
}

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
