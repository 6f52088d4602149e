// Card with the progress of a set-up and a button to cancel it.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr double kShownAfter = 0.2;  // seconds

struct Wait {
  std::string title;
  Preparation stage{"", -1};
  double seconds = 0;
  bool cancellable = true;
};

// The preparation of a running simulation, timed here.
bool preparing(Shell& shell, Wait& wait) {
  static double since = -1;
  if (!shell.now || !shell.now->preparation) {
    since = -1;
    return false;
  }
  if (since < 0) since = shell.time;
  wait = {shell.now->playing ? "Preparing" : "Preparation paused: press Space to continue",
          *shell.now->preparation, shell.time - since, shell.now->canCancelPreparation};
  return true;
}

bool current(Shell& shell, Wait& wait) {
  if (!shell.setup) return preparing(shell, wait);
  wait.title = shell.setup->name;
  if (shell.setup->stage) wait.stage = *shell.setup->stage;
  wait.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - shell.setup->began).count();
  return true;
}

void progressBar(Shell& shell, double progress, float width) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = shell.px(6);
  const auto part = [&](float from, float to, ImU32 colour) {
    ImGui::GetWindowDrawList()->AddRectFilled(ImVec2(at.x + width * from, at.y),
                                              ImVec2(at.x + width * to, at.y + height), colour,
                                              height / 2);
  };
  part(0, 1, c.raised);
  if (progress >= 0) {
    part(0, static_cast<float>(std::clamp(progress, 0.02, 1.0)), c.accent);
  } else {  // unknown progress: a moving segment
    const auto middle = static_cast<float>(0.5 - 0.35 * std::cos(2 * shell.time));
    part(middle - 0.15f, middle + 0.15f, c.accent);
  }
  ImGui::Dummy(ImVec2(width, height));
}

}  // namespace

float setupCard(Shell& shell, ImVec2 bottom, float room) {
  Wait wait;
  if (!current(shell, wait) || wait.seconds < kShownAfter) return 0;
  const float width = std::min(shell.px(460), room - shell.px(32)), pad = shell.px(16);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, shell.px(12)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1.f);
  ImGui::SetNextWindowPos(bottom, 0, ImVec2(0.5f, 1));
  ImGui::SetNextWindowSize(ImVec2(width, 0));
  ImGui::Begin("##setup", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoFocusOnAppearing);
  const float inner = width - 2 * pad, cancel = shell.px(96);
  ImGui::PushFont(shell.fonts.strong);
  ImGui::AlignTextToFramePadding();
  put(fitted(shell.fonts.strong, wait.title, inner - cancel - pad));
  ImGui::PopFont();
  if (wait.cancellable) {
    ImGui::SameLine(width - pad - cancel);
    if (button(shell, "cancel-setup", "Cancel", Icon::close, cancel)) shell.cancel();
    tooltip(
        shell, "Cancel (Esc)",
        {"Cancels the set-up and keeps the previous state. Other commands wait until it ends."});
  }
  const std::string done = wait.stage.progress < 0 ? "" : percent(wait.stage.progress);
  const float numbers = textSize(shell.fonts.numbers, done).x;
  ImGui::PushFont(shell.fonts.small);
  const std::string label = printed(wait.stage.label);
  textMuted(shell, fitted(shell.fonts.small, label.empty() ? "working" : label,
                          inner - numbers - shell.px(8)));
  ImGui::PopFont();
  if (!done.empty()) {
    ImGui::SameLine(width - pad - numbers);
    textRight(shell, done, shell.fonts.numbers, shell.colours->text);
  }
  progressBar(shell, wait.stage.progress, inner);
  const float height = ImGui::GetWindowSize().y;
  ImGui::End();
  ImGui::PopStyleVar(2);
  return height;
}

}  // namespace cellscope::gui
