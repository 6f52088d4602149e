#include "app/cli/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>

#include "app/common/experiment.h"
#include "sim/base/assets.h"

namespace cellscope::cli {

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
  ParameterSet set = modes.describe(scenario.mode).parameters();
  for (const auto& [key, text] : splitSettings(settings)) {
    try {
      Parameter& parameter = set.at(key);
      parameter.setText(text);
      setParameter(scenario, key, parameter.get());
    } catch (const InputError& e) {
      throw InputError(fmt::format("--set {}={}: {}", key, text, e.what()));
    }
  }
}

namespace {

bool isSetting(const std::string& argument) {
  const std::size_t at = argument.find('=');
  if (at == std::string::npos || at == 0) return false;
  const bool key = std::all_of(argument.begin(), argument.begin() + static_cast<std::ptrdiff_t>(at),
                               [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  std::error_code error;
  return key && !std::filesystem::exists(argument, error);
}

}  // namespace

std::vector<std::string> withRepeatedSet(int argc, const char* const* argv) {
  std::vector<std::string> all;
  bool set = false, ended = false;  // the last argument was a setting; -- was given
  for (int k = 0; k < argc; ++k) {
    const std::string argument = argv[k];
    const bool value = k > 0 && all.back() == "--set" && !ended;
    ended |= argument == "--";
    const bool another = set && !ended && isSetting(argument);
    if (another) all.emplace_back("--set");
    set = another || value || (!ended && argument.rfind("--set=", 0) == 0);
    all.push_back(argument);
  }
  return all;
}

Scenario openScenario(const std::string& nameOrPath, const ModeFactory& modes) {
  std::error_code error;
  if (common::isPictureName(nameOrPath) && std::filesystem::exists(nameOrPath, error))
    return common::scenarioOfPicture(nameOrPath);
  if (common::isCheckpoint(nameOrPath))
    throw InputError("'" + nameOrPath + "' is a checkpoint: continue from it with --resume " +
                     nameOrPath);
  return findScenario(nameOrPath, galleryFolder(), modes);
}

std::string galleryFolder() { return assetFolder() + "/scenarios"; }

}  // namespace cellscope::cli
