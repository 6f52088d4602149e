
#include <algorithm>
#include <cmath>

#include "app/gui/widgets.h"

namespace cellscope::gui {

bool optionRow(Shell& shell, const OptionRow& row, double& value) {
  const float width = row.width > 0 ? row.width : ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float right = at.x + width - textSize(shell.fonts.smallNumbers, row.shown).x;
  drawText(list, shell.fonts.small, at, shell.colours->muted,
           fitted(shell.fonts.small, row.label, right - at.x - shell.px(8)));
  drawText(list, shell.fonts.smallNumbers, ImVec2(right, at.y), shell.colours->text, row.shown);
  ImGui::Dummy(ImVec2(width, shell.px(15)));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  const double span = std::max(row.hi - row.lo, 1e-9);
  auto fraction = static_cast<float>((value - row.lo) / span);
  fraction = std::clamp(fraction, 0.f, 1.f);
  ImGui::BeginChild(("##" + row.id).c_str(), ImVec2(width, shell.px(18)));
  const SliderResult result = slider(shell, row.id.c_str(), fraction, shell.colours->accent);
  shell.log->item("option:" + row.id);
  ImGui::EndChild();
  if (!result.changed) return false;
  double next = row.lo + fraction * span;
  next = row.whole ? std::round(next) : std::round(next * 100) / 100;
  if (row.whole && next == value && result.steps != 0) next += result.steps > 0 ? 1 : -1;
  value = std::clamp(next, row.lo, row.hi);
  return true;
}

bool choiceRow(Shell& shell, const std::string& id, const std::vector<std::string>& words,
               int& chosen) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(26);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + width, at.y + height), c.raised, shell.px(4));
  const float part = width / static_cast<float>(std::max<std::size_t>(1, words.size()));
  bool changed = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const ImVec2 lo(at.x + part * static_cast<float>(i), at.y), hi(lo.x + part, at.y + height);
    ImGui::SetCursorScreenPos(lo);
    const std::string name = id + ":" + std::to_string(i);
    const bool on = static_cast<int>(i) == chosen;
    if (pressable(shell, name.c_str(), ImVec2(part, height)) && !on) {
      chosen = static_cast<int>(i);
      changed = true;
    }
    shell.log->item("choice:" + name);
    ImU32 fill = on ? c.accent : c.raised;
    if (ImGui::IsItemHovered()) fill = mix(fill, on ? c.text : c.accent, 0.18f);
    if (on || ImGui::IsItemHovered()) list->AddRectFilled(lo, hi, fill, shell.px(4));
    const std::string word = fitted(shell.fonts.small, words[i], part - shell.px(4));
    const ImVec2 size = textSize(shell.fonts.small, word);
    drawText(list, shell.fonts.small,
             ImVec2((lo.x + hi.x - size.x) / 2, (lo.y + hi.y - size.y) / 2),
             on ? c.onAccent : c.text, word);
  }
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  ImGui::Dummy(ImVec2(width, 0));
  return changed;
}

bool switchRow(Shell& shell, const std::string& id, const std::string& label, bool& on) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  drawText(ImGui::GetWindowDrawList(), shell.fonts.small, ImVec2(at.x, at.y + shell.px(2)),
           shell.colours->text, fitted(shell.fonts.small, label, width - shell.px(44)));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y));
  const bool pressed = toggle(shell, id.c_str(), on, shell.colours->accent);
  shell.log->item("switch:" + id);
  if (pressed) on = !on;
  return pressed;
}

}  // namespace cellscope::gui
