// Every declared parameter of the mode: grouped, with sliders, switches and choices.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/parameter_edit.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr double kForgetAfter =
    3;  // seconds after which a requested value that was not applied is dropped

std::array<char, 64>& editBuffer() {
  static std::array<char, 64> text{};
  return text;
}

void startEditing(Shell& shell, const ParameterState& p, const ParameterValue& value) {
  shell.editing = p.info.key;
  shell.editError.clear();
  std::snprintf(editBuffer().data(), editBuffer().size(), "%s", toText(value).c_str());
}

// The value to show: the requested one until the simulation has applied or refused it.
ParameterValue current(Shell& shell, const ParameterState& p) {
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

void help(Shell& shell, const ParameterState& p) {
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

void menu(Shell& shell, const ParameterState& p) {
  if (!beginContextMenu(shell, ("menu:" + p.info.key).c_str())) return;
  if (ImGui::MenuItem("Edit value")) {
    startEditing(shell, p, p.value);
  }
  if (ImGui::MenuItem(("Reset to default, " + shownValue(p.info, p.fallback)).c_str())) {
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

void editRow(Shell& shell, const ParameterState& p) {
  static std::string started;
  static int explain = 0;  // frames until the layout includes the message and can be scrolled to it
  ImGui::SetNextItemWidth(-1);
  ImGui::PushFont(shell.fonts.numbers);
  if (started != p.info.key) ImGui::SetKeyboardFocusHere();
  const bool entered =
      ImGui::InputText(("##edit" + p.info.key).c_str(), editBuffer().data(), editBuffer().size(),
                       ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
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
  textWrapped(shell, sentence(withLabels(shell.editError, shell.now->parameters)),
              shell.colours->red);
  const float bottom = ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
  if (explain > 0 && --explain == 0 && ImGui::GetItemRectMax().y > bottom) ImGui::SetScrollHereY(1);
}

// Label and mark at the left, value and unit at the right. Returns the height used.
void header(Shell& shell, const ParameterState& p, const std::string& value, ImU32 valueColour,
            float right) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension),
                    words = printed(p.info.label);
  right += at.x;
  if (!value.empty() && !p.info.unit.empty()) {
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

// The slider alone; true when its value is to be typed. `shown` becomes the value while dragged.
bool parameterSlider(Shell& shell, const ParameterState& p, const std::string& id,
                     ParameterValue& shown) {
  static std::string dragged;
  static ParameterValue wanted;
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
    dragged = id;
    shown = wanted = valueAt(p, span, at, ImGui::GetIO().KeyShift);
    if (p.info.effect == Effect::live) shell.set(p.info.key, wanted);
  }
  if (result.steps == 0 && result.released && p.info.effect != Effect::live)
    shell.set(p.info.key, wanted);
  if (dragged == id && !ImGui::IsMouseDown(0)) dragged.clear();
  return result.typeRequested;
}

void sliderRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  ParameterValue value = current(shell, p);
  const bool changed = !(value == p.fallback);
  // The seed has no slider: its size means nothing.
  const bool hasRange = p.info.max > p.info.min && p.info.key != "seed";
  header(shell, p, shownValue(value), changed ? c.accent : c.text,
         ImGui::GetContentRegionAvail().x);
  bool type = false;
  ImGui::InvisibleButton(("row:" + p.info.key).c_str(),
                         ImVec2(ImGui::GetContentRegionAvail().x, shell.px(20)));
  shell.log->item("value:" + p.info.key);
  type = ImGui::IsItemHovered() &&
         (ImGui::IsMouseDoubleClicked(0) || (ImGui::IsMouseClicked(0) && ImGui::GetIO().KeyCtrl));
  help(shell, p);
  menu(shell, p);
  if (hasRange) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
    type = parameterSlider(shell, p, p.info.key, value) || type;
    help(shell, p);
  }
  if (type) startEditing(shell, p, value);
}

void switchRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  const bool on = std::get<bool>(current(shell, p));
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  header(shell, p, "", c.text, width - shell.px(42));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y));
  const ImU32 onColour = !p.info.experiment ? c.accent : p.acts ? c.red : c.muted;
  if (toggle(shell, ("switch:" + p.info.key).c_str(), on, onColour)) shell.set(p.info.key, !on);
  shell.log->item("switch:" + p.info.key);
  help(shell, p);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(("row:" + p.info.key).c_str(), ImVec2(width - shell.px(42), shell.px(22)));
  help(shell, p);
}

void choiceRow(Shell& shell, const ParameterState& p) {
  const float width = ImGui::GetContentRegionAvail().x,
              box = std::min(width * 0.52f, shell.px(150));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float shift = (ImGui::GetFrameHeight() - shell.px(20)) / 2;
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + shift));
  header(shell, p, "", shell.colours->text, width - box - shell.px(8));
  ImGui::InvisibleButton(("row:" + p.info.key).c_str(),
                         ImVec2(width - box - shell.px(8), shell.px(20)));
  help(shell, p);
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - box, at.y));
  ImGui::SetNextItemWidth(box);
  const ParameterValue value = current(shell, p);
  if (ImGui::BeginCombo(("##" + p.info.key).c_str(), p.info.inWords(value).c_str())) {
    for (const ChoiceInfo& choice : p.info.choices) {
      if (ImGui::Selectable(choice.label.c_str(), ParameterValue(choice.key) == value))
        shell.set(p.info.key, choice.key);
    }
    ImGui::EndCombo();
  }
  shell.log->item("choice:" + p.info.key);
  help(shell, p);
}

// The promoted parameter is typed where it is shown large.
bool isPromoted(const Shell& shell, const ParameterState& p) {
  return shell.now->scenario && shell.now->scenario->promote.key == p.info.key;
}

void row(Shell& shell, const ParameterState& p) {
  ImGui::PushID(p.info.key.c_str());
  if (!p.info.choices.empty()) {
    choiceRow(shell, p);
  } else if (std::holds_alternative<bool>(p.value)) {
    switchRow(shell, p);
  } else if (shell.editing == p.info.key && !isPromoted(shell, p)) {
    header(shell, p, "", shell.colours->text, ImGui::GetContentRegionAvail().x);
    ImGui::Dummy(ImVec2(1, shell.px(18)));
    editRow(shell, p);
  } else {
    sliderRow(shell, p);
  }
  ImGui::PopID();
}

// The promoted parameter again, larger: its value, and the ends of its slider.
void promotedRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ParameterValue value = current(shell, p);
  const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension),
                    shown = shownValue(value);
  float right = at.x + width;
  if (!unit.empty()) {
    right -= textSize(shell.fonts.small, unit).x;
    drawText(list, shell.fonts.small, ImVec2(right, at.y + shell.px(13)), c.muted, unit);
    right -= shell.px(6);
  }
  const ImVec2 size = textSize(shell.fonts.largeNumbers, shown);
  right -= size.x;
  drawText(list, shell.fonts.largeNumbers, ImVec2(right, at.y), c.accent, shown);
  drawText(list, shell.fonts.strong, ImVec2(at.x, at.y + shell.px(9)), c.text,
           fitted(shell.fonts.strong, printed(p.info.label), right - at.x - shell.px(8)));
  ImGui::InvisibleButton("promoted-value", ImVec2(width, size.y));
  shell.log->item("promoted:" + p.info.key);
  bool type = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  help(shell, p);
  menu(shell, p);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  type = parameterSlider(shell, p, "promoted-" + p.info.key, value) || type;
  help(shell, p);
  const SliderRange span = spanOf(shell, p);
  const ImVec2 ends = ImGui::GetCursorScreenPos();
  const std::string lo = number(span.lo), hi = number(span.hi);
  const float y = ends.y - ImGui::GetStyle().ItemSpacing.y - shell.px(1);
  drawText(list, shell.fonts.smallNumbers, ImVec2(ends.x, y), c.muted, lo);
  drawText(list, shell.fonts.smallNumbers,
           ImVec2(ends.x + width - textSize(shell.fonts.smallNumbers, hi).x, y), c.muted, hi);
  ImGui::Dummy(ImVec2(width, shell.px(9)));
  if (type) startEditing(shell, p, value);
}

}  // namespace

bool promotedSlider(Shell& shell) {
  if (!shell.now->scenario || shell.now->scenario->promote.key.empty()) return false;
  for (const ParameterState& p : shell.now->parameters) {
    if (p.info.key != shell.now->scenario->promote.key) continue;
    ImGui::PushID("promoted");
    if (shell.editing == p.info.key) {
      header(shell, p, "", shell.colours->text, ImGui::GetContentRegionAvail().x);
      ImGui::Dummy(ImVec2(1, shell.px(18)));
      editRow(shell, p);
    } else {
      promotedRow(shell, p);
    }
    ImGui::PopID();
    return true;
  }
  return false;
}

void seedRow(Shell& shell) {
  for (const ParameterState& p : shell.now->parameters) {
    if (p.info.key == "seed") row(shell, p);
  }
}

bool seedButton(Shell& shell, float width) {
  for (const ParameterState& p : shell.now->parameters) {
    if (p.info.key != "seed") continue;
    if (button(shell, "new-seed", "New seed", Icon::none, width)) {
      shell.set("seed", std::get<std::int64_t>(current(shell, p)) + 1);
    }
    tooltip(shell, "New seed", {"Starts over with different random numbers. Ctrl+Z undoes this."});
    return true;
  }
  return false;
}

void parametersPanel(Shell& shell) {
  if (!section(shell, "parameters", "Parameters")) return;
  std::vector<std::string> groups;
  for (const ParameterState& p : shell.now->parameters) {
    if (std::find(groups.begin(), groups.end(), p.info.group) == groups.end()) {
      if (p.info.key != "seed") groups.push_back(p.info.group);
    }
  }
  for (const std::string& group : groups) {
    if (!group.empty()) {
      ImGui::Dummy(ImVec2(1, shell.px(2)));
      ImGui::PushFont(shell.fonts.small);
      textMuted(shell, group);
      ImGui::PopFont();
    }
    for (const ParameterState& p : shell.now->parameters) {
      if (p.info.group == group && p.info.key != "seed") row(shell, p);
    }
  }
}

}  // namespace cellscope::gui
