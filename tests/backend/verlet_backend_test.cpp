// Molecular dynamics with Verlet lists on each backend: the same bodies on the CPU and on CUDA.
#include "sim/io/container.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(VerletBackend);

TEST_P(VerletBackend, ForcesEnergiesAndVirialsAreThoseOfBruteForce) {
  for (std::size_t m = 0; m < listMethods().size(); ++m)
    for (std::size_t potential = 0; potential < potentialKeys().size(); ++potential)
      for (const bool mixture : {false, true})
        for (const bool plane : {false, true}) {
          MdState s = plane ? shakenPlane(15, 1.1) : shakenLiquid(500);
          PairSettings p;
          p.potential = static_cast<int>(potential), p.method = static_cast<int>(m);
          p.species.whole[0] = 14, p.species.whole[1] = 7,
          p.species.truncation = Truncation::energy;
          if (mixture) mix(s, p);
          const std::string name = listMethods()[m].key + std::string(" ") +
                                   potentialKeys()[potential] + (mixture ? " mixture" : "") +
                                   (plane ? " plane" : "");
          expectSums(forcesOf(*makeVerlet(exec()), s, p), bruteForce(s, p), name);
        }
}

// By every method; then heavy and light ones move, are scaled and followed alike: kinetic energy
// and displacements by definition.
TEST_P(VerletBackend, ColloidsAreRight) {
  PairSettings p;
  const MdState mixed = colloidsInSolvent(p);
  const BruteForce right = bruteForce(mixed, p);
  for (std::size_t m = 0; m < listMethods().size(); ++m) {
    p.method = static_cast<int>(m);
    const auto engine = makeVerlet(exec());
    expectSums(forcesOf(*engine, mixed, p), right, listMethods()[m].key);
  }
  const auto engine = makeVerlet(exec());
  forcesOf(*engine, mixed, p);
  engine->run(0.002, 0, 40, {});
  ASSERT_FALSE(engine->failure());
  const MdState after = engine->download();
  double kinetic = 0, square = 0, momentum = 0;
  for (std::size_t i = 0; i < after.position.size(); ++i) {
    const double m = after.type[i] == 1 ? 30 : 1;
    const Vec3d v = after.velocity[i];
    kinetic += 0.5 * m * dot(v, v), momentum += m * v.x;
    const Vec3d d = after.box.minimumImage(after.position[i] - mixed.position[i]);
    square += dot(d, d);
  }
  const auto n = static_cast<double>(after.position.size());
  EXPECT_NEAR(engine->kinetic().kinetic, kinetic, 1e-9 * kinetic);
  EXPECT_NEAR(engine->kinetic().px, momentum, 1e-9 * n);
  EXPECT_NEAR(engine->sampleNow(0).sums.displacement2, square, 1e-5 * square);
  engine->scaleVelocities(0.5, {0, 0, 0});
  EXPECT_NEAR(engine->kinetic().kinetic, 0.25 * kinetic, 1e-9 * kinetic);
  engine->resetDisplacements();
  EXPECT_NEAR(engine->sampleNow(0).sums.displacement2 / n, 0, 1e-10);
}

TEST_P(VerletBackend, EveryNumberOfLanesIsRight) { expectEveryNumberOfLanes(exec()); }
TEST_P(VerletBackend, ListsStayValid) { expectListsStayValid(exec()); }
TEST_P(VerletBackend, BatchesDoNotMatter) {
  // With 0.1 the state is sorted several times, before some of the lists.
  for (const double buffer : {0.3, 0.1, 0.0}) expectBatchesDoNotMatter(exec(), buffer);
}
TEST_P(VerletBackend, RoomIsMadeOnTheWay) { expectRoomIsMadeOnTheWay(exec()); }

// A GPU that can decide on new lists by itself gets the steps of a run as one.
TEST_P(VerletBackend, AGpuGetsTheStepsOfARunAtOnce) {
  const exec::Shared shared = exec();
  const auto engine = makeVerlet(shared);
  forcesOf(*engine, shakenLiquid(864), {});
  engine->run(0.005, 0, 100, {});
  EXPECT_FALSE(engine->failure());
  EXPECT_GT(engine->history().builds, 1u);
  std::uint64_t together = 0;
  for (const KernelTime& k : shared->profile().read())
    if (k.name == "whole steps") together = k.launches;
  EXPECT_EQ(together, GetParam() == Backend::cuda ? 100u : 0u);
}

// Without the last bits, in which the sines, logarithms and roots of C libraries differ.
MdState coarse(MdState s) {
  const auto rounded = [](double& x) { x = std::ldexp(std::round(std::ldexp(x, 20)), -20); };
  for (double& l : s.box.length) rounded(l);
  for (std::vector<Vec3d>* all : {&s.position, &s.velocity})
    for (Vec3d& v : *all) rounded(v.x), rounded(v.y), rounded(v.z);
  for (Vec3d& r : s.position) r = s.box.wrap(r);
  return s;
}

// Whatever builds the lists, in whatever order, on whatever processor or GPU.
TEST_P(VerletBackend, ExactForcesHaveTheSameBitsEverywhere) {
  struct Case {
    std::string name;
    MdState state;
    PairSettings pair;
    std::uint64_t positions;  // crc64 after a hundred steps
  };
  PairSettings p;
  p.kernel = PairKernel::exact;
  const auto law = [&](const char* key) {
    PairSettings own = p;
    own.potential = potentialOf(key);
    return own;
  };
  const MdState liquid = shakenLiquid(864);
  std::vector<Case> cases{{"force_shifted", liquid, law("force_shifted"), 0xfc07b762143b39b1},
                          {"truncated", liquid, law("truncated"), 0x272e02ded818e2cd},
                          {"wca", liquid, law("wca"), 0x32a6b99a9447e7f9},
                          {"mie", liquid, law("mie"), 0x3df0c08d75f02e47},
                          {"plane", shakenPlane(15, 1.1), p, 0xfd51333948de60ef},
                          {"several images", shakenLiquid(32), p, 0x5576b94cf3f8a677},
                          {"mixture", shakenLiquid(500), p, 0xb07bc7a10987363d}};
  mix(cases.back().state, cases.back().pair);
  for (Case& c : cases)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      SCOPED_TRACE(c.name + ", " + listMethods()[m].key);
      c.pair.method = static_cast<int>(m);
      const auto engine = makeVerlet(exec());
      engine->setPair(c.pair);
      engine->upload(coarse(c.state));
      engine->forces({});
      engine->run(1.0 / 256, 0, 100, {});
      EXPECT_FALSE(engine->failure());
      const std::vector<Vec3d> at = engine->download().position;
      EXPECT_EQ(io::crc64({reinterpret_cast<const char*>(at.data()), at.size() * sizeof at[0]}),
                c.positions);
    }
}

}  // namespace
}  // namespace cellscope::test
