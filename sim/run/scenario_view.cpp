// Entries of a scenario's view that say what is emphasised: selection, fading with depth, colours,
// and open plots. Read and written here.
#include "sim/run/scenario_view.h"

#include <sstream>

#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

struct SelectionOption {
  const char* kind;
  const char* key;
  double lo, hi;
};
constexpr SelectionOption kOptions[] = {{"near", "radius", 0.1, 1000}, {"type", "number", 0, 31},
                                        {"cells", "axis", 0, 2},       {"cells", "layer", 0, 1e6},
                                        {"block", "number", 0, 1e9},   {"levels", "from", 0, 64},
                                        {"levels", "to", 0, 64}};
const std::vector<std::string> kKinds = {"near", "type", "cells", "block", "levels"};
constexpr const char* kAxes[] = {"x", "y", "z"};

double valueOf(const std::string& kind, const std::string& key, const std::string& text) {
  for (const SelectionOption& o : kOptions) {
    if (kind != o.kind || key != o.key) continue;
    if (key == "axis")
      for (int k = 0; k < 3; ++k)
        if (text == kAxes[k]) return k;
    const double value = key == "axis" ? NAN : realFrom(text).value_or(NAN);
    const bool fits = value >= o.lo && value <= o.hi;
    if (!fits || (key != "radius" && value != std::floor(value)))
      throw InputError(fmt::format(
          "'{}={}' is not allowed; allowed: {}", key, text,
          key == "axis" ? "axis=x, y or z" : fmt::format("{}={:g} to {:g}", key, o.lo, o.hi)));
    return value;
  }
  std::string allowed;
  for (const SelectionOption& o : kOptions)
    if (kind == o.kind) allowed += fmt::format("{}{}=", allowed.empty() ? "" : ", ", o.key);
  throw InputError(fmt::format("unknown option '{}' of '{}'; allowed: {}", key, kind, allowed));
}

SelectionEntry selectionOf(const std::string& text) {
  std::istringstream words(text);
  SelectionEntry s;
  words >> s.kind;
  if (std::find(kKinds.begin(), kKinds.end(), s.kind) == kKinds.end())
    throw InputError(fmt::format("'{}' selects nothing known; begin with one of {}", text,
                                 fmt::join(kKinds, ", ")));
  for (std::string word; words >> word;) {
    const std::size_t is = std::min(word.find('='), word.size());
    const std::string key = word.substr(0, is);
    const double v = valueOf(s.kind, key, word.substr(std::min(is + 1, word.size())));
    const int whole = static_cast<int>(v);
    if (key == "radius") s.radius = v;
    if (key == "axis") s.axis = whole;
    if (key == "layer") s.layer = whole;
    if (key == "from") s.lowest = whole;
    if (key == "to") s.highest = whole;
    if (key == "number") (s.kind == "type" ? s.type : s.block) = whole;
  }
  if (s.lowest > s.highest)
    throw InputError(fmt::format("from={} is above to={}", s.lowest, s.highest));
  return s;
}

// "-3.5..1.25 particles/potential energy"
RangeEntry rangeOf(const std::string& text) {
  const std::size_t dots = text.find(".."), space = text.find(' ');
  RangeEntry r;
  if (dots != std::string::npos && space != std::string::npos && dots < space) {
    r.lo = realFrom(text.substr(0, dots)).value_or(NAN);
    r.hi = realFrom(text.substr(dots + 2, space - dots - 2)).value_or(NAN);
    r.layer = text.substr(space + 1);
  }
  if (r.layer.empty() || !std::isfinite(r.lo) || !std::isfinite(r.hi) || !(r.lo < r.hi))
    throw InputError(
        fmt::format("'{}' is not a range; write it as \"LOWEST..HIGHEST LAYER/QUANTITY\"", text));
  return r;
}

}  // namespace

void readEmphasis(Section& view, const toml::table& table, Scenario& s) {
  std::string selection, rest = "dimmed";
  view.read("selection", selection);
  if (!selection.empty()) {
    try {
      s.selection = selectionOf(selection);
    } catch (const InputError& e) {
      view.fail(*table.get("selection"), "selection", e.what());
    }
  }
  view.read("rest", rest);
  if (const toml::node* node = table.get("rest"))
    view.requireKnown(*node, "rest", rest, {"dimmed", "hidden"});
  s.selection.hideRest = rest == "hidden";
  view.read("depth_cue", s.depthCue, 0, 1);
  view.read("keep_colours", s.keepColours);
  const toml::node* ranges = view.find("colour_ranges");
  std::vector<std::string> entries;
  view.readTexts(ranges, "colour_ranges", entries,
                 [&](const toml::node& item, const std::string& entry) {
                   try {
                     s.colourRanges.push_back(rangeOf(entry));
                   } catch (const InputError& e) {
                     view.fail(item, "colour_ranges", e.what());
                   }
                   return s.colourRanges.back().layer;
                 });
}

std::string selectionText(const SelectionEntry& s) {
  if (s.kind == "near") return fmt::format("near radius={}", s.radius);
  if (s.kind == "type") return fmt::format("type number={}", s.type);
  if (s.kind == "cells") return fmt::format("cells axis={} layer={}", kAxes[s.axis], s.layer);
  if (s.kind == "block") return fmt::format("block number={}", s.block);
  if (s.kind == "levels") return fmt::format("levels from={} to={}", s.lowest, s.highest);
  return "";
}

std::string rangeText(const RangeEntry& r) { return fmt::format("{}..{} {}", r.lo, r.hi, r.layer); }

}  // namespace cellscope
