// Where the parts of the legend stand in their one block.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <vector>

namespace cellscope::gui {

// Parts in strips from the top, in columns from the left; low parts stand on each other in a
// column.
struct LegendLayout {
  std::vector<ImVec2> at;     // upper left corner of each part, from that of the block
  std::vector<bool> isShown;  // false: it would have needed one more strip
  ImVec2 size;
  std::size_t hidden = 0;
};

struct LegendLimits {
  float width = 0, stripHeight = 0;  // of the block, of a strip
  float gapX = 0, gapY = 0;
  int strips = 2;  // at most
};

// Every part goes to the first place that has room for it. A part wider than the block stands
// alone.
LegendLayout packLegend(const std::vector<ImVec2>& parts, const LegendLimits& limits);

// Rows in which `widths` (entries of equal height, filled column by column, `gap` between columns)
// stand: one if they are no wider than `lineWidth`, otherwise up to three.
std::size_t legendRows(const std::vector<float>& widths, float gap, float lineWidth);
// Width of each of their columns.
std::vector<float> columnWidths(const std::vector<float>& widths, std::size_t rows);

}  // namespace cellscope::gui
