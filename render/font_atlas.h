// Printable ASCII of one typeface in one size, as an image of coverage.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cellscope::render {

// Pixels; y downwards from the baseline. Texture coordinates in 0..1.
struct Glyph {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
  float advance = 0;
};

class FontAtlas {
 public:
  // Height of a line in pixels. Without the typeface the atlas is empty.
  explicit FontAtlas(int pixels);
  bool empty() const { return glyphs_.empty(); }
  int pixels() const { return pixels_; }
  const Glyph& glyph(char c) const;  // of '?' for what is not printable ASCII
  float width(const std::string& text) const;
  float ascent() const { return ascent_; }    // above the baseline
  float descent() const { return descent_; }  // below it

  int imageSide() const { return side_; }
  const std::vector<std::uint8_t>& image() const { return image_; }  // square, rows from the top

 private:
  int pixels_, side_ = 0;
  float ascent_ = 0, descent_ = 0;
  std::vector<Glyph> glyphs_;
  std::vector<std::uint8_t> image_;
};

}  // namespace cellscope::render
