// From the nearest sphere to the farthest: it is hidden where, in all tiles that it may touch, its
// nearest point lies behind the tile; otherwise it lowers the depth of all tiles that it covers
// entirely, to that of the farthest of their corners on it. Both a silhouette and, in the depth of
// the projection, the front of a sphere are convex, so that corners speak for what lies between
// them. Pixels that a sphere covers by less than half are drawn before the background only
// (shaders/sphere.frag): in a tile that is covered entirely, whatever is drawn when, the nearest
// sphere remains.
#include "render/tile_occlusion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/gl_loader.h"

namespace cellscope::render {
namespace {

constexpr int kTile = 4;         // pixels
constexpr float kInside = 0.1f;  // pixels from the silhouette, by which the shader may be wrong
// It pays from so many spheres on, so large, where they would cover the picture so many times.
constexpr int kFewest = 300;
constexpr double kLeastPixels = 6, kCovered = 1.5, kDiskShare = 0.785;
constexpr float kLargestPoint = 200;  // pixels: drivers may draw larger ones smaller
// Where more than this share is kept, it is not tried again for so many draws.
constexpr double kMostKept = 0.8;
constexpr int kPause = 30;

struct Interval {
  float lo, hi;
};

// As in sphere.vert: x / -z covered by the sphere, seen from the origin in the (x, z) plane.
Interval extent(float x, float z, float r) {
  const float a = z * z - r * r, root = r * std::sqrt(std::max(x * x + a, 0.f));
  return {(-x * z - root) / a, (-x * z + root) / a};
}

struct Tiles {
  int x0, y0, x1, y1;  // the far ends do not belong to it
  bool empty() const { return x1 <= x0 || y1 <= y0; }
};

// What the shaders know, in their numbers.
struct View {
  View(const SceneUniforms& s, const Viewport& v)
      : scene(s),
        viewport(v),
        focal(s.scale.x),
        parallel(s.eye.x > 0.5f),
        centre(s.frame.x + 0.5f * s.frame.z, s.frame.y + 0.5f * s.frame.w),
        columns((v.width + kTile - 1) / kTile),
        rows((v.height + kTile - 1) / kTile) {}

  // On the plane at distance 1, or of the picture where lines of sight are parallel.
  glm::vec2 planeAt(int column, int row) const {
    const glm::vec2 pixel(viewport.x + kTile * column, viewport.y + kTile * row);
    return (pixel - centre) / focal;
  }
  // By which two depths must differ for the depth buffer to tell them apart for certain, and the
  // shaders' rounding.
  float apart(float depth, float size) const {
    const float least = parallel ? 2e-6f / std::abs(scene.projection[2][2])
                                 : 2e-6f * depth * depth / std::abs(scene.projection[3][2]);
    return least + 4e-6f * size;
  }

  const SceneUniforms& scene;
  Viewport viewport;
  float focal;
  bool parallel;
  glm::vec2 centre;
  int columns, rows;
};

struct Ball {
  glm::vec3 c{};  // camera space
  float r = 0, perUnit = 0;
  Tiles tiles{};      // that it may touch
  float nearest = 0;  // distance of its nearest point along the view, less what may be wrong
  // Nothing is known of it: it is drawn, and hides nothing.
  bool unsure = false;
};

Ball ballOf(const View& view, const PointInstance& p, float smaller) {
  Ball b;
  b.c = glm::vec3(view.scene.view * glm::vec4(p.x, p.y, p.z, 1));
  b.r = 0.5f * p.diameter * smaller;
  const float depth = -b.c.z - b.r, size = glm::length(b.c) + b.r;
  b.unsure =
      !std::isfinite(depth + b.c.x + b.c.y) || b.r <= 0 || depth < view.scene.cue.w + 1e-3f * size;
  if (b.unsure) return b;
  b.nearest = depth - view.apart(depth, size + glm::length(glm::vec3(view.scene.view[3])));
  b.perUnit = view.parallel ? view.focal : view.focal / -b.c.z;
  Interval x{b.c.x - b.r, b.c.x + b.r}, y{b.c.y - b.r, b.c.y + b.r};
  if (!view.parallel) x = extent(b.c.x, b.c.z, b.r), y = extent(b.c.y, b.c.z, b.r);
  // Points are as high as they are wide.
  const glm::vec2 middle = view.centre + view.focal * 0.5f * glm::vec2(x.lo + x.hi, y.lo + y.hi);
  const float reach = 0.5f * view.focal * std::max(x.hi - x.lo, y.hi - y.lo) + 2;
  const glm::vec2 from(view.viewport.x, view.viewport.y);
  const auto tile = [](float pixel, int count) {
    return static_cast<int>(std::clamp(std::floor(pixel / kTile), 0.f, static_cast<float>(count)));
  };
  const glm::vec2 lo = middle - reach - from, hi = middle + reach - from;
  b.tiles = {tile(lo.x, view.columns), tile(lo.y, view.rows), tile(hi.x + kTile, view.columns),
             tile(hi.y + kTile, view.rows)};
  // Points whose centre lies outside are not drawn at all, however large they are.
  const glm::vec2 end = from + glm::vec2(view.viewport.width, view.viewport.height);
  b.unsure = 2 * reach > kLargestPoint || middle.x < from.x || middle.y < from.y ||
             middle.x > end.x || middle.y > end.y;
  return b;
}

// Where the line of sight through a place of the plane meets the sphere, along the view; infinity:
// not for certain, or so close to the silhouette that the background may be seen.
float meet(const View& view, const Ball& b, glm::vec2 plane) {
  const glm::vec3 ray = view.parallel ? glm::vec3(0, 0, -1) : glm::vec3(plane, -1);
  const glm::vec3 c = view.parallel ? b.c - glm::vec3(plane, 0) : b.c;
  const float rayRay = glm::dot(ray, ray), along = glm::dot(ray, c) / rayRay;
  const glm::vec3 nearest = along * ray - c;
  const float miss2 = glm::dot(nearest, nearest), least = b.r - kInside / b.perUnit;
  if (least <= 0 || miss2 > least * least) return std::numeric_limits<float>::infinity();
  return along - std::sqrt((b.r * b.r - miss2) / rayRay);
}

// Whether it is opaque, and in no way left out.
bool hides(const View& view, const LayerDraw& d, const PointInstance& p) {
  if (p.level < 0 || p.level < d.look.lowest || p.level > d.look.highest) return false;
  const unsigned type = p.type & 0x7fffu;
  if (type < 32 && (d.look.types & (1u << type)) == 0) return false;
  for (int i = 0; i < 4; ++i) {
    const float half = view.scene.slabHalf[i];
    if (half < 0) continue;
    const glm::vec4 slab = view.scene.slab[i];
    const float off = std::abs(glm::dot(glm::vec3(slab), glm::vec3(p.x, p.y, p.z)) - slab.w);
    if (!(off < half - 1e-5f * (1 + half + std::abs(slab.w)))) return false;
  }
  return true;
}

bool isHidden(const View& view, const Ball& b, const std::vector<float>& depths) {
  for (int y = b.tiles.y0; y < b.tiles.y1; ++y)
    for (int x = b.tiles.x0; x < b.tiles.x1; ++x)
      if (!(b.nearest > depths[static_cast<std::size_t>(y * view.columns + x)])) return false;
  return true;
}

void lower(const View& view, const Ball& b, std::vector<float>& depths,
           std::vector<float>& corners) {
  const Tiles& t = b.tiles;
  const auto wide = static_cast<std::size_t>(t.x1 - t.x0) + 1;
  corners.resize(2 * wide);
  const auto row = [&](int y) {
    float* const at = corners.data() + static_cast<std::size_t>(y & 1) * wide;
    for (int x = t.x0; x <= t.x1; ++x) at[x - t.x0] = meet(view, b, view.planeAt(x, y));
    return at;
  };
  const float* below = row(t.y0);
  for (int y = t.y0; y < t.y1; ++y) {
    const float* const above = row(y + 1);
    for (int x = t.x0; x < t.x1; ++x) {
      const int k = x - t.x0;
      const float farthest = std::max({below[k], below[k + 1], above[k], above[k + 1]});
      float& depth = depths[static_cast<std::size_t>(y * view.columns + x)];
      depth = std::min(depth, farthest);
    }
    below = above;
  }
}

}  // namespace

// Where most can be seen it is tried now and then, since the camera and the particles move.
bool TileOcclusion::pays(const LayerDraw& d, double pixels) {
  const double covers = kDiskShare * d.typicalPixels * d.typicalPixels * d.count;
  if (d.count < kFewest || d.typicalPixels < kLeastPixels || covers < kCovered * pixels ||
      !drawnOnProcessor())
    return false;
  return pause_ == 0 || --pause_ == 0;
}

// Of instances_.
void TileOcclusion::findHidden(const LayerDraw& d, const SceneUniforms& scene,
                               const Viewport& viewport) {
  const std::size_t count = instances_.size();
  const View view(scene, viewport);
  order_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const PointInstance& p = instances_[i];
    const glm::vec4 c = scene.view * glm::vec4(p.x, p.y, p.z, 1);
    const float depth = -c.z - 0.5f * p.diameter * d.smaller;
    order_[i] = {std::isfinite(depth) ? depth : 0, i};
  }
  std::sort(order_.begin(), order_.end());
  depths_.assign(static_cast<std::size_t>(view.columns) * static_cast<std::size_t>(view.rows),
                 std::numeric_limits<float>::infinity());
  hidden_.assign(count, 0);
  for (const auto& [depth, i] : order_) {
    const Ball b = ballOf(view, instances_[i], d.smaller);
    if (b.unsure || b.tiles.empty()) continue;
    hidden_[i] = isHidden(view, b, depths_);
    if (!hidden_[i] && hides(view, d, instances_[i])) lower(view, b, depths_, corners_);
  }
}

LayerDraw TileOcclusion::visible(const LayerDraw& d, const SceneUniforms& scene,
                                 const Viewport& viewport, Hidden wanted) {
  const double pixels = static_cast<double>(viewport.width) * viewport.height;
  // Dimmed and hidden ones beside a selection are left to the shaders, as are numbers that only the
  // device knows.
  const bool possible =
      d.fade * d.look.opacity == 1 && d.count > 0 && !d.commands && d.rest == Rest::shown;
  if (!possible || wanted == Hidden::drawn || wanted == Hidden::leftOut) return d;
  if (wanted != Hidden::leftOutByTiles && !pays(d, pixels)) return d;
  const auto count = static_cast<std::size_t>(d.count);
  instances_.resize(count);
  glGetNamedBufferSubData(d.buffer, 0, static_cast<GLsizeiptr>(count * sizeof(PointInstance)),
                          instances_.data());
  findHidden(d, scene, viewport);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (!hidden_[i]) instances_[kept++] = instances_[i];
  kept_ = kept;
  if (static_cast<double>(kept) > kMostKept * static_cast<double>(count)) pause_ = kPause;
  glNamedBufferData(buffer_, static_cast<GLsizeiptr>(kept * sizeof(PointInstance)),
                    instances_.data(), GL_STREAM_DRAW);
  LayerDraw less = d;
  less.buffer = buffer_;
  less.count = static_cast<int>(kept);
  return less;
}

}  // namespace cellscope::render
