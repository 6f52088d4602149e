// Elements of a legend: colour bar, wheel of orientations, labelled swatches.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <vector>

#include "app/gui/widgets.h"
#include "render/legend.h"

namespace cellscope::gui {

ImU32 legendColour(const Shell& shell, const LayerData& layer, float value);

// Upper left corner at `at`.
void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width, ImDrawList* list);
void orientationWheel(Shell& shell, const LayerData& layer, ImVec2 at, ImDrawList* list);
// Of the wheel of orientations, at scale 1: radii of the ring of hexagons and of each of them.
inline constexpr float kHexagonRing = 29, kHexagon = 7;
ImVec2 wheelSize(Shell& shell);
void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at, ImDrawList* list);

// Layout of the parts of the legend in one block.

// Strips from top to bottom, each with columns from left to right; low parts are stacked in a
// column.
struct LegendLayout {
  std::vector<ImVec2> at;     // upper left corner of each part, from that of the block
  std::vector<bool> isShown;  // false: no strip has room
  ImVec2 size;
  std::size_t hidden = 0;
};

struct LegendLimits {
  float width = 0, stripHeight = 0;  // of the block, of a strip
  float gapX = 0, gapY = 0;
  int strips = 2;  // maximum
};

// First fit: every part goes into the first column with room. A part wider than the block gets its
// own strip.
LegendLayout packLegend(const std::vector<ImVec2>& parts, const LegendLimits& limits);

// Number of rows for entries of these widths (equal height, filled column by column, `gap` between
// columns): one if they fit into `lineWidth`, otherwise up to three.
std::size_t legendRows(const std::vector<float>& widths, float gap, float lineWidth);
// Width of each of their columns.
std::vector<float> columnWidths(const std::vector<float>& widths, std::size_t rows);

}  // namespace cellscope::gui
