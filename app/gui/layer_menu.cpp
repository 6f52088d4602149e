// Context menu of a layer: sliders for its options, its parts, and the number of instances drawn.
#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/level_range.h"
#include "app/gui/option_row.h"
#include "app/gui/overlays.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

bool row(Shell& shell, const std::string& id, const std::string& label, const std::string& shown,
         double lo, double hi, bool whole, float width, double& value) {
  return optionRow(shell, {id, label, shown, lo, hi, whole, width}, value);
}

std::string levelName(const LayerOption& option, double level) {
  const auto i = static_cast<std::size_t>(std::max(0.0, level - option.lo));
  return i < option.names.size() ? option.names[i] : number(level);
}

bool levelRows(Shell& shell, const std::string& key, const LayerOption& option, float width,
               LayerLook& look) {
  const double last = lastLevel(option, key, shell.now->frame.get());
  double from = std::clamp<double>(look.lowest, option.lo, last);
  double to = std::clamp<double>(look.highest, option.lo, last);
  const bool first = row(shell, key + ".from", option.label + " from", levelName(option, from),
                         option.lo, last, true, width, from);
  const bool second = row(shell, key + ".to", option.label + " to", levelName(option, to),
                          option.lo, last, true, width, to);
  if (first) to = std::max(from, to);
  if (second) from = std::min(from, to);
  if (!first && !second) return false;
  look.lowest = from <= option.lo ? LayerLook{}.lowest : static_cast<int>(from);
  look.highest = to >= last ? LayerLook{}.highest : static_cast<int>(to);
  return true;
}

bool typeRows(const LayerOption& option, LayerLook& look) {
  bool changed = false;
  for (std::size_t i = 0; i < option.names.size() && i < 32; ++i) {
    bool on = (look.types >> i & 1) != 0;
    if (!ImGui::Checkbox(onScreen(printed(option.names[i])).c_str(), &on)) continue;
    look.types = on ? look.types | 1u << i : look.types & ~(1u << i);
    changed = true;
  }
  return changed;
}

bool optionRows(Shell& shell, const std::string& key, const LayerOption& option, float width,
                LayerLook& look) {
  switch (option.kind) {
    case LayerOption::Kind::opacity: {
      double opacity = look.opacity;
      if (!row(shell, key + ".opacity", option.label, number(std::round(100 * opacity)) + " %",
               option.lo, option.hi, false, width, opacity))
        return false;
      look.opacity = static_cast<float>(opacity);
      return true;
    }
    case LayerOption::Kind::levels:
      return levelRows(shell, key, option, width, look);
    case LayerOption::Kind::types:
      return typeRows(option, look);
  }
  return false;
}

// Whether all that a frame brings of a layer is drawn: kernels leave out what its look hides where
// they count what is left; elsewhere the picture does, and nobody counts it.
bool isDrawnWhole(const Shell& shell, const std::string& key, const LayerLook& look) {
  LayerLook all;
  all.opacity = look.opacity;
  if (look == all) return true;
  const std::vector<LayerData>& layers = shell.now->frame->layers;
  return std::any_of(layers.begin(), layers.end(),
                     [&](const LayerData& l) { return l.key == key && l.drawn; });
}

}  // namespace

std::string labelsInWords(const Shell& shell, const LayerInfo& layer) {
  render::LabelCount sum;
  for (const LayerPart& part : layer.parts) {
    const auto count = shell.labelCounts.find(part.key);
    if (count == shell.labelCounts.end()) continue;
    sum.shown += count->second.shown;
    sum.all += count->second.all;
  }
  if (sum.all == 0) return "";
  return grouped(sum.shown) + " of " + grouped(sum.all) + " labels shown";
}

void layerOptions(Shell& shell, const LayerInfo& layer, float width) {
  LayerLook look = shell.looks[layer.key];
  bool changed = false;
  for (const LayerOption& option : layer.options)
    changed = optionRows(shell, layer.key, option, width, look) || changed;
  ImGui::PushFont(shell.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::ColorConvertU32ToFloat4(shell.colours->muted));
  if (layer.options.empty()) ImGui::TextUnformatted("No options.");
  std::string parts;
  for (const LayerPart& part : layer.parts) parts += (parts.empty() ? "" : ", ") + part.label;
  ImFont* font = ImGui::GetFont();
  if (!parts.empty())
    ImGui::TextUnformatted(wrapped(font, printed("Includes: " + parts), width).c_str());
  if (const auto shown = shell.drawnCounts.find(layer.key);
      shown != shell.drawnCounts.end() && isDrawnWhole(shell, layer.key, look))
    ImGui::TextUnformatted((grouped(shown->second) + " drawn").c_str());
  if (const std::string words = labelsInWords(shell, layer); !words.empty())
    ImGui::TextUnformatted(words.c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (look != LayerLook{} && ImGui::Button("Default")) look = {}, changed = true;
  if (!changed) return;
  shell.looks[layer.key] = look;
  shell.view.looks = shell.looks;
  shell.sendView();
  shell.log->write("look", layer.key);
}

void layerMenu(Shell& shell, const LayerInfo& layer) {
  if (!beginContextMenu(shell, ("menu:" + layer.key).c_str())) return;
  ImGui::PushFont(shell.fonts.strong);
  put(printed(layer.label));
  ImGui::PopFont();
  layerOptions(shell, layer, shell.px(220));
  endContextMenu();
}

}  // namespace cellscope::gui
