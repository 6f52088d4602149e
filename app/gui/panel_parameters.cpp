// Every declared parameter of the mode: grouped, with sliders, switches and choices.
#include "app/gui/panels.h"

namespace cellscope::gui {

static void sliderRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  ParameterValue value = shownNow(shell, p);
  // The seed has no slider: its size means nothing.
  const bool hasRange = p.info.max > p.info.min && p.info.key != "seed";
  parameterHeader(shell, p, shownValue(p.info, value), value == p.fallback ? c.text : c.accent,
                  ImGui::GetContentRegionAvail().x);
  clickable(shell, "value:" + p.info.key, ImVec2(ImGui::GetContentRegionAvail().x, shell.px(20)));
  bool type = ImGui::IsItemHovered() && (ImGui::IsMouseDoubleClicked(0) ||
                                         (ImGui::IsMouseClicked(0) && ImGui::GetIO().KeyCtrl));
  parameterHelp(shell, p);
  parameterMenu(shell, p);
  if (hasRange) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
    type = parameterSlider(shell, p, p.info.key, value) || type;
    parameterHelp(shell, p);
  }
  if (type) startEditing(shell, p, value, rowId());
}

static void switchRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  const bool on = std::get<bool>(shownNow(shell, p));
  const float width = ImGui::GetContentRegionAvail().x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  parameterHeader(shell, p, "", c.text, width - shell.px(42));
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y));
  const ImU32 onColour = !p.info.experiment ? c.accent : p.acts ? c.red : c.muted;
  if (toggle(shell, "switch:" + p.info.key, on, onColour)) shell.set(p.info.key, !on);
  parameterHelp(shell, p);
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton(("row:" + p.info.key).c_str(), ImVec2(width - shell.px(42), shell.px(22)));
  parameterHelp(shell, p);
}

static void choiceRow(Shell& shell, const ParameterState& p) {
  const float width = ImGui::GetContentRegionAvail().x,
              box = std::min(width * 0.52f, shell.px(150));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos(at + ImVec2(0, (ImGui::GetFrameHeight() - shell.px(20)) / 2));
  parameterHeader(shell, p, "", shell.colours->text, width - box - shell.px(8));
  ImGui::InvisibleButton(("row:" + p.info.key).c_str(),
                         ImVec2(width - box - shell.px(8), shell.px(20)));
  parameterHelp(shell, p);
  ImGui::SetCursorScreenPos(ImVec2(at.x + width - box, at.y));
  ImGui::SetNextItemWidth(box);
  choiceList(shell, p, shownNow(shell, p));
  shell.log->item("choice:" + p.info.key);
  parameterHelp(shell, p);
}

static void row(Shell& shell, const ParameterState& p) {
  ImGui::PushID(p.info.key.c_str());
  if (!p.info.choices.empty()) {
    choiceRow(shell, p);
  } else if (std::holds_alternative<bool>(p.value)) {
    switchRow(shell, p);
  } else if (isEdited(shell, p)) {
    parameterHeader(shell, p, "", shell.colours->text, ImGui::GetContentRegionAvail().x);
    ImGui::Dummy(ImVec2(1, shell.px(18)));
    editRow(shell, p);
  } else {
    sliderRow(shell, p);
  }
  ImGui::PopID();
}

void seedRow(Shell& shell) {
  if (const ParameterState* const p = stateOf(shell, "seed")) row(shell, *p);
}

bool seedButton(Shell& shell, float width) {
  const ParameterState* const p = stateOf(shell, "seed");
  if (!p) return false;
  if (button(shell, "new-seed", "New seed", Icon::none, width))
    shell.set("seed", std::get<std::int64_t>(shownNow(shell, *p)) + 1);
  tooltip(shell, "New seed", {"Starts over with different random numbers. Ctrl+Z undoes this."});
  return true;
}

// What does nothing now is not shown unless it was asked for; the seed has a row of its own.
static bool isListed(const Shell& shell, const ParameterState& p) {
  return p.info.key != "seed" && (p.acts || shell.allParameters || shell.editing == p.info.key);
}

static void showAllLink(Shell& shell) {
  const auto idle = std::ranges::count_if(shell.now->parameters, [](const ParameterState& p) {
    return p.info.key != "seed" && !p.acts;
  });
  shell.log->state("idle-parameters", std::to_string(idle));
  if (idle == 0) return;
  const std::string words =
      (shell.allParameters ? "Hide " : "Show ") + std::to_string(idle) +
      (idle > 1 ? " more that do nothing now" : " more that does nothing now");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (wordButton(shell, "all-parameters", words, at)) shell.keysOfIcons.push_back('A');
  tooltip(shell, "All parameters (A)",
          {"Parameters of other methods, potentials and thermostats than those that are chosen."});
  ImGui::SetCursorScreenPos(at + shell.px(0, 20));
  ImGui::Dummy(ImVec2(1, 1));
}

void parametersPanel(Shell& shell) {
  if (!section(shell, "parameters", "Parameters")) return;
  showAllLink(shell);
  std::vector<std::string> groups;
  for (const ParameterState& p : shell.now->parameters)
    if (isListed(shell, p) && !hasItem(groups, p.info.group)) groups.push_back(p.info.group);
  for (const std::string& group : groups) {
    if (!group.empty()) {
      ImGui::Dummy(ImVec2(1, shell.px(2)));
      textSmall(shell, group);
    }
    for (const ParameterState& p : shell.now->parameters) {
      if (p.info.group == group && isListed(shell, p)) row(shell, p);
    }
  }
}

void besideRows(Shell& shell) {
  for (const std::string& key : shell.scenario().beside) {
    const ParameterState* const p = stateOf(shell, key);
    if (!p || !p->acts || !p->info.choices.empty()) continue;
    ImGui::PushID("beside");
    row(shell, *p);
    ImGui::PopID();
  }
}

static void labelAbove(Shell& shell, const std::string& label, ImU32 ink) {
  textStrong(shell, label, ink);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
}

static void promotedRow(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  const float width = ImGui::GetContentRegionAvail().x;
  ParameterValue value = shownNow(shell, p);
  const std::string label = printed(p.info.label);
  const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension),
                    shown = shownValue(p.info, value);
  const ImVec2 size = textSize(shell.fonts.largeNumbers, shown);
  // A label that does not fit beside the value stands above it, whole.
  const float needed = textSize(shell.fonts.strong, label).x + size.x +
                       textSize(shell.fonts.small, unit).x + shell.px(14);
  if (needed > width) labelAbove(shell, label, c.text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  float right = at.x + width;
  if (!unit.empty())
    right = drawTextTo(shell.fonts.small, ImVec2(right, at.y + shell.px(13)), c.muted, unit) -
            shell.px(6);
  drawTextTo(shell.fonts.largeNumbers, ImVec2(right, at.y), c.accent, shown);
  if (needed <= width) drawText(shell.fonts.strong, at + shell.px(0, 9), c.text, label);
  clickable(shell, "promoted:" + p.info.key, ImVec2(width, size.y));
  bool type = ImGui::IsItemHovered() && ImGui::IsMouseDoubleClicked(0);
  parameterHelp(shell, p);
  parameterMenu(shell, p);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - ImGui::GetStyle().ItemSpacing.y);
  type = parameterSlider(shell, p, "promoted-" + p.info.key, value) || type;
  parameterHelp(shell, p);
  const SliderRange span = spanOf(shell, p);
  const ImVec2 ends = ImGui::GetCursorScreenPos();
  const float y = ends.y - ImGui::GetStyle().ItemSpacing.y - shell.px(1);
  drawText(shell.fonts.smallNumbers, ImVec2(ends.x, y), c.muted, number(span.lo));
  drawTextTo(shell.fonts.smallNumbers, ImVec2(ends.x + width, y), c.muted, number(span.hi));
  ImGui::Dummy(ImVec2(width, shell.px(9)));
  if (type) startEditing(shell, p, value, rowId());
}

static bool isWrong(const ParameterState& p) {
  return p.info.experiment && p.acts && !(p.value == p.fallback);
}

// A promoted switch or choice: its name, red while it breaks the physics, and what it means.
static void promotedWords(Shell& shell, const ParameterState& p) {
  const Palette& c = *shell.colours;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool isSwitch = p.info.choices.empty();
  const float end = isSwitch ? shell.px(42) : 0;
  const ParameterValue value = shownNow(shell, p);
  const ImU32 ink = isWrong(p) ? c.red : c.text;
  const std::string label = printed(p.info.label);
  const bool fits = textSize(shell.fonts.strong, label).x <= width - end - shell.px(8);
  if (!fits) labelAbove(shell, label, ink);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if (fits) drawText(shell.fonts.strong, at + shell.px(0, 3), ink, label);
  const std::string state = !p.info.experiment ? ""
                            : isWrong(p)       ? "wrong on purpose"
                                               : "an experiment, off";
  clickable(shell, "promoted:" + p.info.key, ImVec2(std::max(1.f, width - end), shell.px(26)));
  parameterHelp(shell, p);
  if (isSwitch) {
    const bool on = std::get<bool>(value);
    ImGui::SetCursorScreenPos(ImVec2(at.x + width - shell.px(34), at.y + shell.px(2)));
    const ImU32 onColour = p.info.experiment ? c.red : c.accent;
    if (toggle(shell, "switch:promoted-" + p.info.key, on, onColour)) shell.set(p.info.key, !on);
    parameterHelp(shell, p);
    ImGui::SetCursorScreenPos(at + shell.px(0, 26));
  } else {
    ImGui::SetNextItemWidth(width);
    choiceList(shell, p, value);
    shell.log->item("choice:promoted-" + p.info.key);
    parameterHelp(shell, p);
  }
  if (!state.empty()) textSmall(shell, state, isWrong(p) ? c.red : c.muted);
}

void promotedSlider(Shell& shell) {
  const ParameterState* const promoted = stateOf(shell, shell.scenario().promote.key);
  if (!promoted) return;
  const ParameterState& p = *promoted;
  ImGui::PushID("promoted");
  if (!p.info.choices.empty() || std::holds_alternative<bool>(p.value)) {
    promotedWords(shell, p);
  } else if (isEdited(shell, p)) {
    const std::string unit = printedUnit(p.info.unit, shell.now->mode->dimension);
    labelAbove(shell, printed(p.info.label) + (unit.empty() ? "" : ", " + unit),
               shell.colours->text);
    ImGui::Dummy(ImVec2(1, shell.px(4)));
    editRow(shell, p, shell.fonts.largeNumbers);
  } else {
    promotedRow(shell, p);
  }
  ImGui::PopID();
}

}  // namespace cellscope::gui
