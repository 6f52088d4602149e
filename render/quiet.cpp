#include "render/quiet.h"

#include <algorithm>

namespace cellscope::render {
namespace {

// The box of the simulation alone explains nothing.
bool explainsStructure(const LayerData& layer) {
  const std::vector<Mark>& marks = layer.scale.marks;
  const bool outline = marks.size() == 1 && marks.front() == Mark::outline;
  const bool boxes = layer.primitive == Primitive::boxes || layer.primitive == Primitive::cells;
  return boxes && layer.count > 0 && !outline;
}

}  // namespace

bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all) {
  if (layer.primitive != Primitive::points || layer.scale.kind == ColourKind::categorical)
    return false;
  for (const Mark mark : layer.scale.marks)
    if (lookOf(mark).shape != MarkShape::body) return false;  // drawn around particles
  return std::any_of(all.begin(), all.end(), explainsStructure);
}

Rgb quietColour(bool dark) { return dark ? Rgb{0.33f, 0.34f, 0.36f} : Rgb{0.80f, 0.80f, 0.82f}; }

}  // namespace cellscope::render
