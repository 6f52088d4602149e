// All-pairs molecular dynamics on each backend, of one species and of two: every kernel against
// brute force, masses in the steps, and the mode.
#include "sim/core/potentials.h"
#include "sim/layers/layers.h"
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(AllPairsBackend);

// Sums and their total energy and virial.
void expectKernels(MdEngine& engine, const MdState& s, PairSettings p, const std::string& name) {
  const BruteForce right = bruteForce(s, p);
  for (const PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
    p.kernel = kernel;
    const BruteForce got{forcesOf(engine, s, p), right.scale};
    expectSums(got.sums, right, name, kernel == PairKernel::teamsDouble ? 1e-14 : kFloatTerms);
    EXPECT_LT(deviation(engine.totals(), got), 1e-14) << name;
  }
}

TEST_P(AllPairsBackend, EveryPotentialAgreesWithBruteForce) {
  const auto engine = makeAllPairs(exec());
  constexpr double kMixture = 0;  // with cutoffs of its own
  for (std::size_t potential = 0; potential < potentialKeys().size(); ++potential)
    for (const bool plane : {false, true})
      for (const double cutoff : {1.5, 2.5, 4.0, kMixture}) {
        MdState s = inFloats(plane ? shakenPlane(15, 1.1) : shakenLiquid(500));
        PairSettings p;
        p.potential = static_cast<int>(potential);
        if (cutoff == kMixture) {
          mix(s, p);
          p.species.own[0][1] = 0.5;
        } else {
          p.cutoff = cutoff;
        }
        expectKernels(*engine, s, p,
                      fmt::format("{}{}, cutoff {}", potentialKeys()[potential],
                                  plane ? " in the plane" : "", cutoff));
      }
}

TEST_P(AllPairsBackend, EveryTileAgreesAtItsEdges) {
  const auto engine = makeAllPairs(exec());
  for (const bool mixture : {false, true})
    for (const int tile : {32, 64, 128, 256})
      for (const int n : {2, 3, 5, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile, 2 * tile + 1,
                          3 * tile - 1, 3 * tile, 3 * tile + 1, 4 * tile - 1, 4 * tile + 1, 1500}) {
        MdState s = inFloats(shakenLiquid(n, n < 5 ? 0.01 : mixture ? 0.5 : 0.8442));
        PairSettings p;
        p.tile = tile, p.cutoff = std::min(2.5, 0.49 * s.box.shortest());
        if (mixture) {
          mix(s, p);
          p.species.cutoff[0] = std::min(2.0, 0.4 * s.box.shortest());
          p.species.cutoff[1] = std::min(3.0, 0.49 * s.box.shortest());
        }
        expectKernels(*engine, s, p,
                      fmt::format("tile {} n {}{}", tile, n, mixture ? ", mixture" : ""));
      }
}

// Many chunks, the grid of a large system: rows against the definition, for a few particles.
TEST_P(AllPairsBackend, LargeSystem) {
  const std::int64_t n = GetParam() == Backend::cuda ? 65536 : 8192;
  auto engine = makeAllPairs(exec());
  const MdState s = shakenLiquid(n - 1);
  const auto tuned = forcesOf(*engine, s, {0, 2.5, 64, PairKernel::tuned});
  const auto pair = makeLennardJones<double, Truncation::force>(2.5);
  for (std::size_t i : {std::size_t{0}, std::size_t{777}, tuned.size() / 2, tuned.size() - 1}) {
    double fx = 0, energy = 0;
    PairScale scale;
    for (std::size_t j = 0; j < tuned.size(); ++j) {
      const Vec3d d = s.box.minimumImage(s.position[i] - s.position[j]);
      const double r2 = dot(d, d);
      if (j == i || r2 >= pair.cutoffSquared) continue;
      const PairTerms<double> t = pair.terms(r2, 1 / std::sqrt(r2));
      fx += t.forceOverR * d.x, energy += 0.5 * t.energy;
      scale.add(pair, std::sqrt(r2));
    }
    EXPECT_NEAR(tuned[i].fx, fx, kFloatTerms * scale.force);
    EXPECT_NEAR(tuned[i].energy, energy, kFloatTerms * scale.energy);
  }
}

TEST_P(AllPairsBackend, FramesHoldTheParticles) {
  MdMode mode(config());
  mode.restart();
  mode.advance(3);
  const ViewRequest view{{"particles", "velocities"}, "", -1};
  const auto frame = mode.frame(view);
  const Configuration c = mode.configuration();
  mode.advance(20);
  mode.frame(view);  // must not touch the frame still held
  ASSERT_EQ(frame->layers[0].buffer->space(),
            GetParam() == Backend::cuda ? MemorySpace::device : MemorySpace::host);
  const auto points = drawnItems<PointInstance>(frame->layers[0]);
  const auto lines = drawnItems<LineInstance>(frame->layers[1]);
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
  const std::string said = messageOf<RunError>([&] { mode.advance(200); });
  EXPECT_TRUE(contains(said, "particle 1234")) << said;
  EXPECT_EQ(mode.step(), 0u);
  EXPECT_EQ(mode.configuration().positions, c.positions);
  EXPECT_EQ(mode.configuration().velocities, c.velocities);
}

TEST_P(AllPairsBackend, ColloidsInASolvent) {
  PairSettings p;
  const MdState s = inFloats(colloidsInSolvent(p, 1000));
  const auto engine = makeAllPairs(exec());
  expectSums(forcesOf(*engine, s, p), bruteForce(s, p), "colloids");
}

// The same steps as over lists, with a bath and without: masses, types and numbers of particles.
TEST_P(AllPairsBackend, GoesTheWayOfLists) {
  for (const bool bath : {false, true}) {
    PairSettings p;
    MdState s = shakenLiquid(400);
    mix(s, p);
    p.species.mass[1] = 5;
    p.kernel = PairKernel::teamsDouble;
    const auto pairs = makeAllPairs(exec()), lists = makeVerlet(exec());
    for (MdEngine* e : {pairs.get(), lists.get()}) {
      e->setBath({bath, 0.8, 2, 7});
      forcesOf(*e, s, p);
      e->run(0.002, 0, 40, {});
      ASSERT_FALSE(e->failure());
    }
    const MdState a = pairs->download(), b = lists->download();
    EXPECT_EQ(a.type, s.type);
    EXPECT_EQ(b.type, s.type);
    EXPECT_LT(largestMove(a, b), 1e-4);
    double kinetic = 0, px = 0;
    for (std::size_t i = 0; i < a.velocity.size(); ++i) {
      const double m = s.type[i] == 1 ? 5 : 1;
      const Vec3d v = a.velocity[i];
      kinetic += 0.5 * m * dot(v, v), px += m * v.x;
    }
    EXPECT_NEAR(pairs->totals().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().kinetic, kinetic, 1e-9 * kinetic);
    EXPECT_NEAR(pairs->kinetic().px, px, 1e-9 * kinetic);
  }
}

std::unique_ptr<MdMode> mixtureMode(const ExecConfig& config) {
  return startedMd(config, "system=binary n=400 fraction_b=0.3 cutoff=2 cutoff_b=2.2");
}

TEST_P(AllPairsBackend, RunsInTheMode) {
  const auto m = mixtureMode(config());
  m->advance(100);
  expectHealthy(*m);
  MdMode other(config());
  load(other, saved(*m));
  EXPECT_EQ(saved(other), saved(*m));
  m->advance(20), other.advance(20);
  EXPECT_EQ(saved(*m), saved(other));
}

// To every kind of method and back at the same state; all self-checks hold.
TEST_P(AllPairsBackend, MethodsChangeWhileItRuns) {
  const auto m = mixtureMode(config());
  const std::vector<std::uint32_t> types = m->configuration().types;
  ASSERT_EQ(types.size(), 400u);
  const auto frame = m->frame({{layers::kParticles}, "type", -1});
  const auto points = drawnItems<PointInstance>(frame->layers.at(0));
  for (std::size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(points[i].value, static_cast<float>(types[i]));
  for (const std::string method :
       {"tree", "all_pairs", "placeholder_cells", "cells", "placeholder_cells", "all_pairs"}) {
    SCOPED_TRACE(method);
    const Configuration before = m->configuration();
    const double potential = sampled(*m, "potential");
    change(*m, "method=" + method);
    EXPECT_EQ(m->configuration().positions, before.positions);
    EXPECT_EQ(m->configuration().types, before.types);
    EXPECT_NEAR(sampled(*m, "potential"), potential, 1e-5);
    m->advance(20);
    expectHealthy(*m);
  }
}

}  // namespace
}  // namespace cellscope::test
