// Self-checks of molecular dynamics raise no false alarm in 10^6 steps of few particles, with each
// potential and thermostat: few, as the error of one pair is shared by few.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/support/md_modes.h"
#include "tests/support/sampled.h"

namespace cellscope {
namespace {

struct SystemCase {
  std::string name, potential, thermostat;
  std::int64_t n = 8;
  double cutoff = 2.5, dt = 0.004;
};
std::string nameOf(const testing::TestParamInfo<SystemCase>& c) { return c.param.name; }

class SelfChecksOverTime : public testing::TestWithParam<SystemCase> {};

// 1000 looks. Of each the bound of energies is exceeded once in 10^6 (energy_error.h), in one of
// them once in 1000 runs; the walks of energy and momentum less often.
TEST_P(SelfChecksOverTime, RaiseNoFalseAlarm) {
  const SystemCase& c = GetParam();
  MdMode mode({Backend::cpu, 1, 0});
  test::restartWith(mode,
                    {{"n", c.n},
                     {"potential", c.potential},
                     {"cutoff", c.cutoff > 0 ? c.cutoff : 0.5 * std::cbrt(c.n / 0.8442) - 1e-6},
                     {"thermostat", c.thermostat},
                     {"bath_temperature", 1.4},
                     {"dt", c.dt}});
  double largest = 0;
  for (int k = 0; k < 1000; ++k) {
    mode.advance(1000);
    for (const SelfCheck& check : mode.selfChecks())
      ASSERT_TRUE(check.ok) << "step " << mode.step() << ": " << check.label << ": "
                            << check.detail;
    largest = std::max(largest, std::abs(test::sampled(mode, "drift_rate")) * mode.time());
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
}  // namespace cellscope
