#include "app/cli/options.h"

#include <fmt/format.h>

#include <thread>

#include "app/cli/terminal.h"
#include "sim/api/assets.h"
#include "sim/exec/memory.h"

namespace cellscope::cli {

ExecConfig chooseHardware(const HardwareOptions& options, bool quiet) {
  ExecConfig config{Backend::cpu, options.threads, options.device};
  if (options.backend == "cpu") return config;
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (options.backend == "cuda" && !cuda.usable)
    throw RunError(
        fmt::format("the CUDA backend was asked for, but {}; use --backend cpu or auto "
                    "(cellscope info says what there is)",
                    cuda.reason));
  if (cuda.usable) config.backend = Backend::cuda;
  if (cuda.usable && options.device >= static_cast<int>(cuda.devices.size()))
    throw InputError(
        fmt::format("--device {}: there is no such CUDA device; allowed: 0 to {} "
                    "(cellscope info lists them)",
                    options.device, cuda.devices.size() - 1));
  if (options.backend == "auto" && !quiet)
    complain(fmt::format("Computing on {}{}", describe(config),
                         cuda.usable ? "" : fmt::format(" (no CUDA: {})", cuda.reason)));
  return config;
}

std::string describe(const ExecConfig& config) {
  if (config.backend == Backend::cuda) {
    const auto& names = exec::cudaStatus().devices;
    const auto d = static_cast<std::size_t>(config.device);
    return d < names.size() ? "cuda, " + names[d].substr(0, names[d].find(',')) : "cuda";
  }
  const unsigned n = config.threads > 0 ? static_cast<unsigned>(config.threads)
                                        : std::thread::hardware_concurrency();
  return fmt::format("cpu, {} thread{}", n, n == 1 ? "" : "s");
}

std::pair<std::string, std::string> splitSetting(const std::string& setting) {
  const std::size_t at = setting.find('=');
  if (at == std::string::npos || at == 0)
    throw InputError(
        fmt::format("--set {}: write it as key=value, for example --set packing=0.7", setting));
  return {setting.substr(0, at), setting.substr(at + 1)};
}

void setParameter(Scenario& scenario, const std::string& key, const ParameterValue& value) {
  for (auto& [known, old] : scenario.parameters) {
    if (known != key) continue;
    old = value;
    return;
  }
  scenario.parameters.emplace_back(key, value);
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
