// Which particles give way to layers that explain a structure.
#pragma once
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

// Particles whose colours would hide cells, blocks, trees, slots or the neighbours of a picked one
// that are shown with them, whatever the colours mean.
bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all);

Rgb quietColour(bool dark);

// With which share of its diameter a layer is drawn where Style::quiet is set: quiet spheres among
// boxes that explain are smaller, as in a dense liquid nothing would be seen between them.
float quietDiameter(const LayerData& layer, const std::vector<LayerData>& all, int dimension);

}  // namespace cellscope::render
