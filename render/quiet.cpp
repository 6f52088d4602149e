#include "render/quiet.h"

#include <algorithm>

namespace cellscope::render {
namespace {

// Disks or spheres, not what is drawn around them.
bool bodies(const LayerData& layer) {
  const std::vector<Mark>& marks = layer.scale.marks;
  return layer.primitive == Primitive::points &&
         std::all_of(marks.begin(), marks.end(),
                     [](Mark m) { return lookOf(m).shape == MarkShape::body; });
}

// Cells, boxes, and points of a few kinds, such as slots. The box of the simulation alone explains
// nothing.
bool explainsStructure(const LayerData& layer) {
  const std::vector<Mark>& marks = layer.scale.marks;
  const bool outline = marks.size() == 1 && marks.front() == Mark::outline;
  const bool boxes = layer.primitive == Primitive::boxes || layer.primitive == Primitive::cells;
  const bool kinds = layer.scale.kind == ColourKind::categorical && bodies(layer);
  return (boxes || kinds) && layer.count > 0 && !outline;
}

}  // namespace

bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all) {
  if (layer.scale.kind == ColourKind::categorical || !bodies(layer)) return false;
  return std::any_of(all.begin(), all.end(), explainsStructure);
}

Rgb quietColour(bool dark) { return dark ? Rgb{0.33f, 0.34f, 0.36f} : Rgb{0.80f, 0.80f, 0.82f}; }

}  // namespace cellscope::render
