// Molecular dynamics with Verlet lists on each backend: the same bodies on the CPU and on CUDA.
// Boxes of three different sides: forces, energies and virials of every method against brute force,
// on each backend. Pair parameters of unlike particles that are no means: forces and energies of
// every engine against brute force and against the formula, and the mode.
#include "sim/io/container.h"
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"
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
          PairSettings p{.potential = static_cast<int>(potential), .method = static_cast<int>(m)};
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
    expectSums(forcesOf(*makeVerlet(exec()), mixed, p), right, listMethods()[m].key);
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
  struct ExactCase {
    std::string name;
    MdState state;
    PairSettings pair;
    std::uint64_t positions;  // crc64 after a hundred steps
  };
  PairSettings p{.kernel = PairKernel::exact};
  const auto law = [&](const char* key) {
    PairSettings own = p;
    own.potential = potentialOf(key);
    return own;
  };
  const MdState liquid = shakenLiquid(864);
  std::vector<ExactCase> cases{{"force_shifted", liquid, law("force_shifted"), 0xfc07b762143b39b1},
                               {"truncated", liquid, law("truncated"), 0x272e02ded818e2cd},
                               {"wca", liquid, law("wca"), 0x32a6b99a9447e7f9},
                               {"mie", liquid, law("mie"), 0x3df0c08d75f02e47},
                               {"plane", shakenPlane(15, 1.1), p, 0xfd51333948de60ef},
                               {"several images", shakenLiquid(32), p, 0x5576b94cf3f8a677},
                               {"mixture", shakenLiquid(500), p, 0xb07bc7a10987363d}};
  mix(cases.back().state, cases.back().pair);
  for (ExactCase& c : cases)
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

BACKEND_TESTS(BoxShapes);

// A liquid in this box.
MdState liquidIn(const Box& box, double density) {
  return inFloats(shaken(box, static_cast<std::int64_t>(density * box.volume())));
}

// A brick, a column, a slab whose thickness is hardly twice the reach, a ribbon and its like
// upright. Sides are floats.
const Box kBoxes[] = {{3, {9.25, 12.5, 15.125}}, {3, {6.5, 6.5, 21.25}}, {3, {17.5, 11, 5.625}},
                      {3, {5.625, 9, 16}},       {2, {33, 8.75, 1}},     {2, {7.5, 22.5, 1}}};

TEST_P(BoxShapes, EveryMethodAgreesWithBruteForce) {
  for (const Box& box : kBoxes)
    for (const bool mixture : {false, true}) {
      MdState s = liquidIn(box, 0.8);
      // Without a jump at the cutoff, beside which floats may decide otherwise than doubles.
      PairSettings p{.potential = lennardJones(Truncation::force), .skin = 0.05};
      if (mixture) mix(s, p);
      if (mixture) p.species.cutoff[1] = 2.6;  // with the buffer, beyond half the thinnest box
      const BruteForce right = bruteForce(s, p);
      const std::string name = fmt::format("{} x {} x {}{}", box.length[0], box.length[1],
                                           box.length[2], mixture ? " mixture" : "");
      for (const PairKernel kernel :
           {PairKernel::tuned, PairKernel::teams, PairKernel::teamsDouble}) {
        p.kernel = kernel;
        for (NamedEngine& e : everyEngine(exec())) {
          p.method = e.method;
          if (!e.takes(s, p)) continue;
          expectSums(forcesOf(*e.engine, s, p), right, name + " " + e.name, floatPositions(box));
        }
      }
    }
}

// As published: other searches, other numbers of threads for a particle.
TEST_P(BoxShapes, SearchesOfThePaperAgreeWithBruteForce) {
  for (const Box& box : kBoxes)
    for (std::size_t m = 0; m < listMethods().size(); ++m) {
      const ListState s{fmt::format("{} x {} x {}", box.length[0], box.length[1], box.length[2]),
                        box, scatteredRecords(500, box, 21, 0.3), twoReaches(2.0, 2.5, 0.3)};
      SCOPED_TRACE(listMethods()[m].key);
      for (const ListSearch how : {ListSearch::fast, ListSearch::paper})
        expectList(s, buildList(exec(), listMethods()[m], s.particles, box, s.table, 2, true, how));
    }
}

// Steps keep lists, cells and images valid: forces at the end are those of brute force.
TEST_P(BoxShapes, ForcesStayRightOverSteps) {
  for (const Box& box : kBoxes) {
    const MdState s = liquidIn(box, 0.75);
    PairSettings p{.potential = lennardJones(Truncation::force), .buffer = 0.25, .skin = 0.3};
    for (NamedEngine& e : everyEngine(exec())) {
      p.method = e.method;
      if (!e.takes(s, p)) continue;
      forcesOf(*e.engine, s, p);
      e.engine->run(0.004, 0, 120, {});
      ASSERT_FALSE(e.engine->failure()) << e.name;
      expectSums(e.engine->pairSums(), bruteForce(e.engine->download(), p), e.name,
                 floatPositions(box));
    }
  }
}

BACKEND_TESTS(PairParameters);

// Kob and Andersen (1995): sigma 1, 0.8, 0.88, epsilon 1, 1.5, 0.5, cutoffs 2.5 sigma.
PairSettings kobAndersen() {
  PairSettings p{.potential = 2};
  EXPECT_EQ(potentialKeys().at(2), "shifted");
  p.species.types = 2;
  p.species.sigma[1] = 0.88, p.species.epsilon[1] = 0.5, p.species.cutoff[1] = 2.2;
  p.species.mixing = Mixing::given;
  p.species.given[SpeciesTable::at(0, 1)] = {0.8, 1.5, 2.0};
  return p;
}

// u(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) - u(r_c), by definition.
struct Law {
  double sigma, epsilon, cutoff;
  double plain(double r) const {
    return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
  }
  double energy(double r) const { return r < cutoff ? plain(r) - plain(cutoff) : 0; }
  double force(double r) const {
    if (r >= cutoff) return 0;
    return 24 * epsilon / r * (2 * std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
  }
};

TEST_P(PairParameters, TwoParticlesFollowTheFormula) {
  const Law laws[] = {{1, 1, 2.5}, {0.8, 1.5, 2.0}, {0.88, 0.5, 2.2}};
  for (NamedEngine& e : everyEngine(exec()))
    for (int kind = 0; kind < 3; ++kind)
      for (const double r : {0.9, 1.1, 1.6, 1.99, 2.1, 2.3, 2.6}) {
        PairSettings p = kobAndersen();
        p.method = e.method;
        MdState s{cubicBox(16), {{1, 2, 3}, {1 + r, 2, 3}}, {{0, 0, 0}, {0, 0, 0}}};
        s.type = {static_cast<std::uint8_t>(kind == 2), static_cast<std::uint8_t>(kind > 0)};
        const std::vector<PairSums> sums = forcesOf(*e.engine, s, p);
        const double scale = 1 + std::abs(laws[kind].force(r));
        EXPECT_NEAR(sums[0].fx, -laws[kind].force(r), 2e-5 * scale) << e.name << ' ' << r;
        EXPECT_NEAR(sums[1].fx, laws[kind].force(r), 2e-5 * scale) << e.name << ' ' << r;
        EXPECT_NEAR(2 * sums[0].energy, laws[kind].energy(r), 2e-5 * scale) << e.name << ' ' << r;
      }
}

TEST_P(PairParameters, LiquidsAgreeWithBruteForce) {
  for (NamedEngine& e : everyEngine(exec()))
    for (const Mixing mixing : {Mixing::given, Mixing::lorentzBerthelot, Mixing::arithmetic}) {
      MdState s = shakenLiquid(864, 0.9);
      PairSettings p = kobAndersen();
      mix(s, p);
      p = kobAndersen();
      p.species.mixing = mixing, p.method = e.method;
      EXPECT_LT(deviation(forcesOf(*e.engine, s, p), bruteForce(s, p)), kFloatTerms) << e.name;
    }
}

std::unique_ptr<MdMode> unlikeMixture(const ExecConfig& config) {
  return startedMd(config,
                   "system=binary method=cells potential=shifted n=600 fraction_b=0.2 "
                   "cutoff_b=2.2 sigma_b=0.88 epsilon_b=0.5");
}

// Depth, diameter and cutoff between A and B act on a run, which goes on; the energy stays what it
// should be.
TEST_P(PairParameters, AreSetWhileItRuns) {
  const auto m = unlikeMixture(config());
  m->advance(20);
  const std::vector<double> positions = m->configuration().positions;
  const double arithmetic = sampled(*m, "potential");
  change(*m, "mixing=given sigma_ab=0.94 epsilon_ab=0.75 cutoff_ab=2.35");
  EXPECT_EQ(m->configuration().positions, positions);
  EXPECT_NEAR(sampled(*m, "potential"), arithmetic, 1e-6) << "these are the means";
  for (const char* setting : {"sigma_ab=0.8", "epsilon_ab=1.5", "cutoff_ab=2"}) {
    const double before = sampled(*m, "potential");
    change(*m, setting);
    EXPECT_GT(std::abs(sampled(*m, "potential") - before), 1e-3) << setting;
  }
  m->advance(50);
  const SelfCheck forces = checkOf(*m, "forces");
  EXPECT_TRUE(forces.ok) << forces.detail;
}

// The run goes on with the parameters that it had.
TEST_P(PairParameters, MissingOnesAreRefused) {
  const auto m = unlikeMixture(config());
  const auto refusal = [&](const std::string& settings) {
    return messageOf<InputError>([&] { change(*m, settings); });
  };
  const std::string two = refusal("mixing=given epsilon_ab=1.5");
  expectWords(two, {"missing pair parameters", "sigma_ab and cutoff_ab are 0",
                    "mixing = arithmetic or lorentz_berthelot"});
  EXPECT_FALSE(contains(two, "epsilon_ab")) << two;
  const std::string given = "mixing=given sigma_ab=0.8 epsilon_ab=1.5 cutoff_ab=";
  expectWords(refusal(given + "0.3"), {"cutoff_ab = 0.3 is too small; use at least 0.5"});
  change(*m, given + "2");
  m->advance(5);
}

}  // namespace
}  // namespace cellscope::test
