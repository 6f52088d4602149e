// Context menu of a layer: sliders for its options, its parts, and the number of instances drawn.
#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/overlays.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// A labelled slider over [lo, hi], rounded to integers if `whole`; true when the value changed.
bool row(Shell& shell, const std::string& id, const std::string& label, const std::string& shown,
         double lo, double hi, bool whole, double& value) {
  const float width = shell.px(220);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawText(list, shell.fonts.small, at, shell.colours->muted, label);
  const float right = at.x + width - textSize(shell.fonts.smallNumbers, shown).x;
  drawText(list, shell.fonts.smallNumbers, ImVec2(right, at.y), shell.colours->text, shown);
  ImGui::Dummy(ImVec2(width, shell.px(15)));
  auto fraction = static_cast<float>((value - lo) / std::max(hi - lo, 1e-9));
  ImGui::BeginChild(id.c_str(), ImVec2(width, shell.px(18)));
  const bool changed = slider(shell, id.c_str(), fraction, shell.colours->accent).changed;
  shell.log->item("option:" + id);
  ImGui::EndChild();
  if (!changed) return false;
  const double next = lo + fraction * (hi - lo);
  value = whole ? std::round(next) : std::round(next * 100) / 100;
  return true;
}

std::string levelName(const LayerOption& option, double level) {
  const auto i = static_cast<std::size_t>(std::max(0.0, level - option.lo));
  return i < option.names.size() ? option.names[i] : number(level);
}

bool levelRows(Shell& shell, const std::string& key, const LayerOption& option, LayerLook& look) {
  double from = std::clamp<double>(look.lowest, option.lo, option.hi);
  double to = std::clamp<double>(look.highest, option.lo, option.hi);
  const bool first = row(shell, key + ".from", option.label + " from", levelName(option, from),
                         option.lo, option.hi, true, from);
  const bool second = row(shell, key + ".to", option.label + " to", levelName(option, to),
                          option.lo, option.hi, true, to);
  if (first) to = std::max(from, to);
  if (second) from = std::min(from, to);
  if (!first && !second) return false;
  look.lowest = from <= option.lo ? LayerLook{}.lowest : static_cast<int>(from);
  look.highest = to >= option.hi ? LayerLook{}.highest : static_cast<int>(to);
  return true;
}

bool typeRows(const LayerOption& option, LayerLook& look) {
  bool changed = false;
  for (std::size_t i = 0; i < option.names.size() && i < 32; ++i) {
    bool on = (look.types >> i & 1) != 0;
    if (!ImGui::Checkbox(printed(option.names[i]).c_str(), &on)) continue;
    look.types = on ? look.types | 1u << i : look.types & ~(1u << i);
    changed = true;
  }
  return changed;
}

bool optionRows(Shell& shell, const std::string& key, const LayerOption& option, LayerLook& look) {
  switch (option.kind) {
    case LayerOption::Kind::opacity: {
      double opacity = look.opacity;
      if (!row(shell, key + ".opacity", option.label, number(std::round(100 * opacity)) + " %",
               option.lo, option.hi, false, opacity))
        return false;
      look.opacity = static_cast<float>(opacity);
      return true;
    }
    case LayerOption::Kind::levels:
      return levelRows(shell, key, option, look);
    case LayerOption::Kind::types:
      return typeRows(option, look);
  }
  return false;
}

}  // namespace

void layerMenu(Shell& shell, const LayerInfo& layer) {
  if (!beginContextMenu(shell, ("menu:" + layer.key).c_str())) return;
  ImGui::PushFont(shell.fonts.strong);
  ImGui::TextUnformatted(printed(layer.label).c_str());
  ImGui::PopFont();
  LayerLook look = shell.looks[layer.key];
  bool changed = false;
  for (const LayerOption& option : layer.options)
    changed = optionRows(shell, layer.key, option, look) || changed;
  ImGui::PushFont(shell.fonts.small);
  ImGui::PushStyleColor(ImGuiCol_Text, ImGui::ColorConvertU32ToFloat4(shell.colours->muted));
  if (layer.options.empty()) ImGui::TextUnformatted("No options.");
  std::string parts;
  for (const LayerPart& part : layer.parts) parts += (parts.empty() ? "" : ", ") + part.label;
  if (!parts.empty()) ImGui::TextUnformatted(printed("Includes: " + parts).c_str());
  if (const auto shown = shell.drawnCounts.find(layer.key); shown != shell.drawnCounts.end())
    ImGui::TextUnformatted((number(static_cast<double>(shown->second)) + " drawn").c_str());
  ImGui::PopStyleColor();
  ImGui::PopFont();
  if (look != LayerLook{} && ImGui::Button("Default")) look = {}, changed = true;
  if (changed) {
    shell.looks[layer.key] = look;
    shell.log->write("look", layer.key);
  }
  endContextMenu();
}

}  // namespace cellscope::gui
