// All-pairs molecular dynamics on each backend: the same bodies on the CPU and on CUDA.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/algo/md/engine.h"
#include "sim/core/potentials.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/start.h"
#include "tests/support/backend_test.h"
#include "tests/support/hard_disks.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_frames.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"

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
    for (int n : {2, 5, tile - 1, tile, tile + 1, 4 * tile - 1, 4 * tile + 1, 1500}) {
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
  test::setAll(*oracle, "kernel=teams_double");
  oracle->applyParameters();
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

}  // namespace
}  // namespace cellscope
