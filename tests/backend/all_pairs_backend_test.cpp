// All-pairs molecular dynamics on each backend, of one species and of two: every kernel against
// brute force, masses in the steps, and the mode.
// Cutoffs beyond half the box: all pairs and lists with all images, against sums over a lattice of
// copies of the box that know nothing of nearest images; on each backend.
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"

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
        PairSettings p{.potential = static_cast<int>(potential)};
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
        PairSettings p{.cutoff = std::min(2.5, 0.49 * s.box.shortest()), .tile = tile};
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
  expectRefusal<RunError>([&] { mode.advance(200); }, {"particle 1234"});
  EXPECT_EQ(mode.step(), 0u);
  EXPECT_EQ(mode.configuration().positions, c.positions);
  EXPECT_EQ(mode.configuration().velocities, c.velocities);
}

TEST_P(AllPairsBackend, ColloidsInASolvent) {
  PairSettings p;
  const MdState s = inFloats(colloidsInSolvent(p, 1000));
  expectSums(forcesOf(*makeAllPairs(exec()), s, p), bruteForce(s, p), "colloids");
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

BACKEND_TESTS(PairImagesBackend);

// n particles on the sites of a simple lattice, moved a little, in a box of this side along x.
MdState jittered(int n, int dimension, double side, double y = 1, double z = 1) {
  MdState s;
  s.box = dimension == 3 ? Box{3, {side, y * side, z * side}} : Box{2, {side, y * side, 1}};
  int k = 1;
  while (std::pow(k, dimension) < n) ++k;
  for (int i = 0; i < n; ++i) {
    const int c[3] = {i % k, i / k % k, i / (k * k)};
    double r[3] = {0, 0, 0};
    for (int a = 0; a < dimension; ++a)
      r[a] = s.box.length[a] / k * (c[a] + 0.5 + 0.15 * std::sin(12.9 * i + 4.1 * a + 1));
    s.position.push_back({r[0], r[1], r[2]});
  }
  s.velocity.resize(s.position.size());
  return s;
}

// Copies of the box up to `shells` away in each direction; the pair law from its own file.
BruteForce latticeSums(const MdState& s, int potential, double cutoff, int shells) {
  const std::size_t n = s.position.size();
  BruteForce all{std::vector<PairSums>(n), std::vector<PairScale>(n)};
  withPotential<double>(potential, {.cutoff = cutoff}, [&](const auto& pair) {
    const int deep = s.box.dimension == 3 ? shells : 0;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (int z = -deep; z <= deep; ++z)
          for (int y = -shells; y <= shells; ++y)
            for (int x = -shells; x <= shells; ++x) {
              if (i == j && x == 0 && y == 0 && z == 0) continue;
              const Vec3d d = s.position[i] - s.position[j] -
                              Vec3d{x * s.box.length[0], y * s.box.length[1], z * s.box.length[2]};
              const double r2 = dot(d, d), r = std::sqrt(r2);
              if (!(r2 < pair.cutoffSquared)) continue;
              const PairTerms<double> t = pair.terms(r2, 1 / r);
              PairSums& p = all.sums[i];
              p.fx += t.forceOverR * d.x, p.fy += t.forceOverR * d.y, p.fz += t.forceOverR * d.z;
              p.energy += 0.5 * t.energy, p.virial += 0.5 * t.forceOverR * r2;
              all.scale[i].add(pair, r);
            }
  });
  return all;
}

struct PairEngine {
  std::unique_ptr<MdEngine> engine;
  PairSettings settings;
  std::string name;
};

// All pairs with each kernel, and lists of each method.
std::vector<PairEngine> enginesOfImages(const ExecConfig& config) {
  const exec::Shared exec = exec::makeExec(config);
  std::vector<PairEngine> all;
  for (const auto& [kernel, name] : {std::pair{PairKernel::teamsDouble, "double"},
                                     {PairKernel::teams, "teams"},
                                     {PairKernel::tuned, "tuned"}})
    all.push_back({makeAllPairs(exec), {.tile = 32, .kernel = kernel, .buffer = 0.2}, name});
  for (int m = 0; m < std::ssize(listMethods()); ++m)
    for (const PairKernel kernel : {PairKernel::tuned, PairKernel::teams})
      all.push_back({makeVerlet(exec),
                     {.tile = 32, .kernel = kernel, .method = m, .buffer = 0.2},
                     listMethods()[static_cast<std::size_t>(m)].key});
  return all;
}

// floats: the tolerance of single precision.
void expectLatticeSums(std::vector<PairEngine>& engines, const MdState& s, int potential,
                       double cutoff, int shells, double floats = kFloatTerms) {
  const BruteForce right = latticeSums(s, potential, cutoff, shells);
  for (PairEngine& e : engines) {
    e.settings.potential = potential;
    e.settings.cutoff = e.settings.species.cutoff[0] = cutoff;
    EXPECT_LT(deviation(forcesOf(*e.engine, s, e.settings), right),
              e.settings.kernel == PairKernel::teamsDouble ? 1e-12 : floats)
        << fmt::format("{} in {} x {} x {}, cutoff {}, potential {}, {}", s.position.size(),
                       s.box.length[0], s.box.length[1], s.box.length[2], cutoff, potential,
                       e.name);
  }
}

// The cutoff in shortest sides; images along the longer ones are looked at as well.
TEST_P(PairImagesBackend, AgreeWithALatticeSumInBoxesOfThreeSides) {
  std::vector<PairEngine> engines = enginesOfImages(config());
  for (const int dimension : {2, 3})
    for (const auto& [y, z] : {std::pair{1.4, 2.1}, {0.6, 1.0}, {1.0, 0.55}, {3.0, 1.7}}) {
      const MdState s = jittered(65, dimension, dimension == 3 ? 5.2 : 9.4, y, z);
      for (const double sides : {0.499, 0.501, 1.02, 1.499})
        expectLatticeSums(engines, s, 1, sides * s.box.shortest(), 3);
    }
}

TEST_P(PairImagesBackend, AgreeWithALatticeSum) {
  std::vector<PairEngine> engines = enginesOfImages(config());
  for (const int dimension : {2, 3})
    for (const int n : {1, 2, 3, 7, 31, 32, 33, 65, 130}) {
      const double side = 1.05 * std::ceil(std::pow(n, 1.0 / dimension));
      const MdState s = jittered(n, dimension, side);
      for (const double sides : {0.499, 0.501, 0.75, 1.02, 1.3, 1.499})
        for (const int potential : {0, 1, 2})
          expectLatticeSums(engines, s, potential, sides * side, 3);
    }
}

// Each law ends where it says, on either side of what is asked for: the repulsive part alone at its
// minimum, 1.12, whatever the cutoff. In a box of which that is more than half, in one of which it
// is less, and in one that placeholder cells fit into.
TEST_P(PairImagesBackend, EveryLawHasItsOwnReach) {
  for (const int n : {8, 130, 512}) {
    std::vector<PairEngine> engines = enginesOfImages(config());
    if (n == 512)
      for (const PairKernel kernel : {PairKernel::tuned, PairKernel::teams})
        engines.push_back({makePlaceholders(exec()), {.kernel = kernel}, "placeholders"});
    const double side = 1.05 * std::ceil(std::cbrt(n));
    const MdState s = jittered(n, 3, side);
    for (const double cutoff : {0.63, 0.9, 1.3, 2.5}) {
      // In the core the constants of a shift cancel all but a hundredth of the terms near the end
      // of the law, which single precision then has to 1e-4; a lost pair is far above that.
      const double floats = cutoff < 1 ? 1e-3 : floatPositions(s.box);
      for (int potential = 0; potential < kPotentials; ++potential)
        expectLatticeSums(engines, s, potential, cutoff, n == 8 ? 2 : 1, floats);
    }
  }
}

// A particle and its own images: no force; of the energy with each of them it has half.
TEST_P(PairImagesBackend, OneParticleAlone) {
  const auto engine = makeAllPairs(exec());
  for (const int dimension : {2, 3}) {
    const double side = 1.2, cutoff = 1.25;  // the nearest images are within the cutoff
    MdState s = jittered(1, dimension, side);
    PairSettings p{1, cutoff, 64, PairKernel::tuned};
    p.species.cutoff[0] = cutoff;
    const PairSums sums = forcesOf(*engine, s, p).at(0);
    for (const double force : {sums.fx, sums.fy, sums.fz}) EXPECT_NEAR(force, 0, 1e-6);
    double ofPair = 0;
    withPotential<double>(1, {.cutoff = cutoff}, [&](const auto& pair) {
      ofPair = pair.terms(side * side, 1 / side).energy;
    });
    EXPECT_NE(ofPair, 0);
    EXPECT_NEAR(sums.energy, 0.5 * 2 * dimension * ofPair, 1e-5);
  }
}

// Runs in such boxes conserve energy and momentum, and their checks know the images: with a cutoff
// below what the law reaches, and of mixtures with a cutoff for each pair of types, some within
// half the box and some beyond.
TEST_P(PairImagesBackend, RunsPassTheirChecks) {
  const std::pair<std::string, std::uint64_t> runs[] = {
      {"n=4 density=0.7111979 potential=wca dt=0.002 cutoff=0.6276", 70},
      {"dimension=2 n=40 density=0.7 cutoff=7 temperature=0.8 dt=0.002", 50},
      {"dimension=3 n=40 density=0.7 cutoff=5 temperature=0.8 dt=0.002", 50},
      {"system=binary n=60 density=0.6 cutoff=2 cutoff_b=6 fraction_b=0.4 dt=0.002", 20}};
  for (const auto& [settings, tenth] : runs)
    for (const std::string method : {"all_pairs", "cells", "stencils", "tree"}) {
      if (method == "all_pairs" && contains(settings, "binary")) continue;
      SCOPED_TRACE(settings + ", " + method);
      const auto mode = startedMd(config(), settings + " method=" + method);
      for (int k = 0; k < 10; ++k) {
        mode->advance(tenth);
        expectHealthy(*mode);
      }
      const auto frame = mode->frame({{"particles", "neighbours"}, "", 3});
      if (method == "all_pairs" && mode->particleCount() == 40) {
        EXPECT_GT(layerNamed(*frame, "neighbours").count, 39u) << "images are drawn, too";
      }
    }
}

}  // namespace
}  // namespace cellscope::test
