// Layer chips with the choice of colouring.
#include <algorithm>

#include "app/gui/format.h"
#include "app/gui/overlays.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

constexpr ImGuiWindowFlags kBare =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoBringToFrontOnFocus;

void colouringChip(Shell& shell, float right, bool compact) {
  const auto& all = shell.now->mode->colourings;
  if (all.empty()) return;
  std::string label = all.front().label;
  for (const ColouringInfo& one : all) {
    if (one.key == shell.view.colouring) label = one.label;
  }
  label = "Colour: " + printed(label);
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  if (ImGui::GetItemRectMax().x + gap + chipWidth(shell, label, "C", compact) <= right)
    ImGui::SameLine();
  if (chip(shell, "chip:colouring", label, "C", false, compact)) ImGui::OpenPopup("colourings");
  tooltip(shell, "Colour (C: next)", {"The quantity shown by the colour of the particles."});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(shell.px(10), shell.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(shell.px(8), shell.px(6)));
  if (ImGui::BeginPopup("colourings")) {
    for (const ColouringInfo& one : all) {
      if (ImGui::MenuItem(onScreen(printed(one.label)).c_str(), nullptr,
                          one.key == shell.view.colouring)) {
        shell.setColouring(one.key);
      }
      shell.log->item("colouring:" + one.key);
      // Beside the list, so that it does not cover other entries.
      const float side = ImGui::GetWindowPos().x + ImGui::GetWindowWidth() + shell.px(4);
      const ImVec2 corner(side, ImGui::GetItemRectMin().y);
      tooltip(shell, one.label, {printed(one.help)}, &corner);
    }
    ImGui::Separator();
    if (ImGui::MenuItem("Keep colours and sizes beside cells and boxes", nullptr,
                        &shell.keepColours))
      shell.log->write("keep-colours", shell.keepColours ? "on" : "off");
    shell.log->item("keep-colours");
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

constexpr std::size_t kChips = 9;

// The layers that have no chip.
void moreChip(Shell& shell, std::size_t count, float right, bool compact) {
  const std::string label = std::to_string(count) + " more";
  const float gap = ImGui::GetStyle().ItemSpacing.x;
  if (ImGui::GetItemRectMax().x + gap + chipWidth(shell, label, "", compact) <= right)
    ImGui::SameLine();
  if (chip(shell, "chip:more", label, "", false, compact)) {
    shell.panelsHidden = false;
    shell.leftOpen = true;
    shell.rightFirst = false;
    shell.collapsed["layers"] = false;
    shell.scrollTo = "Layers";
  }
  tooltip(shell, "More layers", {"Opens the panel of all layers."});
}

}  // namespace

float layerChips(Shell& shell, const ViewportArea& area) {
  const ModeInfo& mode = *shell.now->mode;
  const float edge = shell.px(12);
  const bool compact = area.hi().x - area.lo().x < shell.px(760);
  const float gap = shell.px(compact ? 4 : 6);
  ImGui::SetNextWindowPos(ImVec2(area.lo().x + edge, area.lo().y + edge));
  ImGui::SetNextWindowSize(ImVec2(area.hi().x - area.lo().x - 2 * edge, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  ImGui::Begin("##chips", nullptr,
               kBare | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize);
  const float right = area.hi().x - edge;
  // The first nine have keys. Of the others those that are on have a chip; the rest is in the
  // panel.
  std::size_t chips = 0;
  for (std::size_t i = 0; i < mode.layers.size(); ++i) {
    const LayerInfo& layer = mode.layers[i];
    if (i >= kChips && !shell.layerOn(layer.key)) continue;
    const std::string key = i < kChips ? std::to_string(i + 1) : "";
    if (chips++ > 0) {
      const float next =
          ImGui::GetItemRectMax().x + gap + chipWidth(shell, layer.label, key, compact);
      if (next <= right) ImGui::SameLine();
    }
    const bool on = shell.layerOn(layer.key);
    const LayerShown shown = on ? shownOf(shell, layer) : LayerShown{};
    const bool idle = !shown.anything;
    if (chip(shell, ("chip:" + layer.key).c_str(), layer.label, key, on, compact, idle)) {
      shell.toggleLayer(i);
    }
    tooltip(shell, layer.label,
            {printed(layer.help), shown.words(), on ? labelsInWords(shell, layer) : "",
             layer.options.empty() ? "" : "Right-click: opacity and other options."});
    layerMenu(shell, layer);
  }
  if (mode.layers.size() > chips) moreChip(shell, mode.layers.size() - chips, right, compact);
  colouringChip(shell, right, compact);
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::End();
  ImGui::PopStyleVar(2);
  return bottom - area.lo().y;
}

}  // namespace cellscope::gui
