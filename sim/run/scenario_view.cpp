// Entries of a scenario's view with a form of their own: slices, selection, ranges of colours. And
// writing scenarios.
#include <iterator>
#include <sstream>

#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

constexpr const char* kPlanes[] = {"x", "y", "z", "view"};
constexpr const char* kKinds[] = {"", "near", "type", "cells", "block", "levels"};  // of Selection

struct SelectionOption {
  Selection kind;
  const char* key;
  double lo, hi;
  int InsideState::*whole;
  double InsideState::*real = nullptr;
};
constexpr SelectionOption kOptions[] = {
    {Selection::nearPicked, "radius", 0.1, 1000, nullptr, &InsideState::radius},
    {Selection::type, "number", 0, 31, &InsideState::type},
    {Selection::cellLayer, "axis", 0, 2, &InsideState::axis},
    {Selection::cellLayer, "layer", 0, 1e6, &InsideState::layer},
    {Selection::block, "number", 0, 1e9, &InsideState::block},
    {Selection::treeLevels, "from", 0, 64, &InsideState::lowestLevel},
    {Selection::treeLevels, "to", 0, 64, &InsideState::highestLevel}};

// "radius=2.5": the key, and the text behind the sign.
std::pair<std::string, std::string> splitOption(const std::string& word) {
  const std::size_t is = std::min(word.find('='), word.size());
  return {word.substr(0, is), word.substr(std::min(is + 1, word.size()))};
}

double numberOf(const SelectionOption& o, const std::string& text) {
  const bool axis = o.whole == &InsideState::axis;
  for (int k = 0; axis && k < 3; ++k)
    if (text == kPlanes[k]) return k;
  const double value = axis ? NAN : realFrom(text).value_or(NAN);
  if (!(value >= o.lo && value <= o.hi) || (o.whole && value != std::floor(value)))
    throw InputError("'{}={}' is not allowed; allowed: {}", o.key, text,
                     axis ? "axis=x, y or z" : fmt::format("{}={:g} to {:g}", o.key, o.lo, o.hi));
  return value;
}

void takeOption(const std::string& word, InsideState& s) {
  const auto [key, text] = splitOption(word);
  std::string allowed;
  for (const SelectionOption& o : kOptions) {
    if (o.kind != s.selection) continue;
    allowed += fmt::format("{}{}=", allowed.empty() ? "" : ", ", o.key);
    if (key != o.key) continue;
    const double value = numberOf(o, text);
    if (o.real)
      s.*o.real = value;
    else
      s.*o.whole = static_cast<int>(value);
    return;
  }
  throw InputError("unknown option '{}' of '{}'; allowed: {}", key,
                   kKinds[static_cast<int>(s.selection)], allowed);
}

// "cells axis=y layer=3"
void takeSelection(const std::string& text, InsideState& s) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  const auto kind = std::find(std::begin(kKinds) + 1, std::end(kKinds), word);
  if (kind == std::end(kKinds))
    throw InputError("'{}' selects nothing known; begin with one of {}", text,
                     fmt::join(std::begin(kKinds) + 1, std::end(kKinds), ", "));
  s.selection = static_cast<Selection>(kind - std::begin(kKinds));
  while (words >> word) takeOption(word, s);
  if (s.lowestLevel > s.highestLevel)
    throw InputError("from={} is above to={}", s.lowestLevel, s.highestLevel);
}

// "x at=0.5 thickness=2"
void takeSlice(const std::string& text, InsideState& s) {
  std::istringstream words(text);
  std::string word;
  words >> word;
  const auto name = std::find(std::begin(kPlanes), std::end(kPlanes), word);
  if (name == std::end(kPlanes))
    throw InputError("'{}' is not a slice; begin with one of x, y, z, view", text);
  SlicePlane plane{.on = true};
  while (words >> word) {
    const auto [key, number] = splitOption(word);
    const double value = realFrom(number).value_or(NAN);
    const bool at = key == "at";
    if (!at && key != "thickness")
      throw InputError("unknown option '{}' of a slice; allowed: at=0..1, thickness=SIGMA", word);
    if (!(at ? value >= 0 && value <= 1 : value > 0 && value <= 1e6))
      throw InputError("'{}' is not allowed; allowed: {}", word,
                       at ? "at=0 to at=1" : "thickness above 0, up to 1e6");
    (at ? plane.at : plane.thickness) = value;
    plane.halfSpace = plane.halfSpace && at;
  }
  s.planes[static_cast<std::size_t>(name - std::begin(kPlanes))] = plane;
}

// "-3.5..1.25 particles/potential energy"; the layer.
std::string takeRange(const std::string& text, ColourRanges& ranges) {
  const std::size_t dots = text.find(".."), space = text.find(' ');
  ColourRange r;
  std::string layer;
  if (dots != std::string::npos && space != std::string::npos && dots < space) {
    r.lo = realFrom(text.substr(0, dots)).value_or(NAN);
    r.hi = realFrom(text.substr(dots + 2, space - dots - 2)).value_or(NAN);
    layer = text.substr(space + 1);
  }
  if (layer.empty() || !std::isfinite(r.lo) || !std::isfinite(r.hi) || !(r.lo < r.hi))
    throw InputError("'{}' is not a range; write it as \"LOWEST..HIGHEST LAYER/QUANTITY\"", text);
  ranges[layer] = r;
  return layer;
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += fmt::format("\\{}", c);
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      out += c;
  }
  return out + "\"";
}

// Shortest text that reads back as the same double, and never as an integer.
std::string real(double v) {
  std::string text = fmt::format("{}", v);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string valueText(const ParameterValue& value) {
  if (auto* d = std::get_if<double>(&value)) return real(*d);
  if (auto* s = std::get_if<std::string>(&value)) return quoted(*s);
  return toText(value);
}

std::string list(const std::vector<std::string>& names) {
  return fmt::format("[{}]", fmt::join(each(names, quoted), ", "));
}

// "" where everything is selected.
std::string selectionText(const InsideState& s) {
  std::string text = kKinds[static_cast<int>(s.selection)];
  for (const SelectionOption& o : kOptions) {
    if (o.kind != s.selection) continue;
    const std::string value = o.real                          ? fmt::format("{}", s.*o.real)
                              : o.whole == &InsideState::axis ? kPlanes[s.axis]
                                                              : fmt::format("{}", s.*o.whole);
    text += fmt::format(" {}={}", o.key, value);
  }
  return text;
}

std::vector<std::string> sliceTexts(const InsideState& s) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < s.planes.size(); ++i) {
    const SlicePlane& plane = s.planes[i];
    if (!plane.on) continue;
    texts.push_back(fmt::format("{} at={}", kPlanes[i], plane.at));
    if (!plane.halfSpace) texts.back() += fmt::format(" thickness={}", plane.thickness);
  }
  return texts;
}

}  // namespace

void readInside(Section& view, Scenario& s) {
  InsideState& inside = s.inside;
  inside.orthographic = view.readChoice("projection", "perspective", "orthographic");
  std::vector<std::string> entries;
  view.readTexts(view.find("slices"), "slices", entries,
                 [&](const toml::node& item, const std::string& entry) {
                   view.require(item, "slices", [&] { takeSlice(entry, inside); });
                   return entry.substr(0, entry.find(' '));
                 });
  std::string selection;
  view.read("selection", selection);
  if (!selection.empty()) view.require("selection", [&] { takeSelection(selection, inside); });
  inside.hideRest = view.readChoice("rest", "dimmed", "hidden");
  view.read("depth_cue", inside.depthCue, 0, 1);
  view.read("keep_colours", s.keepColours);
  s.onlyPlay = view.readChoice("panels", "all", "play");
  view.readTexts(view.find("colour_ranges"), "colour_ranges", entries,
                 [&](const toml::node& item, const std::string& entry) {
                   return view.require(item, "colour_ranges",
                                       [&] { return takeRange(entry, s.colourRanges); });
                 });
}

// Writing scenarios: the inverse of parseScenario().

std::string scenarioText(const Scenario& s) {
  std::string out;
  auto line = [&out](const char* key, const std::string& value) {
    out += fmt::format("{} = {}\n", key, value);
  };
  line("title", quoted(s.title));
  line("text", quoted(s.text));
  line("order", fmt::format("{}", s.order));
  if (!s.lesson.empty()) line("lesson", quoted(s.lesson));
  if (!s.level.empty()) line("level", quoted(s.level));
  if (!s.topic.empty()) line("topic", quoted(s.topic));
  line("mode", quoted(s.mode));
  if (!s.configuration.empty()) line("configuration", quoted(s.configuration));
  if (!s.compare.empty()) line("compare", quoted(s.compare));
  if (!s.box.empty()) line("box", quoted(s.box));
  if (s.replicate > 1) line("replicate", fmt::format("{}", s.replicate));
  out += "\n[parameters]\n";
  for (const auto& [key, value] : s.parameters) line(key.c_str(), valueText(value));
  if (!s.against.empty()) out += "\n[against]\n";
  for (const auto& [key, value] : s.against) line(key.c_str(), valueText(value));
  out += "\n[run]\n";
  line("sample_every", fmt::format("{}", s.sampleEvery));
  line("speed_limit", real(s.speedLimit));
  if (s.paused) line("paused", "true");
  if (const Promoted& p = s.promote; !p.key.empty())
    line("promote", p.lo < p.hi ? fmt::format("{{ key = {}, from = {}, to = {} }}", quoted(p.key),
                                              real(p.lo), real(p.hi))
                                : quoted(p.key));
  if (!s.beside.empty()) line("beside", list(s.beside));
  if (!s.watch.empty()) line("watch", quoted(s.watch));
  if (!s.tool.empty()) line("tool", quoted(s.tool));
  out += "\n[view]\n";
  if (!s.layers.empty()) line("layers", list(s.layers));
  if (!s.colouring.empty()) line("colouring", quoted(s.colouring));
  if (s.picked >= 0) line("picked", fmt::format("{}", s.picked));
  if (!s.plots.empty()) line("plots", list(s.plots));
  if (!s.openPlots.empty()) line("open_plots", list(s.openPlots));
  if (!s.largePlot.empty()) line("large_plot", quoted(s.largePlot));
  line("zoom", real(s.cameraZoom));
  line("centre", fmt::format("[{}, {}]", real(s.cameraCentre[0]), real(s.cameraCentre[1])));
  const std::string selection = selectionText(s.inside);
  if (!selection.empty()) line("selection", quoted(selection));
  if (s.inside.hideRest) line("rest", quoted("hidden"));
  if (s.inside.depthCue != InsideState{}.depthCue) line("depth_cue", real(s.inside.depthCue));
  if (s.keepColours) line("keep_colours", "true");
  if (s.onlyPlay) line("panels", quoted("play"));
  std::vector<std::string> ranges;
  for (const auto& [layer, r] : s.colourRanges)
    ranges.push_back(fmt::format("{}..{} {}", r.lo, r.hi, layer));
  if (!ranges.empty()) line("colour_ranges", list(ranges));
  if (planeByParameter(s)) return out;  // what follows is an error in two dimensions
  const Scenario defaults;              // as it is where the mode has no other
  if (s.cameraYaw != defaults.cameraYaw) line("yaw", real(s.cameraYaw));
  if (s.cameraPitch != defaults.cameraPitch) line("pitch", real(s.cameraPitch));
  if (s.inside.orthographic) line("projection", quoted("orthographic"));
  if (s.inside.anySlice()) line("slices", list(sliceTexts(s.inside)));
  return out;
}

}  // namespace cellscope
