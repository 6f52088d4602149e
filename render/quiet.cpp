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

}  // namespace

bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all) {
  if (layer.explains || !bodies(layer)) return false;
  return std::any_of(all.begin(), all.end(),
                     [](const LayerData& other) { return other.explaining(); });
}

float quietDiameter(const LayerData& layer, const std::vector<LayerData>& all, int dimension) {
  constexpr float kSmaller = 0.4f;
  const bool boxes = std::any_of(all.begin(), all.end(), [](const LayerData& other) {
    return other.explaining() && other.primitive == Primitive::boxes;
  });
  return dimension == 3 && boxes && isQuiet(layer, all) ? kSmaller : 1;
}

Rgb quietColour(bool dark) { return dark ? Rgb{0.33f, 0.34f, 0.36f} : Rgb{0.80f, 0.80f, 0.82f}; }

}  // namespace cellscope::render
