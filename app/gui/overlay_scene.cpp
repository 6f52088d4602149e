// Scale bar, layer chips with the choice of colouring, and the card of the picked particle.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
  tooltip(shell, "Colour (C for the next one)", {"What the particles' colour shows."});
  if (ImGui::BeginPopup("colourings")) {
    for (const ColouringInfo& one : all) {
      if (ImGui::MenuItem(printed(one.label).c_str(), nullptr, one.key == shell.view.colouring)) {
        shell.setColouring(one.key);
      }
      shell.log->item("colouring:" + one.key);
      tooltip(shell, one.label, {printed(one.help)});
    }
    ImGui::EndPopup();
  }
}

// A layer that is on may be empty: no particle is picked, no step was made alone.
bool showsAnything(Shell& shell, const std::string& key) {
  if (!shell.now->frame) return true;
  const auto& all = shell.now->frame->layers;
  return std::any_of(all.begin(), all.end(),
                     [&](const LayerData& l) { return l.key == key && l.count > 0; });
}

}  // namespace

double scaleBarLength(double unitsPerSigma, double units) {
  if (!(unitsPerSigma > 0) || !(units > 0)) return 1;
  const double longest = units / unitsPerSigma;
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  for (double factor : {5.0, 2.0}) {
    if (factor * decade <= longest) return factor * decade;
  }
  return decade;
}

float scaleBar(Shell& shell, const ViewportArea& area, ImVec2 legends) {
  const double perSigma = area.unitsPerSigma();
  const float pad = shell.px(8), edge = shell.px(16), longest = shell.px(140);
  // Beside the legends if a short one fits there, otherwise above them.
  const float room = area.hi().x - area.lo().x - legends.x - edge - 2 * pad;
  const bool beside = room >= shell.px(60);
  const double length = scaleBarLength(perSigma, beside ? std::min(longest, room) : longest);
  const auto width = static_cast<float>(length * perSigma);
  const std::string label = number(length) + printed(" sigma");
  const ImVec2 text = textSize(shell.fonts.smallNumbers, label);
  const float box = std::max(width, text.x) + 2 * pad;
  const ImVec2 hi(area.hi().x - edge, area.hi().y - (beside ? edge : legends.y + pad));
  const ImVec2 lo(hi.x - box, hi.y - text.y - shell.px(8) - 2 * pad + shell.px(6));
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  const Palette& c = *shell.colours;
  list->AddRectFilled(lo, hi, withAlpha(c.panel, 0.9f), shell.px(6));
  drawText(list, shell.fonts.smallNumbers, ImVec2((lo.x + hi.x - text.x) / 2, lo.y + shell.px(5)),
           c.text, label);
  const float y = hi.y - pad, x0 = (lo.x + hi.x - width) / 2, x1 = x0 + width, tick = shell.px(4);
  const float thick = std::max(1.f, shell.px(1.5f));
  list->AddLine(ImVec2(x0, y), ImVec2(x1, y), c.text, thick);
  list->AddLine(ImVec2(x0, y - tick), ImVec2(x0, y + thick / 2), c.text, thick);
  list->AddLine(ImVec2(x1, y - tick), ImVec2(x1, y + thick / 2), c.text, thick);
  return area.hi().y - lo.y;
}

float layerChips(Shell& shell, const ViewportArea& area) {
  const ModeInfo& mode = *shell.now->mode;
  const float edge = shell.px(12);
  const bool compact = area.hi().x - area.lo().x < shell.px(520);
  const float gap = shell.px(compact ? 4 : 6);
  ImGui::SetNextWindowPos(ImVec2(area.lo().x + edge, area.lo().y + edge));
  ImGui::SetNextWindowSize(ImVec2(area.hi().x - area.lo().x - 2 * edge, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
  ImGui::Begin("##chips", nullptr,
               kBare | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_AlwaysAutoResize);
  const float right = area.hi().x - edge;
  for (std::size_t i = 0; i < mode.layers.size(); ++i) {
    const LayerInfo& layer = mode.layers[i];
    const std::string key = i < 9 ? std::to_string(i + 1) : "";
    if (i > 0) {
      const float next =
          ImGui::GetItemRectMax().x + gap + chipWidth(shell, layer.label, key, compact);
      if (next <= right) ImGui::SameLine();
    }
    const bool on = shell.layerOn(layer.key), idle = on && !showsAnything(shell, layer.key);
    if (chip(shell, ("chip:" + layer.key).c_str(), layer.label, key, on, compact, idle)) {
      shell.toggleLayer(i);
    }
    tooltip(shell, layer.label, {printed(layer.help), idle ? "On, with nothing to show now." : ""});
  }
  colouringChip(shell, right, compact);
  const float bottom = ImGui::GetItemRectMax().y;
  ImGui::End();
  ImGui::PopStyleVar(2);
  return bottom - area.lo().y;
}

namespace {

// Row of the card; a value too long to stand beside its label goes below it.
void cardRow(Shell& shell, const std::string& label, const std::string& value, float width) {
  const Palette& c = *shell.colours;
  const float both =
      textSize(shell.fonts.small, label).x + textSize(shell.fonts.smallNumbers, value).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  drawText(list, shell.fonts.small, at, c.muted, fitted(shell.fonts.small, label, width));
  float height = shell.px(19);
  if (both + shell.px(12) <= width) {
    const float x = at.x + width - textSize(shell.fonts.smallNumbers, value).x;
    drawText(list, shell.fonts.smallNumbers, ImVec2(x, at.y), c.text, value);
  } else {
    ImFont* font = shell.fonts.smallNumbers;
    const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
    const std::string lines = wrapped(font, value, width);
    list->AddText(font, size, ImVec2(at.x, at.y + shell.px(16)), c.text, lines.c_str());
    height += textSize(font, lines).y;
  }
  ImGui::Dummy(ImVec2(width, height - ImGui::GetStyle().ItemSpacing.y));
}

// The card lies on the side of the picture where the particle is not.
bool cardAtLeft(Shell& shell, const ViewportArea& area) {
  static std::int64_t decidedFor = -1;
  static bool left = false;
  const PickedParticle& picked = shell.now->frame->picked;
  if (decidedFor != picked.id && area.camera().dimension == 2) {
    decidedFor = picked.id;
    left = picked.position[0] > area.camera().target.x;
  }
  return left;
}

}  // namespace

void pickedCard(Shell& shell, const ViewportArea& area, float top) {
  if (!shell.now->frame || shell.now->frame->picked.id < 0) return;
  const PickedParticle& picked = shell.now->frame->picked;
  const float width = std::min(shell.px(264), area.hi().x - area.lo().x - shell.px(32));
  const bool left = cardAtLeft(shell, area);
  const float pad = shell.px(12);
  ImGui::SetNextWindowPos(ImVec2(left ? area.lo().x + shell.px(12) : area.hi().x - shell.px(12),
                                 area.lo().y + top + shell.px(12)),
                          0, ImVec2(left ? 0.f : 1.f, 0));
  ImGui::SetNextWindowSizeConstraints(
      ImVec2(width, 0), ImVec2(width, area.hi().y - area.lo().y - top - shell.px(160)));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::SetNextWindowBgAlpha(0.94f);
  ImGui::Begin("##picked", nullptr,
               (kBare & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PushFont(shell.fonts.strong);
  ImGui::TextUnformatted(fmt::format("Particle {}", picked.id).c_str());
  ImGui::PopFont();
  ImGui::Dummy(ImVec2(width - 2 * pad, 0));
  for (const auto& [label, value] : picked.rows)
    cardRow(shell, printed(label), printed(value), ImGui::GetContentRegionAvail().x);
  ImGui::Dummy(ImVec2(1, shell.px(2)));
  const float half = (width - 2 * pad - shell.px(8)) / 2;
  if (button(shell, "follow", shell.follow ? "Let go" : "Follow", Icon::none, half, shell.follow)) {
    shell.follow = !shell.follow;
    shell.log->write("follow", shell.follow ? "on" : "off");
  }
  ImGui::SameLine();
  if (button(shell, "unpick", "Close", Icon::close, half)) {
    shell.view.picked = -1;
    shell.runner->setView(shell.view);
    shell.follow = false;
    shell.log->write("unpick");
  }
  ImGui::End();
  ImGui::PopStyleVar();
}

}  // namespace cellscope::gui
