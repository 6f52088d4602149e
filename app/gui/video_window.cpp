#include "app/gui/video_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/option_row.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// A slider over decades: 1, 2, 5, 10, 20, ...
bool decadeRow(Shell& shell, const std::string& id, const std::string& label,
               const std::string& shown, int decades, double& value) {
  double place = std::log10(value);
  if (!optionRow(shell, {id, label, shown, 0, static_cast<double>(decades)}, place)) return false;
  const double decade = std::pow(10, std::floor(place + 1e-9)), part = std::pow(10, place) / decade;
  value = decade * (part < 1.5 ? 1 : part < 3.5 ? 2 : part < 7.5 ? 5 : 10);
  return true;
}

std::string lengthWords(const Shell& shell) {
  const VideoWindow& v = shell.video;
  return fmt::format(
      "{} of video, {} {}s of the run", printed(fmt::format("{:.3g} s", v.count / v.rate)),
      grouped(static_cast<std::uint64_t>(v.count * v.every)), shell.now->mode->stepName);
}

}  // namespace

void openVideoWindow(Shell& shell) {
  shell.video.open = true;
  shell.video.error.clear();
  shell.log->write("video", "dialog");
}

void videoWindow(Shell& shell) {
  VideoWindow& v = shell.video;
  if (!v.open) return;
  if (dimRest(shell, "##video-rest")) {
    v.open = false;
    return;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(shell.px(420), screen.x - shell.px(24)), pad = shell.px(20);
  ImGui::SetNextWindowPos(ImVec2(screen.x / 2, screen.y / 2), 0, ImVec2(0.5f, 0.5f));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, shell.px(16)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
  ImGui::Begin("##video", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize);
  shell.log->rect(
      "video", ImGui::GetWindowPos(),
      ImVec2(ImGui::GetWindowPos().x + width, ImGui::GetWindowPos().y + ImGui::GetWindowSize().y));
  ImGui::PushFont(shell.fonts.strong);
  ImGui::TextUnformatted("Record a video");
  ImGui::PopFont();
  ImGui::PushFont(shell.fonts.small);
  textMuted(shell,
            "One frame of the viewport every N steps, whatever the speed of the computer. The run "
            "continues by itself; keep the view you want in the video.");
  ImGui::PopFont();
  const std::string unit = shell.now->mode->stepName + "s";
  decadeRow(shell, "video-every", "Steps between pictures",
            grouped(static_cast<std::uint64_t>(v.every)) + " " + unit, 5, v.every);
  decadeRow(shell, "video-count", "Pictures", grouped(static_cast<std::uint64_t>(v.count)), 4,
            v.count);
  optionRow(shell,
            {"video-rate", "Pictures per second", fmt::format("{:.0f}", v.rate), 1, 60, true},
            v.rate);
  switchRow(shell, "video-legend", "Legend and scale bar", v.legend);
  ImGui::PushFont(shell.fonts.small);
  textMuted(shell, lengthWords(shell));
  const common::VideoTarget target = common::videoTarget("video.mp4");
  if (target.isSeries())
    textWrapped(
        shell,
        "ffmpeg is not installed: a numbered series of PNG files is written instead. To get "
        "a video, install the package ffmpeg.",
        shell.colours->amber);
  else
    textMuted(shell, "Written by ffmpeg into the output folder.");
  if (!v.error.empty()) textWrapped(shell, sentence(v.error), shell.colours->red);
  ImGui::PopFont();
  ImGui::Dummy(ImVec2(1, shell.px(4)));
  const float half = (ImGui::GetContentRegionAvail().x - ImGui::GetStyle().ItemSpacing.x) / 2;
  if (button(shell, "video-close", "Cancel", Icon::none, half)) v.open = false;
  ImGui::SameLine();
  if (button(shell, "video-start", "Record", Icon::none, half, true)) v.wanted = true;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

float recordingCard(Shell& shell, ImVec2 bottom, float room) {
  VideoWindow& v = shell.video;
  if (!v.recording()) return 0;
  const float width = std::min(shell.px(460), room - shell.px(32)), pad = shell.px(16);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, shell.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
  ImGui::SetNextWindowPos(bottom, 0, ImVec2(0.5f, 1));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::Begin("##recording", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  const float cancel = shell.px(96), finish = shell.px(112), gap = ImGui::GetStyle().ItemSpacing.x;
  const float words = width - 2 * pad - cancel - finish - 2 * gap;
  ImGui::PushFont(shell.fonts.strong);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(
      fitted(shell.fonts.strong, v.writing ? "Writing the video" : "Recording", words).c_str());
  ImGui::PopFont();
  if (!v.writing) {
    ImGui::SameLine(width - pad - cancel - gap - finish);
    if (button(shell, "video-finish", "Finish now", Icon::none, finish)) v.finishEarly = true;
    tooltip(shell, "Finish now", {"The video has the pictures taken so far."});
  }
  ImGui::SameLine(width - pad - cancel);
  if (button(shell, "video-cancel", "Cancel", Icon::close, cancel)) v.cancelled = true;
  tooltip(shell, "Cancel (Esc)",
          {"No video is kept; pictures of a series stay. The run is paused."});
  ImGui::PushFont(shell.fonts.small);
  textMuted(shell, fitted(shell.fonts.small,
                          fmt::format("{} of {} pictures, {}", v.video->added(), v.pictures,
                                      v.video->target().path),
                          width - 2 * pad));
  ImGui::PopFont();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float inner = width - 2 * pad, height = shell.px(6);
  const float share = static_cast<float>(v.video->added()) /
                      static_cast<float>(std::max<std::size_t>(1, v.pictures));
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + inner, at.y + height), shell.colours->raised, height / 2);
  list->AddRectFilled(at, ImVec2(at.x + inner * std::clamp(share, 0.02f, 1.f), at.y + height),
                      shell.colours->accent, height / 2);
  ImGui::Dummy(ImVec2(inner, height));
  const float tall = ImGui::GetWindowSize().y;
  ImGui::End();
  ImGui::PopStyleVar(2);
  return tall;
}

}  // namespace cellscope::gui
