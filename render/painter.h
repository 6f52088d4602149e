// Paints shapes, text and marks into a picture.
#pragma once
#include <string>

#include "render/font_atlas.h"
#include "render/renderer.h"
#include "render/swatch.h"

namespace cellscope::render {

// Pixels, y downwards from the upper left corner.
class Painter {
 public:
  Painter(Image& image, const FontAtlas& font, bool dark);

  const Rgb& ink() const { return ink_; }
  const FontAtlas& font() const { return font_; }
  void blend(int x, int y, const Rgb& colour, float cover);
  void fill(int x, int y, int width, int height, const Rgb& colour, float cover);
  // x, y: upper left corner of the line of text.
  void text(int x, int y, const std::string& words);
  void mark(int x, int y, const SwatchLook& look);
  void line(float x0, float y0, float x1, float y1, float width, const Rgb& colour);
  void disk(float x, float y, float radius, const Rgb& colour);

 private:
  Image& image_;
  const FontAtlas& font_;
  Rgb ink_;
};

}  // namespace cellscope::render
