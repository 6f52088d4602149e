// Large states from copies of small ones: positions, velocities, ids, scenario key and checkpoint.
#include "sim/run/scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "sim/io/formats/format.h"
#include "sim/run/session.h"
#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::messageOf;

std::string replicatedFile(const std::string& name) {
  return (std::filesystem::path(testing::TempDir()) / name).string();
}

Session runOf(const std::string& mode, std::vector<std::pair<std::string, ParameterValue>> p) {
  Scenario s;
  s.mode = mode;
  s.parameters = std::move(p);
  return Session(s, {Backend::cpu, 1, 0});
}

TEST(Replicate, EveryParticleStandsInEveryCopy) {
  for (const char* mode : {"hard_disks", "md"}) {
    Session small = runOf(mode, {{"n", std::int64_t{128}}});
    small.advance(3);
    const Configuration one = small.mode().configuration(), all = replicated(one, 3);
    const int dimension = one.box.dimension;
    const std::size_t n = one.ids.size(), copies = dimension == 3 ? 27 : 9;
    ASSERT_EQ(all.ids.size(), copies * n);
    ASSERT_EQ(all.velocities.size(), copies * one.velocities.size());
    EXPECT_EQ(std::set<ParticleId>(all.ids.begin(), all.ids.end()).size(), copies * n);
    std::set<std::vector<int>> cells;
    for (std::size_t k = 0; k < all.ids.size(); ++k) {
      std::vector<int> cell{static_cast<int>(k % n)};
      for (int a = 0; a < 3; ++a) {
        const auto i = static_cast<std::size_t>(a);
        const double length = one.box.length[a], v = all.positions[3 * k + i];
        const double moved = v - one.positions[3 * (k % n) + i];
        EXPECT_NEAR(moved / length, std::round(moved / length), 1e-9);
        EXPECT_TRUE(v >= 0 && (a >= dimension || v < all.box.length[a]));
        cell.push_back(static_cast<int>(std::round(moved / length)));
      }
      cells.insert(cell);
    }
    EXPECT_EQ(cells.size(), copies * n) << "each copy in a cell of its own";
  }
}

TEST(Replicate, CopiesOfAFluidAreAStateWithoutOverlaps) {
  Session small = runOf(
      "hard_disks", {{"n", std::int64_t{64}}, {"packing", 0.65}, {"start", std::string("random")}});
  small.finishPreparation();
  small.advance(200);
  Scenario large = small.log().start;
  large.parameters.clear();
  large.configuration = replicatedFile("replicate.xyz");
  large.replicate = 4;
  io::OutputFile file(large.configuration, io::OpenAs::replace);
  io::writeXyzFrame(file, small.mode().configuration(), small.step());
  file.close();
  Session run(large, {Backend::cpu, 1, 0});
  EXPECT_EQ(std::get<std::int64_t>(run.mode().parameters().at("n").get()), 1024);
  EXPECT_NEAR(std::get<double>(run.mode().parameters().at("packing").get()), 0.65, 1e-5);
  run.advance(50);
  run.reset();
  EXPECT_EQ(run.mode().configuration().ids.size(), 1024u) << "copied again";
  run.save(replicatedFile("replicate.checkpoint"));
  const auto resumed =
      Session::resume(replicatedFile("replicate.checkpoint"), {Backend::cpu, 1, 0});
  EXPECT_EQ(resumed->log().start.replicate, 4);
  resumed->reset();
  EXPECT_EQ(resumed->mode().configuration().positions, run.mode().configuration().positions);
  run.set("n", std::int64_t{100});
  EXPECT_EQ(run.mode().configuration().ids.size(), 100u) << "a state of its own";
  EXPECT_EQ(run.log().start.replicate, 1);
}

TEST(Replicate, ScenariosKeepItAndRefuseItAlone) {
  const std::string text = "mode = \"hard_disks\"\nconfiguration = \"a.xyz\"\nreplicate = 3\n";
  const Scenario s = parseScenario(text, "/tmp/a.toml", makeMode);
  EXPECT_EQ(s.replicate, 3);
  EXPECT_EQ(parseScenario(scenarioText(s), "/tmp/a.toml", makeMode).replicate, 3);
  const std::string alone = messageOf<InputError>(
      [] { parseScenario("mode = \"hard_disks\"\nreplicate = 3\n", "b.toml", makeMode); });
  EXPECT_NE(alone.find("b.toml:2: replicate: needs a 'configuration'"), std::string::npos) << alone;
  const std::string none = messageOf<InputError>([] {
    parseScenario("mode = \"md\"\nconfiguration = \"a.xyz\"\nreplicate = 0\n", "c", makeMode);
  });
  EXPECT_NE(none.find("whole number 1 to"), std::string::npos) << none;
}

TEST(Replicate, RefusesMoreParticlesThanAnyModeTakes) {
  Configuration c;
  c.positions = {0, 0, 0, 0.5, 0.5, 0};
  c.ids = {0, 1};
  c.box = {2, {1, 1, 1}};
  const std::string message = messageOf<InputError>([&] { replicated(c, kMostCopies * 16); });
  EXPECT_NE(message.find("at most 4000000000"), std::string::npos) << message;
}

}  // namespace
}  // namespace cellscope
