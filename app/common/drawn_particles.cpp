#include "app/common/drawn_particles.h"

#include <algorithm>
#include <cmath>

#include "render/inside.h"

namespace cellscope::common {

DrawnParticles::DrawnParticles(const Frame& frame, const ModeWords& mode, const LayerLook& look,
                               const render::InsideView& inside, bool quiet)
    : inside_(inside), box_(frame.box), look_(look) {
  for (const LayerData& layer : frame.layers) {
    if (layer.key != mode.layers.front().key || layer.count == 0) continue;
    isOn_ = true;
    if (quiet) size_ = render::quietDiameter(layer, frame.layers, frame.box.dimension);
  }
}

bool DrawnParticles::operator()(const Vec3d& at, int type) const {
  const bool ofType = type >= 32 || (look_.types >> type & 1u) != 0;
  return isOn_ && ofType && !inside_.hides({at.x, at.y, at.z}, type, box_);
}

PickQuery clickAlong(const render::Camera& camera, const glm::dvec3& origin,
                     const glm::dvec3& direction, const render::InsideView& inside,
                     const Box& box) {
  glm::dvec3 start = origin;
  if (camera.orthographic) {
    const glm::dvec3 diagonal(box.length[0], box.length[1], box.length[2]);
    const double before = glm::dot(camera.target - origin, direction) - glm::length(diagonal);
    start += std::min(0.0, before) * direction;
  }
  PickQuery query;
  query.from = 0;
  for (const render::Slab& s : inside.slabs) {
    const double along = glm::dot(s.normal, direction);
    if (s.half < 0 || std::abs(along) < 1e-9) continue;
    const double middle = (s.middle - glm::dot(s.normal, start)) / along;
    const double half = s.half / std::abs(along);
    query.from = std::max(query.from, middle - half);
    query.to = std::min(query.to, middle + half);
  }
  for (int k = 0; k < 3; ++k) {
    query.origin[k] = start[k];
    query.direction[k] = direction[k];
  }
  return query;
}

}  // namespace cellscope::common
