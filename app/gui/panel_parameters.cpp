// Every declared parameter of the mode: grouped, with sliders, switches and choices.
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
    range = "From " + limit(info.min) + " to " + limit(info.max);
    if (!info.unit.empty()) range.append(" ").append(printed(info.unit));
    range += ". ";
  }
  range += "Default " + shownValue(p.info, p.fallback) + ".";
  tooltip(shell, title,
          {printed(info.help), printed(info.equation), range, effectText(info.effect),
           info.experiment ? "An experiment: it breaks the physics on purpose." : ""});
}

void menu(Shell& shell, const ParameterState& p) {
  if (!beginContextMenu(shell, ("menu:" + p.info.key).c_str())) return;
  if (ImGui::MenuItem("Edit value")) {
    startEditing(shell, p, p.value);
  }
  if (ImGui::MenuItem(("Reset to default, " + shownValue(p.info, p.fallback)).c_str())) {
    shell.set(p.info.key, p.fallback);
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
  const std::string unit = printed(p.info.unit), words = printed(p.info.label);
  right += at.x;
  if (!value.empty() && !p.info.unit.empty()) {
    right -= textSize(shell.fonts.small, unit).x;
    drawText(list, shell.fonts.small, ImVec2(right, at.y + shell.px(3)), c.muted, unit);
    right -= shell.px(6);
  }
  right -= textSize(shell.fonts.numbers, value).x;
  drawText(list, shell.fonts.numbers, ImVec2(right, at.y + shell.px(2)), valueColour, value);
  const bool wrong = p.info.experiment && p.value == ParameterValue(true);
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

void sliderRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  static std::string dragged;
  static ParameterValue wanted;
  const bool mine = dragged == p.info.key;
  const ParameterValue value = mine ? wanted : current(shell, p);
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
    float at = fractionOf(p, asDouble(value));
    const SliderResult result =
        slider(shell, p.info.key.c_str(), at, p.info.experiment ? c.red : c.accent);
    shell.log->item("slider:" + p.info.key);
    if (result.changed) {
      dragged = p.info.key;
      wanted = valueAt(p, at);
      if (p.info.effect == Effect::live) shell.set(p.info.key, wanted);
    }
    if (result.released && p.info.effect != Effect::live) shell.set(p.info.key, wanted);
    if (dragged == p.info.key && !ImGui::IsMouseDown(0)) dragged.clear();
    type = type || result.typeRequested;
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
  const ImU32 onColour = p.info.experiment ? c.red : c.accent;
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

void row(Shell& shell, const ParameterState& p) {
  ImGui::PushID(p.info.key.c_str());
  if (!p.info.choices.empty()) {
    choiceRow(shell, p);
  } else if (std::holds_alternative<bool>(p.value)) {
    switchRow(shell, p);
  } else if (shell.editing == p.info.key) {
    header(shell, p, "", shell.colours->text, ImGui::GetContentRegionAvail().x);
    ImGui::Dummy(ImVec2(1, shell.px(18)));
    editRow(shell, p);
  } else {
    sliderRow(shell, p);
  }
  ImGui::PopID();
}

}  // namespace

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
