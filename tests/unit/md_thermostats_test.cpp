// Thermostats of molecular dynamics: distributions, conserved quantities, ramps.
// The heating curve: what it keeps, what is read off it, and that it goes on from a checkpoint.
#include "sim/algo/observables/fluid_reference.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

TEST(BathDraws, HaveTheMomentsOfTheirDistributions) {
  for (const double n : {1.0, 2.0, 3.0, 17.0, 1000.0}) {
    constexpr int kDraws = 20000;
    double sum = 0, square = 0;
    for (int k = 0; k < kDraws; ++k) {
      BathDraws draws(7, static_cast<std::uint64_t>(k));
      const double x = draws.chiSquare(n);
      sum += x, square += x * x;
    }
    const double mean = sum / kDraws, variance = square / kDraws - mean * mean;
    // Five standard errors; of the variance 2 n they follow from the fourth moment 12 n^2 + 48 n.
    EXPECT_NEAR(mean, n, 5 * std::sqrt(2 * n / kDraws)) << n;
    EXPECT_NEAR(variance, 2 * n, 5 * std::sqrt((8 * n * n + 48 * n) / kDraws)) << n;
  }
}

// Whatever the coupling, the kinetic energy is that of the canonical ensemble: mean N_f T / 2 and
// variance N_f T^2 / 2.
TEST(VelocityRescaling, HoldsTheCanonicalKineticEnergy) {
  for (const double relaxed : {0.1, 1.0, 20.0})
    for (const double freedoms : {3.0, 30.0}) {
      constexpr double kTemperature = 1.7;
      constexpr int kSteps = 200000;
      double kinetic = 50, sum = 0, square = 0;
      BathDraws draws(3, 0);
      for (int k = -1000; k < kSteps; ++k) {
        const double factor = rescalingFactor(kinetic, freedoms, kTemperature, relaxed, draws);
        kinetic *= factor * factor;
        if (k >= 0) sum += kinetic, square += kinetic * kinetic;
      }
      const double mean = sum / kSteps, variance = square / kSteps - mean * mean;
      const double right = 0.5 * freedoms * kTemperature;
      const double spread = 0.5 * freedoms * kTemperature * kTemperature;
      // Correlated over 1 / (1 - exp(-relaxed)) steps.
      const double independent = kSteps * (1 - std::exp(-relaxed)) / 2;
      EXPECT_NEAR(mean, right, 5 * std::sqrt(spread / independent)) << relaxed << " " << freedoms;
      EXPECT_NEAR(variance / spread, 1.0, 5 * std::sqrt((2 + 12 / freedoms * 2) / independent))
          << relaxed << " " << freedoms;
    }
}

TEST(VelocityRescaling, HoldsTheTemperatureAndConservesMomentumAndItsEnergy) {
  auto mode = small(256);
  change(*mode, "thermostat=bussi bath_temperature=1 coupling_time=0.2");
  mode->advance(1000);
  const double conserved = sampled(*mode, "conserved");
  // The canonical spread of a sample is T sqrt(2 / 765) = 0.051; samples are correlated over the
  // coupling time, five of them: five standard errors of the 80 independent ones.
  EXPECT_NEAR(averaged(*mode, {"temperature"}, 400, 10)[0].mean(), 1.0,
              5 * 0.051 / std::sqrt(80.0));
  EXPECT_NEAR(sampled(*mode, "conserved"), conserved, 2e-3);
  EXPECT_LT(sampled(*mode, "momentum"), 1e-2);
  expectHealthy(*mode);
  // The heat is real: the energy itself has changed by more than its drift.
  EXPECT_GT(std::abs(sampled(*mode, "total") - conserved), 0.01);
}

// Friction 20 in 0.2 tau: velocities are independent from sample to sample, exp(-4) = 0.02.
TEST(Langevin, VelocitiesAreMaxwellsByChiSquare) {
  auto mode = small(108, 0.6);
  change(*mode, "thermostat=langevin bath_temperature=1.3 friction=20");
  constexpr int kBins = 20, kSamples = 120;
  // Bins of equal probability of a normal deviate: by its distribution function.
  std::vector<double> count(kBins, 0);
  for (int k = 0; k < kSamples; ++k) {
    mode->advance(50);
    for (const double v : mode->configuration().velocities) {
      const double p = 0.5 * std::erfc(-v / std::sqrt(2 * 1.3));
      count[static_cast<std::size_t>(std::min(kBins - 1.0, std::floor(p * kBins)))] += 1;
    }
  }
  const double expected = 3.0 * 108 * kSamples / kBins;
  double chiSquare = 0;
  for (const double c : count) chiSquare += (c - expected) * (c - expected) / expected;
  // 19 degrees of freedom; 50.8 is exceeded once in 10,000 seeds, and 2 % of a change of variance
  // by dt^2 terms would show at this many velocities only above 1 %.
  EXPECT_LT(chiSquare, 50.8);
  EXPECT_GT(chiSquare, 3.0) << "suspiciously good";
}

// BAOAB in a harmonic well, with steps so long that at their ends a quarter of T is missing: before
// the last half kick T is exact, and so is the variance of the positions (bath.h).
TEST(Langevin, SampledVelocitiesAreExactInAHarmonicWell) {
  constexpr std::size_t kN = 1000;
  constexpr int kSteps = 2000;
  constexpr double kT = 1e-3, kDt = 1;  // omega = m = 1
  const double middle = 4;
  std::vector<Vec3d> r(kN, Vec3d{middle, middle, middle}), v(kN, Vec3d{0, 0, 0});
  std::vector<PairSums> f(kN, PairSums{});
  BathSettings bath{.on = true, .temperature = kT, .friction = 1};
  exec::Status status(Backend::cpu);
  const ParticleMasses masses{nullptr, InverseMasses()};
  double sampled = 0, atEnd = 0, square = 0, count = 0;
  for (std::uint64_t s = 0; s < kSteps; ++s) {
    const HalfKickDrift drift{
        {r.data(), v.data(), nullptr, status.data(), cubicBox(8.0), Bath::of(bath, kDt, s), kDt},
        {f.data()},
        masses,
        s};
    const HalfKick<WholeSums> kick{v.data(), {f.data()}, masses, kDt};
    const KineticOf of{v.data(), nullptr, InverseMasses(), bath.sampledBack(kDt)};
    for (std::size_t i = 0; i < kN; ++i) {
      drift(i);
      const Vec3d d{r[i].x - middle, r[i].y - middle, r[i].z - middle};
      f[i] = {-d.x, -d.y, -d.z, 0, 0};
      kick(i);
      if (s < 100) continue;
      sampled += 2 * of.sampled(i, f[i].fx, f[i].fy, f[i].fz).kinetic, atEnd += 2 * of(i).kinetic;
      square += d.x * d.x + d.y * d.y + d.z * d.z, count += 3;
    }
  }
  // Squares of normal deviates, of which at most ten steps in a row are alike: five standard
  // errors, once in 10^6 seeds.
  const double error = 5 * std::sqrt(2 * 10 / count);
  EXPECT_NEAR(sampled / count / kT, 1, error);
  EXPECT_NEAR(square / count / kT, 1, error);
  EXPECT_NEAR(atEnd / count / kT, 1 - kDt * kDt / 4, error);
}

TEST(TemperatureRamp, IsFollowedAndEnds) {
  for (const char* thermostat : {"langevin", "bussi"}) {
    auto mode = small(256, 0.6);
    change(*mode, fmt::format("thermostat={} bath_temperature=2 friction=20 coupling_time=0.02 "
                              "end_temperature=0.5 ramp_steps=2000",
                              thermostat));
    const auto mean = [&](int samples) {
      return averaged(*mode, {"temperature"}, samples, 10)[0].mean();
    };
    mode->advance(800);
    // From 0.4 to 0.6 of the way: 1.25 on the average. A sample spreads by T sqrt(2 / 765).
    EXPECT_NEAR(mean(40), 1.25, 0.08) << thermostat;
    mode->advance(1200);
    EXPECT_NEAR(mean(60), 0.5, 0.03) << thermostat;
  }
}

TEST(Langevin, HeavyParticlesHaveTheSameTemperature) {
  auto mode = startedMd(
      "system=colloids colloids=14 colloid_fraction=0.05 colloid_diameter=2 density=0.2 "
      "method=cells cutoff=2.5 thermostat=langevin bath_temperature=1 temperature=1 friction=40");
  double kinetic = 0, count = 0;
  for (int k = 0; k < 60; ++k) {
    mode->advance(25);
    const Configuration c = mode->configuration();
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c.types[i] != 1) continue;
      for (std::size_t a = 0; a < 3; ++a) {
        const double v = c.velocities[3 * i + a];
        kinetic += c.species[1].mass * v * v, count += 1;
      }
    }
  }
  // 2520 squares of normal deviates of variance T = 1: five standard errors.
  EXPECT_NEAR(kinetic / count, 1.0, 5 * std::sqrt(2.0 / count));
}

// At constant energy the published equation of state stands at the mean temperature of the run.
TEST(MdReferences, ArePublishedAtConstantEnergy) {
  auto mode = small(500, 0.8);
  restartWith(*mode, "potential=shifted temperature=2.2");
  EXPECT_TRUE(mode->references().empty()) << "no sample yet";
  mode->advance(400);
  mode->resetAverages();
  const double temperature = averaged(*mode, {"temperature"}, 5, 20)[0].mean();
  const std::vector<ReferenceValue> values = mode->references();
  ASSERT_EQ(values.size(), 2u);
  const std::vector<ReferenceValue> right =
      equationOfState("shifted", 2.5, false, temperature, 0.8);
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(values[k].observable, right.at(k).observable);
    EXPECT_NEAR(values[k].value, right[k].value, 1e-9);
    EXPECT_TRUE(contains(values[k].source, "Heier")) << values[k].source;
  }
}

using md::Boiling, md::HeatingCurve;

// Means of equal numbers of samples, whose mean over all is that of the samples: sums of whole
// numbers below 2^53 and halves of them are exact.
TEST(MdHeating, JoinsPointsAndKeepsTheirMean) {
  HeatingCurve curve;
  constexpr int kSamples = 8 * 1024;
  for (int k = 0; k < kSamples; ++k) curve.add({1.0 * k, -2.0 * k, 1, 0});
  const auto& points = curve.points();
  ASSERT_EQ(points.size(), HeatingCurve::kMost / 2);
  double t = 0, h = 0;
  for (const HeatingCurve::Point& p : points) t += p.temperature, h += p.heat;
  const auto n = static_cast<double>(points.size());
  EXPECT_EQ(t / n, 0.5 * (kSamples - 1));
  EXPECT_EQ(h / n, -1.0 * (kSamples - 1));
  curve.add({3, 4, 5, 6});
  HeatingCurve again;
  ASSERT_TRUE(again.restore(curve.numbers()));
  EXPECT_EQ(again.numbers(), curve.numbers());
  ASSERT_TRUE(again.restore({}));
  EXPECT_TRUE(again.numbers().empty());
  std::vector<double> bad = curve.numbers();
  bad.pop_back();
  EXPECT_FALSE(again.restore(bad));
  bad = curve.numbers(), bad[3] = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(again.restore(bad));
}

// A straight liquid and a vapour of a virial series are continued without error; a crystal and what
// is still expanding are left out.
TEST(MdHeating, ReadsTheHeatOfEvaporationOffBothBranches) {
  const std::optional<Boiling> nist = md::publishedBoiling(0.02495, 3.0, true);
  ASSERT_TRUE(nist);
  EXPECT_EQ(nist->temperature, 1.0);
  EXPECT_NEAR(nist->heat(), 5.424, 0.001);
  EXPECT_FALSE(md::publishedBoiling(0.0251, 3.0, true));
  EXPECT_FALSE(md::publishedBoiling(0.02495, 2.5, true));
  EXPECT_FALSE(md::publishedBoiling(0.02495, 3.0, false));
  const auto liquid = [](double t) { return -3.4 + 5 * (t - 1); };
  const auto vapour = [](double t) { return 2.5 * t - 0.4 / (t * t); };
  std::vector<HeatingCurve::Point> points;
  for (double t = 0.86; t < 1.14; t += 0.02) {
    points.push_back({t, liquid(t), 0.7, 0});
    points.push_back({t, -6, 0.95, 0});
  }
  EXPECT_FALSE(md::heatOfEvaporation(points, *nist));
  for (double t = 1.3; t < 1.6; t += 0.02) {
    // Not yet expanded: its pressure is too high by 0.1 of the density, its excess in proportion.
    const double pressure = 0.02495 + 0.1 * 0.02, ideal = 2.5 * t;
    points.push_back({t, ideal + (vapour(t) - ideal) * pressure / 0.02495 - 0.1, 0.02, pressure});
    points.push_back({t, 1, 0.06, 0.02495});
  }
  const auto found = md::heatOfEvaporation(points, *nist);
  ASSERT_TRUE(found);
  EXPECT_NEAR(found->liquid, liquid(1), 1e-12);
  EXPECT_NEAR(found->vapour, vapour(1), 1e-12);
  EXPECT_LT(found->error, 1e-12);
  HeatingCurve none;
  const Curve waits = md::heatingChart(none, 0.5, 0.02495, nist);
  EXPECT_FALSE(waits.waiting.empty());
  ASSERT_EQ(waits.series.size(), 2u);
  EXPECT_TRUE(waits.series[1].reference);
  EXPECT_EQ(waits.series[1].source, nist->source);
}

// A crystal at rest gives half of its motion to its bonds: it is not yet on the curve of the bath.
TEST(MdHeating, PointsBeforeTheBathIsReachedStandApart) {
  HeatingCurve curve;
  for (const double t : {0.3, 0.4, 0.49, 0.47, 0.52})
    for (int k = 0; k < 8; ++k) curve.add({t, -7, 0.95, 0});
  const Curve chart = md::heatingChart(curve, 0.5, std::nullopt, std::nullopt);
  ASSERT_EQ(chart.series.size(), 2u);
  EXPECT_EQ(chart.series[0].y.size(), 3u);
  EXPECT_EQ(chart.series[1].y.size(), 2u);
  EXPECT_TRUE(chart.series[1].provisional);
  EXPECT_EQ(md::heatingChart(curve, 0.35, std::nullopt, std::nullopt).series[1].y.size(), 1u)
      << "beyond at once";
}

TEST(MdHeating, IsAChartOfARampAndGoesOnFromACheckpoint) {
  auto plain = small();
  EXPECT_EQ(std::ranges::count(plain->curves(), "heating", &Curve::id), 0);
  auto a = startedMd("n=256 density=0.8442 thermostat=bussi ramp_steps=1000 end_temperature=3");
  EXPECT_EQ(std::ranges::count(a->curves(), "heating", &Curve::id), 1);
  const auto run = [](MdMode& mode, int samples) {
    for (int k = 0; k < samples; ++k) mode.advance(2), mode.sample();
  };
  run(*a, 20);
  MdMode b(kOneThread);
  load(b, saved(*a));
  run(*a, 20), run(b, 20);
  EXPECT_EQ(saved(*a), saved(b));
  const auto points = [](MdMode& mode) {
    std::vector<double> all;  // the approach to the bath too
    for (const Curve& c : mode.curves())
      for (std::size_t k = 0; c.id == "heating" && k < c.series.size(); ++k)
        all.insert(all.end(), c.series[k].y.begin(), c.series[k].y.end());
    return all;
  };
  EXPECT_EQ(points(*a).size(), 5u);
  EXPECT_EQ(points(*a), points(b));
  a->resetAverages();
  EXPECT_TRUE(points(*a).empty());
}

// While the temperature rises a mean is one of no state.
TEST(MdHeating, NothingHasAMeanUntilTheRampEnds) {
  auto mode = small();
  const std::size_t temperature = columnOf(mode->info().observables, "temperature");
  const auto grows = [&] { return mode->info().observables.at(temperature).grows; };
  EXPECT_FALSE(grows());
  restartWith(*mode, "thermostat=bussi ramp_steps=100");
  EXPECT_TRUE(grows());
  mode->advance(99);
  EXPECT_TRUE(grows());
  mode->advance(30);
  EXPECT_FALSE(grows());
  EXPECT_TRUE(mode->info().observables.at(columnOf(mode->info().observables, "msd")).grows);
}

}  // namespace
}  // namespace cellscope::test
