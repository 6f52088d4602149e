#include "app/common/settings.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cctype>
#include <deque>
#include <filesystem>
#include <fstream>

#include "app/common/terminal.h"
#include "sim/base/build.h"
#include "sim/base/digits.h"
#include "sim/io/container.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"

namespace cellscope::common {

bool isPictureName(const std::string& path) {
  return strcasecmp(std::filesystem::path(path).extension().c_str(), ".png") == 0;
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
  const render::Metadata all = render::pngTexts(io::readFile(path), path);
  const auto of = [&](const std::string& key) {
    const auto found = std::ranges::find(all, key, &render::Metadata::value_type::first);
    return found == all.end() ? std::string() : found->second;
  };
  const std::string text = of(kExperimentKey);
  if (text.empty())
    throw InputError(
        "'" + path +
        "' carries no experiment in its metadata: only screenshots, plots and pictures saved by "
        "this program can be opened, and only if no other program has rewritten them");
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
        "the metadata of '{}' name the scenario '{}', which is not the name of a file; another "
        "program has changed them",
        path, io::shortened(name));
  scenario.name = name;
  return scenario;
}

namespace {

std::string firstLine(const std::string& text) {
  std::size_t from = text.find_first_not_of(" \t\r\n");
  if (from == std::string::npos) return "";
  std::string line = text.substr(from, text.find_first_of("\r\n", from) - from);
  line.erase(line.find_last_not_of(" \t") + 1);
  return line;
}

// As a shell splits it: the inverse of forShell().
std::deque<std::string> wordsOf(const std::string& line) {
  std::deque<std::string> words;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      begun = true;
    } else if (c == '\\' && i + 1 < line.size()) {
      word += line[++i];
      begun = true;
    } else if (c == ' ' || c == '\t') {
      if (begun) words.push_back(word);
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (quote != 0) throw InputError("a quotation mark {} has no closing one", quote);
  if (begun) words.push_back(word);
  return words;
}

std::string take(std::deque<std::string>& words) {
  const std::string first = words.front();
  words.pop_front();
  return first;
}

// Of options with one text.
constexpr std::pair<std::string_view, std::string ExperimentLine::*> kTexts[] = {
    {"--resume", &ExperimentLine::resume},
    {"--load-configuration", &ExperimentLine::configuration},
    {"--box", &ExperimentLine::box},
    {"--made-with", &ExperimentLine::madeWith}};

void readWord(std::deque<std::string>& words, ExperimentLine& line) {
  std::string word = take(words), value;
  const std::size_t is = word.rfind("--", 0) == 0 ? word.find('=') : std::string::npos;
  const bool inside = is != std::string::npos;
  if (inside) value = word.substr(is + 1), word.resize(is);
  const auto valueHere = [&] {
    if (!inside && words.empty()) throw InputError("{} has no value", word);
    return inside ? value : take(words);
  };
  const auto* const text = std::ranges::find(kTexts, word, [](const auto& t) { return t.first; });
  if (text != std::end(kTexts)) {
    line.*text->second = valueHere();
  } else if (word == "--set") {
    line.settings.push_back(valueHere());
    while (!words.empty() && isSetting(words.front())) line.settings.push_back(take(words));
  } else if (word == "--replicate") {
    value = valueHere();
    line.replicate = wholeFrom(value).value_or(0);
    if (line.replicate < 1) throw InputError("--replicate {} is not a number", value);
  } else if (word.rfind('-', 0) == 0) {
    throw InputError(
        "{} is not part of an experiment; a line has SCENARIO or --resume FILE, --set KEY=VALUE "
        "..., --load-configuration FILE, --box SIDES, --replicate K and --made-with VERSION",
        word);
  } else if (line.scenario.empty()) {
    line.scenario = word;
  } else {
    throw InputError("'{}' follows the scenario '{}'; settings begin with --set", word,
                     line.scenario);
  }
}

}  // namespace

std::string textOf(const ExperimentLine& line) {
  std::string text =
      line.resume.empty() ? forShell(line.scenario) : "--resume " + forShell(line.resume);
  if (!line.configuration.empty()) text += " --load-configuration " + forShell(line.configuration);
  if (!line.box.empty()) text += " --box " + forShell(line.box);
  if (line.replicate > 1) text += fmt::format(" --replicate {}", line.replicate);
  if (!line.settings.empty()) text += " --set";
  for (const std::string& setting : line.settings) text += " " + forShell(setting);
  if (!line.madeWith.empty()) text += " --made-with " + forShell(line.madeWith);
  return text;
}

ExperimentLine parseExperimentLine(const std::string& text) {
  constexpr std::size_t kLongest = 8192;
  const std::string all = firstLine(text);
  if (all.empty()) throw InputError("it is empty");
  if (all.size() > kLongest) throw InputError("it is too long");
  ExperimentLine line;
  std::deque<std::string> words = wordsOf(all);
  if (words.front() == "cellscope") words.pop_front();
  if (!words.empty() && (words.front() == "run" || words.front() == "window")) words.pop_front();
  while (!words.empty()) readWord(words, line);
  if (line.scenario.empty() == line.resume.empty())
    throw InputError(line.scenario.empty() ? "it names neither a scenario nor a checkpoint"
                                           : "it names both a scenario and a checkpoint");
  if (!line.resume.empty() && !line.configuration.empty())
    throw InputError("--resume and --load-configuration exclude each other");
  return line;
}

bool isSetting(const std::string& word) {
  const std::size_t at = word.find('=');
  return at != std::string::npos && at > 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(at),
                     [](unsigned char c) { return std::isalnum(c) || c == '_'; });
}

bool isExperimentLine(const std::string& text) {
  const std::string line = firstLine(text);
  return line.rfind("cellscope ", 0) == 0 || line.rfind("--", 0) == 0 ||
         line.find(" --") != std::string::npos;
}

std::string versionNote(const std::string& version) {
  if (version.empty() || version == programVersion()) return "";
  return fmt::format(
      "The experiment was copied from cellscope {}; this is {}: numbers may differ where one of "
      "them has changed how it computes.",
      version, programVersion());
}

}  // namespace cellscope::common
