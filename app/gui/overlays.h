// What lies in the viewport itself: legend, scale bar, layer chips, picked-particle card.
#pragma once
#include "app/gui/viewport.h"

namespace cellscope::gui {

// Width and height it takes in the lower left corner.
ImVec2 legend(Shell& shell, const ViewportArea& area);
// Beside the legends, whose size is given, or above them; its height above the lower edge.
float scaleBar(Shell& shell, const ViewportArea& area, ImVec2 legends);
// Height they take at the upper edge.
float layerChips(Shell& shell, const ViewportArea& area);
// `top`: height of the chips above it.
void pickedCard(Shell& shell, const ViewportArea& area, float top);

// Length of a scale bar: 1, 2 or 5 times a power of ten sigma, at most `units` wide.
double scaleBarLength(double unitsPerSigma, double units);

}  // namespace cellscope::gui
