// Legends: what the colours and marks of each visible layer mean, with numbers.
#include <algorithm>

#include "app/gui/format.h"
#include "app/gui/legend_parts.h"
#include "app/gui/overlays.h"

namespace cellscope::gui {
namespace {

// One box in the corner: a scale, or the entries of all layers that share a title.
struct Legend {
  std::string title;
  const LayerData* layer = nullptr;
  std::vector<LegendEntry> entries;
};

std::string titleOf(const ColourScale& scale) {
  return printed(scale.unit.empty() ? scale.title : scale.title + "  (" + scale.unit + ")");
}

void addEntries(Legend& legend, const LayerData& layer) {
  const ColourScale& scale = layer.scale;
  // An arrow in the legend has no direction of its own: where all go the same way, a line.
  const bool plain = scale.kind == ColourKind::plain;
  const Swatch swatch = layer.rings          ? Swatch::ring
                        : scale.checkerboard ? Swatch::set
                        : layer.arrowheads   ? (plain ? Swatch::line : Swatch::arrow)
                                             : Swatch::square;
  for (std::size_t i = 0; i < scale.categories.size(); ++i) {
    const LegendEntry entry{printed(scale.categories[i]),
                            legendColour(scale, static_cast<float>(i)), swatch,
                            static_cast<int>(i)};
    const auto same =
        std::find_if(legend.entries.begin(), legend.entries.end(),
                     [&](const LegendEntry& other) { return other.label == entry.label; });
    if (same == legend.entries.end())
      legend.entries.push_back(entry);
    else if (layer.rings)  // a ring tells more than the line that leads to it
      *same = entry;
  }
}

std::vector<Legend> legendsOf(const std::vector<LayerData>& layers) {
  std::vector<Legend> all;
  for (const LayerData& layer : layers) {
    const ColourScale& scale = layer.scale;
    const bool plain = scale.kind == ColourKind::plain && scale.categories.empty();
    if (plain || scale.title.empty() || layer.count == 0) continue;
    auto at = std::find_if(all.begin(), all.end(),
                           [&](const Legend& l) { return l.title == titleOf(scale); });
    if (at == all.end()) at = all.insert(at, Legend{titleOf(scale), &layer, {}});
    addEntries(*at, layer);
  }
  return all;
}

// Many entries stand in two columns: one would reach into the picture.
std::size_t rowsOf(const Legend& legend) {
  const std::size_t n = legend.entries.size();
  return n > 5 ? (n + 1) / 2 : n;
}

// Width of the entries of one column.
float columnWidth(Shell& shell, const Legend& legend, std::size_t column) {
  float widest = 0;
  const std::size_t rows = rowsOf(legend),
                    end = std::min(legend.entries.size(), (column + 1) * rows);
  for (std::size_t i = column * rows; i < end; ++i)
    widest = std::max(widest, textSize(shell.fonts.small, legend.entries[i].label).x);
  return widest > 0 ? widest + shell.px(22) : 0;
}

ImVec2 bodySize(Shell& shell, const Legend& legend) {
  if (legend.layer->scale.kind == ColourKind::hueWheel) return ImVec2(shell.px(104), shell.px(78));
  if (legend.entries.empty()) return ImVec2(shell.px(176), shell.px(30));
  const float second = columnWidth(shell, legend, 1);
  return ImVec2(columnWidth(shell, legend, 0) + (second > 0 ? shell.px(16) + second : 0),
                shell.px(20) * static_cast<float>(rowsOf(legend)));
}

ImVec2 sizeOf(Shell& shell, const Legend& legend) {
  const float pad = shell.px(10), title = shell.px(20);
  const ImVec2 body = bodySize(shell, legend);
  const float inner = std::max(body.x, textSize(shell.fonts.small, legend.title).x);
  return ImVec2(inner + 2 * pad, title + body.y + 2 * pad - shell.px(4));
}

void draw(Shell& shell, const Legend& legend, ImVec2 lo, ImVec2 size) {
  const float pad = shell.px(10);
  ImDrawList* list = ImGui::GetBackgroundDrawList();
  list->AddRectFilled(lo, ImVec2(lo.x + size.x, lo.y + size.y),
                      withAlpha(shell.colours->panel, 0.9f), shell.px(6));
  drawText(list, shell.fonts.small, ImVec2(lo.x + pad, lo.y + shell.px(7)), shell.colours->muted,
           legend.title);
  const ImVec2 body(lo.x + pad, lo.y + pad + shell.px(20) - shell.px(2));
  const float inner = size.x - 2 * pad;
  if (legend.layer->scale.kind == ColourKind::hueWheel)
    return hueRing(shell, legend.layer->scale, body, inner, list);
  if (legend.entries.empty()) return colourBar(shell, legend.layer->scale, body, inner, list);
  const std::size_t rows = rowsOf(legend);
  for (std::size_t i = 0; i < legend.entries.size(); ++i) {
    const float x = i < rows ? 0 : columnWidth(shell, legend, 0) + shell.px(16);
    drawSwatch(shell, legend.entries[i],
               ImVec2(body.x + x, body.y + shell.px(20) * static_cast<float>(i % rows)), list);
  }
}

}  // namespace

ImVec2 legend(Shell& shell, const ViewportArea& area) {
  if (!shell.now->frame) return ImVec2(0, 0);
  const float edge = shell.px(16), gap = shell.px(8), left = area.lo().x + edge;
  ImVec2 at(left, area.hi().y - edge);  // lower left corner of the next one
  float row = 0, taken = 0;
  for (const Legend& one : legendsOf(shell.now->frame->layers)) {
    const ImVec2 size = sizeOf(shell, one);
    if (at.x > left && at.x + size.x > area.hi().x - edge) {
      at = ImVec2(left, at.y - row - gap);
      row = 0;
    }
    // They explain the picture; they do not replace it.
    if (at.y - size.y < area.lo().y + 0.5f * (area.hi().y - area.lo().y)) break;
    draw(shell, one, ImVec2(at.x, at.y - size.y), size);
    at.x += size.x + gap;
    row = std::max(row, size.y);
    taken = std::max(taken, at.x - area.lo().x);
  }
  return ImVec2(taken, row > 0 ? area.hi().y - at.y + row : 0);
}

}  // namespace cellscope::gui
