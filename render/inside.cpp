#include "render/inside.h"

#include <algorithm>

namespace cellscope::render {
namespace {

bool holds(const SelectedBox& box, const glm::dvec3& at) {
  for (int k = 0; k < 3; ++k)
    if (at[k] < box.lo[k] || at[k] >= box.hi[k]) return false;
  return true;
}

// Disks or spheres, not what is drawn around them.
bool bodies(const LayerData& layer) {
  const std::vector<Mark>& marks = layer.scale.marks;
  return layer.primitive == Primitive::points &&
         std::all_of(marks.begin(), marks.end(),
                     [](Mark m) { return lookOf(m).shape == MarkShape::body; });
}

}  // namespace

// As shaders/layer.glsl decides it.
bool InsideView::isRest(const glm::dvec3& at, int type, const Box& box) const {
  if (rest == Rest::shown) return false;
  if (type < 32 && (types >> type & 1u) == 0) return true;
  const auto end =
      boxes.begin() + static_cast<std::ptrdiff_t>(std::min(boxes.size(), kMostSelectedBoxes));
  if (!boxes.empty() &&
      std::none_of(boxes.begin(), end, [&](const SelectedBox& b) { return holds(b, at); }))
    return true;
  if (radius < 0) return false;
  glm::dvec3 d = at - place;
  for (int k = 0; k < box.dimension; ++k) d[k] -= box.length[k] * std::round(d[k] / box.length[k]);
  return glm::dot(d, d) > radius * radius;
}

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

}  // namespace cellscope::render
