#include "app/cli/options.h"

#include <fmt/format.h>

#include "sim/api/assets.h"

namespace cellscope::cli {

std::pair<std::string, std::string> splitSetting(const std::string& setting) {
  const std::size_t at = setting.find('=');
  if (at == std::string::npos || at == 0)
    throw InputError(
        fmt::format("--set {}: write it as key=value, for example --set packing=0.7", setting));
  return {setting.substr(0, at), setting.substr(at + 1)};
}

void applySettings(Scenario& scenario, const std::vector<std::string>& settings) {
  if (settings.empty()) return;
  const std::unique_ptr<Mode> mode = makeMode(scenario.mode, ExecConfig{});
  for (const std::string& setting : settings) {
    const auto [key, text] = splitSetting(setting);
    try {
      Parameter& parameter = mode->parameters().at(key);
      parameter.setText(text);
      setParameter(scenario, key, parameter.get());
    } catch (const InputError& e) {
      throw InputError(fmt::format("--set {}: {}", setting, e.what()));
    }
  }
}

std::string galleryFolder() { return assetFolder() + "/scenarios"; }

}  // namespace cellscope::cli
