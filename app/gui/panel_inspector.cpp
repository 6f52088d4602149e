// Going to a particle, pair, cell or slot by name; conditions that pause the run; their overlay.
#include <tuple>

#include "app/gui/panels.h"
#include "app/gui/viewport.h"
#include "sim/run/inspector.h"

namespace cellscope::gui {

bool commandField(Shell& shell, const std::string& id, const char* hint, std::string& text) {
  if (shell.fieldWanted == id && shell.scrollTo.empty()) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(-1);
  return textField(shell, "##" + id, "field:" + id, text,
                   ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll,
                   hint) &&
         !text.empty();
}

static void goToField(Shell& shell) {
  static std::string typed;
  static std::uint64_t before = 0;  // number of the target before the one that was asked for
  textSmall(shell, "Go to ( / )");
  if (commandField(shell, "go-to", "109   109 138   (3, 4)   slot 7   node 12", typed)) {
    before = shell.now->target.number;
    shell.runner->goTo(typed);
  }
  tooltip(shell, "Go to ( / )",
          {"Enter picks it and moves the camera there: a particle's id; two ids, whose distance "
           "and lists then stand on the card, as after Shift+click on a second particle; a cell of "
           "the method; the particle in a slot of memory; a node of a tree; a move of the last "
           "step while the table of moves is shown."});
  const Target& target = shell.now->target;
  if (target.number <= before || target.words.empty()) return;
  textSmall(shell, sentence(target.words),
            target.found ? shell.colours->muted : shell.colours->red);
}

// Words with a button at the right; true when that was pressed.
static bool removableRow(Shell& shell, const std::string& id, const std::string& words) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, side = shell.px(20);
  drawText(shell.fonts.small, at + shell.px(0, 3), shell.colours->text,
           fitted(shell.fonts.small, words, width - side));
  const bool removed =
      iconButton(shell, id, Icon::close, ImVec2(at.x + width - side, at.y), side, shell.px(9));
  tooltip(shell, "Remove", {words});
  return removed;
}

static void breakpointList(Shell& shell) {
  static std::string typed;
  static std::size_t shown = 0;
  const SharedList<std::string> all = shell.now->breakpoints;
  if (all.size() > shown) typed.clear();  // it was taken
  shown = all.size();
  textSmall(shell, "Pause when ( B )");
  if (commandField(shell, "pause-when", "N > 300", typed)) {
    shell.leaveErrors();
    shell.runner->addBreakpoint(typed);
    shell.log->write("add-breakpoint", typed);
  }
  tooltip(shell, "Pause when ( B )",
          {std::string("The run pauses at the step after which this becomes true; Backspace goes "
                       "to the step before. Conditions: ") +
               kConditions + ".",
           "While there is one, the run goes step by step and computes after each what the "
           "condition needs: one value, one pass over the particles, or all self-checks."});
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!removableRow(shell, fmt::format("remove-breakpoint:{}", k), all[k])) continue;
    shell.runner->removeBreakpoint(k);
    shell.log->write("remove-breakpoint", all[k]);
  }
}

static void heatButtons(Shell& shell) {
  constexpr double kFactor = 1.1;
  ImVec2 at = ImGui::GetCursorScreenPos();
  for (const auto& [id, word, factor] :
       {std::tuple("heat", "Heat", kFactor), std::tuple("cool", "Cool", 1 / kFactor)}) {
    if (wordButton(shell, id, word, at)) shell.heat(factor);
    tooltip(shell, fmt::format("{} the selected particles", word),
            {fmt::format("Multiplies their velocities by {:.2g}. Averages and what is conserved "
                         "count from here; it belongs to the run as a change of a parameter does, "
                         "and Ctrl+Z takes it back.",
                         factor)});
    at.x += textSize(shell.fonts.small, word).x + shell.px(16);
  }
}

static void selectField(Shell& shell) {
  static std::string typed;
  const Publication& now = *shell.now;
  textSmall(shell, "Select ( E )");
  if (commandField(shell, "select", "speed > 2 && type == 0", typed)) {
    shell.leaveErrors();
    shell.runner->select(typed);
  }
  tooltip(shell, "Select ( E )",
          {std::string("Enter marks the particles for which this is true by rings, and counts them "
                       "in every picture: ") +
           kSelections + ". Names and numbers of types, lengths in sigma."});
  if (now.selection.empty()) return;
  const std::string words =
      fmt::format("{} of {} particles: {}", now.selected, now.particles, now.selection);
  if (removableRow(shell, "remove-selection", words)) shell.runner->select("");
  if (now.heats && now.selected > 0) heatButtons(shell);
}

void inspectorPanel(Shell& shell) {
  const std::size_t count = shell.now->breakpoints.size();
  if (!section(shell, "inspector", "Inspector", count > 0 ? fmt::format("{} pause", count) : "",
               false))
    return;
  goToField(shell);
  selectField(shell);
  breakpointList(shell);
}

// Where the panel is not on the screen, the way to it is told.
void wantField(Shell& shell, const char* id) {
  if (shell.presentation)
    return shell.say(Severity::info,
                     "The inspector is beside the picture: P ends the presentation.");
  shell.panelsHidden = shell.rightFirst = false;
  shell.leftOpen = true;
  shell.collapsed["inspector"] = false;
  shell.scrollTo = "Inspector";
  shell.fieldWanted = id;
  shell.fieldWantedUntil = shell.time + 2;
}

static void cellOutline(Shell& shell, const ViewportArea& area, const Target& t) {
  const bool flat = shell.now->frame->box.dimension == 2;
  const auto corner = [&](int k) {
    return area.onScreen(
        {k & 1 ? t.hi.x : t.lo.x, k & 2 ? t.hi.y : t.lo.y, k & 4 ? t.hi.z : t.lo.z});
  };
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  for (int a = 0; a < (flat ? 4 : 8); ++a)
    for (int bit = 1; bit < (flat ? 4 : 8); bit *= 2)
      if (!(a & bit)) list->AddLine(corner(a), corner(a | bit), shell.colours->accent, shell.px(3));
}

void inspectorOverlay(Shell& shell, const ViewportArea& area) {
  const Target& t = shell.now->target;
  const bool isCell = t.found && (t.lo.x != t.hi.x || t.lo.y != t.hi.y);
  if (!shell.now->pair && !(isCell && shell.cellShown)) return;
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->PushClipRect(area.lo(), area.hi());
  if (isCell && shell.cellShown) cellOutline(shell, area, t);
  // From the picked particle to the image of the second one that is nearest to it.
  if (const auto& pair = shell.now->pair) {
    const ImVec2 a = area.onScreen({pair->from.x, pair->from.y, pair->from.z});
    const ImVec2 b = area.onScreen({pair->to.x, pair->to.y, pair->to.z});
    const float radius = std::max(shell.px(6), static_cast<float>(0.6 * area.unitsPerSigma()));
    for (const auto& [ink, wide] : {std::pair(shell.colours->viewport, shell.px(5)),
                                    std::pair(shell.colours->accent, shell.px(2))}) {
      list->AddLine(a, b, ink, wide);
      list->AddCircle(b, radius, ink, 0, wide);
    }
    shell.log->rect("second", b, b);
  }
  list->PopClipRect();
}

}  // namespace cellscope::gui
