// Heat of evaporation of the Lennard-Jones fluid, from the enthalpies of the liquid and of the
// vapour at the densities and pressure of coexistence that NIST publishes (SAT-TMMC, cutoff 3 with
// tail): 6.590 at T = 0.75, 5.424 at T = 1.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/gcmc_reference.h"
#include "sim/exec/memory.h"
#include "sim/modes/md/mode.h"
#include "tests/support/md_modes.h"

namespace cellscope {
namespace {

struct Measured {
  BlockAverage energy, pressure;  // potential energy per particle
};

Measured stateAt(Backend where, double temperature, double density) {
  MdMode mode(ExecConfig{where, 2, 0});
  const auto set = [&](const char* key, const ParameterValue& v) { test::set(mode, key, v); };
  set("n", std::int64_t{500}), set("lattice", std::string("random"));
  set("method", std::string("cells"));
  set("potential", std::string("truncated")), set("cutoff", 3.0), set("tail", true);
  set("density", density), set("temperature", temperature), set("bath_temperature", temperature);
  set("thermostat", std::string("bussi")), set("coupling_time", 0.2), set("dt", 0.005);
  mode.restart();
  mode.advance(3000);
  Measured m;
  const std::vector<ObservableInfo>& columns = mode.info().observables;
  for (int k = 0; k < 500; ++k) {
    mode.advance(20);
    const std::vector<double> values = mode.sample();
    m.energy.add(values[columnOf(columns, "potential")]);
    m.pressure.add(values[columnOf(columns, "pressure")]);
  }
  return m;
}

class MdHeatOfEvaporation : public testing::TestWithParam<std::tuple<Backend, double>> {};

// The error of a run is a tenth of the bound of 1 %, which is checked: less than one false alarm in
// 10^9 seeds. The pressure of the vapour: five of its errors, one in 10^6.
TEST_P(MdHeatOfEvaporation, IsThePublishedOne) {
  const auto [where, temperature] = GetParam();
  if (where == Backend::cuda && !exec::cudaStatus().usable)
    GTEST_SKIP() << "no CUDA: " << exec::cudaStatus().reason;
  std::optional<PublishedCoexistence> nist;
  for (const PublishedCoexistence& c : publishedCoexistences(3.0, true))
    if (c.temperature == temperature) nist = c;
  ASSERT_TRUE(nist);
  const double volumes = 1 / nist->vapour - 1 / nist->liquid;
  const double published = nist->vapourEnergy - nist->liquidEnergy + nist->pressure * volumes;
  EXPECT_NEAR(published, temperature == 1.0 ? 5.424 : 6.590, 0.001);
  const Measured liquid = stateAt(where, temperature, nist->liquid),
                 vapour = stateAt(where, temperature, nist->vapour);
  const double own = vapour.energy.mean() - liquid.energy.mean() + nist->pressure * volumes;
  const double error = std::hypot(vapour.energy.error(), liquid.energy.error());
  RecordProperty("heat", fmt::format("{:.4f} +- {:.4f}, published {:.4f}", own, error, published));
  EXPECT_NEAR(own, published, 0.01 * published);
  EXPECT_LT(error, 0.0015 * published);
  EXPECT_NEAR(vapour.pressure.mean(), nist->pressure, 5 * vapour.pressure.error());
}

INSTANTIATE_TEST_SUITE_P(Each, MdHeatOfEvaporation,
                         testing::Combine(testing::Values(Backend::cpu, Backend::cuda),
                                          testing::Values(0.75, 1.0)),
                         [](const auto& i) {
                           return fmt::format("T{:.0f}{}", 100 * std::get<1>(i.param),
                                              std::get<0>(i.param) == Backend::cuda ? "_cuda" : "");
                         });

}  // namespace
}  // namespace cellscope
