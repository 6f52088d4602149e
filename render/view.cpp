#include <glm/gtc/matrix_transform.hpp>

#include <limits>

#include "render/renderer_impl.h"

namespace cellscope::render {
namespace {

constexpr double kMargin = 0.04;          // of the picture, on each side
constexpr double kDegreesPerPixel = 0.3;  // orbit
constexpr double kNearOverDistance = 0.02;
constexpr double kDeep = 1000;  // depth of an orthographic picture, in distances

double aspect(const Viewport& v) {
  return static_cast<double>(std::max(v.width, 1)) / std::max(v.height, 1);
}

// Right, up and backward (from the target to the eye) in world coordinates; z is up.
struct Axes {
  glm::dvec3 right, up, back;
};
Axes axesOf(const Camera& c) {
  if (c.dimension == 2) return {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double y = glm::radians(c.yaw), p = glm::radians(c.pitch);
  const glm::dvec3 back{std::cos(p) * std::cos(y), std::cos(p) * std::sin(y), std::sin(p)};
  const glm::dvec3 right{-std::sin(y), std::cos(y), 0};
  return {right, glm::cross(back, right), back};
}

double halfTangent(const Camera& c) { return std::tan(glm::radians(c.fieldOfView) / 2); }

// Pixel to offset from the centre of the picture, y up.
glm::dvec2 centred(const Viewport& v, glm::dvec2 pixel) {
  return {pixel.x - v.width / 2.0, v.height / 2.0 - pixel.y};
}

}  // namespace

Camera Camera::fit(const Box& box, const Viewport& viewport, double yaw, double pitch,
                   bool orthographic, double rim) {
  Camera c;
  c.yaw = yaw, c.pitch = pitch;
  c.orthographic = orthographic && box.dimension == 3;
  c.dimension = box.dimension;
  const double a = aspect(viewport), inside = 1 - 2 * kMargin;
  c.target = {box.length[0] / 2, box.length[1] / 2, box.dimension == 3 ? box.length[2] / 2 : 0.0};
  c.height = std::max(box.length[1], box.length[0] / a) / inside;
  if (box.dimension == 2) {
    c.height = std::max(c.height, box.length[1] + 2 * rim);
    return c;
  }
  // Smallest distance at which each corner, (u, v, w) in camera axes, lies inside the frustum, or
  // inside an orthographic picture, which has the height of the frustum at the target.
  const Axes axes = axesOf(c);
  const double t = halfTangent(c) * inside;
  c.distance = 0;
  for (int i = 0; i < 8; ++i) {
    const glm::dvec3 half{i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5};
    const glm::dvec3 corner = half * glm::dvec3{box.length[0], box.length[1], box.length[2]};
    const double u = std::abs(glm::dot(corner, axes.right)),
                 v = std::abs(glm::dot(corner, axes.up));
    const double nearer = orthographic ? 0 : glm::dot(corner, axes.back);
    c.distance = std::max(c.distance, nearer + std::max(u / (t * a), v / t));
  }
  return c;
}

glm::dmat4 Camera::view() const {
  const Axes axes = axesOf(*this);
  const glm::dvec3 eye = dimension == 2 ? target : target + distance * axes.back;
  return glm::lookAt(eye, eye - axes.back, axes.up);
}

glm::dmat4 Camera::projection(const Viewport& viewport) const {
  const double a = aspect(viewport);
  if (dimension == 3 && orthographic) {
    const double half = distance * halfTangent(*this), deep = kDeep * distance;
    return glm::ortho(-half * a, half * a, -half, half, -deep, deep);
  }
  if (dimension == 3)
    return glm::infinitePerspective(glm::radians(fieldOfView), a, kNearOverDistance * distance);
  return glm::ortho(-height * a / 2, height * a / 2, -height / 2, height / 2, -1.0, 1.0);
}

double Camera::pixelsPerUnit(const Viewport& viewport) const {
  return viewport.height / (dimension == 2 ? height : 2 * distance * halfTangent(*this));
}

glm::dvec2 Camera::toPlane(const Viewport& viewport, glm::dvec2 pixel) const {
  return glm::dvec2(target) + centred(viewport, pixel) / pixelsPerUnit(viewport);
}

void Camera::ray(const Viewport& viewport, glm::dvec2 pixel, glm::dvec3& origin,
                 glm::dvec3& direction) const {
  const Axes axes = axesOf(*this);
  const glm::dvec2 offset = centred(viewport, pixel) / pixelsPerUnit(viewport);
  const glm::dvec3 point = target + offset.x * axes.right + offset.y * axes.up;
  if (dimension == 2) {
    origin = {point.x, point.y, 0};
    direction = {0, 0, -1};
  } else if (orthographic) {
    origin = point + distance * axes.back;
    direction = -axes.back;
  } else {
    origin = target + distance * axes.back;
    direction = glm::normalize(point - origin);
  }
}

void Camera::zoomAbout(const Viewport& viewport, glm::dvec2 pixel, double factor) {
  const Axes axes = axesOf(*this);
  const glm::dvec2 offset = centred(viewport, pixel) / pixelsPerUnit(viewport);
  target += (offset.x * axes.right + offset.y * axes.up) * (1 - 1 / factor);
  (dimension == 2 ? height : distance) /= factor;
}

void Camera::pan(const Viewport& viewport, glm::dvec2 pixelDelta) {
  const Axes axes = axesOf(*this);
  const glm::dvec2 d = pixelDelta / pixelsPerUnit(viewport);
  target += -d.x * axes.right + d.y * axes.up;
}

glm::dvec3 Camera::towardsEye() const { return axesOf(*this).back; }

void Camera::orbit(glm::dvec2 pixelDelta) {
  if (dimension == 2) return;
  yaw = std::remainder(yaw - kDegreesPerPixel * pixelDelta.x, 360.0);
  pitch = std::clamp(pitch + kDegreesPerPixel * pixelDelta.y, -89.0, 89.0);
}

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

// Least and largest distance of the box's corners: from the eye, or, orthographic, along the view.
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
