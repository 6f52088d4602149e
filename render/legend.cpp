#include "render/legend.h"

#include <fmt/format.h>

#include "render/view.h"

namespace cellscope::render {
namespace {

using glm::abs;
using glm::clamp;
using glm::floor;
using glm::length;
using glm::max;
using glm::min;
using glm::vec2;
#include "shaders/marks.glsl"

constexpr float kBorder = 2, kFill = 0.6f;         // of boxes: width of the outline, opacity within
constexpr float kHatchShade = 0.5f, kStripes = 4;  // share of black; stripes across a swatch

struct Pixel {
  float shade = 0, cover = 0;  // darkening of the colour, opacity
};

float ramp(float inside) { return clamp(inside + 0.5f, 0.0f, 1.0f); }

// p: from the centre, pixels, y upwards.
Pixel square(const MarkLook& mark, vec2 p, float half, float scale) {
  const auto hatching = static_cast<int>(mark.hatching);
  const float width = hatchWidth(hatching, 0.6f * scale);
  const float line = ramp(width - hatchDistance(hatching, p, 2 * half / kStripes));
  return {kHatchShade * line, ramp(half - max(abs(p.x), abs(p.y)))};
}

// Boxes with dashes show them, and those that are not filled their outline alone.
Pixel box(const MarkLook& mark, vec2 p, float half, float scale) {
  Pixel pixel = square(mark, p, half, scale);
  if (mark.dash <= 0 && mark.faces > 0) return pixel;
  const vec2 a = abs(p);
  float outline = ramp(kBorder * scale - half + max(a.x, a.y));
  if (mark.dash > 0)  // one about each corner, one in the middle of each side
    outline *= dashCoverage((a.x > a.y ? p.y : p.x) + 1.5f * half, half);
  pixel.shade *= 1 - outline;
  pixel.cover *= max(outline, mark.faces > 0 ? kFill : 0);
  return pixel;
}

Pixel around(const MarkLook& mark, vec2 p, float half, float scale) {
  const float width = mark.width * scale, radius = half - 0.5f * width;
  float cover = ramp(0.5f * width - shapeDistance(static_cast<int>(mark.shape), p, radius));
  constexpr float turn = 6.2831853f, dashes = 6;
  if (mark.dash > 0)
    cover *= dashCoverage(std::atan2(p.y, p.x) / turn * dashes * mark.dash, mark.dash);
  return {0, cover};
}

Pixel line(const MarkLook& mark, vec2 p, float half, float scale, bool directed) {
  const float head = directed && mark.head > 0 ? 0.6f * half : 0, rest = half - p.x;
  float cover = ramp(0.5f * mark.width * scale - abs(p.y)) * ramp(half + p.x);
  if (mark.hollow > 0) cover *= ramp(abs(p.y) - 0.5f * mark.hollow * scale);
  if (mark.dash > 0) cover *= dashCoverage(rest - head, mark.dash * scale);
  cover *= ramp(rest - head);
  if (head > 0) cover = max(cover, ramp(0.6f * rest - abs(p.y)) * ramp(head - rest));
  return {0, cover};
}

std::uint8_t byte(float v) { return static_cast<std::uint8_t>(clamp(v, 0.0f, 1.0f) * 255 + 0.5f); }

}  // namespace

std::vector<std::uint8_t> swatch(const SwatchLook& look) {
  const MarkLook& mark = lookOf(look.mark);
  const float half = 0.5f * static_cast<float>(look.side);
  std::vector<std::uint8_t> rgba;
  for (int y = 0; y < look.side; ++y)
    for (int x = 0; x < look.side; ++x) {
      const vec2 p{static_cast<float>(x) + 0.5f - half, half - static_cast<float>(y) - 0.5f};
      Pixel pixel;
      if (look.primitive == Primitive::lines)
        pixel = line(mark, p, half, look.scale, look.directed);
      else if (look.primitive == Primitive::points && mark.shape != MarkShape::body)
        pixel = around(mark, p, half, look.scale);
      else if (look.primitive == Primitive::boxes)
        pixel = box(mark, p, half, look.scale);
      else
        pixel = square(mark, p, half, look.scale);
      for (const float c : {look.colour.r, look.colour.g, look.colour.b})
        rgba.push_back(byte(c * (1 - pixel.shade)));
      rgba.push_back(byte(pixel.cover));
    }
  return rgba;
}

void paintWarningFrame(Image& image) {
  constexpr std::array<std::uint8_t, 3> kRed = {230, 57, 70};
  const int wide = std::max(3, std::min(image.width, image.height) / 150);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      if (std::min({x, y, image.width - 1 - x, image.height - 1 - y}) >= wide) continue;
      const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                      static_cast<std::size_t>(x);
      std::copy(kRed.begin(), kRed.end(), image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * at));
    }
}

static bool hasLegend(const LayerData& layer) {
  const ColourScale& scale = layer.scale;
  if (scale.title.empty() || layer.count == 0) return false;
  if (scale.categories.empty()) return scale.kind != ColourKind::plain;
  return std::ranges::any_of(scale.categories,
                             [](const std::string& name) { return !name.empty(); });
}

// In the student's words first; symbols follow on a line of their own.
static LegendPart titled(const LayerData& layer) {
  const ColourScale& scale = layer.scale;
  const std::size_t comma = scale.title.find(", ");
  if (scale.kind == ColourKind::hueWheel)
    return {scale.title.substr(0, comma),
            comma < scale.title.size() ? scale.title.substr(comma + 2) : "", "", &layer};
  return {scale.title + (scale.unit.empty() ? "" : " (" + scale.unit + ")"), "", "", &layer};
}

static void addEntries(LegendPart& part, const LayerData& layer, bool dark) {
  const ColourScale& scale = layer.scale;
  const Paint paint = paintOf(layer.primitive, scale, dark);
  // Swatches of plain-coloured lines have no arrowhead, as their direction means nothing here.
  const bool directed = scale.kind != ColourKind::plain;
  for (std::size_t i = 0; i < scale.categories.size(); ++i) {
    if (scale.categories[i].empty()) continue;  // left out
    const auto value = static_cast<float>(i);
    const LegendEntry entry{
        scale.categories[i],
        {layer.primitive, markOf(scale, value), colourOf(scale, value, paint), directed}};
    const auto same = std::ranges::find(part.entries, entry.label, &LegendEntry::label);
    if (same == part.entries.end())
      part.entries.push_back(entry);
    else if (layer.primitive == Primitive::points)  // a point swatch replaces that of its line
      *same = entry;
  }
}

static bool showsSets(const ColourScale& scale) {
  return scale.kind == ColourKind::categorical && !scale.marks.empty() &&
         scale.marks.front() == Mark::setA;
}

// The four sets are listed once for all layers; another title of a second layer becomes a note.
static bool explained(std::vector<LegendPart>& all, const LayerData& layer) {
  if (!showsSets(layer.scale)) return false;
  const auto sets =
      std::ranges::find_if(all, [](const LegendPart& p) { return showsSets(p.layer->scale); });
  if (sets == all.end()) return false;
  const std::string title = titled(layer).title;
  if (title.starts_with(sets->title))
    sets->title = title;
  else if (!sets->title.starts_with(title))
    sets->note = title;
  return true;
}

std::vector<LegendPart> legendParts(const std::vector<LayerData>& layers, bool dark, bool quiet,
                                    int dimension) {
  std::vector<LegendPart> all;
  for (const LayerData& layer : layers) {
    if (!hasLegend(layer) || (quiet && isQuiet(layer, layers)) || explained(all, layer)) continue;
    const LegendPart own = titled(layer);
    auto at = std::ranges::find(all, own.title, &LegendPart::title);
    if (at == all.end()) at = all.insert(at, own);
    addEntries(*at, layer, dark);
  }
  for (const LayerData& layer : layers) {
    const float share = quiet ? quietDiameter(layer, layers, dimension) : 1;
    if (share < 1 && layer.count > 0 && !all.empty() && all.front().note.empty())
      all.front().note = fmt::format("particles at {:g} of their size", share);
  }
  return all;
}

double scaleBarLength(double pixelsPerSigma, double most) {
  if (!(pixelsPerSigma > 0) || !(most > 0)) return 1;
  const double longest = most / pixelsPerSigma;
  const double decade = std::pow(10.0, std::floor(std::log10(longest)));
  for (const double factor : {5.0, 2.0})
    if (factor * decade <= longest) return factor * decade;
  return decade;
}

}  // namespace cellscope::render
