// Density tuned while it runs, and the barostat.
#include "sim/algo/md/bath.h"
#include "tests/support/md_modes.h"
#include "tests/support/replay.h"

namespace cellscope::test {
namespace {

// The volume of an ideal gas whose pressure is (N - 1) T / V: gamma distributed with shape N and
// scale T / P_0.
TEST(Barostat, VolumeOfAnIdealGasIsGammaDistributed) {
  constexpr double kN = 200, kT = 1.5, kP = 0.8;
  Barostat b;
  b.pressure = kP, b.temperature = kT, b.compressibility = 1 / kP, b.time = 1, b.interval = 0.25;
  constexpr int kSteps = 400000;
  double volume = kN * kT / kP, sum = 0, square = 0;
  for (int k = -1000; k < kSteps; ++k) {
    volume *=
        volumeFactor(b, volume, (kN - 1) * kT / volume, static_cast<std::uint64_t>(k + 1000), 3);
    if (k >= 0) sum += volume, square += volume * volume;
  }
  const double mean = sum / kSteps, variance = square / kSteps - mean * mean;
  const double scale = kT / kP, larger = 1 / (1 - 0.5 * b.interval / b.time);
  // Correlated over 2 / h = 8 steps. Five standard errors: one false alarm in 1.7 million seeds for
  // each.
  const double independent = kSteps / 8.0;
  EXPECT_NEAR(mean, kN * scale, 5 * std::sqrt(kN * scale * scale / independent));
  EXPECT_NEAR(variance / (kN * scale * scale), larger, 5 * std::sqrt((2 + 6 / kN) / independent));
}

// The same of particles that do not see each other: species B with epsilon 0.
TEST(Barostat, HoldsAnIdealGas) {
  constexpr double kN = 128, kT = 1.5, kP = 0.1;
  const auto mode = startedMd(
      fmt::format("system=binary fraction_b=1 epsilon_b=0 cutoff=0.5 cutoff_b=0.5 "
                  "potential=shifted n=128 density={} temperature={} dt=0.03 thermostat=langevin "
                  "friction=2 bath_temperature={} barostat=cell_rescaling target_pressure={} "
                  "compressibility={} barostat_time=1 barostat_interval=3",
                  kP / kT, kT, kT, kP, 1 / kP));
  mode->advance(500);
  BlockAverage volume, square, pressure;
  const double right = kN * kT / kP;
  for (int k = 0; k < 3000; ++k) {
    mode->advance(12);
    const double v = kN / sampled(*mode, "density");
    volume.add(v), square.add((v - right) * (v - right));
    pressure.add(sampled(*mode, "pressure"));
  }
  // Five standard errors: one false alarm in 1.7 million seeds for each.
  EXPECT_NEAR(volume.mean(), right, 5 * volume.error());
  // h / tau_p = 0.09 makes the variance larger.
  EXPECT_NEAR(square.mean(), right * right / kN / (1 - 0.045), 5 * square.error());
  EXPECT_NEAR(pressure.mean(), kP, 5 * pressure.error());
  EXPECT_LT(square.error(), 0.1 * right * right / kN) << "long enough to tell";
}

struct Method {
  const char* key;
  int dimension;
  double aspectY = 1, aspectZ = 1;
};

class VolumeOf : public testing::TestWithParam<Method> {
 protected:
  static std::unique_ptr<MdMode> start(const std::string& more = "") {
    const Method& m = GetParam();
    return startedMd(
        fmt::format("method={} dimension={} aspect_y={} aspect_z={} n={} density={} "
                    "temperature=1.4 {}",
                    m.key, m.dimension, m.aspectY, m.aspectZ, m.aspectY == 1 ? 500 : 1200,
                    m.dimension == 2 ? 0.7 : 0.75, more));
  }
  static std::unique_ptr<MdMode> atPressure() {
    return start(
        "thermostat=bussi bath_temperature=1.2 barostat=cell_rescaling "
        "target_pressure=4 barostat_time=0.3 barostat_interval=7");
  }
};

// Step by step, phase by phase, in batches, and through a checkpoint: the same state, box included.
TEST_P(VolumeOf, DoesNotDependOnBatchesNorOnCheckpoints) {
  const auto whole = atPressure();
  whole->advance(120);
  EXPECT_NE(whole->configuration().box.volume(), atPressure()->configuration().box.volume());
  expectHealthy(*whole);
  const auto pieces = atPressure();
  for (int k = 0; k < 3; ++k) pieces->advance(7);
  pieces->advance(33);
  while (pieces->step() < 64) pieces->advancePhase();
  const auto loaded = start();
  load(*loaded, saved(*pieces));
  for (MdMode* mode : {pieces.get(), loaded.get()}) {
    while (mode->step() < 120) mode->advance(1);
    EXPECT_EQ(mode->configuration().positions, whole->configuration().positions);
    EXPECT_EQ(mode->configuration().box, whole->configuration().box);
  }
  EXPECT_EQ(saved(*loaded), saved(*pieces));
}

TEST_P(VolumeOf, DensityChangesWhileItRuns) {
  for (const char* thermostat : {"none", "langevin"}) {
    SCOPED_TRACE(thermostat);
    const auto mode = start(std::string("thermostat=") + thermostat);
    mode->advance(15);
    const double first = sampled(*mode, "density");
    for (const double goal : {1.02 * first, 0.99 * first}) {
      change(*mode, fmt::format("density={}", goal));
      ASSERT_TRUE(mode->preparation().has_value());
      mode->advance(15);
      const auto loaded = start();
      load(*loaded, saved(*mode));
      EXPECT_TRUE(loaded->preparation().has_value());
      for (int k = 0; k < 1000 && mode->preparation(); ++k) {
        mode->advance(5), loaded->advance(5);
        ASSERT_TRUE(mode->selfChecks()[1].ok) << mode->selfChecks()[1].detail;
      }
      EXPECT_NEAR(sampled(*mode, "density"), goal, 1e-12);
      const Box box = mode->configuration().box;
      EXPECT_NEAR(box.length[1] / box.length[0], GetParam().aspectY, 1e-14);
      EXPECT_EQ(mode->configuration().positions, loaded->configuration().positions);
      mode->advance(10);
      expectHealthy(*mode);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, VolumeOf,
    testing::Values(Method{"all_pairs", 2}, Method{"all_pairs", 3}, Method{"cells", 2},
                    Method{"cells", 3}, Method{"stencils", 3}, Method{"tree", 2}, Method{"tree", 3},
                    Method{"clusters", 3}, Method{"placeholder_cells", 2},
                    Method{"placeholder_cells", 3}, Method{"all_pairs", 2, 2.5},
                    Method{"all_pairs", 3, 1.3, 0.7}, Method{"cells", 3, 0.8, 1.6},
                    Method{"stencils", 2, 0.4}, Method{"tree", 3, 1.3, 0.7},
                    Method{"clusters", 3, 1.2, 2}, Method{"placeholder_cells", 3, 1.3, 1.1}),
    [](const auto& i) {
      return std::string(i.param.key) + (i.param.dimension == 2 ? "_2d" : "") +
             (i.param.aspectY == 1 ? "" : "_uneven");
    });

// Slowly compressed without a thermostat, a fluid heats as an adiabat does: dU = -P dV.
TEST(Density, CompressionIsWork) {
  const auto mode = startedMd("n=864 density=0.6 temperature=1.6 method=cells");
  mode->advance(1500);
  const double before = sampled(*mode, "total");
  BlockAverage low, high;
  for (int k = 0; k < 200; ++k) mode->advance(5), low.add(sampled(*mode, "pressure"));
  change(*mode, "density=0.63");
  while (mode->preparation()) mode->advance(1);
  const double after = sampled(*mode, "total");
  for (int k = 0; k < 200; ++k) mode->advance(5), high.add(sampled(*mode, "pressure"));
  // Per particle: the mean of both pressures, which covers the curvature to a per cent or so, and
  // what friction of the compression adds, a few per cent at this rate; five errors of the means.
  const double work = 0.5 * (low.mean() + high.mean()) * (1 / 0.6 - 1 / 0.63);
  EXPECT_NEAR(after - before, work,
              0.1 * work + 5 * (low.error() + high.error()) * (1 / 0.6 - 1 / 0.63));
}

// What a change did is undone, and a run with its edits is the same again.
TEST(Density, IsUndoneAndReplayed) {
  Session session(scenarioWith("md", "n=500 method=cells"), kOneThread, makeMode);
  session.advanceTo(20);
  const std::uint64_t before = hashOf(session);
  session.set({{"density", 0.8}});
  session.advance(30);
  EXPECT_TRUE(session.mode().preparation().has_value());
  session.undo();
  EXPECT_EQ(hashOf(session), before);
  session.set({{"density", 0.82}});
  session.finishPreparation([] { return true; });
  session.set({{"thermostat", std::string("bussi")}, {"barostat", std::string("cell_rescaling")}});
  session.advanceTo(400);
  session.set({{"barostat", std::string("none")}});
  session.advanceTo(session.step() + 50);
  EXPECT_EQ(hashOf(*replay(session.log(), session.step(), kOneThread, makeMode)), hashOf(session));
  // Without a barostat the density shown is that of the box.
  const double shown = valueIn(session.mode(), "density");
  EXPECT_NEAR(shown, 500 / session.mode().configuration().box.volume(), 1e-12);
  EXPECT_NE(shown, 0.82);
}

// With colloids the volume fraction follows the density.
TEST(Density, OfColloidsTakesTheFractionAlong) {
  const auto mode =
      startedMd("system=colloids colloids=20 colloid_diameter=2 density=0.4 method=cells dt=0.002");
  const double fraction = valueIn(*mode, "colloid_fraction");
  const double volume = mode->configuration().box.volume();
  change(*mode, "density=0.38");
  while (mode->preparation()) mode->advance(1);
  EXPECT_NEAR(mode->configuration().box.volume(), volume * 0.4 / 0.38, 1e-9 * volume);
  EXPECT_NEAR(valueIn(*mode, "colloid_fraction"), fraction * 0.38 / 0.4, 1e-12);
  EXPECT_EQ(messageOf([&] { change(*mode, "density=1.4"); }).find("colloid_fraction"), 0u);
  EXPECT_FALSE(mode->preparation().has_value());
}

TEST(Barostat, IsRefusedWithItsReason) {
  const auto mode = small(500);
  expectWords(messageOf([&] { change(*mode, "barostat=cell_rescaling"); }), {"needs a thermostat"});
  expectWords(messageOf([&] { change(*mode, "cutoff=13"); }), {"cutoff"});
  // Three cells fit into this box, and not into that of the goal.
  const auto cells = startedMd("n=300 density=0.5 method=placeholder_cells");
  expectWords(messageOf([&] { change(*cells, "density=0.8"); }), {"three cells"});
  cells->advance(20);
  EXPECT_NEAR(sampled(*cells, "density"), 0.5, 1e-12);
}

// A gas at no pressure has no volume: the run ends with its last state and the way out.
TEST(Barostat, EndsWhereTheBoxIsTooLarge) {
  const auto mode = startedMd(
      "n=256 density=0.0002 thermostat=langevin barostat=cell_rescaling target_pressure=-1 "
      "method=cells");
  expectWords(messageOf([&] { mode->advance(2000); }), {"target_pressure", "density"});
  EXPECT_GT(mode->configuration().box.volume(), 256 / 0.0002);
  EXPECT_EQ(mode->selfChecks()[0].ok, true);
}

}  // namespace
}  // namespace cellscope::test
