// Elements of a legend: colour bar, hue ring, labelled swatches.
#pragma once
#include "app/gui/widgets.h"
#include "render/legend.h"

namespace cellscope::gui {

ImU32 legendColour(const Shell& shell, const LayerData& layer, float value);

// Upper left corner at `at`.
void colourBar(Shell& shell, const LayerData& layer, ImVec2 at, float width, ImDrawList* list);
void hueRing(Shell& shell, const LayerData& layer, ImVec2 at, float height, ImDrawList* list);
using render::isOrientation;
// Of the wheel of orientations, at scale 1: radii of the ring of hexagons and of each of them.
struct OrientationSizes {
  float ring, hexagon;
};
OrientationSizes orientationSizes();
float hueRingWidth(Shell& shell, const ColourScale& scale);
float hueRingHeight(const ColourScale& scale);  // at scale 1
void drawSwatch(Shell& shell, const render::LegendEntry& entry, ImVec2 at, ImDrawList* list);

}  // namespace cellscope::gui
