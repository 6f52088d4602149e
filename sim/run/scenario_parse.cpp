// Reading scenario files. Every entry is checked; the first that is wrong is named with its line.
#include <filesystem>
#include <limits>

#include "sim/io/files.h"
#include "sim/io/formats/format.h"
#include "sim/io/text_lines.h"
#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

ParameterValue parameterValue(const Section& section, const std::string& key,
                              const toml::node& node) {
  if (auto* s = node.as_string()) return s->get();
  if (auto* i = node.as_integer()) return i->get();
  if (auto* d = node.as_floating_point()) return d->get();
  if (auto* b = node.as_boolean()) return b->get();
  section.fail(node, key, Section::shown(node) + " is not a number, text, true or false");
}

void readParameters(const Section& section, const toml::table& table, ParameterSet set,
                    Settings& out) {
  // In the order of the file, so that messages name the first wrong line.
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
  std::ranges::sort(entries, std::less(), [](const auto& e) { return e.second->source().begin; });
  for (const auto& [key, node] : entries) {
    const ParameterValue value = parameterValue(section, key, *node);
    try {
      Parameter& parameter = set.at(key);
      parameter.set(value);
      out.emplace_back(key, parameter.get());  // 1e6 of a whole number is 1000000
    } catch (const InputError& e) {
      section.fail(*node, key, e.what());
    }
  }
}

const toml::table* subTable(Section& top, const char* key) {
  const toml::node* node = top.find(key);
  if (!node) return nullptr;
  if (!node->is_table()) top.fail(*node, key, fmt::format("is not a table; write [{}]", key));
  return node->as_table();
}

// The names themselves and, relative to the default, with a sign in front.
std::vector<std::string> withSigns(const std::vector<std::string>& names) {
  std::vector<std::string> all = names;
  for (const char* sign : {"+", "-"})
    for (const std::string& name : names) all.push_back(sign + name);
  return all;
}

bool isSigned(const std::string& name) { return name[0] == '+' || name[0] == '-'; }

// Signed names change the default, plain ones replace it.
void requireOneKind(const Section& view, const std::vector<std::string>& names) {
  const auto relative = std::count_if(names.begin(), names.end(), isSigned);
  if (relative > 0 && relative < std::ssize(names))
    view.fail("layers",
              "some names have a sign and some have none; write either all that are on, or changes "
              "of the default such as [\"+cells\", \"-disks\"]");
  for (const std::string& name : names)
    if (isSigned(name) && std::count_if(names.begin(), names.end(), [&](const std::string& other) {
                            return layerName(other).substr(1) == layerName(name).substr(1);
                          }) > 1)
      view.fail("layers", fmt::format("'{}' is both added and removed; name it once",
                                      layerName(name).substr(1)));
}

void readView(const toml::table& table, const std::string& path, const ModeDescription& mode,
              Scenario& s) {
  Section view(table, "view", path);
  view.readLayers(s.layers, mode, withSigns(each(mode.layers, &LayerInfo::key)));
  requireOneKind(view, s.layers);
  view.read("picked", s.picked, std::int64_t{0}, std::numeric_limits<std::int64_t>::max());
  view.read("colouring", s.colouring, each(mode.colourings, &ColouringInfo::key));
  view.read("plots", s.plots, plotsOf(mode));
  view.read("open_plots", s.openPlots, plotsOf(mode));
  view.read("large_plot", s.largePlot, plotsOf(mode));
  view.read("zoom", s.cameraZoom, 0.01, 10000);
  view.readPair("centre", s.cameraCentre, 0, 1);
  for (const char* angle : {"yaw", "pitch", "projection", "slices"})
    if (const toml::node* node = view.find(angle);
        node && (mode.dimensions == std::vector<int>{2} || planeByParameter(s)))
      view.fail(*node, angle,
                "is for scenes of three dimensions, and this one has two; leave it out");
  view.read("yaw", s.cameraYaw, -360, 360);
  view.read("pitch", s.cameraPitch, -90, 90);
  readInside(view, s);
  view.refuseOthers();
}

// promote = "packing", "leave_cell" (a switch or a choice), or { key = "packing", from = 0.69, to =
// 0.73 }
void readPromoted(Section& run, const std::string& path, const ModeDescription& mode, Scenario& s) {
  const ParameterSet set = mode.parameters();
  const auto keyOf = [](const Parameter& p) { return p.info.key; };
  const std::vector<std::string> known = each(set.items(), keyOf);
  run.read("beside", s.beside, known);
  const toml::node* node = run.find("promote");
  if (!node) return;
  const toml::table* table = node->as_table();
  if (const auto* text = node->as_string()) {
    s.promote.key = text->get();
  } else if (table) {
    Section promote(*table, "run.promote", path);
    promote.read("key", s.promote.key);
    if (s.promote.key.empty())
      run.fail(*node, "promote", "'key' is missing: which parameter is to be played with");
  } else {
    run.fail(*node, "promote",
             Section::shown(*node) +
                 " is neither a parameter in quotes nor { key = ..., from = ..., to = ... }");
  }
  run.requireKnown(*node, "promote", s.promote.key, known);
  if (!table) return;
  const ParameterInfo* info = nullptr;
  for (const Parameter& p : set.items())
    if (p.info.key == s.promote.key) info = &p.info;
  Section promote(*table, "run.promote", path);
  promote.find("key");
  if (!info->choices.empty() || !(info->max > info->min)) {
    for (const char* end : {"from", "to"})
      if (const toml::node* has = promote.find(end))
        promote.fail(*has, end,
                     fmt::format("'{}' is a {}, which has no range; leave it out", info->key,
                                 info->choices.empty() ? "switch" : "choice"));
    return promote.refuseOthers();
  }
  s.promote.lo = info->interestingMax > info->interestingMin ? info->interestingMin : info->min;
  s.promote.hi = info->interestingMax > info->interestingMin ? info->interestingMax : info->max;
  promote.read("from", s.promote.lo, info->min, info->max);
  promote.read("to", s.promote.hi, info->min, info->max);
  promote.refuseOthers();
  if (!(s.promote.lo < s.promote.hi))
    run.fail(*node, "promote",
             fmt::format("from = {:g} must be less than to = {:g}", s.promote.lo, s.promote.hi));
}

void readRun(const toml::table& table, const std::string& path, const ModeDescription& mode,
             Scenario& s) {
  Section run(table, "run", path);
  run.read("paused", s.paused);
  readPromoted(run, path, mode, s);
  run.read("watch", s.watch, each(mode.observables, &ObservableInfo::id));
  run.read("tool", s.tool, {"grab", "add", "delete", "heat", "cool"});
  std::int64_t every = static_cast<std::int64_t>(s.sampleEvery);
  run.read("sample_every", every, 1, 1000000000);
  s.sampleEvery = static_cast<std::uint64_t>(every);
  run.read("speed_limit", s.speedLimit, 0, 1e9);
  run.refuseOthers();
}

std::string besideFile(const std::string& file, const std::string& name) {
  const std::filesystem::path given(name);
  if (name.empty() || given.is_absolute()) return name;
  return std::filesystem::absolute(std::filesystem::path(file).parent_path() / given)
      .lexically_normal()
      .string();
}

const ModeDescription& describe(const toml::table& file, const std::string& key,
                                const std::string& path, const ModeFactory& modes) {
  try {
    return modes.describe(key);
  } catch (const InputError& e) {
    const toml::node* node = file.get("mode");
    throw InputError("{}:{}: mode: {}", path, node ? node->source().begin.line : 1u, e.what());
  }
}

}  // namespace

toml::table parseToml(const std::string& text, const std::string& path) {
  try {
    return toml::parse(std::string_view(text), std::string_view(path));
  } catch (const toml::parse_error& e) {
    throw InputError("{}:{}: {}; see https://toml.io for the format", path, e.source().begin.line,
                     std::string(e.description()));
  }
}

const std::vector<std::string>& scenarioLevels() {
  static const std::vector<std::string> kLevels = {"first look", "course", "advanced"};
  return kLevels;
}

std::vector<std::string> plotsOf(const ModeDescription& mode) {
  std::vector<std::string> plots;
  for (const ObservableInfo& o : mode.observables)
    if (!hasItem(plots, o.plot)) plots.push_back(o.plot);
  plots.insert(plots.end(), mode.curves.begin(), mode.curves.end());
  return plots;
}

Scenario parseScenario(const std::string& text, const std::string& path, const ModeFactory& modes) {
  const toml::table file = parseToml(text, path);
  Scenario s;
  s.path = path;
  s.name = std::filesystem::path(path).stem().string();
  if (!io::isFileName(s.name))
    throw InputError("'{}': results cannot be named after it; give the file another name", path);
  s.title = s.name;
  Section top(file, "", path);
  top.read("title", s.title);
  top.read("text", s.text);
  top.read("order", s.order, 0, 1000000);
  top.read("lesson", s.lesson);
  top.read("topic", s.topic);
  top.read("level", s.level, scenarioLevels());
  top.read("mode", s.mode);
  if (!file.contains("mode"))
    throw InputError(
        "{}:1: mode: is missing; write for example mode = \"hard_disks\" in front of all tables "
        "(cellscope list names the modes)",
        path);
  top.read("configuration", s.configuration);
  s.configuration = besideFile(path, s.configuration);
  top.read("compare", s.compare);
  s.compare = besideFile(path, s.compare);
  if (!s.compare.empty() && s.mode != "lists")
    top.fail("compare", "is of mode 'lists'; leave it out");
  top.read("box", s.box);
  if (!s.box.empty()) top.require("box", [&] { io::parseSides(s.box); });
  top.read("replicate", s.replicate, 1, kMostCopies);
  if (file.contains("replicate") && s.configuration.empty())
    top.fail("replicate", "needs a 'configuration' to copy; name one, or leave it out and set 'n'");

  const ModeDescription& mode = describe(file, s.mode, path, modes);
  if (const toml::table* t = subTable(top, "parameters"))
    readParameters(Section(*t, "parameters", path), *t, mode.parameters(), s.parameters);
  if (const toml::table* t = subTable(top, "against"))
    readParameters(Section(*t, "against", path), *t, mode.parameters(), s.against);
  if (const toml::table* t = subTable(top, "run")) readRun(*t, path, mode, s);
  if (const toml::table* t = subTable(top, "view")) readView(*t, path, mode, s);
  top.refuseOthers();
  return s;
}

}  // namespace cellscope
