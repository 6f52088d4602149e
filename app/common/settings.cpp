#include "app/common/settings.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/common/experiment.h"
#include "sim/base/assets.h"
#include "sim/io/formats/frame.h"
#include "sim/run/session.h"

namespace cellscope::common {
namespace {

// Calls act(parameter, text) for each; errors name the setting.
template <class Act>
void forEachSetting(ParameterSet set, const std::vector<std::string>& settings, const Act& act) {
  for (const auto& [key, text] : splitSettings(settings)) {
    try {
      Parameter& parameter = set.at(key);
      parameter.setText(text);
      act(parameter);
    } catch (const InputError& e) {
      throw InputError(fmt::format("--set {}={}: {}", key, text, e.what()));
    }
  }
}

}  // namespace

std::vector<std::pair<std::string, std::string>> splitSettings(
    const std::vector<std::string>& settings) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& setting : settings) {
    const std::size_t at = setting.find('=');
    if (at == std::string::npos || at == 0)
      throw InputError(
          fmt::format("--set {}: write it as key=value, for example --set packing=0.7", setting));
    const std::string key = setting.substr(0, at), text = setting.substr(at + 1);
    for (const auto& [earlier, value] : all)
      if (earlier == key)
        throw InputError(fmt::format("--set {}: '{}' is set twice, to {} before; set it once",
                                     setting, key, value));
    all.emplace_back(key, text);
  }
  return all;
}

void applySettings(Scenario& scenario, const std::vector<std::string>& settings,
                   const ModeFactory& modes) {
  if (settings.empty()) return;
  forEachSetting(modes.describe(scenario.mode).parameters(), settings,
                 [&](const Parameter& p) { setParameter(scenario, p.info.key, p.get()); });
}

void checkSettings(const std::string& mode, const std::vector<std::string>& settings,
                   const ModeFactory& modes) {
  if (settings.empty()) return;
  forEachSetting(modes.describe(mode).parameters(), settings, [](const Parameter&) {});
}

Scenario openScenario(const std::string& nameOrPath, const ModeFactory& modes) {
  std::error_code error;
  if (isPictureName(nameOrPath) && std::filesystem::exists(nameOrPath, error))
    return scenarioOfPicture(nameOrPath);
  if (isCheckpoint(nameOrPath)) return Session::scenarioOf(nameOrPath, modes);
  return findScenario(nameOrPath, galleryFolder(), modes);
}

void replaceConfiguration(Scenario& scenario, const std::string& path, const std::string& box,
                          std::int64_t replicate) {
  if (!path.empty()) {
    scenario.configuration = path;
    scenario.box.clear();
    scenario.replicate = 1;
    scenario.otherConfiguration = true;
  }
  if (!box.empty()) io::parseSides(box);
  if (!box.empty()) scenario.box = box;
  if (replicate > 0) scenario.replicate = replicate;
  if (!box.empty() && scenario.configuration.empty())
    throw InputError("--box is of a configuration; name one with --load-configuration");
  if (replicate > 0 && scenario.configuration.empty())
    throw InputError(
        "--replicate copies a configuration; name one with --load-configuration, or set n");
}

std::string galleryFolder() { return assetFolder() + "/scenarios"; }

}  // namespace cellscope::common
