#include "render/scene_uniforms.h"

#include <algorithm>
#include <glm/gtc/matrix_transform.hpp>
#include <limits>

#include "render/colour_map.h"

namespace cellscope::render {
namespace {

constexpr float kCueStrength = 0.55f;

// Eye distances of the nearest and farthest corner of the box, and the near plane.
glm::vec4 depthCue(const Camera& camera, const Box& box, const glm::dmat4& projection) {
  if (camera.dimension == 2) return {0, 1, 0, 0};
  double nearest = std::numeric_limits<double>::max(), farthest = 0;
  const glm::dmat4 view = camera.view();
  for (int i = 0; i < 8; ++i) {
    const glm::dvec4 corner{i & 1 ? box.length[0] : 0, i & 2 ? box.length[1] : 0,
                            i & 4 ? box.length[2] : 0, 1};
    const double d = glm::length(glm::dvec3(view * corner));
    nearest = std::min(nearest, d);
    farthest = std::max(farthest, d);
  }
  const double nearPlane = -projection[3][2] / 2;  // of an infinite projection
  return {nearest, farthest, kCueStrength, nearPlane};
}

}  // namespace

SceneUniforms SceneUniforms::of(const Camera& camera, const Viewport& viewport, const Style& style,
                                const Box& box) {
  SceneUniforms u;
  const int width = viewport.width + 2 * kGuardBand, height = viewport.height + 2 * kGuardBand;
  const glm::dvec3 shrink{static_cast<double>(viewport.width) / width,
                          static_cast<double>(viewport.height) / height, 1};
  const glm::dmat4 projection = camera.projection(viewport);
  u.view = glm::mat4(camera.view());
  u.projection = glm::mat4(glm::scale(glm::dmat4(1), shrink) * projection);
  u.frame = {viewport.x - kGuardBand, viewport.y - kGuardBand, width, height};
  const double perUnit = camera.pixelsPerUnit(viewport);
  const double focal = camera.dimension == 3 ? perUnit * camera.distance : perUnit;
  u.scale = {focal, style.scale, style.shaded ? 1 : 0, camera.dimension};
  u.cue = depthCue(camera, box, projection);
  const Rgb b = backgroundColour(style.dark);
  u.background = {b.r, b.g, b.b, style.dark ? 1 : 0};
  return u;
}

}  // namespace cellscope::render
