#include "app/gui/dialogs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/panels.h"

namespace cellscope::gui {

// A slider over decades: 1, 2, 5, 10, 20, ...
static bool decadeRow(Shell& shell, const std::string& id, const std::string& label,
                      const std::string& shown, int decades, double& value) {
  double place = std::log10(value);
  if (!optionRow(shell, {id, label, shown, 0, static_cast<double>(decades)}, place)) return false;
  const double decade = std::pow(10, std::floor(place + 1e-9)), part = std::pow(10, place) / decade;
  value = decade * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  return true;
}

static std::string lengthWords(const Shell& shell) {
  const VideoWindow& v = shell.video;
  return fmt::format(
      "{} of video, {} {}s of the run", printed(fmt::format("{:.3g} s", v.count / v.rate)),
      grouped(static_cast<std::uint64_t>(v.count * v.every)), shell.now->mode->stepName);
}

void openVideoWindow(Shell& shell) {
  if (!shell.leads()) return;  // it would make the steps between its pictures
  shell.video.open = true;
  shell.video.error.clear();
  shell.log->write("video", "dialog");
}

void videoWindow(Shell& shell) {
  VideoWindow& v = shell.video;
  if (!v.open) return;
  if (dimRest(shell, "video-rest")) {
    v.open = false;
    return;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(shell.px(420), screen.x - shell.px(24)), pad = shell.px(20);
  ImGui::SetNextWindowFocus();
  const Pane pane("video",
                  {.at = ImVec2(screen.x / 2, screen.y / 2),
                   .size = ImVec2(width, 0),
                   .padding = ImVec2(pad, shell.px(16)),
                   .more = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_AlwaysAutoResize,
                   .border = 1,
                   .pivot = ImVec2(0.5f, 0.5f)});
  shell.log->window("video");
  textStrong(shell, "Record a video");
  textSmall(shell,
            "One frame of the viewport every N steps, whatever the speed of the computer. The run "
            "continues by itself; keep the view you want in the video.");
  const std::string unit = shell.now->mode->stepName + "s";
  decadeRow(shell, "video-every", "Steps between pictures",
            grouped(static_cast<std::uint64_t>(v.every)) + " " + unit, 5, v.every);
  decadeRow(shell, "video-count", "Pictures", grouped(static_cast<std::uint64_t>(v.count)), 4,
            v.count);
  optionRow(shell,
            {"video-rate", "Pictures per second", fmt::format("{:.0f}", v.rate), 1, 60, true},
            v.rate);
  switchRow(shell, "video-legend", "Legend and scale bar", v.legend);
  textSmall(shell, lengthWords(shell));
  const common::VideoTarget target = common::videoTarget("video.mp4");
  if (target.isSeries())
    textSmall(shell,
              "ffmpeg is not installed: a numbered series of PNG files is written instead. To get "
              "a video, install the package ffmpeg.",
              shell.colours->amber);
  else
    textSmall(shell, "Written by ffmpeg into the output folder.");
  if (!v.error.empty()) textSmall(shell, sentence(v.error), shell.colours->red);
  ImGui::Dummy(ImVec2(1, shell.px(4)));
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (button(shell, "video-close", "Cancel", Icon::none, half)) v.open = false;
  ImGui::SameLine();
  if (button(shell, "video-start", "Record", Icon::none, half, true)) v.wanted = true;
}

float recordingCard(Shell& shell, ImVec2 bottom, float room) {
  VideoWindow& v = shell.video;
  if (!v.recording()) return 0;
  const float width = std::min(shell.px(460), room - shell.px(32)), pad = shell.px(16);
  const Pane pane("recording", progressLook(shell, bottom, width));
  const float cancel = shell.px(96), finish = shell.px(112), gap = ImGui::GetStyle().ItemSpacing.x;
  const float words = width - 2 * pad - cancel - finish - 2 * gap;
  ImGui::AlignTextToFramePadding();
  textStrong(shell,
             fitted(shell.fonts.strong, v.writing ? "Writing the video" : "Recording", words));
  if (!v.writing) {
    ImGui::SameLine(width - pad - cancel - gap - finish);
    if (button(shell, "video-finish", "Finish now", Icon::none, finish)) v.finishEarly = true;
    tooltip(shell, "Finish now", {"The video has the pictures taken so far."});
  }
  ImGui::SameLine(width - pad - cancel);
  if (button(shell, "video-cancel", "Cancel", Icon::close, cancel)) v.cancelled = true;
  tooltip(shell, "Cancel (Esc)",
          {"No video is kept; pictures of a series stay. The run is paused."});
  textSmall(shell, fitted(shell.fonts.small,
                          fmt::format("{} of {} pictures, {}", v.video->added(), v.pictures,
                                      v.video->target().path),
                          width - 2 * pad));
  progressBar(shell,
              static_cast<double>(v.video->added()) /
                  static_cast<double>(std::max<std::size_t>(1, v.pictures)),
              width - 2 * pad);
  return ImGui::GetWindowSize().y;
}

}  // namespace cellscope::gui
