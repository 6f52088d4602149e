// Depths of the boxes in space that the eye meets first, so that no others are filled.
#pragma once
#include "render/camera.h"
#include "render/gl_object.h"

namespace cellscope::render {

class NearestFaces {
 public:
  // Until end() faces are drawn into empty depths, at the pixels of the framebuffer bound now.
  void begin(const Viewport& viewport);
  void end();
  unsigned depths() const { return depths_; }

 private:
  GlTexture depths_;
  GlFramebuffer framebuffer_;
  int width_ = 0, height_ = 0, target_ = 0;
};

}  // namespace cellscope::render
