// Letters, digits, Greek and signs in one size, as an image of coverage: of JetBrains Mono, and
// those that it has not of Inter. Where neither is installed, ASCII and Latin of a built-in one.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>

#include "render/printed.h"

namespace cellscope::render {

// Where the program's typefaces are installed: below /usr/share/fonts, or in $CELLSCOPE_FONTS.

// Inter in this weight ("Regular", "SemiBold"), JetBrains Mono; "" where it is not installed.
std::string wordsFontFile(const std::string& weight);
std::string numbersFontFile();
// The file of the typeface that stands in for them, ASCII and Latin; the program brings it
// (app/gui/theme.h), as this layer knows no ImGui.
inline std::vector<unsigned char> (*builtInTypeface)() = [] {
  return std::vector<unsigned char>();
};
std::string missingFonts();  // a warning that names the packages of those that are not; "": all are

// Pixels; y downwards from the baseline. Texture coordinates in 0..1.
struct Glyph {
  float x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  float u0 = 0, v0 = 0, u1 = 0, v1 = 0;
  float advance = 0;
};

// Of a text in UTF-8; what is damaged becomes '?'.
std::u32string charactersOf(const std::string& text);

class FontAtlas {
 public:
  // Height of a line in pixels. Of one too large for a texture the atlas is empty.
  explicit FontAtlas(int pixels);
  bool empty() const { return glyphs_.empty(); }
  int pixels() const { return pixels_; }
  // Of '?' for what the atlas does not hold.
  const Glyph& glyph(char32_t c) const {
    const auto at = glyphs_.find(c);
    return at == glyphs_.end() ? glyphs_.at(U'?') : at->second;
  }
  bool holds(const std::string& text) const {
    const std::u32string all = charactersOf(text);
    return std::ranges::all_of(all, [&](char32_t c) { return glyphs_.contains(c); });
  }
  // With Greek letters, sub- and superscripts and minus signs if all are there; else in ASCII.
  std::string shown(const std::string& text) const {
    std::string signs = withMinus(printed(text));
    return holds(signs) ? signs : holds(text) ? text : withPlainSigns(text);
  }
  float width(const std::string& text) const {
    float sum = 0;
    for (const char32_t c : charactersOf(text)) sum += glyph(c).advance;
    return sum;
  }
  float ascent() const { return ascent_; }    // above the baseline
  float descent() const { return descent_; }  // below it

  int imageSide() const { return side_; }
  const std::vector<std::uint8_t>& image() const { return image_; }  // square, rows from the top

 private:
  int pixels_, side_ = 0;
  float ascent_ = 0, descent_ = 0;
  std::map<char32_t, Glyph> glyphs_;
  std::vector<std::uint8_t> image_;
};

}  // namespace cellscope::render
