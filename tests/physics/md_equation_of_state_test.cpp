// Energy and pressure of liquids held at a temperature, against published equations of state of
// fluids with the same truncation.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <tuple>

#include "sim/algo/observables/block_average.h"
#include "sim/exec/memory.h"
#include "sim/modes/md/mode.h"
#include "tests/support/md_modes.h"

namespace cellscope {
namespace {

struct State {
  const char *potential, *thermostat;
  double cutoff, temperature, density;
  bool tail;
};

void PrintTo(const State& s, std::ostream* out) {
  *out << s.potential << " at " << s.cutoff << ", " << s.thermostat << ", T = " << s.temperature
       << ", rho = " << s.density << (s.tail ? ", with tail" : "");
}

class MdEquationOfState : public testing::TestWithParam<std::tuple<Backend, State>> {};

TEST_P(MdEquationOfState, IsThePublishedOne) {
  const Backend where = std::get<0>(GetParam());
  const State& s = std::get<1>(GetParam());
  if (where == Backend::cuda && !exec::cudaStatus().usable)
    GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  MdMode mode(ExecConfig{where, 2, 0});
  const auto set = [&](const char* key, const ParameterValue& v) { test::set(mode, key, v); };
  set("n", std::int64_t{500});
  set("method", std::string("cells"));
  set("potential", std::string(s.potential));
  set("cutoff", s.cutoff), set("density", s.density), set("tail", s.tail);
  set("temperature", 2 * s.temperature), set("bath_temperature", s.temperature);
  set("thermostat", std::string(s.thermostat));
  set("friction", 1.0), set("coupling_time", 0.2), set("dt", 0.005);
  mode.restart();
  mode.advance(1500);
  BlockAverage energy, pressure, temperature;
  const std::vector<ObservableInfo>& columns = mode.info().observables;
  const std::vector<ReferenceValue> references = mode.references();
  ASSERT_EQ(references.size(), 2u);
  for (int k = 0; k < 400; ++k) {
    mode.advance(10);
    const std::vector<double> values = mode.sample();
    energy.add(values[columnOf(columns, "potential")]);
    pressure.add(values[columnOf(columns, "pressure")]);
    temperature.add(values[columnOf(columns, "temperature")]);
  }
  // Four standard errors of the run, and two of the equation: less than one false alarm in 1000
  // seeds for each.
  EXPECT_NEAR(temperature.mean(), s.temperature, 4 * temperature.error() + 0.002);
  EXPECT_NEAR(energy.mean(), references[0].value, 4 * energy.error() + 2 * references[0].error);
  EXPECT_NEAR(pressure.mean(), references[1].value, 4 * pressure.error() + 2 * references[1].error);
}

INSTANTIATE_TEST_SUITE_P(
    Each, MdEquationOfState,
    testing::Combine(testing::Values(Backend::cpu, Backend::cuda),
                     testing::Values(State{"shifted", "langevin", 2.5, 1.0, 0.8, false},
                                     State{"shifted", "bussi", 2.5, 1.2, 0.5, false},
                                     State{"truncated", "bussi", 3.0, 0.9, 0.82, true},
                                     State{"truncated", "langevin", 3.0, 1.5, 0.5144, false})),
    [](const auto& i) {
      const State& s = std::get<1>(i.param);
      const bool cuda = std::get<0>(i.param) == Backend::cuda;
      return fmt::format("{}_{}_T{:.0f}{}", s.potential, s.thermostat, 100 * s.temperature,
                         cuda ? "_cuda" : "");
    });

}  // namespace
}  // namespace cellscope
