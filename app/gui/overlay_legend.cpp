// The legend: colours and marks of the visible layers, in one block.
#include "app/gui/viewport.h"

namespace cellscope::gui {
namespace {

// What is told of layers, or the scale bar.
struct Legend : render::LegendPart {
  double barLength = 0;  // scale bar, in sigma

  bool isRing() const { return layer && layer->scale.kind == ColourKind::hueWheel; }
};

std::vector<Legend> legendsOf(const Shell& shell, const std::vector<LayerData>& layers) {
  std::vector<Legend> all;
  for (render::LegendPart& part : render::legendParts(layers, shell.dark, !shell.keepColours,
                                                      shell.now->frame->box.dimension)) {
    for (std::string* text : {&part.title, &part.below, &part.note}) *text = printed(*text);
    for (render::LegendEntry& entry : part.entries) entry.label = printed(entry.label);
    all.push_back({std::move(part)});
  }
  return all;
}

constexpr float kMostShare = 0.2f;  // of the picture, unless the full legend was requested

// Sizes at scale 1.
constexpr float kTitle = 16, kLine = 15, kBar = 27, kStrip = 61;
constexpr float kBarWidth = 116, kScaleBar = 88, kPad = 8, kColumnGap = 12, kFold = 18;

std::vector<float> entryWidths(Shell& shell, const Legend& legend) {
  std::vector<float> widths;
  for (const render::LegendEntry& entry : legend.entries)
    widths.push_back(textSize(shell.fonts.small, entry.label).x + shell.px(20));
  return widths;
}

std::size_t rowsOf(Shell& shell, const Legend& legend) {
  return legendRows(entryWidths(shell, legend), shell.px(kColumnGap),
                    textSize(shell.fonts.small, legend.title).x);
}

ImVec2 entriesSize(Shell& shell, const Legend& legend) {
  const std::size_t rows = rowsOf(shell, legend);
  float width = -shell.px(kColumnGap);
  for (float column : columnWidths(entryWidths(shell, legend), rows))
    width += column + shell.px(kColumnGap);
  const float lines = static_cast<float>(rows) + (legend.note.empty() ? 0.f : 1.f);
  width = std::max(width, textSize(shell.fonts.small, legend.note).x);
  return ImVec2(width, shell.px(kLine) * lines);
}

ImVec2 sizeOf(Shell& shell, const Legend& legend) {
  if (legend.barLength > 0) return shell.px(kScaleBar, kBar);
  ImVec2 body(shell.px(kBarWidth), shell.px(kBar));
  if (legend.isRing()) {
    body = wheelSize(shell);
    if (!legend.below.empty()) {
      body.x = std::max(body.x, textSize(shell.fonts.small, legend.below).x);
      body.y += shell.px(kLine);
    }
  }
  if (!legend.entries.empty()) body = entriesSize(shell, legend);
  return ImVec2(std::max(body.x, textSize(shell.fonts.small, legend.title).x),
                shell.px(kTitle) + body.y);
}

void drawScaleBar(Shell& shell, double length, double unitsPerSigma, ImVec2 lo) {
  const std::string label = number(length) + shell.lengthUnit();
  shell.log->state("scale-bar", label);
  const ImU32 ink = shell.colours->text;
  const float width = static_cast<float>(length * unitsPerSigma), tick = shell.px(4);
  const float thick = shell.stroke(1.5f), y = lo.y + shell.px(kBar) - thick;
  drawText(shell.fonts.smallNumbers, lo, ink, label);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine(ImVec2(lo.x, y), ImVec2(lo.x + width, y), ink, thick);
  for (float x : {lo.x, lo.x + width})
    list->AddLine(ImVec2(x, y - tick), ImVec2(x, y + thick / 2), ink, thick);
}

void draw(Shell& shell, const Legend& legend, double unitsPerSigma, ImVec2 lo) {
  if (legend.barLength > 0) return drawScaleBar(shell, legend.barLength, unitsPerSigma, lo);
  drawText(shell.fonts.small, lo, shell.colours->muted, legend.title);
  const ImVec2 body(lo.x, lo.y + shell.px(kTitle));
  if (legend.isRing()) {
    const float line = legend.below.empty() ? 0 : shell.px(kLine);
    drawText(shell.fonts.small, body, shell.colours->muted, legend.below);
    return orientationWheel(shell, *legend.layer, ImVec2(body.x, body.y + line),
                            ImGui::GetWindowDrawList());
  }
  if (legend.entries.empty()) {
    const float width = std::max(shell.px(kBarWidth), textSize(shell.fonts.small, legend.title).x);
    colourBar(shell, *legend.layer, body, width);
    return rangeMenu(shell, *legend.layer, lo, ImVec2(width, shell.px(kTitle + kBar)));
  }
  const std::size_t rows = rowsOf(shell, legend);
  const std::vector<float> columns = columnWidths(entryWidths(shell, legend), rows);
  ImVec2 at = body;
  for (std::size_t i = 0; i < legend.entries.size(); ++i) {
    drawSwatch(shell, legend.entries[i], at);
    at.y += shell.px(kLine);
    if ((i + 1) % rows == 0) at = ImVec2(at.x + columns[i / rows] + shell.px(kColumnGap), body.y);
  }
  if (!legend.note.empty())
    drawText(shell.fonts.small, ImVec2(body.x, body.y + shell.px(kLine) * static_cast<float>(rows)),
             shell.colours->muted, legend.note);
}

PaneLook blockLook(Shell& shell, ImVec2 lo, ImVec2 size) {
  shell.log->rect("legend", lo, lo + size);
  return {.at = lo,
          .size = size,
          .padding = ImVec2(0, 0),
          .more = ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoFocusOnAppearing |
                  ImGuiWindowFlags_NoBringToFrontOnFocus,
          .opacity = 0.92f};
}

// Folded up: one word to bring it back.
ImVec2 foldedLegend(Shell& shell, const ViewportArea& area) {
  const float edge = shell.px(12), padX = shell.px(kPad), padY = shell.px(5);
  const std::string word = "Legend";
  const ImVec2 size = textSize(shell.fonts.small, word) + ImVec2(2 * padX, 2 * padY);
  const ImVec2 lo(area.lo().x + edge, area.hi().y - shell.legendLift - edge - size.y);
  const Pane pane("legend", blockLook(shell, lo, size));
  if (wordButton(shell, "legend-unfold", word, lo + ImVec2(padX, padY)))
    shell.collapsed["legend"] = false;
  tooltip(shell, "Legend", {"Show the meaning of colours and marks."});
  return size + ImVec2(edge, edge);
}

// In the corner beside the box if all fits there; else low below it. `around`: width of the frame.
LegendLayout layOut(Shell& shell, const ViewportArea& area, const std::vector<ImVec2>& sizes,
                    float around, bool isShort) {
  const float width = area.hi().x - area.lo().x, height = area.hi().y - area.lo().y;
  LegendLimits limits{area.freeBeside() - around, shell.px(kStrip), shell.px(14), shell.px(6), 100};
  const LegendLayout corner = packLegend(sizes, limits);
  if (corner.size.x <= limits.width && corner.size.y < 0.6f * height) return corner;
  limits.width = width - around;
  if (isShort) limits.strips = 2;
  const LegendLayout low = packLegend(sizes, limits);
  const float covered =
      (low.size.x + around) * (low.size.y + shell.px(2 * kPad)) / (width * height);
  if (!isShort || covered < kMostShare) return low;
  limits.strips = 1;
  return packLegend(sizes, limits);
}

}  // namespace

ImVec2 legend(Shell& shell, const ViewportArea& area) {
  if (!shell.now->frame) return ImVec2(0, 0);
  if (shell.collapsed["legend"]) return foldedLegend(shell, area);
  const std::vector<LayerData> layers =
      shownLayers(*shell.now->frame, shell.colourRanges, shell.view.looks, *shell.now->mode);
  std::vector<Legend> all = legendsOf(shell, layers);  // with views of the layers
  if (!shell.presentation)
    all.push_back({{}, render::scaleBarLength(area.unitsPerSigma(), shell.px(kScaleBar))});
  if (all.empty()) return ImVec2(0, 0);
  std::vector<ImVec2> sizes;
  for (const Legend& one : all) {
    sizes.push_back(sizeOf(shell, one));
    std::string entries;
    for (const render::LegendEntry& e : one.entries)
      entries += (entries.empty() ? "" : "; ") + e.label;
    if (!entries.empty()) shell.log->state("legend-entries:" + one.title, entries);
  }
  const float edge = shell.px(12), pad = shell.px(kPad), more = shell.px(kLine + 2);
  const float frame = 2 * pad + shell.px(12);  // the close button extends into the padding
  bool& isShort = shell.collapsed.try_emplace("legend-short", true).first->second;
  const LegendLayout layout = layOut(shell, area, sizes, 2 * edge + frame, isShort);
  const bool foot = layout.hidden > 0 || !isShort;
  const ImVec2 size(layout.size.x + frame, layout.size.y + 2 * pad - shell.px(2) + foot * more);
  const ImVec2 lo(area.lo().x + edge, area.hi().y - shell.legendLift - edge - size.y);
  const Pane pane("legend", blockLook(shell, lo, size));
  const ImVec2 corner(lo.x + pad, lo.y + pad - shell.px(2));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!layout.isShown[i]) continue;
    draw(shell, all[i], area.unitsPerSigma(), corner + layout.at[i]);
  }
  if (foot) {
    const std::string words =
        isShort ? std::to_string(layout.hidden) + " more in the legend" : "Shorter legend";
    const ImVec2 at(corner.x, corner.y + layout.size.y + shell.px(2));
    if (wordButton(shell, "legend-more", words, at)) isShort = !isShort;
  }
  // A small cross in the block's upper right corner.
  const float side = shell.px(kFold);
  if (iconButton(shell, "legend-fold", Icon::close, ImVec2(lo.x + size.x - side, lo.y), side,
                 shell.px(8)))
    shell.collapsed["legend"] = true;
  tooltip(shell, "Collapse legend", {});
  // Reserve at least one strip, so that changing the colouring does not move the picture.
  return ImVec2(size.x + edge, std::max(size.y, shell.px(kStrip + 2 * kPad - 2)) + edge);
}

}  // namespace cellscope::gui
