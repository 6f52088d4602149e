// Cameras: orthographic pan and zoom in 2D, orbit in 3D. Angles in degrees, lengths in sigma.
#pragma once
#include <glm/glm.hpp>

#include "sim/api/frame.h"

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

}  // namespace cellscope::render
