// Which particles give way to layers that explain a structure.
#pragma once
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

// Particles whose colours would hide cells, blocks, trees, slots or the neighbours of a picked one
// that are shown with them, whatever the colours mean.
bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all);

Rgb quietColour(bool dark);

}  // namespace cellscope::render
