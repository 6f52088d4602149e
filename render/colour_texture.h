// Colour table of a layer on the GPU.
#pragma once
#include "render/colour_map.h"
#include "render/gl_object.h"

namespace cellscope::render {

struct ColourTexture {
  ColourScale scale;
  Paint paint = Paint::area;
  ColourTable table;
  GlTexture texture;  // one row

  // Rebuilds the texture only when the colours change.
  void set(const ColourScale& wanted, Paint on);
};

}  // namespace cellscope::render
