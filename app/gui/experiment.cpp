// What is on the screen as a scenario, and as one line for a terminal.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/common/experiment.h"
#include "app/common/terminal.h"
#include "app/gui/app.h"
#include "app/gui/screenshot.h"
#include "sim/io/output_file.h"
#include "sim/run/layer_entries.h"

namespace cellscope::gui {
namespace {

// As the scenario has it at its beginning.
ParameterValue atFirst(const Scenario& scenario, const ParameterState& p) {
  for (const auto& [key, value] : scenario.parameters)
    if (key == p.info.key) return value;
  return p.fallback;
}

Scenario opened(const Publication& now) {
  if (now.scenario) return *now.scenario;
  Scenario scenario;
  scenario.mode = now.mode->key;
  return scenario;
}

std::vector<SliceEntry> slicesOf(const InsideState& inside) {
  std::vector<SliceEntry> slices;
  for (std::size_t i = 0; i < inside.planes.size(); ++i) {
    const SlicePlane& plane = inside.planes[i];
    if (plane.on)
      slices.push_back({static_cast<int>(i), plane.at, plane.halfSpace ? 0 : plane.thickness});
  }
  return slices;
}

}  // namespace

Scenario Shell::currentScenario() const {
  Scenario s = opened(*now);
  for (const ParameterState& p : now->parameters)
    if (!(p.value == atFirst(s, p))) setParameter(s, p.info.key, p.value);
  s.layers.clear();
  for (const LayerInfo& layer : now->mode->layers) {
    if (!layerOn(layer.key)) continue;
    const auto look = looks.find(layer.key);
    s.layers.push_back(
        layerEntry(layer.key, look == looks.end() ? LayerLook{} : look->second, layer));
  }
  s.colouring = view.colouring;
  s.speedLimit = speedLimit;
  s.slices = now->mode->dimension == 3 ? slicesOf(inside) : std::vector<SliceEntry>{};
  s.orthographic = now->mode->dimension == 3 && inside.orthographic;
  return s;
}

// A checkpoint goes on with its own values: what differs from those, or from the scenario's.
std::string Shell::experimentLine() const {
  const Scenario s = opened(*now);
  const bool resumed = common::isCheckpoint(s.path);
  std::string line = "cellscope window ";
  if (resumed)
    line += "--resume " + common::forShell(std::filesystem::absolute(s.path).string());
  else
    line += common::forShell(s.path.empty() ? s.name : s.path);
  for (const ParameterState& p : now->parameters) {
    const auto loaded = resumed ? resumedWith.find(p.info.key) : resumedWith.end();
    const bool changed = loaded != resumedWith.end() && !(p.value == loaded->second);
    if (changed || !(p.value == atFirst(s, p)))
      line += " --set " + common::forShell(p.info.key + "=" + toText(p.value));
  }
  return line;
}

Scenario App::shownScenario() const {
  Scenario scenario = shell_.currentScenario();
  area_.describe(scenario);
  return scenario;
}

render::Metadata App::pictureNotes() const {
  render::Metadata notes = describe(*shell_.now);
  notes.push_back({common::kExperimentKey, scenarioText(shownScenario())});
  return notes;
}

void App::saveScenario(const std::string& wanted) {
  const std::string path = wanted.empty() ? shell_.runPath("", ".toml") : wanted;
  try {
    io::replaceFile(path, scenarioText(shownScenario()));
  } catch (const std::exception& e) {
    return shell_.say(Severity::error, e.what());
  }
  log_.write("scenario-saved", path);
  shell_.say(Severity::info, "Saved the scenario to " + path + ".");
}

}  // namespace cellscope::gui
