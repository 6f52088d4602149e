// `cellscope list`, `cellscope info`, `cellscope help`.
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "app/cli/commands.h"
#include "app/common/json.h"
#include "app/common/settings.h"
#include "app/common/terminal.h"
#include "sim/api/parameter.h"
#include "sim/base/build.h"
#include "sim/exec/machine.h"
#include "sim/exec/memory.h"
#include "sim/exec/ranks.h"
#include "sim/io/text_lines.h"
#include "sim/run/scenario.h"

namespace cellscope::cli {

namespace {

using common::ordered_json;

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
  const auto flush = [&] { printListed("{}{}\n", indent, std::exchange(line, "")); };
  const std::vector<std::string> lines = io::splitAt(text, '\n');
  for (const std::string& whole : lines) {
    for (const std::string& word : io::splitAt(whole, ' ')) {
      if (word.empty()) continue;
      if (!line.empty() && indent.size() + line.size() + 1 + word.size() > columns) flush();
      line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty() || &whole != &lines.back()) flush();
  }
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
                p.info.actsWith.key.empty() ? "" : ", with " + p.info.actsWith.words());
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
  printListed("\n{}\nmode = {}\n", s.path, s.mode);
  for (const auto& [key, value] : s.parameters) printListed("{} = {}\n", key, toText(value));
}

ordered_json jsonOf(const Parameter& p) {
  constexpr const char* kTypes[] = {"bool", "integer", "real", "choice"};
  const bool number = p.fallback.index() == 1 || p.fallback.index() == 2;
  ordered_json out = {{"key", p.info.key},
                      {"label", p.info.label},
                      {"type", kTypes[p.fallback.index()]},
                      {"default", common::jsonOf(p.fallback)},
                      {"unit", p.info.unit},
                      {"group", p.info.group},
                      {"effect", costOf(p.info.effect)},
                      {"wrong_on_purpose", p.info.experiment},
                      {"help", p.info.help},
                      {"equation", p.info.equation}};
  if (number) out.update({{"min", p.info.min}, {"max", p.info.max}});
  for (const ChoiceInfo& c : p.info.choices) out["choices"].push_back(c.key);
  if (const ChoicesOf& with = p.info.actsWith; !with.key.empty())
    out["acts_with"] = {{with.key, with.choices}};
  return out;
}

ordered_json jsonOfMode(const std::string& key) {
  const ModeDescription& info = describeMode(key);
  ordered_json out = common::jsonOfKind("list mode");
  out.update({{"mode", key}, {"label", info.label}, {"dimensions", info.dimensions}});
  const ParameterSet set = info.parameters();
  for (const Parameter& p : set.items()) out["parameters"].push_back(jsonOf(p));
  for (const ObservableInfo& o : info.observables)
    out["observables"].push_back(
        {{"key", o.id}, {"label", o.label}, {"unit", o.unit}, {"equation", o.equation}});
  for (const LayerInfo& l : info.layers)
    out["layers"].push_back({{"key", l.key}, {"label", l.label}});
  for (const ColouringInfo& c : info.colourings)
    out["colourings"].push_back({{"key", c.key}, {"label", c.label}});
  out["plots"] = plotsOf(info);
  return out;
}

ordered_json jsonOf(const Scenario& s) {
  return {{"scenario", s.name}, {"title", s.title}, {"mode", s.mode}, {"path", s.path}};
}

ordered_json jsonOfScenario(const Scenario& s) {
  ordered_json out = common::jsonOfKind("list scenario");
  out.update(jsonOf(s));
  out["text"] = s.text;
  out["parameters"] = ordered_json::object();
  for (const auto& [key, value] : s.parameters) out["parameters"][key] = common::jsonOf(value);
  return out;
}

ordered_json jsonOfAll(const std::vector<Scenario>& all) {
  ordered_json out = common::jsonOfKind("list");
  out["scenarios"] = out["modes"] = ordered_json::array();
  for (const Scenario& s : all) out["scenarios"].push_back(jsonOf(s));
  for (const std::string& key : modeKeys())
    out["modes"].push_back({{"mode", key}, {"label", describeMode(key).label}});
  return out;
}

void listAll(const std::vector<Scenario>& all) {
  std::size_t width = 0;
  for (const Scenario& s : all) width = std::max(width, s.name.size());
  printListed("Scenarios in {}\n", galleryFolder());
  for (const Scenario& s : all) printListed("  {:<{}}  {}\n", s.name, width, s.title);
  printListed("\nLessons (cellscope lesson NAME)\n");
  std::vector<std::string> refused;
  for (const LessonPlan& plan : plansIn(common::lessonFolder(), refused))
    printListed("  {:<{}}  {}\n", plan.name, width, plan.title);
  printListed("\nModes\n");
  for (const std::string& key : modeKeys()) printListed("  {}: {}\n", key, describeMode(key).label);
  printListed("\nMore: cellscope list SCENARIO, cellscope list MODE\n");
}

Scenario scenarioNamed(const std::string& name, const std::vector<std::string>& modes) {
  try {
    return findScenario(name, galleryFolder());
  } catch (const UnknownScenario& e) {
    throw InputError("{}; modes: {}", e.what(), fmt::join(modes, ", "));
  }
}

}  // namespace

Command addList(CLI::App& app) {
  const auto what = std::make_shared<std::string>();
  CLI::App* list =
      app.add_subcommand("list", "List scenarios and modes, or the parameters of a mode");
  const auto json = std::make_shared<bool>();
  list->add_option("WHAT", *what, "Scenario or mode to describe");
  list->add_flag("--json", *json, "The same as JSON (cellscope help json)");
  return {list, [what, json] {
            const std::vector<std::string> modes = modeKeys();
            if (what->empty()) {
              std::vector<std::string> refused;
              const std::vector<Scenario> all = gallery(galleryFolder(), refused);
              *json ? common::put(common::textOf(jsonOfAll(all))) : listAll(all);
              // Invalid files are reported after all valid ones were listed.
              if (!refused.empty()) throw InputError("{}", fmt::join(refused, "\n"));
            } else if (hasItem(modes, *what))
              *json ? common::put(common::textOf(jsonOfMode(*what))) : listMode(*what);
            else if (const Scenario s = scenarioNamed(*what, modes); *json)
              common::put(common::textOf(jsonOfScenario(s)));
            else
              listScenario(s);
            return 0;
          }};
}

// `cellscope info`: backends, devices and graphics of this machine.

static int printInfo(bool json) {
  const exec::CudaStatus& cuda = exec::cudaStatus();
  const char* const x = std::getenv("DISPLAY");
  const char* const wayland = std::getenv("WAYLAND_DISPLAY");
  ordered_json info = common::jsonOfKind("info");
  info["cpu"] = {{"processors", exec::availableThreads()},
                 {"instruction_sets", exec::instructionSets()},
                 {"instruction_set", exec::instructionSet()}};
  info["cuda"] = {{"built", kCudaBuilt},
                  {"usable", cuda.usable},
                  {"reason", cuda.reason},
                  {"devices", cuda.devices}};
  info.update({{"mpi", exec::mpiWords()},
               {"display", wayland && *wayland ? wayland
                           : x                 ? x
                                               : ""},
               {"opengl", describeGraphics(cuda.usable ? Backend::cuda : Backend::cpu)},
               {"assets", assetFolder()},
               {"scenarios", galleryFolder()}});
  if (json) {
    common::put(common::textOf(info));
    return common::kDone;
  }
  const auto text = [&](const char* key) { return info.at(key).get<std::string>(); };
  printListed(
      "{}\nbuilt with: {}\n"
      "cpu: {} processors available to this process; instruction sets {}; using {}\n",
      text("program"),
      kCudaBuilt ? "CPU and CUDA backends" : fmt::format("CPU backend only ({})", whyNoCuda()),
      exec::availableThreads(), fmt::join(exec::instructionSets(), ", "), exec::instructionSet());
  if (!cuda.usable) printListed("cuda: not usable: {}\n", cuda.reason);
  for (std::size_t d = 0; cuda.usable && d < cuda.devices.size(); ++d)
    printListed("cuda device {}: {}\n", d, cuda.devices[d]);
  printListed("mpi: {}\ndisplay: {}\nOpenGL through EGL: {}\nassets: {}\nscenarios: {}\n",
              text("mpi"),
              text("display").empty() ? "none (pictures are drawn with EGL)" : text("display"),
              text("opengl"), text("assets"), text("scenarios"));
  return common::kDone;
}

Command addInfo(CLI::App& app) {
  const auto json = std::make_shared<bool>();
  CLI::App* info = app.add_subcommand("info", "Show version, backends, devices and graphics");
  info->add_flag("--json", *json, "The same as JSON (cellscope help json)");
  return {info, [json] { return printInfo(*json); }, false};
}

// `cellscope help`.

static int printHelp(const std::string& topic) {
  const std::vector<common::HelpTopic> topics = common::helpTopics();
  const std::vector<std::string> names = each(topics, &common::HelpTopic::name);
  const auto found = std::ranges::find(topics, topic, &common::HelpTopic::name);
  if (topic.empty()) {
    std::size_t width = 0;
    for (const std::string& name : names) width = std::max(width, name.size());
    printListed("Topics (cellscope help TOPIC)\n");
    for (const common::HelpTopic& t : topics) printListed("  {:<{}}  {}\n", t.name, width, t.title);
    printListed("\nOptions of a command: cellscope COMMAND --help\n");
  } else if (found != topics.end()) {
    printListed("{}\n\n{}", found->title, found->text);
  } else {
    throw InputError(
        "'{}' is not a help topic{}; choose one of: {}; options of a command: cellscope COMMAND "
        "--help",
        topic, didYouMean(topic, names), fmt::join(names, ", "));
  }
  return 0;
}

Command addHelp(CLI::App& app) {
  const auto topic = std::make_shared<std::string>();
  CLI::App* help = app.add_subcommand("help", "Explain a topic; without one, list the topics");
  help->add_option("TOPIC", *topic, "Topic to explain");
  return {help, [topic] { return printHelp(*topic); }, false};
}

}  // namespace cellscope::cli
