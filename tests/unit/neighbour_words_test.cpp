// Wherever psi6 is shown or written, it is said which disks count as neighbours, and what is said
// follows the parameters of a running simulation.
#include <gmock/gmock.h>

#include <numbers>

#include "sim/io/files.h"
#include "sim/layers/layers.h"
#include "sim/run/csv_log.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_frames.h"
#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

using ::testing::HasSubstr, ::testing::Not;

Scenario fewDisks() {
  Scenario s;
  s.parameters = {{"n", std::int64_t{100}}, {"packing", 0.5}};
  return s;
}

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
    const EarlierPart earlier = earlierRows(path, session);
    CsvLog(path, session, "test", earlier).finish();
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
    const auto picked = std::find_if(disks.begin(), disks.end(), [&](const PointInstance& d) {
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
