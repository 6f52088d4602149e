// Scenario files on disk: by path, by name in the gallery, and the whole gallery.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/io/read_file.h"
#include "sim/run/scenario.h"

namespace cellscope {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> scenarioFiles(const std::string& folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  if (error)
    throw InputError(
        fmt::format("cannot read the scenario folder '{}': {}", folder, error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

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
        fmt::format("'{}' is a folder, not a scenario; name a .toml file in it, or a scenario of "
                    "the gallery: {}",
                    nameOrPath, fmt::join(names, ", ")));
  if (error && status.type() == fs::file_type::none)  // a loop of links, a folder without access
    throw InputError(fmt::format("cannot read the scenario '{}': {}", nameOrPath, error.message()));
  const std::string near = closestName(nameOrPath, names);
  throw UnknownScenario(
      fmt::format("no scenario '{}'{}: neither a file nor in the gallery '{}'; known: {}",
                  nameOrPath, near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near),
                  galleryFolder, fmt::join(names, ", ")));
}

std::vector<Scenario> gallery(const std::string& galleryFolder, std::vector<std::string>& refused) {
  std::vector<Scenario> all;
  for (const fs::path& file : scenarioFiles(galleryFolder)) {
    try {
      all.push_back(loadScenario(file.string()));
    } catch (const InputError& e) {
      refused.push_back(e.what());
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Scenario& a, const Scenario& b) { return a.order < b.order; });
  return all;
}

}  // namespace cellscope
