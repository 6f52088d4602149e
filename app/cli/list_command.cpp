// `cellscope list`, `cellscope info`, `cellscope help`.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/picture.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "sim/api/parameter.h"
#include "sim/api/version.h"
#include "sim/base/assets.h"
#include "sim/base/cuda_reason.h"
#include "sim/exec/instruction_sets.h"
#include "sim/exec/memory.h"
#include "sim/exec/ranks.h"
#include "sim/exec/threads.h"
#include "sim/run/scenario.h"

namespace cellscope::cli {

namespace {

template <class... T>
void printListed(fmt::format_string<T...> format, T&&... values) {
  common::put(fmt::format(format, std::forward<T>(values)...));
}

// Text width: that of the terminal, within readable limits.
std::size_t width() {
  const int columns = common::terminalColumns(STDOUT_FILENO);
  return columns <= 0 ? 96 : static_cast<std::size_t>(std::clamp(columns, 30, 96));
}

// Prints `text` indented and wrapped to width() columns.
void printWrapped(const std::string& text, const std::string& indent) {
  const std::size_t columns = width();
  std::string line;
  std::string word;
  auto flushWord = [&] {
    if (word.empty()) return;
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > columns) {
      printListed("{}{}\n", indent, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    word.clear();
  };
  for (const char c : text) {
    if (c == '\n') {
      flushWord();
      printListed("{}{}\n", indent, line);
      line.clear();
    } else if (c == ' ') {
      flushWord();
    } else {
      word += c;
    }
  }
  flushWord();
  if (!line.empty()) printListed("{}{}\n", indent, line);
}

const char* costOf(Effect effect) {
  return effect == Effect::live ? "live" : effect == Effect::rebuild ? "rebuilds" : "restarts";
}

void listMode(const std::string& key) {
  const ModeDescription& info = describeMode(key);
  printListed("Mode {}: {} ({}D)\n\nParameters (--set key=value)\n", key, info.label,
              fmt::join(info.dimensions, "D and "));
  std::string group;
  const ParameterSet set = info.parameters();
  for (const Parameter& p : set.items()) {
    if (p.info.group != group) printListed("\n  {}\n", group = p.info.group);
    printListed("  {} = {}   [{}; {}]{}{}\n", p.info.key, toText(p.fallback), p.allowed(),
                costOf(p.info.effect), p.info.experiment ? "   WRONG ON PURPOSE when on" : "",
                p.info.actsWith.key.empty()
                    ? ""
                    : fmt::format(", with {} = {}", p.info.actsWith.key,
                                  fmt::join(p.info.actsWith.choices, ", ")));
    printWrapped(p.info.help, "      ");
    if (!p.info.equation.empty()) printWrapped(p.info.equation, "      ");
  }
  printListed("\nObservables (columns of the CSV file)\n");
  for (const ObservableInfo& o : info.observables)
    printListed("  {}: {}{}{}\n", o.id, o.label, o.unit.empty() ? "" : " (" + o.unit + ")",
                o.equation.empty() ? "" : "; " + o.equation);
  printListed("\nLayers (scenario key view.layers)\n");
  for (const LayerInfo& l : info.layers) {
    printListed("  {}: {} ({})\n", l.key, l.label, nameOf(l.group));
    for (const std::string& option : optionTexts(l)) printListed("    {}\n", option);
    for (const LayerPart& part : l.parts) printListed("    includes {}\n", part.label);
  }
  printListed("\nColourings (scenario key view.colouring)\n");
  for (const ColouringInfo& c : info.colourings) printListed("  {}: {}\n", c.key, c.label);
  printListed("\nPlots (scenario key view.plots)\n");
  printWrapped(fmt::format("{}", fmt::join(plotsOf(info), ", ")), "  ");
}

void listScenario(const Scenario& s) {
  printListed("{}: {}\n\n", s.name, s.title);
  printWrapped(s.text, "  ");
  printListed("\n{}", s.path);
  printListed("\nmode = {}\n", s.mode);
  for (const auto& [key, value] : s.parameters) printListed("{} = {}\n", key, toText(value));
}

// Invalid files are reported after all valid ones were listed.
void listEverything() {
  std::vector<std::string> refused;
  const std::vector<Scenario> all = gallery(galleryFolder(), refused);
  std::size_t width = 0;
  for (const Scenario& s : all) width = std::max(width, s.name.size());
  printListed("Scenarios in {}\n", galleryFolder());
  for (const Scenario& s : all) printListed("  {:<{}}  {}\n", s.name, width, s.title);
  printListed("\nModes\n");
  for (const std::string& key : modeKeys()) printListed("  {}: {}\n", key, describeMode(key).label);
  printListed("\nMore: cellscope list SCENARIO, cellscope list MODE\n");
  if (!refused.empty()) throw InputError(fmt::format("{}", fmt::join(refused, "\n")));
}

Scenario scenarioNamed(const std::string& name, const std::vector<std::string>& modes) {
  try {
    return findScenario(name, galleryFolder());
  } catch (const UnknownScenario& e) {
    throw InputError(fmt::format("{}; modes: {}", e.what(), fmt::join(modes, ", ")));
  }
}

}  // namespace

Command addList(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  CLI::App* list =
      app.add_subcommand("list", "List scenarios and modes, or the parameters of a mode");
  list->add_option("WHAT", *what, "Scenario or mode to describe");
  return {list, [what] {
            const std::vector<std::string> modes = modeKeys();
            if (what->empty())
              listEverything();
            else if (std::find(modes.begin(), modes.end(), *what) != modes.end())
              listMode(*what);
            else
              listScenario(scenarioNamed(*what, modes));
            return 0;
          }};
}

// `cellscope info`: backends, devices and graphics of this machine.

namespace {

int printInfo() {
  printListed("cellscope {}\n", programVersion());
  printListed("built with: {}\n", kCudaBuilt ? "CPU and CUDA backends"
                                             : fmt::format("CPU backend only ({})", whyNoCuda()));
  printListed("cpu: {} processors available to this process; instruction sets {}; using {}\n",
              exec::availableThreads(), fmt::join(exec::instructionSets(), ", "),
              exec::instructionSet());
  const exec::CudaStatus& cuda = exec::cudaStatus();
  if (!cuda.usable) printListed("cuda: not usable: {}\n", cuda.reason);
  for (std::size_t d = 0; cuda.usable && d < cuda.devices.size(); ++d)
    printListed("cuda device {}: {}\n", d, cuda.devices[d]);
  printListed("mpi: {}\n", exec::mpiWords());
  const char* x = std::getenv("DISPLAY");
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  printListed("display: {}\n", wayland && *wayland ? wayland
                               : x && *x           ? x
                                                   : "none (pictures are drawn with EGL)");
  printListed("OpenGL through EGL: {}\n",
              describeGraphics(cuda.usable ? Backend::cuda : Backend::cpu));
  printListed("assets: {}\n", assetFolder());
  printListed("scenarios: {}\n", galleryFolder());
  return 0;
}

}  // namespace

Command addInfo(CLI::App& app) {
  return {app.add_subcommand("info", "Show version, backends, devices and graphics"), printInfo,
          false};
}

// `cellscope help`.

namespace {

int printHelp(const std::string& topic) {
  const std::vector<common::HelpTopic> topics = common::helpTopics();
  std::vector<std::string> names;
  std::size_t width = 0;
  for (const common::HelpTopic& t : topics) {
    names.push_back(t.name);
    width = std::max(width, t.name.size());
  }
  if (topic.empty()) {
    common::put("Topics (cellscope help TOPIC)\n");
    for (const common::HelpTopic& t : topics)
      common::put(fmt::format("  {:<{}}  {}\n", t.name, width, t.title));
    common::put("\nOptions of a command: cellscope COMMAND --help\n");
    return 0;
  }
  const auto found = std::find(names.begin(), names.end(), topic);
  if (found == names.end())
    throw InputError(fmt::format(
        "'{}' is not a help topic{}; choose one of: {}; options of a command: cellscope COMMAND "
        "--help",
        topic, didYouMean(topic, names), fmt::join(names, ", ")));
  const common::HelpTopic& t = topics[static_cast<std::size_t>(found - names.begin())];
  common::put(t.title + "\n\n" + t.text);
  return 0;
}

}  // namespace

Command addHelp(CLI::App& app) {
  const auto topic = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Explain a topic; without one, list the topics");
  help->add_option("TOPIC", *topic, "Topic to explain");
  return {help, [topic] { return printHelp(*topic); }, false};
}

}  // namespace cellscope::cli
