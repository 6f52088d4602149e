// What lies in the viewport itself: legend with scale bar, layer chips, picked-particle card.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <vector>

#include "app/gui/viewport.h"
#include "app/gui/widgets.h"
#include "render/legend.h"

namespace cellscope::gui {

// In the lower left corner, with the scale bar as its last part; the width and height it takes
// there.
ImVec2 legend(Shell& shell, const ViewportArea& area);
// Over a colour bar: a click opens fields for its range.
void rangeMenu(Shell& shell, const LayerData& layer, ImVec2 at, ImVec2 size);
// Width at scale 1 below which chips are smaller and tools have a row of their own.
inline constexpr float kNarrowPicture = 760;
// At the upper edge of this rectangle; the height they take there.
float layerChips(Shell& shell, ImVec2 lo, ImVec2 hi);
// Options of a layer, as the menu of its chip, by the right button; after the chip.
void layerMenu(Shell& shell, const LayerInfo& layer);
// Its options, parts and number of instances, in rows of this width.
void layerOptions(Shell& shell, const LayerInfo& layer, float width);
// How many of its labels found room; "": it has none.
std::string labelsInWords(const Shell& shell, const LayerInfo& layer);
// What a layer that is on has to show; parts count as content.
struct LayerShown {
  bool anything = true;
  std::string reason;  // why not; "": not known
  std::string words() const;
};
LayerShown shownOf(const Shell& shell, const LayerInfo& layer);
// Where the right column is not open: beside the picked particle; `top`: height of the chips,
// `legends` what the legend takes.
void pickedCard(Shell& shell, const ViewportArea& area, float top, ImVec2 legends);

// Outlines and handles of slices; Shift and the wheel, true when they moved one.
void sliceOverlay(Shell& shell, const ViewportArea& area);
bool wheelMovesSlice(Shell& shell);

// The line to the second picked particle, and the cell that was gone to.
void inspectorOverlay(Shell& shell, const ViewportArea& area);

// Chooses the corner of the picture for a card, so that it does not cover its subject.
enum class Corner { upperRight, upperLeft, lowerRight, lowerLeft };

// Upper left corner of a card of `size` in a corner of the rectangle [lo, hi].
ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size);

// `now`, unless the card would be closer than `margin` to `subject` there: then the first corner
// where it is not, or else the farthest one.
Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin);

// Elements of a legend: colour bar, wheel of orientations, labelled swatches.
ImU32 legendColour(const Shell& shell, const LayerData& layer, float value);

// Upper left corner at `at`.
void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width, ImDrawList* list);
void orientationWheel(Shell& shell, const LayerData& layer, ImVec2 at, ImDrawList* list);
// Of the wheel of orientations, at scale 1: radii of the ring of hexagons and of each of them.
inline constexpr float kHexagonRing = 29, kHexagon = 7;
ImVec2 wheelSize(Shell& shell);
void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at, ImDrawList* list);

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
