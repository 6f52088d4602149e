#include <fmt/format.h>

#include <algorithm>

#include "sim/io/xyz.h"
#include "sim/run/replicate.h"
#include "sim/run/scenario.h"

namespace cellscope {

std::vector<std::string> layersOf(const Scenario& scenario, const ModeWords& mode) {
  const auto named = [&](const std::string& name) {
    return std::find(scenario.layers.begin(), scenario.layers.end(), name) != scenario.layers.end();
  };
  const bool relative =
      scenario.layers.empty() || scenario.layers[0][0] == '+' || scenario.layers[0][0] == '-';
  std::vector<std::string> keys;
  for (const LayerInfo& layer : mode.layers) {
    const bool changed = (layer.onByDefault || named("+" + layer.key)) && !named("-" + layer.key);
    if (relative ? changed : named(layer.key)) keys.push_back(layer.key);
  }
  return keys;
}

void startMode(Mode& mode, const Scenario& scenario) {
  for (const auto& [key, value] : scenario.parameters) {
    try {
      mode.parameters().at(key).set(value);
    } catch (const InputError& e) {
      throw InputError(
          fmt::format("{}: {}", scenario.path.empty() ? scenario.name : scenario.path, e.what()));
    }
  }
  if (scenario.configuration.empty()) return mode.restart();
  mode.reportWork("reading " + scenario.configuration, -1);
  const Configuration one = io::readXyz(scenario.configuration, mode.info().dimension);
  try {
    mode.adopt(scenario.replicate > 1 ? replicated(one, scenario.replicate) : one);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", scenario.configuration, e.what()));
  }
}

void setParameter(Scenario& scenario, const std::string& key, const ParameterValue& value) {
  for (auto& [known, old] : scenario.parameters) {
    if (known != key) continue;
    old = value;
    return;
  }
  scenario.parameters.emplace_back(key, value);
}

std::unique_ptr<Mode> startScenario(const Scenario& scenario, const ExecConfig& config) {
  std::unique_ptr<Mode> mode = makeMode(scenario.mode, config);
  startMode(*mode, scenario);
  return mode;
}

}  // namespace cellscope
