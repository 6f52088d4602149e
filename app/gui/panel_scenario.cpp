// Title and text of the open scenario.
#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

float textHeight(Shell& shell, const std::string& text, float width) {
  return textSize(shell.fonts.small, wrapped(shell.fonts.small, text, width)).y;
}

}  // namespace

void scenarioPanel(Shell& shell) {
  shell.leftDrawnAt = ImGui::GetFrameCount();
  const Scenario* open = shell.now->scenario.get();
  ImGui::PushFont(shell.fonts.strong);
  textWrapped(shell, open ? open->title : shell.now->mode->label, shell.colours->text);
  ImGui::PopFont();
  if (open && !open->text.empty()) {
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string first = open->text.substr(0, open->text.find("\n\n"));
    const float lines = std::min(
        3.f, std::round(textHeight(shell, first, width) / textSize(shell.fonts.small, "X").y));
    const bool isLong = textHeight(shell, open->text, width) > shell.px(52);
    bool& shortened = shell.collapsed.try_emplace("scenario-text", true).first->second;
    ImGui::PushFont(shell.fonts.small);
    if (isLong && shortened) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      const float line = ImGui::GetTextLineHeight();
      ImGui::PushClipRect(at, ImVec2(at.x + width, at.y + lines * line), true);
      textMuted(shell, printed(open->text));
      ImGui::PopClipRect();
      ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + lines * line + shell.px(2)));
    } else {
      textMuted(shell, printed(open->text));
    }
    if (isLong) {
      ImGui::PushStyleColor(ImGuiCol_Text, shell.colours->accent);
      ImGui::TextUnformatted(shortened ? "Show more" : "Show less");
      ImGui::PopStyleColor();
      if (ImGui::IsItemClicked()) shortened = !shortened;
    }
    ImGui::PopFont();
  }
  const float tour = shell.px(72), gap = ImGui::GetStyle().ItemSpacing.x;
  const bool tours = !tourScenario(shell.now->mode->key).empty();
  const float rest = ImGui::GetContentRegionAvail().x - (tours ? tour + gap : 0);
  if (button(shell, "gallery", "Open scenario", Icon::none, rest)) {
    shell.galleryOpen = !shell.galleryOpen;
    shell.galleryOpenedAt = shell.time;
    shell.galleryOpenedFrom = ImGui::GetIO().MousePos;
    shell.log->write("gallery", shell.galleryOpen ? "open" : "closed");
  }
  if (!tours) return;
  ImGui::SameLine();
  if (button(shell, "tour", "Tour", Icon::none, tour)) startTour(shell, shell.now->mode->key);
  tooltip(shell, "Tour", {"Five steps through the window. Esc ends it."});
}

}  // namespace cellscope::gui
