// Range of a colour map: smallest, largest, automatic.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/overlays.h"
#include "app/gui/widgets.h"
#include "sim/base/number_text.h"

namespace cellscope::gui {
namespace {

std::array<char, 32> typedNumber(float value) {
  std::array<char, 32> text{};
  onScreen(fmt::format("{:.6g}", value)).copy(text.data(), text.size() - 1);
  return text;
}

}  // namespace

void rangeMenu(Shell& shell, const LayerData& layer, ImVec2 at, ImVec2 size) {
  const ColourScale& scale = layer.scale;
  if (scale.kind != ColourKind::sequential && scale.kind != ColourKind::diverging) return;
  const std::string id = "range:" + layer.key;
  ImGui::SetCursorScreenPos(at);
  static std::array<char, 32> least, most;  // as typed
  if (ImGui::InvisibleButton(id.c_str(), size)) {
    least = typedNumber(scale.lo);
    most = typedNumber(scale.hi);
    ImGui::OpenPopup((id + ":menu").c_str());
  }
  shell.log->item(id);
  tooltip(shell, "Range of colours", {"Click to set the smallest and largest value."});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shell.px(10), shell.px(8)));
  if (ImGui::BeginPopup((id + ":menu").c_str())) {
    const std::string key = rangeKey(layer);
    ImGui::SetNextItemWidth(shell.px(120));
    bool entered = ImGui::InputText("smallest", least.data(), least.size(),
                                    ImGuiInputTextFlags_EnterReturnsTrue);
    shell.log->item("range:smallest");
    ImGui::SetNextItemWidth(shell.px(120));
    entered |=
        ImGui::InputText("largest", most.data(), most.size(), ImGuiInputTextFlags_EnterReturnsTrue);
    shell.log->item("range:largest");
    shell.log->state("range-typed", fmt::format("{} {}", least.data(), most.data()));
    const double lo = realFrom(least.data()).value_or(NAN),
                 hi = realFrom(most.data()).value_or(NAN);
    const bool possible = std::isfinite(lo) && std::isfinite(hi) && lo < hi;
    // Always a line of it, so that the buttons stay where they are, inside of the window.
    ImGui::PushStyleColor(ImGuiCol_Text, shell.colours->red);
    ImGui::TextUnformatted(possible ? "" : "The smallest must be below the largest.");
    ImGui::PopStyleColor();
    if ((ImGui::Button("Set") || entered) && possible) {
      shell.colourRanges[key] = {lo, hi};
      shell.log->write("colour-range", fmt::format("{} {} {}", layer.key, lo, hi));
      if (!entered) ImGui::CloseCurrentPopup();
    }
    shell.log->item("range:set");
    ImGui::SameLine();
    if (ImGui::Button("Automatic")) {
      shell.colourRanges.erase(key);
      shell.log->write("colour-range", layer.key + " automatic");
      ImGui::CloseCurrentPopup();
    }
    shell.log->item("range:automatic");
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
