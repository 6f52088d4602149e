#include "render/swatch.h"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>

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
  const float fill = mark.faces > 0 ? kFill : 0;
  pixel.shade *= 1 - outline;
  pixel.cover *= max(outline, fill);
  return pixel;
}

Pixel around(const MarkLook& mark, vec2 p, float half, float scale) {
  const float width = mark.width * scale, radius = half - 0.5f * width;
  const float off = shapeDistance(static_cast<int>(mark.shape), p, radius);
  float cover = ramp(0.5f * width - off);
  constexpr float turn = 6.2831853f, dashes = 6;
  if (mark.dash > 0)
    cover *= dashCoverage(std::atan2(p.y, p.x) / turn * dashes * mark.dash, mark.dash);
  return {0, cover};
}

Pixel line(const MarkLook& mark, vec2 p, float half, float scale, bool directed) {
  const float head = directed && mark.head > 0 ? 0.6f * half : 0, rest = half - p.x;
  float cover = ramp(0.5f * mark.width * scale - abs(p.y)) * ramp(half + p.x);
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

}  // namespace cellscope::render
