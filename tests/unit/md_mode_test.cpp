// The molecular-dynamics mode: contract of Mode, errors, checkpoints, picking.
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

// What does not fit is what the law reaches, and a smaller cutoff would not help.
TEST(MdMode, RefusesALawThatReachesFurtherThanTheImages) {
  auto mode = small(32, 1.0);
  restartWith(*mode, "potential=wca cutoff=20");  // the cutoff is not what counts
  for (const double cutoff : {0.6, 1.0, 1.3, 20.0}) {
    md::MdParameters p;
    p.potential.index = 3, p.cutoff = cutoff;
    EXPECT_NEAR(p.largestCutoff(), std::pow(2.0, 1.0 / 6), 1e-12);
    p.potential.index = 0;
    EXPECT_EQ(p.largestCutoff(), cutoff);
  }
  const std::string tiny = "cutoff=0.5 n=8 method=placeholder_cells";  // a side of 2
  expectWords(messageOf<InputError>([&] { restartWith(*mode, tiny); }),
              {"the reach of potential = wca = 1.122 does not fit", "use n of at least 12"});
}

class MdModeOfSmallFluid : public testing::Test {
 protected:
  std::unique_ptr<MdMode> mode = small();
};

TEST_F(MdModeOfSmallFluid, RefusesBadConfigurationsAndKeepsItsState) {
  mode->advance(3);
  const std::string before = saved(*mode);
  const Configuration good = mode->configuration();
  const auto refused = [&](const char* why, const std::function<void(Configuration&)>& damage) {
    Configuration c = good;
    damage(c);
    expectWords(messageOf<InputError>([&] { mode->adopt(c); }), {why});
    EXPECT_EQ(saved(*mode), before) << why;
  };
  refused("particle 17", [](auto& c) { c.positions[3 * 17] = NAN; });
  const auto joined = [](Configuration& c) {
    for (int k = 0; k < 3; ++k) c.positions[3 * 8 + k] = c.positions[3 * 9 + k];
  };
  refused("particles 8 and 9", joined);
  refused("particle 8 overlaps", [&](auto& c) {
    joined(c);
    c.positions[3 * 8] += c.positions[3 * 8] > 3 ? -0.2 : 0.2;
  });
}

TEST_F(MdModeOfSmallFluid, ABlowUpNamesTheParticleAndKeepsTheState) {
  mode->advance(10);
  Configuration c = mode->configuration();
  c.velocities[3 * 42] = 1000;  // 1000 sigma/tau: 4 sigma in one step
  mode->adopt(c);
  const std::string before = saved(*mode);
  expectWords(messageOf<RunError>([&] { mode->advance(100); }), {"particle 42", "step 1:", "dt"});
  EXPECT_EQ(saved(*mode), before);
  expectWords(messageOf<RunError>([&] { mode->advancePhase(); }), {"particle 42"});
  EXPECT_EQ(saved(*mode), before);
  // The way out works, as if nothing had happened.
  auto spared = small();
  load(*spared, before);
  for (auto* each : {mode.get(), spared.get()}) {
    change(*each, "dt=0.0001");
    each->advance(1);
    EXPECT_EQ(each->step(), 1u);
  }
  EXPECT_EQ(mode->configuration().velocities, spared->configuration().velocities);
}

TEST_F(MdModeOfSmallFluid, LiveEditsKeepTheState) {
  mode->advance(10);
  EXPECT_EQ(mode->work(), 10.0 * 256 * 255);
  const Configuration before = mode->configuration();
  change(*mode, "potential=truncated cutoff=3 tile=256");
  EXPECT_EQ(mode->configuration().positions, before.positions);
  EXPECT_EQ(mode->step(), 10u);
  EXPECT_EQ(sampled(*mode, "drift"), 0.0);  // measured from the new pair law on
  mode->advancePhase();
  change(*mode, "cutoff=2.5");
  mode->advance(5);
  expectHealthy(*mode);
}

// As in a run that begins with lists in the same state.
TEST_F(MdModeOfSmallFluid, BuildsPerStepCountFromTheChangeToLists) {
  mode->advance(300);
  EXPECT_TRUE(std::isnan(sampled(*mode, "builds")));
  change(*mode, "method=cells");
  auto fresh = small();
  assign(*fresh, "method=cells");
  fresh->adopt(mode->configuration());
  for (const int steps : {20, 60}) {
    mode->advance(static_cast<std::uint64_t>(steps));
    fresh->advance(static_cast<std::uint64_t>(steps));
    EXPECT_EQ(sampled(*mode, "builds"), sampled(*fresh, "builds"));
  }
  const double expected = sampled(*mode, "builds");
  EXPECT_GT(expected, 0);  // built again since the last sample
  EXPECT_LT(expected, 0.5);
  auto loaded = small();
  load(*loaded, saved(*mode));
  EXPECT_EQ(sampled(*loaded, "builds"), expected);
  // And again after a while without.
  change(*mode, "method=all_pairs");
  mode->advance(5);
  change(*mode, "method=cells");
  mode->advance(2);
  EXPECT_EQ(sampled(*mode, "builds"), 0.5);
}

TEST_F(MdModeOfSmallFluid, FramesShowThePickedParticleAndItsNeighbours) {
  const auto frame =
      mode->frame({.layers = {"particles", "velocities", "neighbours", "box"}, .picked = 3});
  ASSERT_EQ(frame->layers.size(), 5u);
  EXPECT_EQ(frame->layers[4].scale.marks, std::vector<Mark>{Mark::picked})
      << "around the picked particle";
  EXPECT_EQ(frame->layers[2].count, 54u);  // of a perfect lattice within 2.5
  EXPECT_EQ(frame->picked.id, 3);
  EXPECT_EQ(frame->picked.rows.size(), 7u);
}

TEST_F(MdModeOfSmallFluid, PicksTheNearestSphereOnTheRay) {
  const Configuration c = mode->configuration();
  const double l = c.box.length[0];
  for (std::uint32_t id : {0u, 100u, 255u}) {
    PickQuery q;
    for (int k = 0; k < 3; ++k) q.origin[k] = c.positions[3 * id + static_cast<std::size_t>(k)];
    q.origin[2] += 0.51;  // just above this particle, looking down
    EXPECT_EQ(mode->pick(q), id);
    q.direction[2] = 1;
    EXPECT_NE(mode->pick(q), id);
  }
  EXPECT_EQ(mode->pick({{-5, -5, l + 5}, {0, 0, -1}}), -1);
  EXPECT_EQ(mode->pick({{0, 0, 0}, {0, 0, 0}}), -1);
}

TEST(MdMode, ARayThatMeetsNothingPicksWhatItPassesWithinReach) {
  auto mode = small(2, 0.005);
  const Configuration c = mode->configuration();
  PickQuery q{{c.positions[3] - 0.7, c.positions[4], -3}, {0, 0, 1}, 0};
  EXPECT_EQ(mode->pick(q), -1);
  q.reach = 0.1;
  EXPECT_EQ(mode->pick(q), -1);
  q.reach = 0.3;
  EXPECT_EQ(mode->pick(q), 1);
}

// Galilean invariance: a fluid that moves as a whole is the same fluid.
TEST(MdMode, ADriftIsKeptAndCountsNeitherAsTemperatureNorAsPressure) {
  auto resting = small(), drifting = small();
  resting->advance(50);
  Configuration c = resting->configuration();
  resting->adopt(c);
  for (std::size_t i = 0; i < 256; ++i) c.velocities[3 * i] += 0.5;
  drifting->adopt(c);
  for (auto* mode : {resting.get(), drifting.get()}) mode->advance(20);
  EXPECT_NEAR(sampled(*drifting, "momentum"), 128, 1e-3);
  for (const char* id : {"temperature", "pressure", "potential"})
    EXPECT_NEAR(sampled(*drifting, id), sampled(*resting, id), 1e-3) << id;
  EXPECT_NEAR(sampled(*drifting, "kinetic"), sampled(*resting, "kinetic") + 0.125, 1e-3);
  expectHealthy(*drifting);
  ASSERT_EQ(drifting->references().size(), resting->references().size());
}

TEST_F(MdModeOfSmallFluid, ADriftIsRemovedWhenAsked) {
  mode->advance(50);
  Configuration c = mode->configuration();
  for (std::size_t i = 0; i < 256; ++i) c.velocities[3 * i + 2] -= 0.5;
  mode->adopt(c);
  mode->advance(5);
  const double temperature = sampled(*mode, "temperature"), pressure = sampled(*mode, "pressure");
  change(*mode, "remove_drift=true");
  EXPECT_LT(sampled(*mode, "momentum"), 1e-9);
  EXPECT_NEAR(sampled(*mode, "temperature"), temperature, 1e-9);
  EXPECT_NEAR(sampled(*mode, "pressure"), pressure, 1e-9);
  EXPECT_EQ(mode->step(), 5u);
  mode->advance(5);
  expectHealthy(*mode);
  mode->adopt(c);  // and of what is loaded
  EXPECT_LT(sampled(*mode, "momentum"), 1e-9);
}

// Each pair that crosses the cutoff changes the energy by u(r_c), at any time step.
TEST(MdMode, TheEnergyCheckAllowsForAJumpAtTheCutoff) {
  auto mode = startedMd("n=100 density=0.5 seed=2 potential=truncated");
  for (int k = 0; k < 5; ++k) {
    mode->advance(100);
    EXPECT_TRUE(checkOf(*mode, "energy").ok);
  }
}

TEST_F(MdModeOfSmallFluid, SelfChecksSeeABrokenState) {
  mode->advance(50);
  expectHealthy(*mode);
  std::string state = saved(*mode);
  // The last velocity, in front of the empty curves: how many numbers, and nine of them.
  double v = 0;
  const std::size_t at = state.size() - 11 * sizeof v;
  std::memcpy(&v, &state[at], sizeof v);
  v += 0.5;
  std::memcpy(&state[at], &v, sizeof v);
  load(*mode, state);
  EXPECT_EQ(checkOf(*mode, "momentum").label, "momentum");
  EXPECT_FALSE(checkOf(*mode, "momentum").ok);
}

// g(r): MdBox.PairCorrelationOfAnIdealGasIsOne.
TEST(MdMode, SpeedsAreMaxwells) {
  auto mode = small(2000, 0.05);
  restartWith(*mode, "temperature=5");
  for (int k = 0; k < 10; ++k) {
    mode->advance(100);
    mode->sample();
  }
  const std::vector<Curve> curves = mode->curves();
  ASSERT_EQ(curves.size(), 2u);
  const CurveSeries &run = curves[1].series[0], &maxwell = curves[1].series[1];
  // The particles' speeds hardly decorrelate here: about 2000 independent ones, so that the largest
  // deviation of a bin is judged at 3 standard errors, sqrt(0.17 / (2000 * 0.1)).
  double sum = 0, worst = 0, square = 0, expected = 0;
  for (std::size_t b = 0; b < run.x.size(); ++b) {
    sum += 0.1 * run.y[b];
    worst = std::max(worst, std::abs(run.y[b] - maxwell.y[b]));
    square += run.x[b] * run.x[b] * run.y[b];
    expected += maxwell.x[b] * maxwell.x[b] * maxwell.y[b];
  }
  EXPECT_NEAR(sum, 1.0, 0.01);
  EXPECT_NEAR(square / expected, 1.0, 0.01);  // both are 3 T
  EXPECT_LT(worst, 0.09);
}

}  // namespace
}  // namespace cellscope::test
