// Parts of a texture, drawn pixel by pixel into the bound framebuffer. Unlike a blit this never
// waits for what is still being drawn into the texture, which software renderers do.
#pragma once
#include <span>
#include <vector>

#include "render/gl_object.h"
#include "render/pixel_rect.h"

namespace cellscope::render {

// A texture to be drawn into and copied from; in the format of windows, so that nothing is
// converted.
unsigned makeCanvas(int width, int height);

class ScreenCopy {
 public:
  ScreenCopy();
  // `texture` lies at `place` in a framebuffer of this size, which is the viewport; of it `parts`
  // are drawn, all of them inside. `blend`: over what is there, the texture being premultiplied.
  void draw(unsigned texture, const PixelRect& place, std::span<const PixelRect> parts, int width,
            int height, bool blend);

 private:
  GlProgram program_;
  GlVertexArray array_;
  GlBuffer corners_;
  std::vector<float> staging_;
};

}  // namespace cellscope::render
