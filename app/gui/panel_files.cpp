// Checkpoints, trajectory frames and pictures into the output folder.
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr const char* kNoCheckpoint =
    "No checkpoint was saved from this window yet. Another one opens when it is dropped on the "
    "window.";

}  // namespace

void filesPanel(Shell& shell) {
  if (!section(shell, "files", "Files", "", false)) return;
  if (button(shell, "screenshot", "Picture of the window", Icon::camera, -1)) shell.screenshot();
  tooltip(shell, "Picture of the window (S)", {"PNG with all parameters in its metadata."});
  if (button(shell, "save-checkpoint", "Save a checkpoint", Icon::none, -1)) {
    shell.lastCheckpoint = shell.runPath("", ".checkpoint");
    shell.runner->saveCheckpoint(shell.lastCheckpoint);
    shell.log->write("checkpoint", shell.lastCheckpoint);
  }
  tooltip(shell, "Save a checkpoint",
          {"The complete state, bit for bit: a run resumed from it goes on exactly as this one, in "
           "batch (cellscope run --resume) and in the window (cellscope window --resume)."});
  if (button(shell, "save-frame", "Save particles (extended XYZ)", Icon::none, -1)) {
    const std::string path = shell.runPath("particles", ".xyz");
    shell.runner->saveTrajectoryFrame(path);
    shell.log->write("frame", path);
  }
  tooltip(shell, "Save particles", {"OVITO, ASE and VMD read this file."});
  if (button(shell, "load-checkpoint", "Back to the last checkpoint", Icon::none, -1)) {
    if (shell.lastCheckpoint.empty())
      shell.say(Severity::info, kNoCheckpoint);
    else
      shell.loadCheckpoint(shell.lastCheckpoint);
  }
  tooltip(shell, "Back to the last checkpoint",
          {shell.lastCheckpoint.empty()
               ? kNoCheckpoint
               : "The state that was saved last from this window. Ctrl+Z goes back.",
           shell.lastCheckpoint});
  textMuted(shell, "Checkpoints and scenarios open when they are dropped on the window.");
}

}  // namespace cellscope::gui
