// Marks as small pictures, for legends: drawn from the same table and text as the shaders are.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "render/font_atlas.h"
#include "render/renderer.h"

namespace cellscope::render {

// What a legend shows of a mark.
struct SwatchLook {
  Primitive primitive = Primitive::points;
  Mark mark = Mark::plain;
  Rgb colour{};          // of the instances, or of ink
  bool directed = true;  // lines: with their arrowhead
  int side = 13;         // pixels
  float scale = 1;       // of widths and dashes

  bool operator==(const SwatchLook&) const = default;
};

// side x side pixels, RGBA, rows from the top. Disks, spheres and boxes are squares with their
// hatching.
std::vector<std::uint8_t> swatch(const SwatchLook& look);

// Paints shapes, text and marks into a picture.

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

// A mark for pictures that leave the program, and with it the words that say what is wrong in them.

// Paints a red border over the edges: a hundred and fiftieth of the shorter side, at least 3
// pixels.
void paintWarningFrame(Image& image);

}  // namespace cellscope::render
