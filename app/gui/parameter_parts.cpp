#include "app/gui/parameter_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/gui/format.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr double kForgetAfter =
    3;  // seconds after which a requested value that was not applied is dropped

std::array<char, 64>& editBuffer() {
  static std::array<char, 64> text{};
  return text;
}

// Whether a value that rebuilds may be sent while the slider is held: the one before it has been
// taken over, and the simulation is given time between two.
bool mayActNow(const Shell& shell, const ParameterState& p, double sentAt) {
  constexpr double kApart = 0.2;  // seconds
  return p.info.effect == Effect::live ||
         (p.info.effect == Effect::rebuild && !shell.pending.contains(p.info.key) &&
          shell.time - sentAt >= kApart);
}

}  // namespace

void startEditing(Shell& shell, const ParameterState& p, const ParameterValue& value) {
  shell.editing = p.info.key;
  shell.editError.clear();
  std::snprintf(editBuffer().data(), editBuffer().size(), "%s", onScreen(toText(value)).c_str());
}

ParameterValue shownNow(Shell& shell, const ParameterState& p) {
  const auto it = shell.pending.find(p.info.key);
  if (it == shell.pending.end()) return p.value;
  const bool waiting = ImGui::IsMouseDown(0) || shell.setup;
  if (it->second.value == p.value || (!waiting && shell.time - it->second.sentAt > kForgetAfter)) {
    const ParameterValue value = it->second.value == p.value ? it->second.value : p.value;
    shell.pending.erase(it);
    return value;
  }
  return it->second.value;
}

SliderRange spanOf(const Shell& shell, const ParameterState& p) {
  const Promoted none;
  const Promoted& promoted = shell.now->scenario ? shell.now->scenario->promote : none;
  return rangeOf(p.info, promoted, shell.fullRange.contains(p.info.key));
}

void parameterHelp(Shell& shell, const ParameterState& p) {
  const ParameterInfo& info = p.info;
  std::string title = info.label;
  if (!info.symbol.empty()) title.append("  ").append(printed(info.symbol));
  std::string range;
  if (info.choices.empty() && info.max > info.min) {
    const bool whole = std::holds_alternative<std::int64_t>(p.value);
    auto limit = [&](double v) {
      return whole ? shownValue(static_cast<std::int64_t>(v)) : number(v);
    };
    range = "Allowed: " + limit(info.min) + " to " + limit(info.max);
    if (!info.unit.empty())
      range.append(" ").append(printedUnit(info.unit, shell.now->mode->dimension));
    range += ". ";
    const SliderRange span = spanOf(shell, p);
    if (!span.isAll) range += "The slider spans " + limit(span.lo) + " to " + limit(span.hi) + ". ";
  }
  range += "Default " + shownValue(p.info, p.fallback) + ".";
  tooltip(shell, title,
          {printed(info.help), printed(info.equation), range, effectText(info.effect),
           !info.experiment ? ""
           : p.acts         ? "An experiment: it breaks the physics on purpose."
                    : "An experiment; it does nothing now: " + info.actsWith.key + " is " + "not " +
                          fmt::format("{}", fmt::join(info.actsWith.choices, ", ")) + ".",
           info.max > info.min
               ? "Shift drags a tenth as far; arrow keys and wheel step; double-click types."
               : ""});
}

void parameterMenu(Shell& shell, const ParameterState& p) {
  if (!beginContextMenu(shell, ("menu:" + p.info.key).c_str())) return;
  if (ImGui::MenuItem("Edit value")) {
    startEditing(shell, p, p.value);
  }
  if (ImGui::MenuItem(onScreen("Reset to default, " + shownValue(p.info, p.fallback)).c_str())) {
    shell.set(p.info.key, p.fallback);
  }
  const bool all = shell.fullRange.contains(p.info.key);
  if (all || !spanOf(shell, p).isAll) {
    if (ImGui::MenuItem("Slider over all allowed values", nullptr, all)) {
      if (all)
        shell.fullRange.erase(p.info.key);
      else
        shell.fullRange.insert(p.info.key);
    }
    shell.log->item("full-range:" + p.info.key);
  }
  endContextMenu();
}

void editRow(Shell& shell, const ParameterState& p, ImFont* font) {
  static std::string started;
  static int explain = 0;  // frames until the layout includes the message and can be scrolled to it
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(font ? font : shell.fonts.numbers);
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 1.f);
  ImGui::PushStyleColor(ImGuiCol_Border, ImGui::ColorConvertU32ToFloat4(shell.colours->accent));
  if (started != p.info.key) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputText(("##edit" + p.info.key).c_str(), editBuffer().data(), editBuffer().size(),
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  ImGui::PopFont();
  shell.log->item("edit:" + p.info.key);
  const bool left = started == p.info.key && ImGui::IsItemDeactivated();
  started = p.info.key;
  if (entered) {
    ParameterValue value;
    shell.editError = checkText(p, editBuffer().data(), value);
    if (shell.editError.empty()) {
      shell.set(p.info.key, value);
      shell.editing.clear();
    } else {
      shell.log->write("refused", shell.editError);
      explain = 2;
    }
    started.clear();
  } else if (left) {
    shell.editing.clear();
    shell.editError.clear();
    started.clear();
  }
  if (shell.editError.empty()) return;
  textWrapped(shell, sentence(printed(withLabels(shell.editError, shell.now->parameters))),
              shell.colours->red);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (explain > 0 && --explain == 0 && ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

void parameterHeader(Shell& shell, const ParameterState& p, const std::string& value,
                     ImU32 valueColour, float right) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension),
                    words = printed(p.info.label);
  right += at.x;
  if (!value.empty() && value != p.info.smallest && !p.info.unit.empty()) {
    right -= textSize(shell.fonts.small, unit).x;
    drawText(list, shell.fonts.small, ImVec2(right, at.y + shell.px(3)), c.muted, unit);
    right -= shell.px(6);
  }
  right -= textSize(shell.fonts.numbers, value).x;
  drawText(list, shell.fonts.numbers, ImVec2(right, at.y + shell.px(2)), valueColour, value);
  const bool wrong = p.info.experiment && p.acts && p.value != p.fallback;
  const float room = right - at.x - shell.px(8);
  const std::string mark = p.info.effect == Effect::restart ? "restarts" : "";
  float markWidth = mark.empty() ? 0 : textSize(shell.fonts.small, mark).x + shell.px(8);
  if (textSize(shell.fonts.words, words).x + markWidth > room) markWidth = 0;
  const std::string label = fitted(shell.fonts.words, words, room);
  drawText(list, shell.fonts.words, ImVec2(at.x, at.y + shell.px(1)), wrong ? c.red : c.text,
           label);
  if (markWidth > 0) {
    const float x = at.x + textSize(shell.fonts.words, label).x + shell.px(8);
    drawText(list, shell.fonts.small, ImVec2(x, at.y + shell.px(3)), c.muted, mark);
  }
}

bool parameterSlider(Shell& shell, const ParameterState& p, const std::string& id,
                     ParameterValue& shown) {
  static std::string dragged;
  static ParameterValue wanted, sent;
  static double sentAt = 0;
  const SliderRange span = spanOf(shell, p);
  if (dragged == id) shown = wanted;
  float at = fractionOf(span, asDouble(shown));
  const SliderResult result =
      slider(shell, id.c_str(), at,
             p.info.experiment && p.acts ? shell.colours->red : shell.colours->accent);
  shell.log->item("slider:" + id);
  if (result.steps != 0) {
    shown = stepped(p, span, shown, result.steps);
    shell.set(p.info.key, shown);
  } else if (result.changed) {
    if (dragged != id) sent = p.value;
    dragged = id;
    shown = wanted = valueAt(p, span, at, ImGui::GetIO().KeyShift);
  }
  const bool due = dragged == id && result.steps == 0 && !(wanted == sent);
  if (due && (result.released || mayActNow(shell, p, sentAt))) {
    shell.set(p.info.key, wanted);
    sent = wanted;
    sentAt = shell.time;
  }
  if (dragged == id && !ImGui::IsMouseDown(0)) dragged.clear();
  return result.typeRequested;
}

void choiceList(Shell& shell, const ParameterState& p, const ParameterValue& value) {
  if (!ImGui::BeginCombo(("##" + p.info.key).c_str(), onScreen(p.info.inWords(value)).c_str()))
    return;
  for (const ChoiceInfo& choice : p.info.choices) {
    if (ImGui::Selectable(onScreen(choice.label).c_str(), ParameterValue(choice.key) == value))
      shell.set(p.info.key, choice.key);
    shell.log->item("choose:" + p.info.key + ":" + choice.key);
  }
  ImGui::EndCombo();
}

}  // namespace cellscope::gui
