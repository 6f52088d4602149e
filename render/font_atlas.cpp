#include "render/font_atlas.h"

#include <fstream>
#include <iterator>

#include "render/font_files.h"

#define STB_TRUETYPE_IMPLEMENTATION
#define STBTT_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_truetype.h>
#pragma GCC diagnostic pop

namespace cellscope::render {
namespace {

constexpr int kFirst = 32, kCount = 95;  // printable ASCII

std::vector<unsigned char> bytesOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Glyph glyphOf(const stbtt_bakedchar& c, float side) {
  const auto w = static_cast<float>(c.x1 - c.x0), h = static_cast<float>(c.y1 - c.y0);
  return {c.xoff,      c.yoff,      c.xoff + w,  c.yoff + h, c.x0 / side,
          c.y0 / side, c.x1 / side, c.y1 / side, c.xadvance};
}

}  // namespace

FontAtlas::FontAtlas(int pixels) : pixels_(pixels) {
  const std::string path = numbersFontFile();
  const std::vector<unsigned char> file =
      path.empty() ? std::vector<unsigned char>{} : bytesOf(path);
  stbtt_fontinfo font;
  if (file.empty() || !stbtt_InitFont(&font, file.data(), 0)) return;
  std::vector<stbtt_bakedchar> baked(kCount);
  int rows = 0;
  for (side_ = 128; rows <= 0 && side_ <= 4096; side_ *= 2) {
    image_.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0);
    rows = stbtt_BakeFontBitmap(file.data(), 0, static_cast<float>(pixels), image_.data(), side_,
                                side_, kFirst, kCount, baked.data());
    if (rows > 0) break;
  }
  if (rows <= 0) return;
  int ascent = 0, descent = 0, gap = 0;
  stbtt_GetFontVMetrics(&font, &ascent, &descent, &gap);
  const float scale = stbtt_ScaleForPixelHeight(&font, static_cast<float>(pixels));
  ascent_ = static_cast<float>(ascent) * scale;
  descent_ = -static_cast<float>(descent) * scale;
  for (const stbtt_bakedchar& c : baked) glyphs_.push_back(glyphOf(c, static_cast<float>(side_)));
}

const Glyph& FontAtlas::glyph(char c) const {
  const int at = static_cast<unsigned char>(c) - kFirst;
  return glyphs_[static_cast<std::size_t>(at >= 0 && at < kCount ? at : '?' - kFirst)];
}

float FontAtlas::width(const std::string& text) const {
  float sum = 0;
  for (const char c : text) sum += glyph(c).advance;
  return sum;
}

}  // namespace cellscope::render
