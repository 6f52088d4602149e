// What lies in the viewport itself: legend, scale bar, layer chips, picked-particle card.
#pragma once
#include "app/gui/viewport.h"

namespace cellscope::gui {

void legend(Shell& shell, const ViewportArea& area);
void scaleBar(Shell& shell, const ViewportArea& area);
void layerChips(Shell& shell, const ViewportArea& area);
void pickedCard(Shell& shell, const ViewportArea& area);

// Length of a scale bar: 1, 2 or 5 times a power of ten sigma, at most `units` wide.
double scaleBarLength(double unitsPerSigma, double units);

}  // namespace cellscope::gui
