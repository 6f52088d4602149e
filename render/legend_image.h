// A legend and a scale bar painted into a picture that is drawn without a window.
#pragma once
#include <string>
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

// What colours and marks mean, once for layers that share a title, in the lower left corner; layers
// without a legend are left out. pixelsPerSigma: in 2D, or at the target. Returns why there is no
// legend, or "".
std::string paintLegend(Image& image, const std::vector<LayerData>& layers, double pixelsPerSigma,
                        const Style& style);

}  // namespace cellscope::render
