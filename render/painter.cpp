#include "render/painter.h"

#include <algorithm>
#include <cmath>

namespace cellscope::render {

Painter::Painter(Image& image, const FontAtlas& font, bool dark)
    : image_(image), font_(font), ink_(dark ? Rgb{0.92f, 0.92f, 0.92f} : Rgb{0.1f, 0.1f, 0.1f}) {}

void Painter::blend(int x, int y, const Rgb& c, float cover) {
  if (x < 0 || y < 0 || x >= image_.width || y >= image_.height || cover <= 0) return;
  std::uint8_t* const at = image_.rgb.data() + 3 * (static_cast<std::size_t>(y) *
                                                        static_cast<std::size_t>(image_.width) +
                                                    static_cast<std::size_t>(x));
  const float colour[3] = {c.r, c.g, c.b};
  for (int i = 0; i < 3; ++i)
    at[i] = static_cast<std::uint8_t>(static_cast<float>(at[i]) * (1 - cover) +
                                      255 * std::clamp(colour[i], 0.0f, 1.0f) * cover + 0.5f);
}

void Painter::fill(int x, int y, int width, int height, const Rgb& c, float cover) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) blend(i, j, c, cover);
}

void Painter::text(int x, int y, const std::string& words) {
  const int side = font_.imageSide();
  const float base = static_cast<float>(y) + std::round(font_.ascent());
  auto pen = static_cast<float>(x);
  for (const char32_t c : charactersOf(words)) {
    const Glyph& g = font_.glyph(c);
    const int left = static_cast<int>(std::lround(pen + g.x0));
    const int top = static_cast<int>(std::lround(base + g.y0));
    const int u = static_cast<int>(std::lround(g.u0 * static_cast<float>(side)));
    const int v = static_cast<int>(std::lround(g.v0 * static_cast<float>(side)));
    for (int j = 0; j < static_cast<int>(g.y1 - g.y0); ++j)
      for (int i = 0; i < static_cast<int>(g.x1 - g.x0); ++i)
        blend(left + i, top + j, ink_,
              static_cast<float>(font_.image()[static_cast<std::size_t>((v + j) * side + u + i)]) /
                  255);
    pen += g.advance;
  }
}

void Painter::mark(int x, int y, const SwatchLook& look) {
  const std::vector<std::uint8_t> rgba = swatch(look);
  for (int j = 0; j < look.side; ++j)
    for (int i = 0; i < look.side; ++i) {
      const std::uint8_t* p = &rgba[static_cast<std::size_t>(4 * (j * look.side + i))];
      const auto part = [](std::uint8_t b) { return static_cast<float>(b) / 255; };
      blend(x + i, y + j, {part(p[0]), part(p[1]), part(p[2])}, part(p[3]));
    }
}

void Painter::line(float x0, float y0, float x1, float y1, float width, const Rgb& colour) {
  const float reach = width / 2 + 1, dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
  for (int y = static_cast<int>(std::min(y0, y1) - reach); y <= std::max(y0, y1) + reach; ++y)
    for (int x = static_cast<int>(std::min(x0, x1) - reach); x <= std::max(x0, x1) + reach; ++x) {
      const float px = static_cast<float>(x) + 0.5f - x0, py = static_cast<float>(y) + 0.5f - y0;
      const float along = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.f, 1.f) : 0;
      const float off = std::hypot(px - along * dx, py - along * dy);
      blend(x, y, colour, std::clamp(width / 2 - off + 0.5f, 0.f, 1.f));
    }
}

void Painter::disk(float x, float y, float radius, const Rgb& colour) {
  line(x, y, x, y, 2 * radius, colour);
}

}  // namespace cellscope::render
