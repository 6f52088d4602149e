#include "app/gui/legend_layout.h"

#include <algorithm>
#include <numeric>

namespace cellscope::gui {
namespace {

constexpr std::size_t kMostRows = 3;

struct Column {
  float width = 0, height = 0;
  std::vector<std::size_t> parts;
};
using Strip = std::vector<Column>;

float widthOf(const Strip& strip, float gap) {
  float width = strip.empty() ? 0 : gap * static_cast<float>(strip.size() - 1);
  for (const Column& column : strip) width += column.width;
  return width;
}

// Stacks the part in an existing column of the strip, or starts a new column.
bool placePart(Strip& strip, std::size_t part, ImVec2 size, const LegendLimits& limits) {
  const float taken = widthOf(strip, limits.gapX);
  for (Column& column : strip) {
    const float wider = std::max(0.f, size.x - column.width);
    if (column.height + limits.gapY + size.y > limits.stripHeight) continue;
    if (taken + wider > limits.width) continue;
    column.width += wider;
    column.height += limits.gapY + size.y;
    column.parts.push_back(part);
    return true;
  }
  if (!strip.empty() && taken + limits.gapX + size.x > limits.width) return false;
  strip.push_back({size.x, size.y, {part}});
  return true;
}

}  // namespace

LegendLayout packLegend(const std::vector<ImVec2>& parts, const LegendLimits& limits) {
  std::vector<Strip> strips;
  LegendLayout layout;
  layout.at.resize(parts.size());
  layout.isShown.assign(parts.size(), true);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    bool placed = std::any_of(strips.begin(), strips.end(),
                              [&](Strip& strip) { return placePart(strip, i, parts[i], limits); });
    if (!placed && static_cast<int>(strips.size()) < limits.strips) {
      placed = placePart(strips.emplace_back(), i, parts[i], limits);
    }
    layout.isShown[i] = placed;
    layout.hidden += !placed;
  }
  float y = 0;
  for (const Strip& strip : strips) {
    float x = 0, height = 0;
    for (const Column& column : strip) {
      float top = y;
      for (std::size_t part : column.parts) {
        layout.at[part] = ImVec2(x, top);
        top += parts[part].y + limits.gapY;
      }
      x += column.width + limits.gapX;
      height = std::max(height, column.height);
    }
    layout.size.x = std::max(layout.size.x, x - limits.gapX);
    layout.size.y = y + height;
    y = layout.size.y + limits.gapY;
  }
  return layout;
}

std::vector<float> columnWidths(const std::vector<float>& widths, std::size_t rows) {
  std::vector<float> columns((widths.size() + rows - 1) / rows, 0.f);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    columns[i / rows] = std::max(columns[i / rows], widths[i]);
  }
  return columns;
}

std::size_t legendRows(const std::vector<float>& widths, float gap, float lineWidth) {
  const std::size_t n = widths.size();
  if (n < 2) return 1;
  const float line = std::accumulate(widths.begin(), widths.end(), gap * static_cast<float>(n - 1));
  if (line <= lineWidth) return 1;
  if (n <= kMostRows) return n;
  const std::size_t columns = (n + kMostRows - 1) / kMostRows;
  return (n + columns - 1) / columns;
}

}  // namespace cellscope::gui
