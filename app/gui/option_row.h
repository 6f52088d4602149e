// Labelled controls of one row, for options of layers and of the view.
#pragma once
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/shell.h"
#include "sim/api/frame.h"
#include "sim/api/layer_info.h"

namespace cellscope::gui {

struct OptionRow {
  std::string id, label, shown;  // shown: the value in words
  double lo = 0, hi = 1;
  bool whole = false;  // rounded to integers, otherwise to hundredths
  float width = 0;     // 0: the remaining width
};
// A label, the value, and below them a slider; true when the value changed.
bool optionRow(Shell& shell, const OptionRow& row, double& value);

// Words in a row, one of them chosen; true when another one was clicked. `ids` name them in the
// log.
bool choiceRow(Shell& shell, const std::string& id, const std::vector<std::string>& words,
               int& chosen);
// A label with a switch at the right.
bool switchRow(Shell& shell, const std::string& id, const std::string& label, bool& on);

// Where sliders of levels end: at the last level that there is, so that each position shows
// something else.

// Of a layer that does not say what there is, the end of what the option allows. frame: or null.
inline double lastLevel(const LayerOption& option, const std::string& layer, const Frame* frame) {
  if (!frame) return option.hi;
  for (const LayerData& drawn : frame->layers)
    if (drawn.key == layer && drawn.lastLevel >= 0)
      return std::clamp(static_cast<double>(drawn.lastLevel), option.lo, option.hi);
  return option.hi;
}

// Of the trees, whichever of their layers is drawn.
inline double deepestLevel(const std::vector<LayerInfo>& layers, const Frame* frame) {
  std::optional<double> deepest;
  for (const LayerInfo& layer : layers)
    for (const LayerOption& option : layer.options) {
      if (layer.group != LayerGroup::trees || option.kind != LayerOption::Kind::levels) continue;
      const double last = lastLevel(option, layer.key, frame);
      deepest = deepest ? std::min(*deepest, last) : last;
    }
  return deepest.value_or(1);
}

}  // namespace cellscope::gui
