// Floating-point picture in which the coverage of tiny particles is summed: rgb times coverage in
// linear light, and coverage.
#pragma once
#include "render/gl_object.h"

namespace cellscope::render {

class DensityTarget {
 public:
  // Binds an empty picture of this size for drawing; additive blending is up to the caller.
  void begin(int width, int height);
  GLuint sums() const { return sums_; }

 private:
  GlFramebuffer framebuffer_;
  GlTexture sums_;
  int width_ = 0, height_ = 0;
};

}  // namespace cellscope::render
