// Checkpoints, trajectory frames and pictures into the output folder.
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNoCheckpoint =
    "No checkpoint was saved from this window yet. Drop a checkpoint file on the window.";

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
  textMuted(shell, "Drop a checkpoint or scenario file on the window to open it.");
}

}  // namespace cellscope::gui
