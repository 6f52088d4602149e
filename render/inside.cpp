#include "render/inside.h"

#include <glm/gtc/matrix_transform.hpp>

#include <algorithm>
#include <limits>
#include <utility>

#include "render/colour_map.h"
#include "render/renderer_impl.h"

namespace cellscope::render {

static bool holds(const SelectedBox& box, const glm::dvec3& at) {
  for (int k = 0; k < 3; ++k)
    if (at[k] < box.lo[k] || at[k] >= box.hi[k]) return false;
  return true;
}

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
  // Disks or spheres, not what is drawn around them.
  const auto isBody = [](Mark m) { return lookOf(m).shape == MarkShape::body; };
  return !layer.explains && layer.primitive == Primitive::points &&
         std::ranges::all_of(layer.scale.marks, isBody) &&
         std::ranges::any_of(all, [](const LayerData& other) { return other.explaining(); });
}

float quietDiameter(const LayerData& layer, const std::vector<LayerData>& all, int dimension) {
  constexpr float kSmaller = 0.4f;
  const bool boxes = std::ranges::any_of(all, [](const LayerData& other) {
    return other.explaining() && other.primitive == Primitive::boxes;
  });
  return dimension == 3 && boxes && isQuiet(layer, all) ? kSmaller : 1;
}

namespace {

// The least and the largest distance of the box's corners: from the eye, or, in an orthographic
// picture, along the view.
std::pair<double, double> depthsOf(const Camera& camera, const Box& box) {
  double nearest = std::numeric_limits<double>::max();
  double farthest = std::numeric_limits<double>::lowest();
  const glm::dmat4 view = camera.view();
  for (int i = 0; i < 8; ++i) {
    const glm::dvec4 corner{i & 1 ? box.length[0] : 0, i & 2 ? box.length[1] : 0,
                            i & 4 ? box.length[2] : 0, 1};
    const glm::dvec3 at(view * corner);
    const double distance = camera.orthographic ? -at.z : glm::length(at);
    nearest = std::min(nearest, distance);
    farthest = std::max(farthest, distance);
  }
  return {nearest, farthest};
}

// Depths of an orthographic picture reach beyond the box by this share of its depth, and by some
// diameters: particles and lines may stand out of it.
constexpr double kBeyond = 0.1, kBeyondSigma = 4;

}  // namespace

SceneUniforms SceneUniforms::of(const Camera& camera, const Viewport& viewport, const Style& style,
                                const Box& box) {
  SceneUniforms u;
  const int width = viewport.width + 2 * kGuardBand, height = viewport.height + 2 * kGuardBand;
  const glm::dvec3 shrink{static_cast<double>(viewport.width) / width,
                          static_cast<double>(viewport.height) / height, 1};
  glm::dmat4 projection = camera.projection(viewport);
  const bool space = camera.dimension == 3, parallel = space && camera.orthographic;
  u.cue = {0, 1, 0, 0};
  if (space) {
    const auto [nearest, farthest] = depthsOf(camera, box);
    double nearPlane = -projection[3][2] / 2;  // of an infinite projection
    if (parallel) {
      const double margin = kBeyond * (farthest - nearest) + kBeyondSigma;
      const double from = nearest - margin, to = farthest + margin;
      projection[2][2] = -2 / (to - from);
      projection[3][2] = -(to + from) / (to - from);
      nearPlane = from - margin;  // nothing is behind the eye
    }
    u.cue = {nearest, farthest, style.inside.depthCue, nearPlane};
  }
  u.view = glm::mat4(camera.view());
  u.projection = glm::mat4(glm::scale(glm::dmat4(1), shrink) * projection);
  u.frame = {viewport.x - kGuardBand, viewport.y - kGuardBand, width, height};
  const double perUnit = camera.pixelsPerUnit(viewport);
  const double focal = space && !parallel ? perUnit * camera.distance : perUnit;
  u.scale = {focal, style.scale, style.shaded ? 1 : 0, camera.dimension};
  u.eye = {parallel ? 1 : 0, 0, 0, 0};
  for (int i = 0; i < 4; ++i) {
    const Slab& s = style.inside.slabs[static_cast<std::size_t>(i)];
    u.slab[i] = glm::vec4(glm::vec3(s.normal), s.middle);
    u.slabHalf[i] = space ? static_cast<float>(s.half) : -1;
  }
  u.select = glm::vec4(glm::vec3(style.inside.place), style.inside.radius);
  u.selectBox = {box.length[0], box.length[1], space ? box.length[2] : 0, 0};
  const std::size_t boxes = std::min(style.inside.boxes.size(), kMostSelectedBoxes);
  u.selectTypes = glm::uvec4(style.inside.types, boxes, 0, 0);
  for (std::size_t i = 0; i < boxes; ++i) {
    u.selectLo[i] = glm::vec4(glm::vec3(style.inside.boxes[i].lo), 0);
    u.selectHi[i] = glm::vec4(glm::vec3(style.inside.boxes[i].hi), 0);
  }
  const Rgb b = backgroundColour(style.dark);
  u.background = {b.r, b.g, b.b, style.dark ? 1 : 0};
  return u;
}

}  // namespace cellscope::render
