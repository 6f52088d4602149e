// Which particles a picture shows, as clicks ask for it.
#pragma once
#include "render/camera.h"
#include "render/inside.h"
#include "sim/api/frame.h"
#include "sim/api/layer_info.h"
#include "sim/api/mode.h"

namespace cellscope::common {

class DrawnParticles {
 public:
  // look: that of the mode's first layer, the particles; quiet: Style::quiet.
  DrawnParticles(const Frame& frame, const ModeWords& mode, const LayerLook& look,
                 const render::InsideView& inside, bool quiet);

  bool operator()(const Vec3d& at, int type) const;
  double size() const { return size_; }  // of spheres, as share of their diameter

 private:
  render::InsideView inside_;
  Box box_;
  LayerLook look_;
  bool isOn_ = false;
  double size_ = 1;
};

// A click into space: through the eye, or in a picture without perspective from before the box. Of
// boxes in space, what slabs leave of the ray is drawn.
PickQuery clickAlong(const render::Camera& camera, const glm::dvec3& origin,
                     const glm::dvec3& direction, const render::InsideView& inside, const Box& box);

}  // namespace cellscope::common
