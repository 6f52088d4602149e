// What a crowd offers to be seen and plotted.
#include <algorithm>

#include "tests/support/crowd/layers.h"
#include "tests/support/crowd/mode.h"

namespace cellscope::test {
namespace {

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "crowd";
  d.label = "Crowd of walkers";
  d.workUnit = "walkers moved";
  d.dimensions = {2, 3};
  d.layers = layers::infosOf(crowdLayers());
  d.colourings = CrowdColourings::infos();
  d.observables = {{"number", "Number", "N", "", "sum over walkers", "number", true},
                   {"density", "Density", "rho", "sigma^-d", "rho = N / V", "density", true},
                   {"large", "Share of large walkers", "x", "", "N_large / N", "large", true},
                   {"age", "Mean age", "a", "steps", "mean of step - born", "age", true},
                   {"births", "Births", "b", "per step", "since the last sample", "rates"},
                   {"deaths", "Deaths", "k", "per step", "since the last sample", "rates"}};
  d.curves = {"ages"};
  d.parameters = &ParameterSet::defaults<CrowdParameters>;
  return d;
}

}  // namespace

const ModeDescription& CrowdMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

std::vector<std::string> CrowdMode::phases(const CrowdParameters& p) const {
  static const std::vector<std::string> names = {"moves", "deaths", "births", "sort"};
  std::vector<std::string> all;
  for (const CrowdPhase phase : p.phases()) all.push_back(names[static_cast<std::size_t>(phase)]);
  return all;
}

const ModeFactory crowdModes(
    [](const std::string& key, const ExecConfig& config) -> std::unique_ptr<Mode> {
      if (key == "crowd") return std::make_unique<CrowdMode>(config);
      return makeMode(key, config);
    },
    [](const std::string& key) -> const ModeDescription& {
      return key == "crowd" ? CrowdMode::describe() : describeMode(key);
    });

Scenario crowdScenario() {
  Scenario s;
  s.name = "crowd";
  s.title = "A crowd";
  s.mode = "crowd";
  s.sampleEvery = 5;
  return s;
}

}  // namespace cellscope::test
