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
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (button(shell, "open", "Open …", Icon::none, half))
    openFileWindow(shell, FileWindow::Task::open);
  tooltip(shell, "Open (Ctrl+O)",
          {"A scenario, a checkpoint, a configuration or trajectory, or a picture that cellscope "
           "saved: the experiment in its metadata is read back."});
  ImGui::SameLine();
  if (button(shell, "save-as", "Save as …", Icon::none, half))
    openFileWindow(shell, FileWindow::Task::save);
  tooltip(shell, "Save as (Ctrl+S)",
          {"Scenario, checkpoint or particles, under a name of your own."});
  if (button(shell, "screenshot", "Screenshot", Icon::camera, -1)) shell.screenshot();
  tooltip(shell, "Screenshot (S)",
          {"PNG of the whole window with the experiment in its metadata: dropped on a window, it "
           "opens again."});
  if (button(shell, "record", "Record a video …", Icon::none, -1) && !shell.video.recording())
    openVideoWindow(shell);
  tooltip(shell, "Record a video",
          {"A picture after every so many steps, joined by ffmpeg where it is installed, otherwise "
           "as a numbered series."});
  if (button(shell, "save-checkpoint", "Save checkpoint", Icon::none, -1)) {
    shell.lastCheckpoint = shell.runPath("", ".checkpoint");
    shell.runner->saveCheckpoint(shell.lastCheckpoint);
    shell.log->write("checkpoint", shell.lastCheckpoint);
  }
  tooltip(shell, "Save checkpoint",
          {"The complete state: a run resumed from it continues exactly as this one would, in "
           "batch (cellscope run --resume) and in the window (cellscope window --resume)."});
  if (button(shell, "save-scenario", "Save as scenario", Icon::none, -1)) shell.saveScenarioTo = "";
  tooltip(shell, "Save as scenario",
          {"A TOML file with the parameters, layers, slices and view that are on the screen, for "
           "cellscope window and cellscope run. The state is not saved: it begins anew."});
  if (button(shell, "copy-experiment", "Copy experiment", Icon::none, -1)) {
    const std::string line = shell.experimentLine();
    ImGui::SetClipboardText(line.c_str());
    shell.log->write("copied", line);
    shell.say(Severity::info, "Copied: " + line + " – paste it into a window (Ctrl+V) or behind " +
                                  "cellscope run or cellscope window");
  }
  tooltip(
      shell, "Copy experiment",
      {"One line with scenario (or the checkpoint that is continued), seed, every parameter that "
       "differs, and the version. Ctrl+V in another window opens it, the Open dialog takes it, "
       "and so do cellscope run and cellscope window in a terminal."});
  if (button(shell, "save-frame", "Save particles (extended XYZ)", Icon::none, -1)) {
    const std::string path = shell.runPath("particles", ".xyz");
    shell.runner->saveTrajectoryFrame(path);
    shell.log->write("frame", path);
  }
  tooltip(shell, "Save particles", {"The current configuration, readable by OVITO, ASE and VMD."});
  if (button(shell, "save-series", "Save time series (CSV)", Icon::none, -1)) shell.saveSeries();
  tooltip(shell, "Save time series",
          {"All observables of the run, a row for each sample that was kept, with parameters, "
           "changes, averages and errors: the form of cellscope run --csv."});
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
  if (shell.remembered.recentFiles.empty()) return;
  ImGui::PushFont(shell.fonts.small);
  textMuted(shell, "Opened last");
  ImGui::PopFont();
  if (std::string path; recentRows(shell, path)) shell.openFile(path);
}

}  // namespace cellscope::gui
