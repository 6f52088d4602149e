// The READMEs and the help texts name what exists. Wherever psi6 is shown or written, it is said
// which disks count as neighbours, and what is said follows the parameters of a running simulation.
#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "app/common/settings.h"
#include "app/gui/dialogs.h"
#include "app/reproduce/study.h"
#include "sim/run/csv_log.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"
#include "tests/support/program.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

const fs::path kSource = CELLSCOPE_SOURCE_DIR;

std::string wholeText(const std::string& path) { return io::readFile((kSource / path).string()); }

// First groups of all matches.
std::vector<std::string> matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator m(text.begin(), text.end(), expression), end; m != end; ++m)
    found.push_back((*m)[1]);
  return found;
}

class Documents : public testing::TestWithParam<const char*> {};

// Links, pictures, and paths in code spans, from the folder of the file or from the root.
TEST_P(Documents, NameFilesThatExist) {
  const std::string text = wholeText(GetParam());
  const fs::path here = (kSource / GetParam()).parent_path();
  for (const std::string& link : matches(text, R"(\]\(([^)]+)\))"))
    EXPECT_TRUE(fs::exists(here / link)) << link;
  for (const std::string& path : matches(text, "`([A-Za-z0-9_.-]+/[A-Za-z0-9_./-]*)`"))
    if (path.find("NAME") == path.npos && path.rfind("build-", 0) != 0) {
      EXPECT_TRUE(fs::exists(here / path) || fs::exists(kSource / path)) << path;
    }
}
INSTANTIATE_TEST_SUITE_P(All, Documents,
                         testing::Values("README.md", "sim/README.md", "app/README.md",
                                         "tests/README.md", "assets/scenarios/README.md",
                                         "app/reproduce/README.md"));

TEST(Readme, IsShortAndItsPicturesAreSmall) {
  const std::string text = wholeText("README.md");
  EXPECT_LE(std::ranges::count(text, '\n'), 120);
  std::uintmax_t bytes = 0;
  const std::vector<std::string> pictures = matches(text, R"(!\[[^\]]*\]\(([^)]+)\))");
  EXPECT_GE(pictures.size(), 14u);
  for (const std::string& picture : pictures) bytes += fs::file_size(kSource / picture);
  EXPECT_LE(bytes, 1'500'000u);
}

// assets/pictures/draw_pictures makes each picture with the command below it.
TEST(Readme, EveryPictureHasACommandOfAScenario) {
  const std::string text = wholeText("README.md");
  const std::string gallery = (kSource / "assets/scenarios").string();
  for (const std::string& name : matches(text, "\\brun ([a-z0-9_]+) [^`\n]*--(picture|video) "))
    EXPECT_NO_THROW(findScenario(name, gallery)) << name;
  for (const std::string& picture : matches(text, R"(!\[\]\(assets/pictures/([^)]+)\))"))
    EXPECT_NE(text.find("--picture " + picture + "`"), std::string::npos) << picture;
}

TEST(Readme, NamesEveryStudyAndScenario) {
  const std::string readme = wholeText("README.md");
  for (const reproduce::Study& study : reproduce::allStudies())
    EXPECT_NE(readme.find("`" + study.info.name + "`"), std::string::npos) << study.info.name;
  const std::string list = wholeText("assets/scenarios/README.md");
  std::vector<std::string> refused;
  const std::vector<Scenario> all = gallery((kSource / "assets/scenarios").string(), refused);
  for (const Scenario& s : all)
    EXPECT_NE(list.find("`" + s.name + "`"), std::string::npos) << s.name;
  EXPECT_NE(readme.find(std::to_string(all.size()) + " scenarios"), std::string::npos);
}

// Tours are read from a file: each has its scenario, and its steps what they ask for.
TEST(Tours, NameScenariosAndLayersThatExist) {
  const std::vector<gui::Tour> tours =
      gui::readTours((kSource / "assets/help/tours.toml").string());
  ASSERT_EQ(tours.size(), 3u);
  for (const gui::Tour& tour : tours) {
    EXPECT_EQ(findScenario(tour.scenario, common::galleryFolder()).mode, tour.mode);
    EXPECT_EQ(tour.steps.size(), 5u);
    for (const gui::TourStep& step : tour.steps) {
      EXPECT_NE(step.task, gui::TourTask::none) << step.title;
      EXPECT_EQ(step.column == gui::TourColumn::none, step.panel.empty()) << step.title;
      EXPECT_FALSE(step.title.empty() || step.text.empty() || step.asks.empty() ||
                   step.targets.empty())
          << step.title;
      const auto& layers = describeMode(tour.mode).layers;
      EXPECT_EQ(
          step.task == gui::TourTask::layer,
          std::ranges::any_of(layers, [&](const LayerInfo& l) { return l.key == step.layer; }))
          << step.layer;
    }
  }
  EXPECT_TRUE(gui::readTours("no such file").empty());
}

// Plain text for a terminal of 80 columns; code to be copied may be longer.
TEST(HelpTopics, AreShortLinesOfPlainText) {
  const std::vector<common::HelpTopic> topics = common::helpTopics();
  std::set<std::string> names;
  for (const common::HelpTopic& t : topics) {
    names.insert(t.name);
    EXPECT_LE(t.title.size(), 60u) << t.name;
    for (const std::string& line : matches(t.title + "\n" + t.text + "\n", "([^\n]*)\n")) {
      EXPECT_TRUE(std::ranges::all_of(line, [](char c) { return c >= ' ' && c <= '~'; }))
          << t.name << ": " << line;
      EXPECT_LE(line.size(), line.rfind("    numpy", 0) == 0 ? 100u : 78u)
          << t.name << ": " << line;
    }
  }
  for (const char* needed :
       {"commands", "environment", "exit-codes", "files", "formats", "news", "window"})
    EXPECT_TRUE(names.count(needed)) << needed;
}

TEST(HelpTopics, AreListedAndPrintedByTheProgram) {
  const Result list = cellscope("help");
  EXPECT_TRUE(ended(list, 0));
  for (const common::HelpTopic& t : common::helpTopics()) {
    EXPECT_NE(list.output.find(t.title), std::string::npos) << t.name;
    const Result one = cellscope("help " + t.name);
    EXPECT_TRUE(ended(one, 0));
    EXPECT_EQ(one.output, t.title + "\n\n" + t.text);
  }
  EXPECT_TRUE(
      refuses("help fils", {"did you mean 'files'?", "choose one of: averages, breakpoints"}));
  EXPECT_TRUE(ended(shell("CELLSCOPE_ASSETS=/nowhere " CELLSCOPE_PROGRAM " help"), 1,
                    {"/nowhere/help: no help texts found"}));
}

using ::testing::HasSubstr, ::testing::Not;

Scenario fewDisks() { return {.parameters = {{"n", std::int64_t{100}}, {"packing", 0.5}}}; }

std::string equationOf(const ModeInfo& info, const std::string& id) {
  for (const ObservableInfo& o : info.observables)
    if (o.id == id) return o.equation;
  return "";
}

ColourScale scaleOf(Mode& mode, const std::string& colouring) {
  return mode.frame({{layers::kDisks}, colouring, -1})->layers.at(0).scale;
}

TEST(NeighbourWords, LegendsAndEquationsFollowTheParameter) {
  const auto mode = started("n=100 packing=0.5");
  const char* const colourings[] = {"psi6_phase", "psi6", "density", "neighbours"};
  for (const char* c : colourings)
    EXPECT_THAT(scaleOf(*mode, c).title, HasSubstr("Voronoi neighbours"));
  for (const char* id : {"psi6_global", "psi6_local"})
    EXPECT_THAT(equationOf(mode->info(), id), HasSubstr("Voronoi neighbours"));
  EXPECT_THAT(equationOf(mode->info(), "density_spread"), HasSubstr("Voronoi cell"));
  const std::uint64_t version = mode->info().version;
  change(*mode, "neighbour_radius=1.45 neighbours=radius");
  EXPECT_GT(mode->info().version, version) << "what the window is told follows it";
  for (const char* c : colourings)
    EXPECT_THAT(scaleOf(*mode, c).title, HasSubstr("neighbours within 1.45 sigma"));
  for (const char* id : {"psi6_global", "psi6_local", "density_spread"})
    EXPECT_THAT(equationOf(mode->info(), id), HasSubstr("neighbours within 1.45 sigma"));
  // A resumed state brings its own words.
  HardDisksMode resumed(kOneThread);
  load(resumed, saved(*mode));
  EXPECT_THAT(equationOf(resumed.info(), "psi6_global"), HasSubstr("within 1.45 sigma"));
}

TEST(NeighbourWords, TimeSeriesTellsThemAgainWhenTheyChange) {
  const std::string path = fileFor("neighbours.csv");
  Session session(fewDisks(), kOneThread, makeMode, {});
  CsvLog log(path, session, "test");
  session.onSample(
      [&](std::uint64_t step, const std::vector<double>& values) { log.row(step, values); });
  session.advance(20);
  const std::string before = io::readFile(path);
  session.set("neighbours", std::string("radius"));
  session.advance(10);
  log.finish();
  const std::string after = io::readFile(path).substr(before.size());
  EXPECT_THAT(before, HasSubstr("# column psi6_global: Global order; "));
  EXPECT_THAT(before, HasSubstr("over the Voronoi neighbours k\n"));
  EXPECT_THAT(before, Not(HasSubstr("neighbours within")));
  EXPECT_THAT(after, HasSubstr("# changed before step 30: neighbours = radius\n"));
  EXPECT_THAT(after, HasSubstr("# column psi6_global: Global order; "));
  EXPECT_THAT(after, HasSubstr("over the neighbours within 1.5 sigma k\n"));
  EXPECT_THAT(after, Not(HasSubstr("# column pressure:"))) << "nothing else has changed";
}

TEST(NeighbourWords, AResumedTimeSeriesTellsThemOnlyAfterAChange) {
  for (const bool changes : {false, true}) {
    const std::string path = fileFor("resumed.csv");
    Session session(fewDisks(), kOneThread);
    session.advance(20);
    { CsvLog(path, session, "test").finish(); }
    if (changes) session.set("neighbours", std::string("radius"));
    const std::string before = io::readFile(path);
    CsvLog(path, session, "test", earlierRows(path, session)).finish();
    const std::string after = io::readFile(path).substr(before.size());
    const char* const words = changes ? "neighbours within 1.5 sigma" : "# column";
    EXPECT_EQ(after.find(words) != std::string::npos, changes) << after;
  }
}

// The card's number is the one that the disk is coloured by.
TEST(NeighbourWords, TheCardTellsTheLocalDensity) {
  const auto mode = started("n=100 packing=0.5");
  mode->advance(10);
  for (const char* rule : {"voronoi", "radius"}) {
    change(*mode, std::string("neighbours=") + rule);
    const auto frame = mode->frame({{layers::kDisks}, "density", 42});
    const auto disks = drawnItems<PointInstance>(frame->layers.at(0));
    const std::string text = cardRow(*frame, "local density");
    double density = 0, packing = 0;
    ASSERT_EQ(std::sscanf(text.c_str(), "%lf / sigma^2, packing %lf", &density, &packing), 2)
        << text;
    const float* at = frame->picked.position;
    const auto picked = std::ranges::find_if(disks, [&](const PointInstance& d) {
      return std::abs(d.x - at[0]) < 1e-4f && std::abs(d.y - at[1]) < 1e-4f;
    });
    ASSERT_NE(picked, disks.end());
    EXPECT_NEAR(packing, picked->value, 1e-3);
    EXPECT_NEAR(density * std::numbers::pi / 4, picked->value, 1e-3);
    EXPECT_GT(packing, 0.05);
  }
}

}  // namespace
}  // namespace cellscope::test
