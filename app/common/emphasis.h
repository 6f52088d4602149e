// What a scenario's view emphasises, as the window and pictures without one draw it: what is
// selected, how layers look, ranges of colours.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "app/common/inside.h"
#include "render/renderer.h"
#include "sim/api/frame.h"
#include "sim/api/layer_info.h"
#include "sim/api/mode.h"

namespace cellscope::common {

using LayerLooks = std::map<std::string, LayerLook>;  // by key of the layer
// A selection of levels of the trees leaves out the others, within the options of their layers.
LayerLooks withSelectedLevels(LayerLooks looks, const InsideState& state, const ModeWords& mode);
// Parts of a layer fade with it.
void applyLooks(render::Renderer& renderer, const LayerLooks& looks, const ModeWords& mode);

// The layer and what it shows.
inline std::string rangeKey(const LayerData& layer) { return layer.key + "/" + layer.scale.title; }
// Ranges belong to what a layer shows at present. `applied`: by layer, what the renderer has. True
// when one changed.
bool applyRanges(render::Renderer& renderer, const Frame& frame, const ColourRanges& wanted,
                 ColourRanges& applied);
// Layers as legends tell of them: with the ranges of colours that were set by hand; types that a
// layer leaves out have no name.
std::vector<LayerData> shownLayers(const Frame& frame, const ColourRanges& ranges,
                                   const LayerLooks& looks = {}, const ModeWords& mode = {});

}  // namespace cellscope::common
