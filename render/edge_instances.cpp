#include "render/edge_instances.h"

namespace cellscope::render {

std::vector<PointInstance> overEdges(std::span<const PointInstance> all, const Box& box) {
  const auto width = static_cast<float>(box.length[0]), height = static_cast<float>(box.length[1]);
  std::vector<PointInstance> near;
  for (const PointInstance& p : all) {
    // A little more than the radius: what is drawn is decided by the shader.
    const float reach = 0.501f * p.diameter;
    const bool inside = p.x > reach && p.x < width - reach && p.y > reach && p.y < height - reach;
    if (!inside) near.push_back(p);
  }
  return near;
}

}  // namespace cellscope::render
