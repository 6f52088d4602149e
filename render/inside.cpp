#include "render/inside.h"

#include <algorithm>

namespace cellscope::render {
namespace {

bool holds(const SelectedBox& box, const glm::dvec3& at) {
  for (int k = 0; k < 3; ++k)
    if (at[k] < box.lo[k] || at[k] >= box.hi[k]) return false;
  return true;
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

}  // namespace cellscope::render
