#include "render/oklch.h"

#include <algorithm>
#include <cmath>
#include <glm/glm.hpp>

namespace cellscope::render {
namespace {

constexpr float kDegree = 0.017453292519943295f;

glm::vec3 linearOf(const Oklch& k) {
  const float a = k.c * std::cos(k.h * kDegree), b = k.c * std::sin(k.h * kDegree);
  const float l = k.l + 0.3963377774f * a + 0.2158037573f * b;
  const float m = k.l - 0.1055613458f * a - 0.0638541728f * b;
  const float s = k.l - 0.0894841775f * a - 1.2914855480f * b;
  const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
          -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
          -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

}  // namespace

float linearFromSrgb(float v) {
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

float srgbFromLinear(float v) {
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
}

bool inGamut(const Oklch& colour) {
  const glm::vec3 v = linearOf(colour);
  const float slack = 1e-4f;
  return std::min({v.x, v.y, v.z}) >= -slack && std::max({v.x, v.y, v.z}) <= 1 + slack;
}

Rgb fromOklch(const Oklch& colour) {
  Oklch k = colour;
  if (!inGamut(k)) {
    float lo = 0, hi = k.c;
    for (int i = 0; i < 20; ++i) {
      k.c = (lo + hi) / 2;
      (inGamut(k) ? lo : hi) = k.c;
    }
    k.c = lo;
  }
  const glm::vec3 v = glm::clamp(linearOf(k), 0.0f, 1.0f);
  return {srgbFromLinear(v.x), srgbFromLinear(v.y), srgbFromLinear(v.z)};
}

Oklch toOklch(const Rgb& srgb) {
  const float r = linearFromSrgb(srgb.r), g = linearFromSrgb(srgb.g), b = linearFromSrgb(srgb.b);
  const float l = std::cbrt(0.4122214708f * r + 0.5363325363f * g + 0.0514459929f * b);
  const float m = std::cbrt(0.2119034982f * r + 0.6806995451f * g + 0.1073969566f * b);
  const float s = std::cbrt(0.0883024619f * r + 0.2817188376f * g + 0.6299787005f * b);
  const float lightness = 0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s;
  const float a = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
  const float bb = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
  const float c = std::hypot(a, bb);
  float h = c < 1e-4f ? 0 : std::atan2(bb, a) / kDegree;
  if (h < 0) h += 360;
  return {lightness, c, h};
}

}  // namespace cellscope::render
