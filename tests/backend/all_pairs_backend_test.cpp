// All-pairs molecular dynamics on each backend, of one species and of two: every kernel against the
// oracle and against brute force, masses in the steps, and the mode.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <vector>

#include "sim/algo/md/engine.h"
#include "sim/core/potentials.h"
#include "sim/layers/layers.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/start.h"
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

using test::BruteForce;
using test::deviation;
using test::forcesOf;
using test::shakenLiquid;

class AllPairsBackend : public test::BackendTest {};

// The double oracle of the CPU against every kernel of this backend, at tile edges.
TEST_P(AllPairsBackend, KernelsAgreeWithTheOracleAtTileEdges) {
  auto oracleEngine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  auto engine = makeAllPairs(exec::makeExec(config()));
  for (int tile : {32, 64, 128, 256})
    for (int n : {2, 5, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1,
                  3 * tile - 1, 3 * tile, 3 * tile + 1, 4 * tile - 1, 4 * tile + 1, 1500}) {
      const MdState s = n == 2 ? shakenLiquid(2, 0.01) : shakenLiquid(n);
      const double cutoff = std::min(2.5, 0.49 * s.box.shortest());
      PairSettings p{0, cutoff, tile, PairKernel::teamsDouble};
      const BruteForce oracle{forcesOf(*oracleEngine, s, p), test::bruteForce(s, p).scale};
      EXPECT_LT(deviation(forcesOf(*engine, s, p), oracle), 1e-14) << tile << ' ' << n;
      p.kernel = PairKernel::tuned;
      EXPECT_LT(deviation(forcesOf(*engine, s, p), oracle), test::kFloatTerms) << tile << ' ' << n;
      p.kernel = PairKernel::teams;
      EXPECT_LT(deviation(forcesOf(*engine, s, p), oracle), test::floatPositions(s.box))
          << tile << ' ' << n;
    }
}

TEST_P(AllPairsBackend, EnergiesAndVirialsOfEveryPotential) {
  auto oracleEngine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  auto engine = makeAllPairs(exec::makeExec(config()));
  const MdState s = shakenLiquid(1000);
  for (int p = 0; p < static_cast<int>(potentialKeys().size()); ++p)
    for (double cutoff : {1.5, 2.5, 4.0}) {
      PairSettings settings{p, cutoff, 64, PairKernel::teamsDouble};
      const auto scale = test::bruteForce(s, settings).scale;
      const BruteForce oracle{forcesOf(*oracleEngine, s, settings), scale};
      settings.kernel = PairKernel::tuned;
      const BruteForce tuned{forcesOf(*engine, s, settings), scale};
      EXPECT_LT(deviation(tuned.sums, oracle), test::kFloatTerms);
      EXPECT_LT(deviation(engine->totals(), tuned), 1e-14);
    }
}

// Many chunks, the grid of a large system: rows against the definition, for a few particles.
TEST_P(AllPairsBackend, LargeSystem) {
  const std::int64_t n = GetParam() == Backend::cuda ? 65536 : 8192;
  auto engine = makeAllPairs(exec::makeExec(config()));
  const MdState s = shakenLiquid(n - 1);
  const auto tuned = forcesOf(*engine, s, {0, 2.5, 64, PairKernel::tuned});
  const auto pair = makeLennardJones<double, Truncation::force>(2.5);
  for (std::size_t i : {std::size_t{0}, std::size_t{777}, tuned.size() / 2, tuned.size() - 1}) {
    double fx = 0, energy = 0;
    test::PairScale scale;
    for (std::size_t j = 0; j < tuned.size(); ++j) {
      const Vec3d a = s.position[i], b = s.position[j];
      const auto [dx, dy, dz] = s.box.minimumImage({a.x - b.x, a.y - b.y, a.z - b.z});
      const double r2 = dx * dx + dy * dy + dz * dz;
      if (j == i || r2 >= pair.cutoffSquared) continue;
      const PairTerms<double> t = pair.terms(r2, 1 / std::sqrt(r2));
      fx += t.forceOverR * dx, energy += 0.5 * t.energy;
      scale.add(pair, std::sqrt(r2));
    }
    EXPECT_NEAR(tuned[i].fx, fx, test::kFloatTerms * scale.force);
    EXPECT_NEAR(tuned[i].energy, energy, test::kFloatTerms * scale.energy);
  }
}

// The order of summation is fixed: a run repeats bit for bit.
TEST_P(AllPairsBackend, RunsRepeatBitForBit) {
  std::string end[2];
  for (std::string& state : end) {
    MdMode mode(config());
    mode.restart();
    mode.advance(100);
    state = test::saved(mode);
  }
  EXPECT_EQ(end[0], end[1]);
}

TEST_P(AllPairsBackend, ConservesEnergyAndMomentum) {
  MdMode mode(config());
  mode.restart();
  mode.advance(1000);
  test::expectHealthy(mode);
  EXPECT_EQ(mode.work(), 1000.0 * 2048 * 2047);
}

// CPU and CUDA follow the same trajectory until rounding has grown.
TEST_P(AllPairsBackend, FollowsTheDoubleTrajectory) {
  const auto mode = test::startedMd(config(), "n=500"),
             oracle = test::startedMd({Backend::cpu, 2, 0}, "n=500");
  test::change(*oracle, "kernel=teams_double");
  mode->advance(100), oracle->advance(100);
  const Configuration a = mode->configuration(), b = oracle->configuration();
  double worst = 0;
  for (std::size_t k = 0; k < a.positions.size(); ++k) {
    const double d = std::abs(a.positions[k] - b.positions[k]);
    worst = std::max(worst, std::min(d, a.box.length[0] - d));
  }
  EXPECT_LT(worst, 1e-4);
}

TEST_P(AllPairsBackend, FramesHoldTheParticles) {
  MdMode mode(config());
  mode.restart();
  mode.advance(3);
  ViewRequest view;
  view.layers = {"particles", "velocities"};
  const auto frame = mode.frame(view);
  const Configuration c = mode.configuration();
  mode.advance(20);
  mode.frame(view);  // must not touch the frame still held
  ASSERT_EQ(frame->layers[0].buffer->space(),
            GetParam() == Backend::cuda ? MemorySpace::device : MemorySpace::host);
  const auto points = test::drawnItems<PointInstance>(frame->layers[0]);
  const auto lines = test::drawnItems<LineInstance>(frame->layers[1]);
  ASSERT_EQ(points.size(), mode.particleCount());
  ASSERT_EQ(lines.size(), mode.particleCount());
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(points[i].x, static_cast<float>(c.positions[3 * i]));
    EXPECT_EQ(points[i].diameter, 1.0f);
    const double v =
        std::hypot(c.velocities[3 * i], c.velocities[3 * i + 1], c.velocities[3 * i + 2]);
    EXPECT_NEAR(points[i].value, v, 1e-6);
    EXPECT_NEAR(lines[i].b[2] - lines[i].a[2], 0.5 * c.velocities[3 * i + 2], 1e-5);
  }
}

TEST_P(AllPairsBackend, ABlowUpIsNamedAndUndone) {
  MdMode mode(config());
  mode.restart();
  Configuration c = mode.configuration();
  c.velocities[3 * 1234] = 1e4;
  mode.adopt(c);
  const std::string said = test::messageOf<RunError>([&] { mode.advance(200); });
  EXPECT_TRUE(test::contains(said, "particle 1234")) << said;
  EXPECT_EQ(mode.step(), 0u);
  EXPECT_EQ(mode.configuration().positions, c.positions);
  EXPECT_EQ(mode.configuration().velocities, c.velocities);
}

INSTANTIATE_TEST_SUITE_P(Each, AllPairsBackend, test::kBackends, test::nameOfBackend);

class AllPairsMixture : public test::BackendTest {};

// Box and positions in single precision, so that brute force over records sees what all see.
MdState inFloats(MdState s) {
  const auto side = static_cast<double>(static_cast<float>(s.box.length[0]));
  s.box = s.box.dimension == 2 ? squareBox(side) : cubicBox(side);
  const RecordBox box(s.box);
  for (Vec3d& r : s.position) {
    const ParticleRecord p = box.record(r, 0);
    r = {double{p.x}, double{p.y}, double{p.z}};
  }
  return s;
}

// Sums and their total energy and virial.
void expectKernels(MdEngine& engine, const MdState& s, PairSettings p, const std::string& name) {
  const test::BruteForce right = test::bruteForce(s, p);
  for (const PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
    p.kernel = kernel;
    const test::BruteForce got{test::forcesOf(engine, s, p), right.scale};
    test::expectSums(got.sums, right, name,
                     kernel == PairKernel::teamsDouble ? 1e-14 : test::kFloatTerms);
    EXPECT_LT(test::deviation(engine.totals(), got), 1e-14) << name;
  }
}

TEST_P(AllPairsMixture, EveryPotentialAgreesWithBruteForce) {
  const auto engine = makeAllPairs(exec::makeExec(config()));
  for (std::size_t potential = 0; potential < potentialKeys().size(); ++potential)
    for (const bool plane : {false, true}) {
      MdState s = inFloats(plane ? test::shakenPlane(15, 1.1) : test::shakenLiquid(500));
      PairSettings p;
      p.potential = static_cast<int>(potential);
      test::mix(s, p);
      p.species.own[0][1] = 0.5;
      expectKernels(*engine, s, p, potentialKeys()[potential] + (plane ? " in the plane" : ""));
    }
}

TEST_P(AllPairsMixture, EveryTileAgreesAtItsEdges) {
  const auto engine = makeAllPairs(exec::makeExec(config()));
  for (const int tile : {32, 64, 128, 256})
    for (const int n : {2, 3, tile - 1, tile, tile + 1, 4 * tile + 1}) {
      MdState s = inFloats(n < 5 ? test::shakenLiquid(n, 0.01) : test::shakenLiquid(n, 0.5));
      PairSettings p;
      p.tile = tile;
      test::mix(s, p);
      p.species.cutoff[0] = std::min(2.0, 0.4 * s.box.shortest());
      p.species.cutoff[1] = std::min(3.0, 0.49 * s.box.shortest());
      expectKernels(*engine, s, p, "tile " + std::to_string(tile) + " n " + std::to_string(n));
    }
}

TEST_P(AllPairsMixture, ColloidsInASolvent) {
  PairSettings p;
  const MdState s = inFloats(test::colloidsInSolvent(p, 1000));
  const auto engine = makeAllPairs(exec::makeExec(config()));
  test::expectSums(test::forcesOf(*engine, s, p), test::bruteForce(s, p), "colloids");
}

// The same steps as over lists, with a bath and without: masses, types and numbers of particles.
TEST_P(AllPairsMixture, GoesTheWayOfLists) {
  for (const bool bath : {false, true}) {
    PairSettings p;
    MdState s = test::shakenLiquid(400);
    test::mix(s, p);
    p.species.mass[1] = 5;
    p.kernel = PairKernel::teamsDouble;
    const auto pairs = makeAllPairs(exec::makeExec(config())),
               lists = makeVerlet(exec::makeExec(config()));
    for (MdEngine* e : {pairs.get(), lists.get()}) {
      e->setBath({bath, 0.8, 2, 7});
      test::forcesOf(*e, s, p);
      e->run(0.002, 0, 40, {});
      ASSERT_FALSE(e->failure());
    }
    const MdState a = pairs->download(), b = lists->download();
    EXPECT_EQ(a.type, s.type);
    EXPECT_EQ(b.type, s.type);
    double worst = 0;
    for (std::size_t i = 0; i < a.position.size(); ++i) {
      const Vec3d d =
          s.box.minimumImage({a.position[i].x - b.position[i].x, a.position[i].y - b.position[i].y,
                              a.position[i].z - b.position[i].z});
      worst = std::max({worst, std::abs(d.x), std::abs(d.y), std::abs(d.z)});
    }
    EXPECT_LT(worst, 1e-4);
    double kinetic = 0, px = 0;
    for (std::size_t i = 0; i < a.velocity.size(); ++i) {
      const double m = s.type[i] == 1 ? 5 : 1;
      const Vec3d v = a.velocity[i];
      kinetic += 0.5 * m * (v.x * v.x + v.y * v.y + v.z * v.z), px += m * v.x;
    }
    EXPECT_NEAR(pairs->totals().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().px, px, 1e-9 * kinetic);
  }
}

std::unique_ptr<MdMode> mixtureMode(const ExecConfig& config) {
  return test::startedMd(config, "system=binary n=400 fraction_b=0.3 cutoff=2 cutoff_b=2.2");
}

TEST_P(AllPairsMixture, RunsInTheMode) {
  const auto m = mixtureMode(config());
  m->advance(100);
  test::expectHealthy(*m);
  const std::string before = test::saved(*m);
  MdMode other(config());
  std::istringstream in(before);
  other.load(in);
  EXPECT_EQ(test::saved(other), before);
  m->advance(20), other.advance(20);
  EXPECT_EQ(test::saved(*m), test::saved(other));
}

TEST_P(AllPairsMixture, TypesStayFromMethodToMethod) {
  const auto m = mixtureMode(config());
  const std::vector<std::uint32_t> types = m->configuration().types;
  ASSERT_EQ(types.size(), 400u);
  const double potential = test::sampled(*m, "potential");
  for (const char* method : {"tree", "all_pairs", "placeholder_cells", "all_pairs"}) {
    test::change(*m, std::string("method=") + method);
    EXPECT_NEAR(test::sampled(*m, "potential"), potential, 1e-5) << method;
  }
  EXPECT_EQ(m->configuration().types, types);
  ViewRequest view;
  view.layers = {layers::kParticles};
  view.colouring = "type";
  const auto points = test::drawnItems<PointInstance>(m->frame(view)->layers.at(0));
  for (std::size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(points[i].value, static_cast<float>(types[i]));
}

INSTANTIATE_TEST_SUITE_P(Each, AllPairsMixture, test::kBackends, test::nameOfBackend);

}  // namespace
}  // namespace cellscope
