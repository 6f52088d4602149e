// Mean densities of liquids at constant pressure, against runs at constant volume of an independent
// program and a published state.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <tuple>

#include "sim/algo/observables/block_average.h"
#include "sim/exec/memory.h"
#include "sim/modes/md/mode.h"
#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

struct PressedState {
  const char *name, *potential, *thermostat;
  double temperature, pressure, pressureError, density;
};

void PrintTo(const PressedState& s, std::ostream* out) { *out << s.name; }

class MdPressure : public testing::TestWithParam<std::tuple<Backend, PressedState>> {};

// The error of the pressure becomes one of the density by the compressibility, which the
// fluctuations of the volume tell: d rho / dP = rho var(V) / (V T).
TEST_P(MdPressure, HasTheDensityOfTheState) {
  const Backend where = std::get<0>(GetParam());
  const PressedState& s = std::get<1>(GetParam());
  if (where == Backend::cuda && !exec::cudaStatus().usable)
    GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  MdMode mode(ExecConfig{where, 2, 0});
  const auto set = [&](const char* key, const ParameterValue& v) { test::set(mode, key, v); };
  constexpr double kN = 1000;
  set("n", std::int64_t{1000});
  set("method", std::string("cells"));
  set("potential", std::string(s.potential));
  set("density", 0.97 * s.density);
  set("temperature", 2 * s.temperature), set("bath_temperature", s.temperature);
  set("thermostat", std::string(s.thermostat));
  set("coupling_time", 0.2), set("friction", 1.0);
  set("barostat", std::string("cell_rescaling"));
  set("target_pressure", s.pressure);
  set("compressibility", 0.05), set("barostat_time", 0.5);
  set("barostat_interval", std::int64_t{10});
  mode.restart();
  mode.advance(3000);
  BlockAverage density, pressure, volume, square;
  for (int k = 0; k < 6000; ++k) {
    mode.advance(10);
    const double rho = test::sampled(mode, "density"), v = kN / rho;
    density.add(rho), volume.add(v), square.add(v * v);
    pressure.add(test::sampled(mode, "pressure"));
  }
  const double v = volume.mean();
  const double slope = s.density * (square.mean() - v * v) / (v * s.temperature);
  EXPECT_GT(slope, 0.01);
  EXPECT_LT(slope, 0.1);
  // Four errors of both runs together: one false alarm in 16,000 seeds. The mean at constant
  // pressure is off by the curvature of rho(P) times the variance of P, below 1e-4 of rho at this
  // N.
  const double error = std::hypot(density.error(), slope * s.pressureError);
  EXPECT_NEAR(density.mean(), s.density, 4 * error + 1e-4 * s.density);
  EXPECT_NEAR(pressure.mean(), s.pressure, 4 * pressure.error());
  EXPECT_LT(error, 0.001 * s.density) << "long enough to tell";
  for (const SelfCheck& c : mode.selfChecks()) EXPECT_TRUE(c.ok) << c.label << ": " << c.detail;
}

// Force-shifted at r_c = 2.5 over 200 tau, N = 2048; Weeks, Chandler and Andersen of
// the HOOMD-validation project, whose density is given without an error.
INSTANTIATE_TEST_SUITE_P(
    Each, MdPressure,
    testing::Combine(testing::Values(Backend::cpu, Backend::cuda),
                     testing::Values(PressedState{"force_shifted", "force_shifted", "bussi",
                                                  1.00738, 3.1885, 0.0022, 0.8442},
                                     PressedState{"force_shifted_langevin", "force_shifted",
                                                  "langevin", 1.00738, 3.1885, 0.0022, 0.8442},
                                     PressedState{"wca", "wca", "bussi", 1.0, 11.0, 0.005,
                                                  0.9193740949934834})),
    [](const auto& i) {
      return fmt::format("{}{}", std::get<1>(i.param).name,
                         std::get<0>(i.param) == Backend::cuda ? "_cuda" : "");
    });

}  // namespace
}  // namespace cellscope
