// Title and text of the open scenario; files; what one column takes over from the other.
#include "app/gui/panels.h"

namespace cellscope::gui {

static float textHeight(Shell& shell, const std::string& text, float width) {
  return textSize(shell.fonts.small, wrapped(shell.fonts.small, text, width)).y;
}

void scenarioPanel(Shell& shell) {
  shell.leftDrawnAt = ImGui::GetFrameCount();
  const std::string& whole = shell.scenario().text;
  textStrong(shell, shell.title());
  if (!whole.empty()) {
    const float width = ImGui::GetContentRegionAvail().x;
    const std::string first = whole.substr(0, whole.find("\n\n"));
    const long lines =
        std::lround(textHeight(shell, first, width) / textSize(shell.fonts.small, "X").y);
    const bool isLong = textHeight(shell, whole, width) > shell.px(52);
    bool& isShort = shell.collapsed.try_emplace("scenario-text", true).first->second;
    ImGui::PushFont(shell.fonts.small);
    const std::string text = printed(whole);
    textMuted(shell, isLong && isShort ? shortened(ImGui::GetFont(), text, width,
                                                   static_cast<int>(std::min(3L, lines)))
                                       : text);
    if (isLong) {
      ImGui::TextColored(ImColor(shell.colours->accent), "%s", isShort ? "Show more" : "Show less");
      if (ImGui::IsItemClicked()) isShort = !isShort;
    }
    ImGui::PopFont();
  }
  const float tour = shell.px(72), gap = ImGui::GetStyle().ItemSpacing.x;
  const bool tours = tourOf(shell.now->mode->key);
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

constexpr const char* kNoCheckpoint =
    "No checkpoint was saved from this window yet. Drop a checkpoint file on the window.";

void filesPanel(Shell& shell) {
  if (!section(shell, "files", "Files", "", false)) return;
  const float half = halfWidth();
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
  if (!shell.sweep.folder.empty()) {
    if (button(shell, "show-sweep", "Sweep …", Icon::none, -1))
      openSweep(shell, shell.sweep.folder, false);
    tooltip(shell, "Sweep", {"The chart and points of " + shell.sweep.folder + "."});
  }
  if (button(shell, "screenshot", "Screenshot", Icon::camera, -1)) shell.screenshot();
  tooltip(shell, "Screenshot (S)",
          {"PNG of the whole window with the experiment in its metadata: dropped on a window, it "
           "opens again."});
  if (button(shell, "record", "Record a video …", Icon::none, -1) && !shell.video.recording())
    openVideoWindow(shell);
  tooltip(shell, "Record a video",
          {"One frame every N steps, joined by ffmpeg where it is installed, otherwise as a "
           "numbered series."});
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
           "cellscope window and cellscope run. Only the set-up is saved; the run starts from step "
           "0."});
  if (button(shell, "make-page", "Make a page of a lesson …", Icon::none, -1))
    openPageWindow(shell);
  tooltip(shell, "Make a page of a lesson (I)",
          {"What is on the screen with a text of yours and the sliders that the class may move, as "
           "one file, which appears in the gallery under My scenarios."});
  if (button(shell, "copy-experiment", "Copy experiment", Icon::none, -1)) {
    const std::string line = shell.experimentLine();
    ImGui::SetClipboardText(line.c_str());
    shell.log->write("copied", line);
    shell.say(Severity::info, "Copied: " + line + " – paste it into a window (Ctrl+V) or after " +
                                  "cellscope run or cellscope window");
  }
  tooltip(shell, "Copy experiment",
          {"One line with scenario (or the checkpoint that is continued), seed, every parameter "
           "that differs, and the version; files are named without their folders. Ctrl+V in "
           "another window opens it, the Open dialog takes it, and so do cellscope run and "
           "cellscope window in a terminal."});
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
  textSmall(shell, "Opened last");
  if (std::string path; recentRows(shell, path)) shell.openFile(path);
}

// One line: what is folded comes back by less room for text, or in this column.
static void wayBack(Shell& shell, const char* id, const std::string& folded, bool rightFirst) {
  const std::string words = folded + ": Ctrl and minus, or ", link = "swap columns";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImFont* font = shell.fonts.small;
  const ImVec2 second = textSize(font, link);
  const float left = std::min(textSize(font, words).x, width - second.x);
  drawText(font, at, shell.colours->muted, fitted(font, words, left));
  const bool pressed = wordButton(shell, id, link, ImVec2(at.x + left, at.y));
  tooltip(shell, "Swap columns",
          {"The window has room for one column beside the picture: opens the other one. Both "
           "return in a wider window, or with smaller text and panels (Ctrl and minus)."});
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + second.y));
  ImGui::Dummy(ImVec2(width, shell.px(2)));
  if (!pressed) return;
  shell.rightFirst = rightFirst;
  shell.log->write("swap", rightFirst ? "right" : "left");
}

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
  if (shell.scenario().watch.empty()) {
    const Heading heading = plotHeading(shell, id);
    textStrong(shell, heading.title + "  " + heading.value, heading.ink(shell));
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
