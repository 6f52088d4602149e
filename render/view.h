// What a picture shows of a scene. Cameras: orthographic pan and zoom in 2D, orbit in 3D. Slabs
// that leave out what lies beyond them, so that one sees inside, and a selection beside which other
// particles are quiet or absent. Angles in degrees, lengths in sigma.
#pragma once
#include <glm/glm.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/api/frame.h"
#include "sim/base/box.h"

namespace cellscope::render {

struct Viewport {
  int x = 0, y = 0, width = 1, height = 1;  // pixels of the framebuffer, origin lower left
};

struct Camera {
  int dimension = 2;
  glm::dvec3 target{0.5, 0.5, 0.5};  // centre of the picture
  double height = 1;                 // 2D: visible height
  double distance = 2;               // 3D: eye to target
  double yaw = 35, pitch = 25, fieldOfView = 35;
  bool orthographic = false;  // 3D: as high as the perspective at the target
  bool operator==(const Camera&) const = default;

  // Whole box in view from these angles, with a margin of 4 %; in 2D of at least `rim` above and
  // below, in sigma: half of a disk at the edge lies beyond it.
  static Camera fit(const Box& box, const Viewport& viewport, double yaw = 35, double pitch = 25,
                    bool orthographic = false, double rim = 0);
  glm::dmat4 view() const;
  glm::dmat4 projection(const Viewport& viewport) const;
  double pixelsPerUnit(const Viewport& viewport) const;  // 2D; 3D: at the target

  // Pixel positions are measured from the viewport's upper left corner.
  // In 2D a ray starts in the plane, at the point itself, and points along -z.
  glm::dvec2 toPlane(const Viewport& viewport, glm::dvec2 pixel) const;  // 2D
  void ray(const Viewport& viewport, glm::dvec2 pixel, glm::dvec3& origin,
           glm::dvec3& direction) const;
  // factor > 1 enlarges; the point of the (target) plane under the pixel stays where it is.
  void zoomAbout(const Viewport& viewport, glm::dvec2 pixel, double factor);
  // The picture follows a cursor that moved by pixelDelta (y down).
  void pan(const Viewport& viewport, glm::dvec2 pixelDelta);
  void orbit(glm::dvec2 pixelDelta);
  glm::dvec3 towardsEye() const;  // from the target, of unit length
};

// Shows positions whose distance from a plane is at most `half`; lengths in sigma.
struct Slab {
  glm::dvec3 normal{0, 0, 1};  // of unit length
  double middle = 0;           // normal . x in the plane
  double half = -1;            // negative: no slab
  bool operator==(const Slab&) const = default;
};

// A part of the simulation box, in sigma.
struct SelectedBox {
  glm::dvec3 lo{0}, hi{0};
  bool operator==(const SelectedBox&) const = default;
};
inline constexpr std::size_t kMostSelectedBoxes = 64;

enum class Rest { shown, dimmed, hidden };

struct InsideView {
  std::array<Slab, 4> slabs{};
  // Particles that are not selected. Selected are those of these types, with radius >= 0 only where
  // the nearest image lies within it of the place, and where there are boxes only in one of them
  // (the first kMostSelectedBoxes).
  Rest rest = Rest::shown;
  std::uint32_t types = ~0u;  // bit i: type i; types from 32 on always are
  glm::dvec3 place{0};
  double radius = -1;
  std::vector<SelectedBox> boxes = {};
  double depthCue = 0.75;  // share of the background in the farthest corner of the box
  bool operator==(const InsideView&) const = default;

  bool cutsAway(const glm::dvec3& at) const {
    for (const Slab& s : slabs)
      if (s.half >= 0 && std::abs(glm::dot(s.normal, at) - s.middle) > s.half) return true;
    return false;
  }
  // Of a particle in the simulation box: not selected; not drawn.
  bool isRest(const glm::dvec3& at, int type, const Box& box) const;
  bool hides(const glm::dvec3& at, int type, const Box& box) const {
    return cutsAway(at) || (rest == Rest::hidden && isRest(at, type, box));
  }
};

// Particles whose colours would hide cells, blocks, trees, slots or the neighbours of a picked one
// that are shown with them, whatever the colours mean.
bool isQuiet(const LayerData& layer, const std::vector<LayerData>& all);

// With which share of its diameter a layer is drawn where Style::quiet is set: quiet spheres among
// boxes that explain are smaller, as in a dense liquid nothing would be seen between them.
float quietDiameter(const LayerData& layer, const std::vector<LayerData>& all, int dimension);

}  // namespace cellscope::render
