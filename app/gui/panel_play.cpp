// The one parameter to play with and the one number to watch.
#include <algorithm>
#include <cmath>

#include "app/gui/equilibration_watch.h"
#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

const ObservableSeries* watched(const Shell& shell) {
  if (!shell.now->scenario) return nullptr;
  for (const ObservableSeries& s : shell.now->observables)
    if (s.info.id == shell.now->scenario->watch) return &s;
  return nullptr;
}

}  // namespace

bool hasPlay(const Shell& shell) {
  return shell.now && shell.now->scenario &&
         (!shell.now->scenario->promote.key.empty() || watched(shell));
}

bool watchedNumber(Shell& shell) {
  const ObservableSeries* s = watched(shell);
  if (!s) return false;
  const Palette& c = *shell.colours;
  const Average average = averageOf(*s, shell.now->mode->stepName);
  const std::string value = average.value.empty() ? "–" : average.value;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 size = textSize(shell.fonts.largeNumbers, value);
  const float x = at.x + width - size.x;
  // Room for the number is reserved: otherwise all below would move whenever it gets a digit.
  const float reserved = textSize(shell.fonts.largeNumbers, "0.0000(00)").x;
  const float room = width - std::max(size.x, reserved) - shell.px(8);
  std::string label = printed(s->info.label);
  if (!s->info.unit.empty())
    label += ", " + onOneLine(printedUnit(s->info.unit, shell.now->mode->dimension));
  // Nothing is cut: a label that does not fit beside the number stands above it, in lines.
  const bool beside = textSize(shell.fonts.strong, label).x <= room;
  const std::string lines = beside ? label : wrapped(shell.fonts.strong, label, width);
  const float lower = beside ? 0 : textSize(shell.fonts.strong, lines).y;
  drawText(list, shell.fonts.strong, ImVec2(at.x, at.y + shell.px(1)), c.text, lines);
  drawText(list, shell.fonts.largeNumbers, ImVec2(x, at.y + lower),
           average.settled ? c.text : c.muted, value);
  const bool fits = textSize(shell.fonts.small, average.state).x <= room;
  const std::string state = fits ? average.state : wrapped(shell.fonts.small, average.state, width);
  const float stateY = !fits ? lower + size.y : beside ? shell.px(18) : lower + shell.px(9);
  drawText(list, shell.fonts.small, ImVec2(at.x, at.y + stateY), c.muted, state);
  const float bottom = std::max(lower + size.y, stateY + textSize(shell.fonts.small, state).y);
  ImGui::InvisibleButton("watched", ImVec2(width, std::max(bottom, shell.px(34))));
  shell.log->item("watched:" + s->info.id);
  shell.log->state("watched", average.settled ? "equilibrated" : "equilibrating");
  tooltip(
      shell, printed(s->info.label),
      {printed(s->info.equation), average.errorKnown ? "" : kErrorUnknown, average.explanation});
  return true;
}

void playPanel(Shell& shell) {
  const ImVec2 lo = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  static float height = 100;  // of the last frame
  const float pad = shell.px(10), width = ImGui::GetContentRegionAvail().x;
  list->ChannelsSplit(2);
  list->ChannelsSetCurrent(1);
  ImGui::SetCursorScreenPos(ImVec2(lo.x + pad, lo.y + shell.px(6)));
  ImGui::BeginGroup();
  // Scrolled out of view it keeps its height: otherwise all below it would jump.
  if (ImGui::BeginChild("play", ImVec2(width - 2 * pad, height), false,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse)) {
    promotedSlider(shell);
    watchedNumber(shell);
    height = ImGui::GetCursorPosY();
  }
  ImGui::EndChild();
  ImGui::EndGroup();
  const float bottom = ImGui::GetItemRectMax().y + shell.px(4);
  list->ChannelsSetCurrent(0);
  list->AddRectFilled(lo, ImVec2(lo.x + width, bottom), shell.colours->raised, shell.px(6));
  list->ChannelsMerge();
  shell.log->rect("panel:play", lo, ImVec2(lo.x + width, bottom));
  ImGui::SetCursorScreenPos(ImVec2(lo.x, bottom));
  ImGui::Dummy(ImVec2(width, 0));
}

}  // namespace cellscope::gui
