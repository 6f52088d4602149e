#include "render/legend.h"

#include <fmt/format.h>

#include <numbers>

#include "render/colour_map.h"
#include "render/font_atlas.h"

namespace cellscope::render {

namespace {

// Pixels, y downwards from the upper left corner.
class Painter {
 public:
  Painter(Image& image, const FontAtlas& font, bool dark)
      : image_(image), font_(font), ink_(dark ? Rgb{0.92f, 0.92f, 0.92f} : Rgb{0.1f, 0.1f, 0.1f}) {}
  void blend(int x, int y, const Rgb& c, float cover) {
    if (x < 0 || y < 0 || x >= image_.width || y >= image_.height || cover <= 0) return;
    std::uint8_t* const at = image_.rgb.data() + 3 * (static_cast<std::size_t>(y) *
                                                          static_cast<std::size_t>(image_.width) +
                                                      static_cast<std::size_t>(x));
    const float colour[3] = {c.r, c.g, c.b};
    for (int i = 0; i < 3; ++i)
      at[i] = static_cast<std::uint8_t>(static_cast<float>(at[i]) * (1 - cover) +
                                        255 * std::clamp(colour[i], 0.0f, 1.0f) * cover + 0.5f);
  }
  void fill(int x, int y, int width, int height, const Rgb& c, float cover) {
    for (int j = y; j < y + height; ++j)
      for (int i = x; i < x + width; ++i) blend(i, j, c, cover);
  }
  // x, y: upper left corner of the line of text.
  void text(int x, int y, const std::string& words) {
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
          blend(
              left + i, top + j, ink_,
              static_cast<float>(font_.image()[static_cast<std::size_t>((v + j) * side + u + i)]) /
                  255);
      pen += g.advance;
    }
  }
  void mark(int x, int y, const SwatchLook& look) {
    const std::vector<std::uint8_t> rgba = swatch(look);
    for (int j = 0; j < look.side; ++j)
      for (int i = 0; i < look.side; ++i) {
        const std::uint8_t* p = &rgba[static_cast<std::size_t>(4 * (j * look.side + i))];
        const auto part = [](std::uint8_t b) { return static_cast<float>(b) / 255; };
        blend(x + i, y + j, {part(p[0]), part(p[1]), part(p[2])}, part(p[3]));
      }
  }
  void line(float x0, float y0, float x1, float y1, float width, const Rgb& colour) {
    const float reach = width / 2 + 1, dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy;
    for (int y = static_cast<int>(std::min(y0, y1) - reach); y <= std::max(y0, y1) + reach; ++y)
      for (int x = static_cast<int>(std::min(x0, x1) - reach); x <= std::max(x0, x1) + reach; ++x) {
        const float px = static_cast<float>(x) + 0.5f - x0, py = static_cast<float>(y) + 0.5f - y0;
        const float along = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.f, 1.f) : 0;
        const float off = std::hypot(px - along * dx, py - along * dy);
        blend(x, y, colour, std::clamp(width / 2 - off + 0.5f, 0.f, 1.f));
      }
  }
  void disk(float x, float y, float radius, const Rgb& colour) {
    line(x, y, x, y, 2 * radius, colour);
  }
  const Rgb& ink() const { return ink_; }
  const FontAtlas& font() const { return font_; }

 private:
  Image& image_;
  const FontAtlas& font_;
  Rgb ink_;
};

// Pixels at scale 1.
constexpr float kText = 15;
constexpr int kPad = 10, kGap = 8, kSwatch = 13, kBarWidth = 190, kBarHeight = 11, kScaleBar = 140;
// The wheel of orientations: its ring, and hexagons of neighbours around it.
constexpr float kRing = 20, kHole = 0.55f, kHexagons = 32, kHexagon = 7;

// A line of the legend; length: the scale bar.
struct Line {
  enum class Kind { title, entry, bar, ticks, wheel, length } kind = Kind::title;
  std::string text;
  SwatchLook look;
  const ColourScale* scale = nullptr;
  Paint paint = Paint::area;
  int pixels = 0;  // of the scale bar
};

struct Sizes {
  float size;  // of everything, relative to scale 1
  int step;    // from line to line
  int of(float at1x) const { return static_cast<int>(std::lround(at1x * size)); }
  int heightOf(const Line& line) const {
    return line.kind == Line::Kind::wheel ? of(2 * (kHexagons + kHexagon) + 8) : step;
  }
};

void addEntries(std::vector<Line>& lines, const LegendPart& part, bool dark, float size) {
  for (const LegendEntry& entry : part.entries) {
    Line line{Line::Kind::entry, entry.label, entry.look};
    if (lookOf(line.look.mark).role == ColourRole::ink)
      line.look.colour = dark ? Rgb{1, 1, 1} : Rgb{0.05f, 0.05f, 0.05f};
    line.look.side = static_cast<int>(std::lround(kSwatch * size));
    line.look.scale = size;
    lines.push_back(line);
  }
}

std::vector<Line> linesOf(const std::vector<LayerData>& layers, const Style& style, int dimension,
                          float size) {
  const bool dark = style.dark;
  std::vector<Line> all;
  const auto words = [&](const std::string& text) {
    if (!text.empty()) all.push_back({Line::Kind::title, text, {}});
  };
  for (const LegendPart& part : legendParts(layers, dark, style.quiet, dimension)) {
    const ColourScale& scale = part.layer->scale;
    const Paint paint = paintOf(part.layer->primitive, scale, dark);
    words(part.title);
    words(part.below);
    if (scale.kind == ColourKind::hueWheel) {
      all.push_back({Line::Kind::wheel, "", {}, &scale, paint});
    } else if (part.entries.empty()) {
      all.push_back({Line::Kind::bar, "", {}, &scale, paint});
      all.push_back({Line::Kind::ticks, "", {}, &scale, paint});
    }
    addEntries(all, part, dark, size);
    words(part.note);
  }
  return all;
}

constexpr const char *kLeft = "30°", *kRight = "0°";

int widthOf(const Line& line, const FontAtlas& font, const Sizes& s) {
  const int text = static_cast<int>(std::ceil(font.width(line.text)));
  if (line.kind == Line::Kind::entry) return text + line.look.side + s.of(kGap);
  if (line.kind == Line::Kind::bar || line.kind == Line::Kind::ticks) return s.of(kBarWidth);
  if (line.kind == Line::Kind::wheel)
    return static_cast<int>(font.width(kLeft) + font.width(kRight)) +
           s.of(2 * (kHexagons + kHexagon + kGap));
  return std::max(text, line.pixels);
}

void drawBar(Painter& to, const ColourScale& scale, Paint paint, int x, int y, int height,
             const Sizes& s) {
  const int width = s.of(kBarWidth), tall = s.of(kBarHeight);
  for (int i = 0; i < width; ++i) {
    const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(width);
    to.fill(x + i, y + (height - tall) / 2, 1, tall,
            colourOf(scale, scale.lo + (scale.hi - scale.lo) * t, paint), 1);
  }
}

// At round values, as far as their labels have room.
void drawTicks(Painter& to, const ColourScale& scale, int x, int y, const Sizes& s) {
  const int width = s.of(kBarWidth), thick = std::max(1, s.of(1.5f));
  const Ticks ticks = makeTicks(scale.lo, scale.hi, 4, scale.whole);
  int free = x;
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    const double share =
        (ticks.at[i] - static_cast<double>(scale.lo)) / static_cast<double>(scale.hi - scale.lo);
    const int at = x + static_cast<int>(std::lround(share * width));
    to.fill(std::clamp(at - thick / 2, x, x + width - thick), y - s.of(4), thick, s.of(5), to.ink(),
            1);
    const std::string label = to.font().shown(ticks.label[i]);
    const int wide = static_cast<int>(std::ceil(to.font().width(label)));
    const int left = std::clamp(at - wide / 2, x, std::max(x, x + width - wide));
    if (left < free) continue;
    to.text(left, y, label);
    free = left + wide + s.of(6);
  }
}

// Angle on the ring: the phase. Hexagons around it are turned by a sixth of that.
void drawWheel(Painter& to, const ColourScale& scale, Paint paint, int x, int y, int height,
               const Sizes& s) {
  const float left = to.font().width(kLeft);
  const float cx = static_cast<float>(x) + left + s.size * (kHexagons + kHexagon + kGap);
  const float cy = static_cast<float>(y) + 0.5f * static_cast<float>(height);
  const float outer = kRing * s.size;
  for (int j = static_cast<int>(cy - outer) - 1; j <= cy + outer + 1; ++j)
    for (int i = static_cast<int>(cx - outer) - 1; i <= cx + outer + 1; ++i) {
      const float dx = static_cast<float>(i) + 0.5f - cx, dy = cy - static_cast<float>(j) - 0.5f;
      const float r = std::hypot(dx, dy);
      const float cover =
          std::clamp(outer - r + 0.5f, 0.f, 1.f) * std::clamp(r - kHole * outer + 0.5f, 0.f, 1.f);
      to.blend(i, j, colourOf(scale, std::atan2(dy, dx), paint), cover);
    }
  const float far = kHexagons * s.size, radius = kHexagon * s.size;
  for (int k = -2; k <= 3; ++k) {
    const float phase = std::numbers::pi_v<float> / 3 * static_cast<float>(k);
    const float hx = cx + far * std::cos(phase), hy = cy - far * std::sin(phase);
    const Rgb colour = colourOf(scale, phase, paint);
    const auto corner = [&](int n) {
      const float angle = phase / 6 + std::numbers::pi_v<float> / 3 * static_cast<float>(n);
      return std::pair(hx + radius * std::cos(angle), hy - radius * std::sin(angle));
    };
    for (int n = 0; n < 6; ++n) {
      const auto [ax, ay] = corner(n);
      const auto [bx, by] = corner(n + 1);
      to.line(ax, ay, bx, by, std::max(1.2f, 1.3f * s.size), colour);
      to.disk(ax, ay, std::max(1.2f, 1.5f * s.size), colour);
    }
  }
  const int beside = static_cast<int>(cy - 0.5f * (to.font().ascent() + to.font().descent()));
  to.text(x, beside, kLeft);
  to.text(static_cast<int>(cx + s.size * (kHexagons + kHexagon + kGap)), beside, kRight);
}

void draw(Painter& to, const Line& line, int x, int y, int height, const Sizes& s) {
  if (line.kind == Line::Kind::bar) return drawBar(to, *line.scale, line.paint, x, y, height, s);
  if (line.kind == Line::Kind::ticks) return drawTicks(to, *line.scale, x, y, s);
  if (line.kind == Line::Kind::wheel)
    return drawWheel(to, *line.scale, line.paint, x, y, height, s);
  int left = x;
  if (line.kind == Line::Kind::entry) {
    to.mark(x, y + (height - line.look.side) / 2, line.look);
    left += line.look.side + s.of(kGap);
  }
  to.text(left, y, line.text);
  if (line.kind != Line::Kind::length) return;
  const int thick = std::max(2, s.of(2)), foot = y + height + thick;
  to.fill(x, foot, line.pixels, thick, to.ink(), 1);
  for (const int end : {x, x + line.pixels - thick})
    to.fill(end, foot - 2 * thick, thick, 3 * thick, to.ink(), 1);
}

// Pictures of a video follow each other in one size.
const FontAtlas& fontOf(int pixels) {
  thread_local std::optional<FontAtlas> last;
  if (!last || last->pixels() != pixels) last.emplace(pixels);
  return *last;
}

}  // namespace

void paintLegend(Image& image, const std::vector<LayerData>& layers, double pixelsPerSigma,
                 const Style& style, int dimension) {
  // Large pictures are looked at as a whole.
  const float size =
      style.scale * std::max(1.0f, static_cast<float>(std::min(image.width, image.height)) / 1000);
  const FontAtlas& font = fontOf(std::max(9, static_cast<int>(std::lround(kText * size))));
  if (font.empty()) return;
  std::vector<Line> lines = linesOf(layers, style, dimension, size);
  if (pixelsPerSigma > 0) {
    const double length = scaleBarLength(pixelsPerSigma, static_cast<double>(kScaleBar * size));
    lines.push_back({.kind = Line::Kind::length,
                     .text = fmt::format("{:g} sigma", length),
                     .pixels = static_cast<int>(std::lround(length * pixelsPerSigma))});
  }
  for (Line& line : lines) line.text = font.shown(line.text);
  const Sizes sizes{size, static_cast<int>(std::ceil((font.ascent() + font.descent()) * 1.15f))};
  const int pad = static_cast<int>(kPad * size);
  int width = 0, height = pad;
  for (const Line& line : lines) {
    width = std::max(width, widthOf(line, font, sizes));
    height += sizes.heightOf(line);
  }
  const int left = pad, top = image.height - pad - height - 2 * pad;
  Painter painter(image, font, style.dark);
  painter.fill(left, top, width + 2 * pad, height + 2 * pad, backgroundColour(style.dark), 0.88f);
  int y = top + pad;
  for (const Line& line : lines) {
    draw(painter, line, left + pad, y, sizes.heightOf(line), sizes);
    y += sizes.heightOf(line);
  }
}

}  // namespace cellscope::render
