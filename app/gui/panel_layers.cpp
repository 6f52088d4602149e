// All layers in groups: state, key, options, and why one has nothing to show.
#include <algorithm>

#include "app/gui/panels.h"
#include "app/gui/viewport.h"

namespace cellscope::gui {

constexpr float kRow = 24;

static void layerRow(Shell& shell, const LayerInfo& layer, std::size_t index) {
  const Palette& c = *shell.colours;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = shell.px(kRow);
  const float side = shell.px(22), keyWidth = shell.px(18);
  const bool on = shell.layerOn(layer.key);
  const LayerShown shown = on ? shownOf(shell, layer) : LayerShown{};
  if (pressable(shell, "layer:" + layer.key, ImVec2(width - side, height)))
    shell.toggleLayer(index);
  if (ImGui::IsItemHovered())
    ImGui::GetWindowDrawList()->AddRectFilled(at, ImVec2(at.x + width - side, at.y + height),
                                              withAlpha(c.raised, 0.6f), shell.px(3));
  tooltip(shell, layer.label,
          {printed(layer.help), shown.words(),
           layer.options.empty() ? "" : "Right-click: opacity and other options."});
  layerMenu(shell, layer);
  const float middle = at.y + height / 2, r = shell.px(6);
  layerState(shell, ImVec2(at.x + shell.px(2) + r, middle), r, on, !shown.anything);
  const float x = at.x + shell.px(22), room = width - side - shell.px(26) - keyWidth;
  const std::string label = fitted(shell.fonts.words, printed(layer.label), room);
  drawText(shell.fonts.words, ImVec2(x, middle - textSize(shell.fonts.words, label).y / 2),
           on ? c.text : c.muted, label);
  if (index < 9)
    drawText(shell.fonts.smallNumbers,
             ImVec2(at.x + width - side - keyWidth + shell.px(4),
                    middle - textSize(shell.fonts.smallNumbers, "1").y / 2),
             c.muted, std::to_string(index + 1));
  const std::string options = "layer-options:" + layer.key;
  bool& closed = shell.collapsed.try_emplace(options, true).first->second;
  if (iconButton(shell, options, Icon::more, ImVec2(at.x + width - side, at.y + shell.px(1)), side,
                 shell.px(12), closed ? c.muted : c.accent, c.accent))
    closed = !closed;
  tooltip(shell, "Options of " + layer.label, {});
  const bool open = !closed;
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + height));
  ImGui::Dummy(ImVec2(width, 0));
  const float inset = shell.px(22);
  if (!on && !open) return;
  if (!shown.anything || open) {
    ImGui::Indent(inset);
    if (!shown.anything) {
      const ImVec2 lo = ImGui::GetCursorScreenPos();
      textSmall(shell, shown.reason.empty() ? "Nothing to show at present."
                                            : sentence(printed(shown.reason)));
      shell.log->rect("layer-reason:" + layer.key, lo, ImGui::GetItemRectMax());
    }
    if (open) layerOptions(shell, layer, width - inset);
    ImGui::Unindent(inset);
  }
}

std::string LayerShown::words() const {
  if (anything) return "";
  return reason.empty() ? "On, but nothing to show at present."
                        : "On, but nothing to show: " + printed(reason) + ".";
}

LayerShown shownOf(const Shell& shell, const LayerInfo& info) {
  if (!shell.now->frame) return {};
  LayerShown shown{false, ""};
  for (const LayerData& l : shell.now->frame->layers) {
    const bool part =
        std::ranges::any_of(info.parts, [&](const LayerPart& p) { return p.key == l.key; });
    if (l.key != info.key && !part) continue;
    shown.anything = shown.anything || l.count > 0;
    if (l.key == info.key) shown.reason = l.reason;
  }
  return shown;
}

void layersPanel(Shell& shell) {
  const std::vector<LayerInfo>& layers = shell.now->mode->layers;
  const auto on =
      std::ranges::count_if(layers, [&](const LayerInfo& l) { return shell.layerOn(l.key); });
  const std::string count = std::to_string(on) + " of " + std::to_string(layers.size());
  if (!section(shell, "layers", "Layers", count, layers.size() > 9)) return;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, shell.px(8, 2));
  for (int g = 0; g <= static_cast<int>(LayerGroup::trees); ++g) {
    const auto group = static_cast<LayerGroup>(g);
    bool headed = false;
    for (std::size_t i = 0; i < layers.size(); ++i) {
      if (layers[i].group != group) continue;
      if (!headed) {
        if (g > 0) ImGui::Dummy(ImVec2(1, shell.px(2)));
        textSmall(shell, nameOf(group));
      }
      headed = true;
      layerRow(shell, layers[i], i);
    }
  }
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  if (switchRow(shell, "keep-colours", "Colours stay beside cells and boxes", shell.keepColours))
    shell.log->write("keep-colours", shell.keepColours ? "on" : "off");
  tooltip(shell, "Colours stay beside cells and boxes",
          {"Otherwise particles are grey while a layer shows cells, boxes, trees or the neighbours "
           "of the picked particle."});
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
