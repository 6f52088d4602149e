#include "app/common/experiment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>

#include "render/png.h"
#include "sim/io/container.h"
#include "sim/io/utf8.h"

namespace cellscope::common {

bool isPictureName(const std::string& path) {
  std::string end = std::filesystem::path(path).extension().string();
  for (char& c : end) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return end == ".png";
}

bool isCheckpoint(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string begin(io::kContainerMark.size(), ' ');
  file.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return file && begin == io::kContainerMark;
}

Scenario scenarioOfPicture(const std::string& path) {
  const render::Metadata all = render::readPngTexts(path);
  const auto of = [&](const std::string& key) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& entry) { return entry.first == key; });
    return found == all.end() ? std::string() : found->second;
  };
  const std::string text = of(kExperimentKey);
  if (text.empty())
    throw InputError(
        "'" + path +
        "' carries no experiment in its metadata: only screenshots, plots and pictures "
        "saved by this program can be opened, and only if no other program has "
        "rewritten them");
  Scenario scenario;
  try {
    scenario = parseScenario(text, path);
  } catch (const InputError& e) {
    throw InputError("the experiment in the metadata of '" + path + "', saved by " +
                     of("Software") + ", cannot be opened: " + e.what());
  }
  const std::string name = of("scenario");
  if (name.empty()) return scenario;
  if (!io::isFileName(name))
    throw InputError(
        fmt::format("the metadata of '{}' name the scenario '{}', which is not the name of a file; "
                    "another program has changed them",
                    path, io::shortened(name)));
  scenario.name = name;
  return scenario;
}

}  // namespace cellscope::common
