// What a column takes over from the other one where both have no room.
#include <algorithm>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/time_plot.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// One line: what is folded comes back by less room for text, or in this column.
void wayBack(Shell& shell, const char* id, const std::string& folded, bool rightFirst) {
  const std::string words = folded + ": Ctrl and minus, or ", link = "swap columns";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImFont* font = shell.fonts.small;
  const ImVec2 first = textSize(font, words), second = textSize(font, link);
  const float left = std::min(first.x, width - second.x);
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawText(list, font, at, shell.colours->muted, fitted(font, words, left));
  ImGui::SetCursorScreenPos(ImVec2(at.x + left, at.y));
  const bool pressed = ImGui::InvisibleButton(id, second);
  shell.log->item(id);
  drawText(list, font, ImVec2(at.x + left, at.y),
           ImGui::IsItemHovered() ? shell.colours->text : shell.colours->accent, link);
  tooltip(
      shell, "Swap columns",
      {"The window has room for one column beside the picture: opens the other one. Both return "
       "in a wider window, or with smaller text and panels (Ctrl and minus)."});
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + second.y));
  ImGui::Dummy(ImVec2(width, shell.px(2)));
  if (!pressed) return;
  shell.rightFirst = rightFirst;
  shell.log->write("swap", rightFirst ? "right" : "left");
}

}  // namespace

bool lacksPlots(const Shell& shell) {
  return shell.rightOpen && !shell.rightFirst && !shell.particleDocked && !shell.plotsDetached &&
         !mainPlot(shell).empty();
}

bool lacksPlay(const Shell& shell) {
  return shell.leftOpen && shell.rightFirst && shell.leftDrawnAt != ImGui::GetFrameCount() &&
         hasPlay(shell);
}

void sharedPlotPanel(Shell& shell) {
  wayBack(shell, "swap-plots", "All plots", true);
  const std::string id = mainPlot(shell);
  const float width = ImGui::GetContentRegionAvail().x;
  // The number to watch stands above.
  if (!shell.now->scenario || shell.now->scenario->watch.empty()) {
    std::string equation;
    const Heading heading = plotHeading(shell, id, equation);
    ImGui::PushFont(shell.fonts.strong);
    textWrapped(shell, heading.title + "  " + heading.value,
                heading.settled ? shell.colours->text : shell.colours->muted);
    ImGui::PopFont();
  }
  const float room = ImGui::GetWindowPos().y + ImGui::GetWindowHeight() -
                     ImGui::GetCursorScreenPos().y - shell.px(12);
  plotContent(shell, id, ImVec2(width, std::min(room, shell.px(240))), true, false);
}

void sharedPlayPanel(Shell& shell) {
  playPanel(shell);
  wayBack(shell, "swap-controls", "All controls", false);
}

}  // namespace cellscope::gui
