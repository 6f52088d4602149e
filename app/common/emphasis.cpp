#include "app/common/emphasis.h"

#include <algorithm>

namespace cellscope::common {
LayerLooks withSelectedLevels(LayerLooks looks, const InsideState& state, const ModeWords& mode) {
  if (state.selection != Selection::treeLevels) return looks;
  for (const LayerInfo& layer : mode.layers) {
    const bool levels =
        std::any_of(layer.options.begin(), layer.options.end(),
                    [](const LayerOption& o) { return o.kind == LayerOption::Kind::levels; });
    if (layer.group != LayerGroup::trees || !levels) continue;
    LayerLook& look = looks[layer.key];
    look.lowest = std::max(look.lowest, state.lowestLevel);
    look.highest = std::min(look.highest, state.highestLevel);
  }
  return looks;
}

void applyLooks(render::Renderer& renderer, const LayerLooks& looks, const ModeWords& mode) {
  for (const LayerInfo& layer : mode.layers) {
    const auto at = looks.find(layer.key);
    const LayerLook look = at == looks.end() ? LayerLook{} : at->second;
    renderer.setLook(layer.key, look);
    LayerLook faded;
    faded.opacity = look.opacity;
    for (const LayerPart& part : layer.parts) renderer.setLook(part.key, faded);
  }
}

bool applyRanges(render::Renderer& renderer, const Frame& frame, const ColourRanges& wanted,
                 ColourRanges& applied) {
  bool changed = false;
  for (const LayerData& layer : frame.layers) {
    const auto asked = wanted.find(rangeKey(layer));
    const auto before = applied.find(layer.key);
    if (asked == wanted.end()) {
      if (before == applied.end()) continue;
      applied.erase(before);
      renderer.setRange(layer.key, 0, 0);
    } else {
      if (before != applied.end() && before->second == asked->second) continue;
      applied[layer.key] = asked->second;
      renderer.setRange(layer.key, static_cast<float>(asked->second.lo),
                        static_cast<float>(asked->second.hi));
    }
    changed = true;
  }
  return changed;
}

namespace {

// Of a layer coloured by the types that it can leave out.
void forgetHiddenTypes(LayerData& layer, const LayerLook& look, const ModeWords& mode) {
  std::vector<std::string>& names = layer.scale.categories;
  const auto info = std::find_if(mode.layers.begin(), mode.layers.end(),
                                 [&](const LayerInfo& l) { return l.key == layer.key; });
  if (info == mode.layers.end()) return;
  const bool byType =
      std::any_of(info->options.begin(), info->options.end(), [&](const LayerOption& option) {
        return option.kind == LayerOption::Kind::types && option.names == names;
      });
  for (std::size_t i = 0; byType && i < std::min<std::size_t>(names.size(), 32); ++i)
    if ((look.types >> i & 1u) == 0) names[i].clear();
}

}  // namespace

std::vector<LayerData> shownLayers(const Frame& frame, const ColourRanges& ranges,
                                   const LayerLooks& looks, const ModeWords& mode) {
  std::vector<LayerData> layers = frame.layers;
  for (LayerData& layer : layers) {
    if (const auto range = ranges.find(rangeKey(layer)); range != ranges.end())
      layer.scale.lo = static_cast<float>(range->second.lo),
      layer.scale.hi = static_cast<float>(range->second.hi);
    if (const auto look = looks.find(layer.key); look != looks.end())
      forgetHiddenTypes(layer, look->second, mode);
  }
  return layers;
}

}  // namespace cellscope::common
