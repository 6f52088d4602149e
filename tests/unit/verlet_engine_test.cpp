// Molecular dynamics with Verlet lists on the CPU beside all pairs, and the bath.
#include "sim/algo/md/engine.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

// The same state in either kind of engine: energies agree, and positions for as long as chaos is
// small.
TEST(VerletMode, MethodsSwitchAtTheSameState) {
  const std::string lists = "method=cells buffer=0.3 n=864";
  auto mode = startedMd(lists);
  mode->advance(40);
  const double energy = sampled(*mode, "potential");
  const Configuration before = mode->configuration();
  change(*mode, "method=all_pairs");
  EXPECT_EQ(mode->configuration().positions, before.positions);
  EXPECT_EQ(mode->info().phases.size(), 3u);
  EXPECT_NEAR(sampled(*mode, "potential"), energy, 1e-5);
  auto other = startedMd(lists);
  other->adopt(before);
  mode->advance(10), other->advance(10);
  const Configuration a = mode->configuration(), b = other->configuration();
  for (std::size_t k = 0; k < a.positions.size(); ++k)
    ASSERT_NEAR(a.positions[k], b.positions[k], 1e-4) << k;
  change(*mode, "method=cells");
  mode->advance(20);
  expectHealthy(*mode);
}

TEST(VerletMode, PicksAndExplainsById) {
  auto mode = startedMd("method=cells buffer=0.3 n=256");
  mode->advance(30);  // sorted along the curve since
  const Configuration c = mode->configuration();
  for (const std::size_t i : {0u, 77u, 255u}) {
    ViewRequest view;
    view.picked = c.ids[i];
    view.layers = {"particles"};
    const auto frame = mode->frame(view);
    ASSERT_EQ(frame->picked.id, c.ids[i]);
    EXPECT_NEAR(frame->picked.position[0], c.positions[3 * i], 1e-5);
  }
}

// Friction and noise of free particles, exactly: the variance of v' = a v + b xi is T, and its
// correlation with v is a. 40,000 particles: five standard errors, 6e-7 of all seeds.
TEST(Bath, KicksKeepTheMaxwellDistribution) {
  const double dt = 0.05, gamma = 3, t = 1.7;
  const Bath bath = Bath::of({true, t, gamma, 5}, dt, 0);
  const std::int64_t n = 40000;
  const std::vector<Vec3d> v = md::maxwellVelocities(n, t, 3);
  double square = 0, fourth = 0, correlation = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec3d u = bath.kicked(v[i], 12, static_cast<std::uint32_t>(i), false);
    const double before[3] = {v[i].x, v[i].y, v[i].z}, after[3] = {u.x, u.y, u.z};
    for (int k = 0; k < 3; ++k) {
      square += after[k] * after[k], correlation += before[k] * after[k];
      fourth += std::pow(after[k], 4);
    }
  }
  const double count = 3.0 * static_cast<double>(n);
  square /= count, fourth /= count, correlation /= count;
  EXPECT_NEAR(square, t, 5 * t * std::sqrt(2 / count));
  EXPECT_NEAR(correlation, t * std::exp(-gamma * dt), 5 * t * std::sqrt(2 / count));
  EXPECT_NEAR(fourth / (square * square), 3.0, 5 * std::sqrt(24 / count));
}

}  // namespace
}  // namespace cellscope::test
