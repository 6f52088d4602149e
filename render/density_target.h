// Picture in which the coverage of tiny particles is summed (shaders/splat.comp): per pixel rgb
// times coverage in linear light, and coverage, as whole numbers.
#pragma once
#include "render/gl_object.h"

namespace cellscope::render {

class DensityTarget {
 public:
  // Binds an empty picture of this size to storage binding 1.
  void begin(int width, int height);
  // What was summed can be read from now on.
  void end();
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  GlBuffer sums_;
  int width_ = 0, height_ = 0;
};

}  // namespace cellscope::render
