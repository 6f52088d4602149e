// Entries of a scenario file with a form of their own: slices, and the promoted parameter.
#include <sstream>

#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

// "x at=0.5 thickness=2"
SliceEntry sliceOf(const std::string& text) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  static const std::vector<std::string> kPlanes = {"x", "y", "z", "view"};
  const auto plane = std::find(kPlanes.begin(), kPlanes.end(), word);
  if (plane == kPlanes.end())
    throw InputError(fmt::format("'{}' is not a slice; begin with one of x, y, z, view", text));
  SliceEntry slice{static_cast<int>(plane - kPlanes.begin())};
  while (words >> word) {
    const std::size_t is = word.find('=');
    const std::string key = word.substr(0, is);
    const double value =
        is == std::string::npos ? NAN : realFrom(word.substr(is + 1)).value_or(NAN);
    const bool at = key == "at";
    if (!at && key != "thickness")
      throw InputError(
          fmt::format("unknown option '{}' of a slice; allowed: at=0..1, thickness=SIGMA", word));
    if (!(at ? value >= 0 && value <= 1 : value > 0 && value <= 1e6))
      throw InputError(fmt::format("'{}' is not allowed; allowed: {}", word,
                                   at ? "at=0 to at=1" : "thickness above 0, up to 1e6"));
    (at ? slice.at : slice.thickness) = value;
  }
  return slice;
}

}  // namespace

void readSlices(Section& view, Scenario& s) {
  const toml::node* node = view.find("slices");
  std::vector<std::string> entries;
  view.readTexts(node, "slices", entries, [&](const toml::node& item, const std::string& entry) {
    try {
      s.slices.push_back(sliceOf(entry));
    } catch (const InputError& e) {
      view.fail(item, "slices", e.what());
    }
    return entry.substr(0, entry.find(' '));
  });
}

void readProjection(Section& view, const toml::table& table, Scenario& s) {
  std::string projection = "perspective";
  view.read("projection", projection);
  if (const toml::node* node = table.get("projection"))
    view.requireKnown(*node, "projection", projection, {"perspective", "orthographic"});
  s.orthographic = projection == "orthographic";
}

// promote = "packing", "leave_cell" (a switch or a choice), or { key = "packing", from = 0.69, to =
// 0.73 }
void readPromoted(Section& run, const std::string& path, const ModeDescription& mode, Scenario& s) {
  const toml::node* node = run.find("promote");
  if (!node) return;
  const ParameterSet set = mode.parameters();
  std::vector<std::string> known;
  for (const Parameter& p : set.items()) known.push_back(p.info.key);
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

}  // namespace cellscope
