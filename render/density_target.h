// Picture in which the coverage of tiny particles is summed (shaders/splat.comp): per pixel rgb
// times coverage in linear light, and coverage, as whole numbers.
#pragma once
#include "render/gl_object.h"

namespace cellscope::render {

class DensityTarget {
 public:
  // Rows of this width that the driver lets a shader see at once; at least one.
  static int rowsAtOnce(int width);
  // Binds empty sums of this size to storage binding 1.
  void begin(int width, int height);
  // What was summed can be read from now on.
  void end();

 private:
  GlBuffer sums_;
  int width_ = 0, height_ = 0;
};

}  // namespace cellscope::render
