// Windows without decoration, and what stands in several of them.
#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels.h"

namespace cellscope::gui {

Pane::Pane(const std::string& name, const PaneLook& look) {
  const auto style = [this](ImGuiStyleVar which, auto value) {
    ImGui::PushStyleVar(which, value);
    ++styles_;
  };
  if (look.padding) style(ImGuiStyleVar_WindowPadding, *look.padding);
  if (look.border > 0) style(ImGuiStyleVar_WindowBorderSize, look.border);
  if (look.isSquare) style(ImGuiStyleVar_WindowRounding, 0.f);
  if (look.opacity >= 0) ImGui::SetNextWindowBgAlpha(look.opacity);
  ImGui::SetNextWindowPos(look.at, 0, look.pivot);
  if (look.size.x > 0) ImGui::SetNextWindowSize(look.size);
  ImGui::Begin(("##" + name).c_str(), nullptr,
               look.more | ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                   ImGuiWindowFlags_NoSavedSettings);
}

void Pane::end() {
  if (!std::exchange(isOpen_, false)) return;
  ImGui::End();
  ImGui::PopStyleVar(styles_);
}

bool dimRest(Shell& shell, const char* name) {
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::PushStyleColor(ImGuiCol_WindowBg, withAlpha(shell.colours->viewport, 0.6f));
  Pane pane(name, {.size = screen, .padding = ImVec2(0, 0), .isSquare = true});
  const bool pressed = ImGui::InvisibleButton("rest", screen);
  pane.end();
  ImGui::PopStyleColor();
  shell.focus.restart();
  return pressed;
}

PaneLook progressLook(Shell& shell, ImVec2 bottom, float width) {
  return {.at = bottom,
          .size = ImVec2(width, 0),
          .padding = ImVec2(shell.px(16), shell.px(12)),
          .more = kCardPane,
          .border = 1,
          .pivot = ImVec2(0.5f, 1)};
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

bool beginContextMenu(Shell& shell, const char* id) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shell.px(10), shell.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(shell.px(8), shell.px(6)));
  if (ImGui::BeginPopupContextItem(id)) return true;
  ImGui::PopStyleVar(2);
  return false;
}

void endContextMenu() {
  ImGui::EndPopup();
  ImGui::PopStyleVar(2);
}

}  // namespace cellscope::gui
