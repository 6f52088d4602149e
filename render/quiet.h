// Which particles give way to layers that explain a structure.
#pragma once
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

// Particles whose colours would hide cells, blocks, trees or slots that are shown with them.
// Colours of categories stay: they explain a structure themselves.
bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all);

Rgb quietColour(bool dark);

}  // namespace cellscope::render
