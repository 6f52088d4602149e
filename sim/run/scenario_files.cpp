// Scenario files on disk: by path, by name in the gallery, and the whole gallery.
#include <filesystem>

#include "sim/base/error.h"
#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenarioFiles(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (error) throw InputError("cannot read the scenario folder '{}': {}", folder, error.message());
  std::sort(files.begin(), files.end());
  return files;
}

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
      throw InputError(
          "{}: '{}' = {} contradicts the configuration '{}'{}, which has '{}' = {}; leave out '{}'",
          scenario.path.empty() ? scenario.name : scenario.path, key, toText(given[k]),
          scenario.configuration,
          scenario.replicate > 1 ? fmt::format(" (replicate = {})", scenario.replicate) : "", key,
          toText(found), key);
  }
}

LessonPlan planOfFolder(const std::string& folder) {
  fs::path whole = fs::absolute(folder).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();  // "mine/"
  LessonPlan plan{folder, whole.filename().string(), "", {}};
  plan.title = plan.name;
  std::vector<std::string> refused;
  for (const Scenario& s : gallery(folder, refused)) plan.scenarios.push_back(s.path);
  if (!refused.empty()) throw InputError(refused.front());
  if (plan.scenarios.empty())
    throw InputError("'{}' is a folder without scenarios (.toml)", folder);
  return plan;
}

// A name in the gallery, or a file beside that of the lesson.
std::string placeOf(const std::string& entry, const std::string& path) {
  const fs::path file(entry);
  if (file.extension() != ".toml" && entry.find('/') == std::string::npos) return entry;
  return (fs::absolute(path).parent_path() / file).lexically_normal().string();
}

}  // namespace

Configuration replicated(const Configuration& one, std::int64_t copies) {
  const std::size_t n = one.size();
  const int dimension = one.box.dimension;
  const double made = static_cast<double>(n) * std::pow(static_cast<double>(copies), dimension);
  if (made > static_cast<double>(kMostReplicated))
    throw InputError(
        "replicate: {} copies of {} particles along each of {} axes are {:.3g}; at most {} are "
        "allowed",
        copies, n, dimension, made, kMostReplicated);
  Configuration all;
  all.box = one.box;
  all.species = one.species;
  all.hasDiameters = one.hasDiameters, all.hasMasses = one.hasMasses;
  for (int a = 0; a < dimension; ++a) all.box.length[a] *= static_cast<double>(copies);
  const std::int64_t layers = dimension == 3 ? copies : 1;
  for (std::int64_t k = 0; k < copies * copies * layers; ++k) {
    const std::int64_t cell[3] = {k % copies, k / copies % copies, k / (copies * copies)};
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t a = 0; a < 3; ++a) {
        const double v =
            one.positions[3 * i + a] + static_cast<double>(cell[a]) * one.box.length[a];
        // The last copy must not be rounded out of the box.
        all.positions.push_back(std::min(v, std::nextafter(all.box.length[a], 0.0)));
      }
    all.types.insert(all.types.end(), one.types.begin(), one.types.end());
    all.velocities.insert(all.velocities.end(), one.velocities.begin(), one.velocities.end());
  }
  all.ids = firstIds(all.positions.size() / 3);
  return all;
}

Scenario loadScenario(const std::string& path, const ModeFactory& modes) {
  return parseScenario(io::readText(path), path, modes);
}

// A gallery name takes precedence over a file of that name in the current folder (./NAME).
Scenario findScenario(const std::string& nameOrPath, const std::string& galleryFolder,
                      const ModeFactory& modes) {
  std::error_code error;
  const fs::file_status status = fs::status(nameOrPath, error);  // a pipe will do
  const bool isFile = fs::exists(status) && !fs::is_directory(status);
  if (isFile && nameOrPath.find('/') != std::string::npos) return loadScenario(nameOrPath, modes);
  std::vector<std::string> names;
  for (const fs::path& file : scenarioFiles(galleryFolder)) {
    names.push_back(file.stem().string());
    if (names.back() == nameOrPath) return loadScenario(file.string(), modes);
  }
  if (isFile) return loadScenario(nameOrPath, modes);
  if (fs::is_directory(status))
    throw UnknownScenario(
        "'{}' is a folder, not a scenario; name a .toml file in it, or a scenario of the gallery: "
        "{}",
        nameOrPath, fmt::join(names, ", "));
  if (error && status.type() == fs::file_type::none)  // a loop of links, a folder without access
    throw InputError("cannot read the scenario '{}': {}", nameOrPath, error.message());
  throw UnknownScenario("no scenario '{}'{}: neither a file nor in the gallery '{}'; known: {}",
                        nameOrPath, didYouMean(nameOrPath, names), galleryFolder,
                        fmt::join(names, ", "));
}

std::vector<Scenario> gallery(const std::string& galleryFolder, std::vector<std::string>& refused) {
  std::vector<Scenario> all;
  for (const fs::path& file : scenarioFiles(galleryFolder)) {
    try {
      all.push_back(loadScenario(file.string()));
    } catch (const InputError& e) {
      if (!isPlan(file.string())) refused.push_back(e.what());
    }
  }
  std::ranges::stable_sort(all, {}, &Scenario::order);
  return all;
}

std::vector<std::string> layersOf(const Scenario& scenario, const ModeWords& mode) {
  const auto named = [&](const std::string& name) {
    return std::ranges::find(scenario.layers, name, layerName) != scenario.layers.end();
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

std::vector<std::string> startMode(Mode& mode, const Scenario& scenario) {
  std::vector<ParameterValue> given;
  for (const auto& [key, value] : scenario.parameters) {
    try {
      mode.parameters().at(key).set(value);
      given.push_back(mode.parameters().at(key).get());
    } catch (const InputError& e) {
      throw InputError("{}: {}", scenario.path.empty() ? scenario.name : scenario.path, e.what());
    }
  }
  if (auto* const opens = dynamic_cast<OpensFile*>(&mode)) {
    opens->open(scenario.configuration, scenario.compare);
    return {};
  }
  if (scenario.configuration.empty()) {
    mode.restart();
    return {};
  }
  mode.reportWork("reading " + scenario.configuration, -1);
  const io::LoadedFrame one = io::readConfiguration(scenario.configuration, scenario.box);
  try {
    mode.adopt(scenario.replicate > 1 ? replicated(one.configuration, scenario.replicate)
                                      : one.configuration);
  } catch (const InputError& e) {
    throw InputError("{}: {}", scenario.configuration, e.what());
  }
  if (!scenario.otherConfiguration) refuseContradictions(mode, scenario, given);
  return one.notes;
}

void setParameter(Scenario& scenario, const std::string& key, const ParameterValue& value) {
  auto& all = scenario.parameters;
  const auto known = std::ranges::find(all, key, &Setting::first);
  if (known == all.end())
    all.emplace_back(key, value);
  else
    known->second = value;
}

std::unique_ptr<Mode> startScenario(const Scenario& scenario, const ExecConfig& config) {
  std::unique_ptr<Mode> mode = makeMode(scenario.mode, config);
  startMode(*mode, scenario);
  return mode;
}

LessonPlan loadPlan(const std::string& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return planOfFolder(path);
  const toml::table file = parseToml(io::readText(path), path);
  LessonPlan plan{path, fs::path(path).stem().string(), "", {}};
  plan.title = plan.name;
  Section top(file, "", path);
  top.read("title", plan.title);
  const toml::node* node = top.find("scenarios");
  top.readTexts(node, "scenarios", plan.scenarios,
                [&](const toml::node&, const std::string& entry) { return entry; });
  if (plan.scenarios.empty())
    throw InputError(
        "{}:{}: scenarios: is empty; name scenarios of the gallery, or files beside this one", path,
        node ? node->source().begin.line : 1u);
  top.refuseOthers();
  for (std::string& entry : plan.scenarios) entry = placeOf(entry, path);
  return plan;
}

bool isPlan(const std::string& path) {
  std::error_code ignored;
  if (fs::path(path).extension() != ".toml" || !fs::is_regular_file(path, ignored)) return false;
  try {
    const toml::table file = parseToml(io::readText(path), path);
    return file.contains("scenarios") && !file.contains("mode");
  } catch (const InputError&) {
    return false;  // what is wrong is said by who reads a scenario
  }
}

std::vector<LessonPlan> plansIn(const std::string& folder, std::vector<std::string>& refused) {
  std::vector<LessonPlan> plans;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".toml") continue;
    try {
      plans.push_back(loadPlan(entry.path().string()));
    } catch (const InputError& e) {
      refused.push_back(e.what());
    }
  }
  std::ranges::sort(plans, {}, &LessonPlan::name);
  return plans;
}

std::vector<Scenario> pagesOf(const LessonPlan& plan, const OpenScenario& open) {
  std::vector<Scenario> pages;
  for (const std::string& entry : plan.scenarios) {
    try {
      pages.push_back(open(entry));
    } catch (const UnknownScenario& e) {
      throw InputError("{}: scenarios: {}", plan.path, e.what());
    }
  }
  return pages;
}

}  // namespace cellscope
