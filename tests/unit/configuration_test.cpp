// Boxes, configurations and the map from ids to slots.
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

#include "sim/base/error.h"
#include "sim/modes/points.h"
#include "tests/support/message_of.h"
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
  expectWords(messageOf<InputError>([&] { requireValid(plane); }), {"in 2D it must be 0"});
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
  expectWords(messageOf<InputError>([&] { requireDimension(c, 2, "hard_disks"); }),
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

}  // namespace
}  // namespace cellscope::test
