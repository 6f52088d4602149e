#include "render/legend_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "render/colour_map.h"
#include "render/font_atlas.h"
#include "render/quiet.h"
#include "render/swatch.h"

namespace cellscope::render {
namespace {

// Pixels at scale 1.
constexpr float kText = 15;
constexpr int kPad = 10, kGap = 8, kSwatch = 13, kBarWidth = 190, kBarHeight = 11, kScaleBar = 140;

// Paints into an image; y downwards.
class Painter {
 public:
  Painter(Image& image, const FontAtlas& font, bool dark)
      : image_(image), font_(font), ink_(dark ? Rgb{0.92f, 0.92f, 0.92f} : Rgb{0.1f, 0.1f, 0.1f}) {}

  const Rgb& ink() const { return ink_; }
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
    for (const char c : words) {
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

 private:
  Image& image_;
  const FontAtlas& font_;
  Rgb ink_;
};

// A line of the legend: a title, an entry with its mark, a colour bar, or the scale bar.
struct Line {
  enum class Kind { title, entry, bar, numbers, length } kind = Kind::title;
  std::string text;
  SwatchLook look;
  const ColourScale* scale = nullptr;
  int pixels = 0;  // of the scale bar
};

void addEntries(std::vector<Line>& lines, const LayerData& layer, bool dark, float size) {
  const ColourScale& scale = layer.scale;
  for (std::size_t i = 0; i < scale.categories.size(); ++i) {
    const auto value = static_cast<float>(i);
    const Mark mark = markOf(scale, value);
    const bool inInk = lookOf(mark).role == ColourRole::ink;
    const Rgb ink = dark ? Rgb{1, 1, 1} : Rgb{0.05f, 0.05f, 0.05f};
    Line line{Line::Kind::entry, scale.categories[i], {}, nullptr, 0};
    line.look = {layer.primitive,
                 mark,
                 inInk ? ink : colourOf(scale, value),
                 scale.kind != ColourKind::plain,
                 static_cast<int>(std::lround(kSwatch * size)),
                 size};
    const auto same = std::find_if(lines.begin(), lines.end(), [&](const Line& other) {
      return other.kind == Line::Kind::entry && other.text == line.text;
    });
    if (same == lines.end())
      lines.push_back(line);
    else if (layer.primitive == Primitive::points)  // tells more than the line that leads to it
      *same = line;
  }
}

std::string numbersOf(const ColourScale& scale) {
  if (scale.kind == ColourKind::hueWheel) return "-pi        0        pi";
  return fmt::format("{:.3g} to {:.3g}", scale.lo, scale.hi);
}

// Layers that share a title share its entries.
std::vector<Line> linesOf(const std::vector<LayerData>& layers, bool dark, bool quiet, float size) {
  std::vector<Line> all;
  std::vector<std::string> titles;
  for (const LayerData& first : layers) {
    const ColourScale& scale = first.scale;
    const bool plain = scale.kind == ColourKind::plain && scale.categories.empty();
    if (plain || scale.title.empty() || first.count == 0 || (quiet && isQuiet(first, layers)) ||
        std::find(titles.begin(), titles.end(), scale.title) != titles.end())
      continue;
    titles.push_back(scale.title);
    const std::string unit = scale.unit.empty() ? "" : " (" + scale.unit + ")";
    std::vector<Line> block = {{Line::Kind::title, scale.title + unit, {}, nullptr, 0}};
    if (scale.categories.empty()) {
      block.push_back({Line::Kind::bar, "", {}, &scale, 0});
      block.push_back({Line::Kind::numbers, numbersOf(scale), {}, nullptr, 0});
    }
    for (const LayerData& layer : layers)
      if (layer.count > 0 && layer.scale.title == scale.title) addEntries(block, layer, dark, size);
    all.insert(all.end(), block.begin(), block.end());
  }
  return all;
}

// 1, 2 or 5 times a power of ten, at most so many pixels long.
Line scaleBar(double pixelsPerSigma, double most) {
  const double longest = most / pixelsPerSigma;
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  double length = decade;
  for (const double factor : {2.0, 5.0})
    if (factor * decade <= longest) length = factor * decade;
  return {Line::Kind::length,
          fmt::format("{:g} sigma", length),
          {},
          nullptr,
          static_cast<int>(std::lround(length * pixelsPerSigma))};
}

int widthOf(const Line& line, const FontAtlas& font, float size) {
  const int text = static_cast<int>(std::ceil(font.width(line.text)));
  if (line.kind == Line::Kind::entry) return text + line.look.side + static_cast<int>(kGap * size);
  if (line.kind == Line::Kind::bar) return static_cast<int>(kBarWidth * size);
  return std::max(text, line.pixels);
}

void draw(Painter& to, const Line& line, int x, int y, int height, float size) {
  const int thick = std::max(2, static_cast<int>(std::lround(2 * size)));
  if (line.kind == Line::Kind::bar) {
    const int width = static_cast<int>(kBarWidth * size);
    for (int i = 0; i < width; ++i) {
      const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(width);
      const float value = line.scale->lo + (line.scale->hi - line.scale->lo) * t;
      to.fill(x + i, y + (height - static_cast<int>(kBarHeight * size)) / 2, 1,
              static_cast<int>(kBarHeight * size), colourOf(*line.scale, value), 1);
    }
    return;
  }
  int left = x;
  if (line.kind == Line::Kind::entry) {
    to.mark(x, y + (height - line.look.side) / 2, line.look);
    left += line.look.side + static_cast<int>(kGap * size);
  }
  to.text(left, y, line.text);
  if (line.kind != Line::Kind::length) return;
  const int foot = y + height + thick;
  to.fill(x, foot, line.pixels, thick, to.ink(), 1);
  for (const int end : {x, x + line.pixels - thick})
    to.fill(end, foot - 2 * thick, thick, 3 * thick, to.ink(), 1);
}

}  // namespace

std::string paintLegend(Image& image, const std::vector<LayerData>& layers, double pixelsPerSigma,
                        const Style& style) {
  // Large pictures are looked at as a whole.
  const float size =
      style.scale * std::max(1.0f, static_cast<float>(std::min(image.width, image.height)) / 1000);
  const FontAtlas font(std::max(9, static_cast<int>(std::lround(kText * size))));
  if (font.empty())
    return "the legend needs the typeface JetBrains Mono (package fonts-jetbrains-mono)";
  std::vector<Line> lines = linesOf(layers, style.dark, style.quiet, size);
  if (pixelsPerSigma > 0)
    lines.push_back(scaleBar(pixelsPerSigma, static_cast<double>(kScaleBar * size)));
  const int pad = static_cast<int>(kPad * size);
  const int step = static_cast<int>(std::ceil((font.ascent() + font.descent()) * 1.15f));
  int width = 0;
  for (const Line& line : lines) width = std::max(width, widthOf(line, font, size));
  const int height = static_cast<int>(lines.size()) * step + pad;
  const int left = pad, top = image.height - pad - height - 2 * pad;
  Painter painter(image, font, style.dark);
  painter.fill(left, top, width + 2 * pad, height + 2 * pad, backgroundColour(style.dark), 0.88f);
  int y = top + pad;
  for (const Line& line : lines) {
    draw(painter, line, left + pad, y, step, size);
    y += step;
  }
  return "";
}

}  // namespace cellscope::render
