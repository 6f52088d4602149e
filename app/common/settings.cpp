#include "app/common/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "app/common/terminal.h"
#include "sim/base/build.h"
#include "sim/exec/memory.h"
#include "sim/exec/peers.h"
#include "sim/exec/ranks.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/io/list_file.h"
#include "sim/run/runner.h"

namespace cellscope::common {

// Calls act(parameter, text) for each; errors name the setting.
static void forEachSetting(ParameterSet set, const std::vector<std::string>& settings,
                           const auto& act, const char* option = "--set") {
  for (const auto& [key, text] : splitSettings(settings, option)) {
    try {
      Parameter& parameter = set.at(key);
      parameter.setText(text);
      act(parameter);
    } catch (const InputError& e) {
      throw InputError("{} {}={}: {}", option, key, text, e.what());
    }
  }
}

std::vector<std::pair<std::string, std::string>> splitSettings(
    const std::vector<std::string>& settings, const char* option) {
  std::vector<std::pair<std::string, std::string>> all;
  for (const std::string& setting : settings) {
    const std::size_t at = setting.find('=');
    if (at == std::string::npos || at == 0)
      throw InputError("{0} {1}: write it as key=value, for example {0} packing=0.7", option,
                       setting);
    const std::string key = setting.substr(0, at), text = setting.substr(at + 1);
    for (const auto& [earlier, value] : all)
      if (earlier == key)
        throw InputError("{} {}: '{}' is set twice, to {} before; set it once", option, setting,
                         key, value);
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

void setAgainst(Scenario& scenario, const std::vector<std::string>& given) {
  if (given.empty()) return;
  scenario.against.clear();
  if (given.size() == 1 && !isSetting(given.front())) {
    const Scenario other = openScenario(given.front());
    if (other.mode != scenario.mode)
      throw InputError(
          "--against {}: its mode is '{}', and that of '{}' is '{}'; only runs of the same mode go "
          "on step for step",
          given.front(), other.mode, scenario.name, scenario.mode);
    ParameterSet mine = describeMode(scenario.mode).parameters();
    ParameterSet theirs = describeMode(scenario.mode).parameters();
    for (const auto& [key, value] : scenario.parameters) mine.at(key).set(value);
    for (const auto& [key, value] : other.parameters) theirs.at(key).set(value);
    for (std::size_t k = 0; k < mine.items().size(); ++k)
      if (const Parameter& p = theirs.items()[k]; !(p.get() == mine.items()[k].get()))
        scenario.against.emplace_back(p.info.key, p.get());
    if (scenario.against.empty())
      throw InputError("--against {}: it has the same parameters", given.front());
    return;
  }
  forEachSetting(
      describeMode(scenario.mode).parameters(), given,
      [&](const Parameter& p) { scenario.against.emplace_back(p.info.key, p.get()); }, "--against");
}

void checkSettings(const std::string& mode, const std::vector<std::string>& settings) {
  if (settings.empty()) return;
  forEachSetting(describeMode(mode).parameters(), settings, [](const Parameter&) {});
}

Scenario scenarioOfLists(const std::string& path, const std::string& compare) {
  Scenario s;
  s.path = path;
  s.name = std::filesystem::path(path).stem().string();
  s.title = std::filesystem::path(path).filename().string();
  s.text =
      "A neighbour list of a file, compared with all pairs within the cutoff. Each kind of wrong "
      "pair is a layer of its own; a click on a row of the table goes to the pair.";
  s.mode = "lists";
  s.configuration = std::filesystem::absolute(path).string();
  if (!compare.empty()) s.compare = std::filesystem::absolute(compare).string();
  s.paused = true;
  return s;
}

Scenario openScenario(const std::string& nameOrPath, const ModeFactory& modes) {
  std::error_code error;
  if (isPictureName(nameOrPath) && std::filesystem::exists(nameOrPath, error))
    return scenarioOfPicture(nameOrPath);
  if (io::holdsPairs(nameOrPath)) return scenarioOfLists(nameOrPath);
  if (isCheckpoint(nameOrPath)) return Session::scenarioOf(nameOrPath, modes);
  try {
    return findScenario(nameOrPath, galleryFolder(), modes);
  } catch (const UnknownScenario&) {
    const std::string own = ownFolder("scenarios") + "/" + nameOrPath + ".toml";
    if (own.front() != '/' || !std::filesystem::exists(own, error)) throw;
    return loadScenario(own, modes);
  }
}

void replaceConfiguration(Scenario& scenario, const ExperimentLine& line) {
  const std::string& box = line.box;
  if (!line.configuration.empty()) {
    scenario.configuration = line.configuration;
    scenario.box.clear();
    scenario.replicate = 1;
    scenario.otherConfiguration = true;
  }
  if (!box.empty()) io::parseSides(box);
  if (!box.empty()) scenario.box = box;
  if (line.replicate > 0) scenario.replicate = line.replicate;
  if (!box.empty() && scenario.configuration.empty())
    throw InputError("--box is of a configuration; name one with --load-configuration");
  if (line.replicate > 0 && scenario.configuration.empty())
    throw InputError(
        "--replicate copies a configuration; name one with --load-configuration, or set n");
}

std::string galleryFolder() { return assetFolder() + "/scenarios"; }
std::string lessonFolder() { return assetFolder() + "/lessons"; }

// Several parts of one system on what was chosen.
static void spread(ExecConfig& config, const HardwareOptions& options) {
  const int gpus = std::max(1, options.gpus);
  config.domains = options.domains > 0 ? options.domains : gpus;
  config.throughHost = options.throughHost;
  config.ranks = exec::ranks().count;
  if (options.gpus > 0 && config.backend == Backend::cpu)
    throw InputError("--gpus {}: this runs on the CPU; leave it out, --domains cuts a system there",
                     options.gpus);
  // Devices are counted only if somebody asks: that takes long.
  const int left =
      options.gpus > 0 ? static_cast<int>(exec::cudaStatus().devices.size()) - config.device : gpus;
  if (gpus > left)
    throw InputError(
        "--gpus {}: allowed: 1 to {}, as many as there are from device {} on (cellscope info lists "
        "them)",
        gpus, left, config.device);
  if (config.domains < gpus)
    throw InputError("--domains {}: {} GPUs need as many domains at least", config.domains, gpus);
  config.devices = gpus;
}

static ExecConfig chosenHardware(const HardwareOptions& options, bool quiet) {
  ExecConfig config{Backend::cpu, options.threads, std::max(0, options.device)};
  if (options.backend == "cpu" && options.device >= 0)
    throw InputError(
        "--device {}: the CPU backend has no devices; leave out --device or --backend cpu",
        options.device);
  if (options.backend == "cpu") return config;
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (options.backend == "cuda" && !cuda.usable)
    throw RunError(
        "the CUDA backend was requested, but {}; use --backend cpu or auto (cellscope info shows "
        "what is available)",
        cuda.reason);
  if (!cuda.usable && options.device >= 0)
    throw InputError("--device {}: no usable CUDA device: {}; leave it out", options.device,
                     cuda.reason);
  if (cuda.usable) config.backend = Backend::cuda;
  if (cuda.usable && options.device >= static_cast<int>(cuda.devices.size()))
    throw InputError(
        "--device {}: no such CUDA device; allowed: 0 to {} (cellscope info lists them)",
        options.device, cuda.devices.size() - 1);
  if (options.backend == "auto" && !quiet)
    printError(fmt::format("Computing on {}{}", describe(config),
                           cuda.usable ? "" : fmt::format(" (no CUDA: {})", cuda.reason)));
  return config;
}

ExecConfig chooseHardware(const HardwareOptions& options, bool quiet) {
  ExecConfig config = chosenHardware(options, quiet);
  spread(config, options);
  config.together = options.together;
  return config;
}

std::string describe(const ExecConfig& config) {
  const std::string domains =
      config.allDomains() > 1 ? ", " + exec::domainWords(config) : std::string();
  return fmt::format("{}, {}{}", toString(config.backend), deviceName(config), domains);
}

render::SinkChoice sinkOf(const std::string& name) {
  if (name == "interop") return render::SinkChoice::interop;
  return name == "copy" ? render::SinkChoice::copy : render::SinkChoice::automatic;
}

void withDemandedSink(const std::function<void()>& work) {
  try {
    work();
  } catch (const render::InteropError& e) {
    throw RunError("{}; --sink auto uses interop if available, --sink copy never", e.what());
  }
}

// By the XDG Base Directory Specification; "" where neither variable names an absolute path.
static std::string folderOfUser(const char* variable, const char* beneathHome) {
  const auto absolute = [](const char* name) {
    const char* value = std::getenv(name);
    return value && *value == '/' ? std::string(value) : std::string();
  };
  if (const std::string folder = absolute(variable); !folder.empty()) return folder + "/cellscope";
  const std::string home = absolute("HOME");
  return home.empty() ? "" : home + beneathHome + "/cellscope";
}

std::string stateFolder() { return folderOfUser("XDG_STATE_HOME", "/.local/state"); }
std::string ownFolder(const std::string& of) {
  const std::string folder = folderOfUser("XDG_CONFIG_HOME", "/.config");
  return folder.empty() ? "" : folder + "/" + of;
}

std::vector<Scenario> pagesOf(const LessonPlan& plan) {
  return cellscope::pagesOf(plan, [](const std::string& name) { return openScenario(name); });
}

std::string planPath(const std::string& nameOrPath, bool asLesson) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (isPlan(nameOrPath)) return nameOrPath;
  if (!asLesson) return "";
  if (fs::is_directory(nameOrPath, ignored)) return nameOrPath;
  for (const std::string& folder : {lessonFolder(), ownFolder("lessons")}) {
    const std::string path = folder + "/" + nameOrPath + ".toml";
    if (!folder.empty() && fs::is_regular_file(path, ignored)) return path;
  }
  return "";
}

std::vector<HelpTopic> helpTopics() {
  namespace fs = std::filesystem;
  const std::string folder = assetFolder() + "/help";
  std::vector<HelpTopic> topics;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".txt") continue;
    const std::string all = io::readFile(entry.path().string());
    const std::size_t end = std::min(all.find('\n'), all.size());
    const std::size_t text = std::min(all.find_first_not_of('\n', end), all.size());
    topics.push_back({entry.path().stem().string(), all.substr(0, end), all.substr(text)});
  }
  if (topics.empty()) throw RunError(folder + ": no help texts found");
  std::ranges::sort(topics, {}, &HelpTopic::name);
  return topics;
}

}  // namespace cellscope::common
