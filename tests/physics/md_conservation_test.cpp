// Conservation laws and equilibrium averages of all-pairs molecular dynamics. Its self-checks raise
// no false alarm in 10^6 steps of few particles, with each potential and thermostat: few, as the
// error of one pair is shared by few.
#include "tests/support/backend_test.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

class MdConservation : public BackendTest {
 protected:
  static std::unique_ptr<MdMode> fluid(std::int64_t n, double temperature, double dt,
                                       const char* kernel = "tuned") {
    return startedMd(
        config(0), fmt::format("n={} temperature={} dt={} kernel={}", n, temperature, dt, kernel));
  }
  // Root mean square of E/N about its mean over 4 tau, from the same start.
  static double energyNoise(const Configuration& start, double dt) {
    auto mode = fluid(864, 2.0, dt);
    mode->adopt(start);
    const double reference = sampled(*mode, "total");
    double sum = 0, square = 0;
    const auto stride = static_cast<std::uint64_t>(0.016 / dt + 0.5);
    constexpr int kSamples = 250;
    for (int s = 0; s < kSamples; ++s) {
      mode->advance(stride);
      const double e = sampled(*mode, "total") - reference;
      sum += e, square += e * e;
    }
    const double mean = sum / kSamples;
    return std::sqrt(square / kSamples - mean * mean);
  }
};

// The energy error of velocity Verlet is proportional to dt^2: 1.78e-5 per particle at dt = 0.002,
// N = 864, T about 1, and four times as much per doubling (an independent program; this state is
// another one, so that its size is checked to 30 % only).
TEST_P(MdConservation, EnergyErrorGrowsAsTheSquareOfTheStep) {
  auto mode = fluid(864, 2.0, 0.004);
  mode->advance(2000);
  const Configuration start = mode->configuration();
  const double e2 = energyNoise(start, 0.002), e4 = energyNoise(start, 0.004);
  const double e8 = energyNoise(start, 0.008);
  std::printf("rms E/N: %.3e %.3e %.3e\n", e2, e4, e8);
  EXPECT_NEAR(e4 / e2, 4.0, 0.5);
  EXPECT_NEAR(e8 / e4, 4.0, 0.5);
  EXPECT_NEAR(e2 / 1.78e-5, 1.0, 0.3);
}

// 1e5 steps, 400 tau, lie between the middles of two windows of 5000 steps. E/N fluctuates by 7e-5;
// the means of 24 windows one after the other scatter by 2.5e-6, so that 1e-4 is never an accident.
TEST_P(MdConservation, EnergyDoesNotDrift) {
  constexpr int kSteps = 100000, kWindow = 5000;
  auto mode = fluid(256, 1.4, 0.004);
  mode->advance(2000);
  const auto meanEnergy = [&] { return averaged(*mode, {"total"}, kWindow / 10, 10)[0].mean(); };
  const double before = meanEnergy();
  mode->advance(kSteps - kWindow);
  const double drift = meanEnergy() - before, momentum = sampled(*mode, "momentum");
  std::printf("drift over 400 tau: %.2e per particle, momentum %.2e\n", drift, momentum);
  EXPECT_LT(std::abs(drift), 1e-4);
  // |p| walks at random: eps sqrt(steps N) times forces of order 30 and dt.
  EXPECT_LT(momentum, 6e-8 * std::sqrt((2000.0 + kSteps + kWindow) * 256) * 30);
  expectHealthy(*mode);
}

TEST_P(MdConservation, MomentumIsExactInDouble) {
  auto mode = fluid(108, 1.4, 0.004, "teams_double");
  change(*mode, "cutoff=2.4");
  mode->advance(2000);
  EXPECT_LT(sampled(*mode, "momentum"), 1e-12 * std::sqrt(2000.0));
}

// Velocities reversed after 200 steps lead back to the start: the integrator is symmetric in time.
TEST_P(MdConservation, TimeCanBeReversed) {
  for (const char* kernel : {"tuned", "teams_double"}) {
    auto mode = fluid(256, 1.0, 0.004, kernel);
    mode->advance(500);
    const Configuration start = mode->configuration();
    mode->advance(200);
    Configuration back = mode->configuration();
    for (double& v : back.velocities) v = -v;
    mode->adopt(back);
    mode->advance(200);
    const Configuration end = mode->configuration();
    double worst = 0;
    const double l = start.box.length[0];
    for (std::size_t k = 0; k < end.positions.size(); ++k) {
      double d = std::abs(end.positions[k] - start.positions[k]);
      worst =
          std::max({worst, std::min(d, l - d), std::abs(end.velocities[k] + start.velocities[k])});
    }
    std::printf("%s: back to %.1e\n", kernel, worst);
    EXPECT_LT(worst, 1e-6) << kernel;
  }
}

// Force-shifted, r_c = 2.5, rho = 0.8442: temperature, energy and pressure at this total energy,
// from an independent program, over 40 tau. The bound is five standard errors, by blocks, and five
// of the reference's own.
TEST_P(MdConservation, EquilibriumAveragesOfTheFluid) {
  auto mode = fluid(864, 1.55, 0.004);
  mode->advance(4000);
  const std::vector<ReferenceValue> references = mode->references();
  ASSERT_EQ(references.size(), 3u);
  const auto averages = averaged(*mode, {"temperature", "potential", "pressure"}, 1000, 10);
  for (std::size_t q = 0; q < 3; ++q) {
    const BlockAverage& a = averages[q];
    const ReferenceValue& r = references[q];
    std::printf("%s: %.4f(%.4f), reference %.4f(%.4f)\n", r.observable.c_str(), a.mean(), a.error(),
                r.value, r.error);
    EXPECT_LT(a.error(), 0.01 * std::abs(r.value)) << r.observable;
    EXPECT_NEAR(a.mean(), r.value, 5 * std::hypot(a.error(), r.error)) << r.observable;
  }
}

INSTANTIATE_TEST_SUITE_P(Each, MdConservation, kBackends, nameOfBackend);

struct SystemCase {
  std::string name, potential, thermostat;
  std::int64_t n = 8;
  double cutoff = 2.5, dt = 0.004;
};
std::string nameOf(const testing::TestParamInfo<SystemCase>& c) { return c.param.name; }

class SelfChecksOverTime : public testing::TestWithParam<SystemCase> {};

// 1000 looks. Of each the bound of energies is exceeded once in 10^6 (sim/modes/md/checks.cpp), in
// one of them once in 1000 runs; the walks of energy and momentum less often.
TEST_P(SelfChecksOverTime, RaiseNoFalseAlarm) {
  const SystemCase& c = GetParam();
  MdMode mode(kOneThread);
  restartWith(
      mode, fmt::format("n={} potential={} cutoff={} thermostat={} bath_temperature=1.4 dt={}", c.n,
                        c.potential, c.cutoff > 0 ? c.cutoff : 0.5 * std::cbrt(c.n / 0.8442) - 1e-6,
                        c.thermostat, c.dt));
  double largest = 0;
  for (int k = 0; k < 1000; ++k) {
    mode.advance(1000);
    SCOPED_TRACE(mode.step());
    expectHealthy(mode);
    if (HasFailure()) return;
    largest = std::max(largest, std::abs(sampled(mode, "drift_rate")) * mode.time());
  }
  for (const SelfCheck& check : mode.selfChecks())
    if (check.label != "particles")
      std::printf("%s: %s: %s\n", c.name.c_str(), check.label.c_str(), check.detail.c_str());
  std::printf("%s: energy changed by at most %.2g\n", c.name.c_str(), largest);
}

std::vector<SystemCase> systemCases() {
  std::vector<SystemCase> all;
  for (const char* thermostat : {"none", "bussi"})
    for (const char* potential : {"force_shifted", "shifted", "truncated", "wca"})
      all.push_back({std::string(potential) + "_" + thermostat, potential, thermostat});
  all.push_back({"langevin", "force_shifted", "langevin"});
  all.push_back({"more_of_them", "shifted", "none", 32});
  all.push_back({"more_rescaled", "shifted", "bussi", 32});
  // Half the box, where the law ends in the core: with steps that resolve it.
  all.push_back({"half_the_box_2", "force_shifted", "none", 2, 0, 0.00002});
  all.push_back({"half_the_box_3", "force_shifted", "none", 3, 0, 0.0001});
  all.push_back({"half_the_box_4", "force_shifted", "none", 4, 0, 0.0005});
  all.push_back({"half_the_box_6", "force_shifted", "none", 6, 0, 0.001});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, SelfChecksOverTime, testing::ValuesIn(systemCases()), nameOf);

}  // namespace
}  // namespace cellscope::test
