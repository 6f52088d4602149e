// Checkpoints, trajectory frames and pictures into the output folder.
#include <array>

#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNoCheckpoint =
    "No checkpoint was saved from this window yet. Drop a checkpoint file on the window.";

// A path to open, and the files opened last.
void openRow(Shell& shell) {
  static std::array<char, 1024> path{};
  ImGui::SetNextItemWidth(-1);
  const bool entered =
      ImGui::InputTextWithHint("##open", "Path of a scenario or checkpoint", path.data(),
                               path.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  shell.log->item("open-path");
  tooltip(shell, "Open", {"Type a path and press Enter."});
  if (entered && path[0] != 0) {
    shell.openFile(path.data());
    path[0] = 0;
  }
  for (const std::string& recent : shell.recentFiles) {
    const float room = ImGui::GetContentRegionAvail().x;
    std::string shown = recent;  // its end tells more than its beginning
    for (std::size_t cut = 1;
         cut < recent.size() && textSize(shell.fonts.small, shown).x > room - shell.px(8); ++cut)
      shown = "…" + recent.substr(cut);
    ImGui::PushFont(shell.fonts.small);
    if (ImGui::Selectable((shown + "##" + recent).c_str())) {
      const std::string chosen = recent;
      ImGui::PopFont();
      return shell.openFile(chosen);
    }
    shell.log->item("recent:" + recent);
    ImGui::PopFont();
  }
}

}  // namespace

void filesPanel(Shell& shell) {
  if (!section(shell, "files", "Files", "", false)) return;
  if (button(shell, "screenshot", "Screenshot", Icon::camera, -1)) shell.screenshot();
  tooltip(shell, "Screenshot (S)",
          {"PNG of the whole window with all parameters in its metadata."});
  if (button(shell, "save-checkpoint", "Save checkpoint", Icon::none, -1)) {
    shell.lastCheckpoint = shell.runPath("", ".checkpoint");
    shell.runner->saveCheckpoint(shell.lastCheckpoint);
    shell.log->write("checkpoint", shell.lastCheckpoint);
  }
  tooltip(shell, "Save checkpoint",
          {"The complete state: a run resumed from it continues exactly as this one would, in "
           "batch (cellscope run --resume) and in the window (cellscope window --resume)."});
  if (button(shell, "save-scenario", "Save as scenario", Icon::none, -1))
    shell.saveScenarioRequested = true;
  tooltip(shell, "Save as scenario",
          {"A TOML file with the parameters, layers, slices and view that are on the screen, for "
           "cellscope window and cellscope run. The state is not saved: it begins anew."});
  if (button(shell, "copy-experiment", "Copy experiment", Icon::none, -1)) {
    const std::string line = shell.experimentLine();
    ImGui::SetClipboardText(line.c_str());
    shell.log->write("copied", line);
    shell.say(Severity::info, "Copied: " + line);
  }
  tooltip(shell, "Copy experiment",
          {"One line for a terminal: scenario and every parameter that differs from it."});
  if (button(shell, "save-frame", "Save particles (extended XYZ)", Icon::none, -1)) {
    const std::string path = shell.runPath("particles", ".xyz");
    shell.runner->saveTrajectoryFrame(path);
    shell.log->write("frame", path);
  }
  tooltip(shell, "Save particles", {"The current configuration, readable by OVITO, ASE and VMD."});
  if (button(shell, "load-checkpoint", "Restore the last checkpoint", Icon::none, -1)) {
    if (shell.lastCheckpoint.empty())
      shell.say(Severity::info, kNoCheckpoint);
    else
      shell.loadCheckpoint(shell.lastCheckpoint);
  }
  tooltip(
      shell, "Restore the last checkpoint",
      {shell.lastCheckpoint.empty() ? kNoCheckpoint
                                    : "The state last saved from this window. Ctrl+Z undoes this.",
       shell.lastCheckpoint});
  openRow(shell);
  textMuted(shell, "Or drop a checkpoint or scenario file on the window.");
}

}  // namespace cellscope::gui
