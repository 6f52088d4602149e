// Boxes, configurations and the map from ids to slots. Configurations that a run begins with. Large
// states from copies of small ones: positions, velocities, ids, scenario key and checkpoint. Modes
// keep the ids of what is loaded, whatever they are: picking, drawing, checkpoints.
#include <set>

#include "sim/io/formats/format.h"
#include "sim/modes/points.h"
#include "sim/run/session.h"
#include "tests/support/hard_disks.h"
#include "tests/support/md_modes.h"
#include "tests/support/mixture.h"

namespace cellscope::test {
namespace {

constexpr ParticleId kLargest = std::numeric_limits<ParticleId>::max();

TEST(Box, WrapsAndFoldsEveryAxisByItsOwnLength) {
  const Box space{3, {2, 3, 5}}, plane{2, {2, 3, 1}};
  EXPECT_EQ(space.volume(), 30);
  EXPECT_EQ(plane.volume(), 6);
  EXPECT_EQ(space.shortest(), 2);
  EXPECT_EQ((Box{3, {4, 3, 2}}.shortest()), 2);
  EXPECT_EQ((Box{2, {4, 3, 2}}.shortest()), 3);
  const Vec3d r = space.wrap({2.5, -0.5, 5});
  EXPECT_EQ(r.x, 0.5);
  EXPECT_EQ(r.y, 2.5);
  EXPECT_EQ(r.z, 0);
  EXPECT_EQ(plane.wrap({1, 1, 7}).z, 0);
  const Vec3d d = space.minimumImage({1.5, -1.75, 2});
  EXPECT_EQ(d.x, -0.5);
  EXPECT_EQ(d.y, 1.25);
  EXPECT_EQ(d.z, 2);
  EXPECT_EQ(plane.minimumImage({0, 0, 2}).z, 0);
  EXPECT_TRUE(space.contains({0, 0, 4.99}));
  EXPECT_FALSE(space.contains({2, 0, 0}));
  EXPECT_FALSE(space.contains({0, 0, std::nan("")}));
  EXPECT_FALSE(plane.contains({0, 0, 0.1}));
}

TEST(Configuration, AcceptsMixturesWithSparseIds) {
  for (const int dimension : {2, 3}) {
    const Configuration c = mixture(dimension, 50, 3);
    requireValid(c);
    EXPECT_EQ(c.largestDiameter(), 10);
    EXPECT_EQ(c.speciesOf(0).name, "Xe");
    EXPECT_EQ(c.speciesOf(1).name, "Ar");
  }
  requireValid(Configuration{});
}

TEST(Configuration, RefusesWhatIsImpossibleAndNamesTheParticle) {
  using C = Configuration;
  const std::tuple<std::function<void(C&)>, const char*> cases[] = {
      {[](C& c) { c.positions.pop_back(); }, "20 particles need 60 coordinates"},
      {[](C& c) { c.velocities.pop_back(); }, "59 of velocities"},
      {[](C& c) { c.types.pop_back(); }, "19 types"},
      {[](C& c) { c.box.dimension = 4; }, "4 dimensions; allowed: 2 or 3"},
      {[](C& c) { c.box.length[1] = std::nan(""); }, "nan long in y"},
      {[](C& c) { c.box.length[2] = 0; }, "0 long in z"},
      {[](C& c) { c.species.clear(); }, "no species"},
      {[](C& c) { c.species[1].name = "Ar"; }, "two species are named 'Ar'"},
      {[](C& c) { c.species[1].name = ""; }, "species 1 has no name"},
      {[](C& c) { c.species[1].name = "a b"; }, "species name 'a b'"},
      {[](C& c) { c.species[1].diameter = -1; }, "species 'Xe' has diameter -1"},
      {[](C& c) { c.species[1].mass = INFINITY; }, "species 'Xe' has diameter 10 and mass inf"},
      {[](C& c) { c.ids[4] = 77, c.positions[12] = std::nan(""); }, "particle 77 has x = nan"},
      {[](C& c) { c.ids[4] = 77, c.positions[14] = 50; }, "particle 77 has z = 50, outside"},
      {[](C& c) { c.ids[4] = 77, c.velocities[13] = INFINITY; }, "velocity of particle 77"},
      {[](C& c) { c.ids[4] = 77, c.types[4] = 2; }, "particle 77 is of type 2; allowed: 0 to 1"},
      {[](C& c) { c.ids[4] = -3; }, "id -3 is negative"},
      {[](C& c) { c.ids[4] = c.ids[9] = kLargest; }, "id 9223372036854775807 appears twice"},
      {[](C& c) { c.ids = firstIds(20), c.ids[4] = 9; }, "id 9 appears twice"}};
  for (const auto& [spoil, wanted] : cases) {
    Configuration c = mixture(3, 20, 5);
    spoil(c);
    const std::string message = messageOf<InputError>([&] { requireValid(c, "checkpoint"); });
    EXPECT_EQ(message.rfind("checkpoint: ", 0), 0u) << message;
    expectWords(message, {wanted});
  }
  Configuration plane = mixture(2, 20, 5);
  plane.positions[5] = 0.5;
  expectRefusal([&] { requireValid(plane); }, {"in 2D it must be 0"});
}

TEST(Configuration, ModesOfOneSpeciesNameTheOther) {
  Configuration c = mixture(3, 4, 5);
  c.ids = {10, 20, 30, 40};
  const std::string message = messageOf<InputError>([&] { onlySpecies(c, "md"); });
  EXPECT_EQ(message,
            "configuration: particle 10 is of species 'Xe' (diameter 10, mass 7.5), particle 20 of "
            "'Ar' (diameter 1, mass 1); mode 'md' takes one species");
  c.types.assign(4, 1);
  EXPECT_EQ(onlySpecies(c, "md").name, "Xe") << "species without particles do not count";
  expectRefusal([&] { requireDimension(c, 2, "hard_disks"); },
                {"it has three dimensions; mode 'hard_disks' needs a configuration in two"});
}

TEST(IdMap, FindsSparseAndHugeIds) {
  for (const std::size_t n : {0, 1, 2, 3, 64, 1000}) {
    const Configuration c = mixture(3, n, 9);
    const IdMap map(c.ids);
    ASSERT_EQ(map.size(), n);
    for (std::size_t slot = 0; slot < n; ++slot) {
      EXPECT_EQ(map.find(c.ids[slot]), slot);
      for (const ParticleId other : {c.ids[slot] ^ (ParticleId{1} << 40), c.ids[slot] - 1024})
        EXPECT_FALSE(map.find(other).has_value()) << other;
    }
    EXPECT_FALSE(map.find(-1).has_value());
    EXPECT_FALSE(map.find(kLargest).has_value());
  }
  const std::vector<ParticleId> ends = {kLargest, 0, kLargest - 1};
  EXPECT_EQ(IdMap(ends).find(kLargest), 0u);
  EXPECT_EQ(IdMap(ends).find(kLargest - 1), 2u);
  EXPECT_EQ(IdMap(ends).find(0), 1u);
  EXPECT_FALSE(IdMap(ends).find(1).has_value());
  const std::vector<ParticleId> first = firstIds(10);
  EXPECT_EQ(IdMap(first).find(7), 7u);
  EXPECT_FALSE(IdMap(first).find(10).has_value());
}

void writeXyz(const std::string& path, const Configuration& c) {
  const auto file = io::formatToWrite(path).create(path, "", false);
  file->append(c, {});
  file->close();
}

Session runOf(const std::string& mode, const std::string& settings) {
  return Session(scenarioWith(mode, settings), kOneThread);
}

TEST(Replicate, EveryParticleStandsInEveryCopy) {
  for (const char* mode : {"hard_disks", "md"}) {
    Session small = runOf(mode, "n=128");
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
  Session small = runOf("hard_disks", "n=64 packing=0.65 start=random");
  small.finishPreparation();
  small.advance(200);
  Scenario large = small.log().start;
  large.parameters.clear();
  large.configuration = testing::TempDir() + "replicate.xyz";
  large.replicate = 4;
  writeXyz(large.configuration, small.mode().configuration());
  Session run(large, kOneThread);
  EXPECT_EQ(std::get<std::int64_t>(run.mode().parameters().at("n").get()), 1024);
  EXPECT_NEAR(std::get<double>(run.mode().parameters().at("packing").get()), 0.65, 1e-5);
  run.advance(50);
  run.reset();
  EXPECT_EQ(run.mode().configuration().ids.size(), 1024u) << "copied again";
  run.save(testing::TempDir() + "replicate.checkpoint");
  const auto resumed = Session::resume(testing::TempDir() + "replicate.checkpoint", kOneThread);
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
  const auto refusal = [](const std::string& lines, const char* file) {
    return messageOf<InputError>([&] { parseScenario("mode = " + lines + "\n", file, makeMode); });
  };
  expectWords(refusal("\"hard_disks\"\nreplicate = 3", "b.toml"),
              {"b.toml:2: replicate: needs a 'configuration'"});
  expectWords(refusal("\"md\"\nconfiguration = \"a.xyz\"\nreplicate = 0", "c"),
              {"whole number 1 to"});
}

TEST(Replicate, RefusesMoreParticlesThanAnyModeTakes) {
  Configuration c{.box = {2, {1, 1, 1}}, .positions = {0, 0, 0, 0.5, 0.5, 0}, .ids = {0, 1}};
  expectRefusal([&] { replicated(c, kMostCopies * 16); }, {"at most 4000000000"});
}

// The same particles with ids k -> first + step (n - k).
Configuration renamed(Configuration c, ParticleId first, ParticleId step) {
  const auto n = static_cast<ParticleId>(c.size());
  for (ParticleId k = 0; k < n; ++k) c.ids[static_cast<std::size_t>(k)] = first + step * (n - k);
  return c;
}

void expectKept(Mode& mode, const Configuration& c) {
  mode.adopt(c);
  mode.advance(3);
  const Configuration after = mode.configuration();
  std::vector<ParticleId> wanted = c.ids, found = after.ids;
  std::sort(wanted.begin(), wanted.end()), std::sort(found.begin(), found.end());
  EXPECT_EQ(found, wanted);
  for (const std::size_t k : {std::size_t{0}, c.size() / 2}) {
    const double* r = &after.positions[3 * k];
    PickQuery query;
    for (int a = 0; a < 3; ++a) query.origin[a] = r[a];
    if (after.box.dimension == 3) query.origin[2] = r[2] + 0.51;
    EXPECT_EQ(mode.pick(query), after.ids[k]);
    const auto frame = mode.frame({{mode.info().layers[0].key}, "plain", after.ids[k]});
    EXPECT_EQ(frame->picked.id, after.ids[k]);
    EXPECT_EQ(frame->picked.position[0], static_cast<float>(r[0]));
    EXPECT_EQ(frame->layers.at(0).count, c.size());
  }
  EXPECT_LT(mode.frame({{}, "", 5})->picked.id, 0) << "no particle of this id";
}

TEST(SparseIds, HardDisksKeepThem) {
  const auto mode = started("n=200 packing=0.6");
  const Configuration c = renamed(mode->configuration(), 1000, 20000000);
  expectKept(*mode, c);
  const auto other = started("n=64 packing=0.1");
  load(*other, saved(*mode));
  EXPECT_EQ(other->configuration().ids, mode->configuration().ids);
  const Configuration huge = renamed(c, 1000, ParticleId{1} << 54);
  expectRefusal([&] { mode->adopt(huge); }, {"accepts ids from 0 to 4294967294"});
}

TEST(SparseIds, MolecularDynamicsKeepsThem) {
  auto mode = small();
  const Configuration c = renamed(mode->configuration(), 1000, ParticleId{1} << 54);
  expectKept(*mode, c);
  auto other = small(32, 0.1);
  load(*other, saved(*mode));
  EXPECT_EQ(other->configuration().ids, c.ids);
}

TEST(SparseIds, ModesOfOneSpeciesRefuseAnother) {
  const auto disks = started("n=200 packing=0.6");
  auto md = small();
  for (Mode* mode : {static_cast<Mode*>(disks.get()), static_cast<Mode*>(md.get())}) {
    Configuration c = mode->configuration();
    c.species.push_back({"B", 10, 1});
    c.types.assign(c.size(), 0);
    c.types[3] = 1;
    const std::string message = messageOf<InputError>([&] { mode->adopt(c); });
    expectWords(message, {"of 'B' (diameter 10, mass 1); mode '" + mode->info().key +
                          "' takes one species"});
  }
  Configuration c = md->configuration();
  c.species[0].diameter = 2;
  expectRefusal([&] { md->adopt(c); }, {"takes diameter 1"});
}

TEST(SparseIds, AConfigurationBesideAContradictingNumberIsRefused) {
  const std::string path = testing::TempDir() + "contradicting.xyz";
  writeXyz(path, started("n=200 packing=0.6")->configuration());
  Scenario s{.name = "both", .configuration = path};
  const auto message = [&](const char* key, const ParameterValue& value) {
    s.parameters = {{key, value}};
    return messageOf<InputError>([&] { Session(s, kOneThread); });
  };
  EXPECT_EQ(message("n", std::int64_t{200}), "");
  EXPECT_EQ(message("packing", 0.60001), "") << "within the rounding of a file";
  const std::string n = message("n", std::int64_t{100});
  EXPECT_EQ(n, "both: 'n' = 100 contradicts the configuration '" + path +
                   "', which has 'n' = 200; leave out 'n'");
  expectWords(message("packing", 0.61), {"'packing' = 0.61 contradicts"});
  s.otherConfiguration = true;
  EXPECT_EQ(message("packing", 0.61), "");
}

}  // namespace
}  // namespace cellscope::test
