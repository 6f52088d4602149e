// Writing scenarios: the inverse of parseScenario().
#include <fmt/format.h>

#include "sim/run/scenario.h"
#include "sim/run/scenario_section.h"

namespace cellscope {
namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
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
  std::string out = "[";
  for (const std::string& n : names) out += (out.size() > 1 ? ", " : "") + quoted(n);
  return out + "]";
}

std::string promoteText(const Promoted& p) {
  if (!(p.lo < p.hi)) return quoted(p.key);
  return fmt::format("{{ key = {}, from = {}, to = {} }}", quoted(p.key), real(p.lo), real(p.hi));
}

}  // namespace

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
  if (!s.box.empty()) line("box", quoted(s.box));
  if (s.replicate > 1) line("replicate", fmt::format("{}", s.replicate));
  out += "\n[parameters]\n";
  for (const auto& [key, value] : s.parameters) line(key.c_str(), valueText(value));
  out += "\n[run]\n";
  line("sample_every", fmt::format("{}", s.sampleEvery));
  line("speed_limit", real(s.speedLimit));
  if (s.paused) line("paused", "true");
  if (!s.promote.key.empty()) line("promote", promoteText(s.promote));
  if (!s.watch.empty()) line("watch", quoted(s.watch));
  out += "\n[view]\n";
  if (!s.layers.empty()) line("layers", list(s.layers));
  if (!s.colouring.empty()) line("colouring", quoted(s.colouring));
  if (s.picked >= 0) line("picked", fmt::format("{}", s.picked));
  if (!s.plots.empty()) line("plots", list(s.plots));
  if (!s.openPlots.empty()) line("open_plots", list(s.openPlots));
  line("zoom", real(s.cameraZoom));
  line("centre", fmt::format("[{}, {}]", real(s.cameraCentre[0]), real(s.cameraCentre[1])));
  const std::string selection = selectionText(s.inside);
  if (!selection.empty()) line("selection", quoted(selection));
  if (s.inside.hideRest) line("rest", quoted("hidden"));
  if (s.inside.depthCue != InsideState{}.depthCue) line("depth_cue", real(s.inside.depthCue));
  if (s.keepColours) line("keep_colours", "true");
  if (!s.colourRanges.empty()) line("colour_ranges", list(rangeTexts(s.colourRanges)));
  if (planeByParameter(s)) return out;  // what follows is an error in two dimensions
  const Scenario defaults;              // as it is where the mode has no other
  if (s.cameraYaw != defaults.cameraYaw) line("yaw", real(s.cameraYaw));
  if (s.cameraPitch != defaults.cameraPitch) line("pitch", real(s.cameraPitch));
  if (s.inside.orthographic) line("projection", quoted("orthographic"));
  if (s.inside.anySlice()) line("slices", list(sliceTexts(s.inside)));
  return out;
}

}  // namespace cellscope
