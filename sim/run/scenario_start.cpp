#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/io/formats/format.h"
#include "sim/run/layer_entries.h"
#include "sim/run/replicate.h"
#include "sim/run/scenario.h"

namespace cellscope {

std::vector<std::string> layersOf(const Scenario& scenario, const ModeWords& mode) {
  const auto named = [&](const std::string& name) {
    return std::any_of(scenario.layers.begin(), scenario.layers.end(),
                       [&](const std::string& entry) { return layerName(entry) == name; });
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

namespace {

// A configuration written with few digits has nearly the density that it was made for.
bool agree(const ParameterValue& given, const ParameterValue& found) {
  constexpr double kRounding = 1e-4;
  const auto* a = std::get_if<double>(&given);
  const auto* b = std::get_if<double>(&found);
  if (!a || !b) return given == found;
  return std::abs(*a - *b) <= kRounding * std::max(std::abs(*a), std::abs(*b));
}

// `given`: values of scenario.parameters as the mode took them. A configuration brings its own
// number and density of particles.
void refuseContradictions(Mode& mode, const Scenario& scenario,
                          const std::vector<ParameterValue>& given) {
  for (std::size_t k = 0; k < given.size(); ++k) {
    const std::string& key = scenario.parameters[k].first;
    const ParameterValue found = mode.parameters().at(key).get();
    if (!agree(given[k], found))
      throw InputError(fmt::format(
          "{}: '{}' = {} contradicts the configuration '{}'{}, which has '{}' = {}; leave out '{}'",
          scenario.path.empty() ? scenario.name : scenario.path, key, toText(given[k]),
          scenario.configuration,
          scenario.replicate > 1 ? fmt::format(" (replicate = {})", scenario.replicate) : "", key,
          toText(found), key));
  }
}

}  // namespace

std::vector<std::string> startMode(Mode& mode, const Scenario& scenario) {
  std::vector<ParameterValue> given;
  for (const auto& [key, value] : scenario.parameters) {
    try {
      mode.parameters().at(key).set(value);
      given.push_back(mode.parameters().at(key).get());
    } catch (const InputError& e) {
      throw InputError(
          fmt::format("{}: {}", scenario.path.empty() ? scenario.name : scenario.path, e.what()));
    }
  }
  if (scenario.configuration.empty()) {
    mode.restart();
    return {};
  }
  mode.reportWork("reading " + scenario.configuration, -1);
  const io::LoadedFrame one = io::readConfiguration(scenario.configuration, {scenario.box});
  try {
    mode.adopt(scenario.replicate > 1 ? replicated(one.configuration, scenario.replicate)
                                      : one.configuration);
  } catch (const InputError& e) {
    throw InputError(fmt::format("{}: {}", scenario.configuration, e.what()));
  }
  if (!scenario.otherConfiguration) refuseContradictions(mode, scenario, given);
  return one.notes;
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
