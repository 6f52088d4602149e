// What lies in the viewport itself: legend with scale bar, layer chips, picked-particle card.
#pragma once
#include "app/gui/viewport.h"

namespace cellscope::gui {

// In the lower left corner, with the scale bar as its last part; the width and height it takes
// there.
ImVec2 legend(Shell& shell, const ViewportArea& area);
// Height they take at the upper edge.
float layerChips(Shell& shell, const ViewportArea& area);
// Options of a layer, as the menu of its chip, by the right button; after the chip.
void layerMenu(Shell& shell, const LayerInfo& layer);
// Where the right column is not open: beside the picked particle; `top`: height of the chips,
// `legends` what the legend takes.
void pickedCard(Shell& shell, const ViewportArea& area, float top, ImVec2 legends);

// Length of a scale bar: 1, 2 or 5 times a power of ten sigma, at most `units` wide.
double scaleBarLength(double unitsPerSigma, double units);

}  // namespace cellscope::gui
