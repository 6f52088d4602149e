#include "render/colour_map.h"

#include <numbers>

namespace cellscope::render {

constexpr float kDegree = 0.017453292519943295f;

static glm::vec3 linearOf(const Oklch& k) {
  const float a = k.c * std::cos(k.h * kDegree), b = k.c * std::sin(k.h * kDegree);
  const float l = k.l + 0.3963377774f * a + 0.2158037573f * b;
  const float m = k.l - 0.1055613458f * a - 0.0638541728f * b;
  const float s = k.l - 0.0894841775f * a - 1.2914855480f * b;
  const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  return {4.0767416621f * l3 - 3.3077115913f * m3 + 0.2309699292f * s3,
          -1.2684380046f * l3 + 2.6097574011f * m3 - 0.3413193965f * s3,
          -0.0041960863f * l3 - 0.7034186147f * m3 + 1.7076147010f * s3};
}

float linearFromSrgb(float v) {
  return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

static float srgbFromLinear(float v) {
  return v <= 0.0031308f ? 12.92f * v : 1.055f * std::pow(v, 1 / 2.4f) - 0.055f;
}

static bool inGamut(const Oklch& colour) {
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
  const float a = 1.9779984951f * l - 2.4285922050f * m + 0.4505937099f * s;
  const float bb = 0.0259040371f * l + 0.7827717662f * m - 0.8086757660f * s;
  const float c = std::hypot(a, bb);
  float h = c < 1e-4f ? 0 : std::atan2(bb, a) / kDegree;
  if (h < 0) h += 360;
  return {0.2104542553f * l + 0.7936177850f * m - 0.0040720468f * s, c, h};
}

namespace {

constexpr auto kHalfTurn = std::numbers::pi_v<float>;
constexpr int kEntries = 512;

constexpr Rgb hex(unsigned v) {
  return {static_cast<float>((v >> 16) & 255) / 255, static_cast<float>((v >> 8) & 255) / 255,
          static_cast<float>(v & 255) / 255};
}

// Of categories without marks of their own: the family of the table of marks.
constexpr Rgb kCategories[] = {hex(0x009E73), hex(0xE69F00), hex(0x56B4E9), hex(0xCC79A7),
                               hex(0xF0E442), hex(0xD55E00), hex(0x0072B2), hex(0xA9B4C0),
                               hex(0x8A63D2), hex(0x8C6A3F)};

// Of tones: violet, which the marks do not have, as light as thin lines and text on it may be.
constexpr float kToneHue = 300, kToneChroma = 0.105f;

float mix(float a, float b, float t) { return a + (b - a) * t; }

// Indigo, teal, green, yellow: lightness rises linearly, so that equal steps look equal. Of what is
// thin, without the end that the background would swallow.
Rgb sequential(float t, Paint paint) {
  const float chroma = 0.115f + 0.045f * std::sin(kHalfTurn * t);
  const float darkest = paint == Paint::thinOnDark ? 0.51f : 0.40f;
  const float lightest = paint == Paint::thinOnLight   ? 0.66f
                         : paint == Paint::areaOnLight ? 0.84f
                                                       : 0.94f;
  return fromOklch({mix(darkest, lightest, t), chroma, mix(288.0f, 98.0f, t)});
}

constexpr float kContrast = 3;  // of what is thin; WCAG 2, success criterion 1.4.11

// Lighter or darker, with its hue, as far as the background asks.
Rgb keptApart(const Rgb& colour, Paint paint) {
  if (paint == Paint::area || paint == Paint::areaOnLight) return colour;
  const bool dark = paint == Paint::thinOnDark;
  const Rgb ground = backgroundColour(dark);
  if (contrastOf(colour, ground) >= kContrast) return colour;
  Oklch k = toOklch(colour);
  float far = dark ? 1 : 0, near = k.l;
  for (int i = 0; i < 16; ++i) {
    k.l = (far + near) / 2;
    (contrastOf(fromOklch(k), ground) >= kContrast ? far : near) = k.l;
  }
  k.l = far;
  return fromOklch(k);
}

// Blue below zero, orange above, light neutral at zero; lightness is symmetric about zero.
Rgb diverging(float t, Paint paint) {
  const float x = 2 * t - 1, strength = std::abs(x);
  return fromOklch({mix(paint == Paint::areaOnLight ? 0.80f : 0.90f, 0.56f, strength),
                    0.165f * std::pow(strength, 0.85f), x < 0 ? 250.0f : 55.0f});
}

Rgb tone(float t, Paint paint) {
  const bool onLight = paint == Paint::thinOnLight || paint == Paint::areaOnLight;
  return fromOklch({onLight ? mix(0.36f, 0.64f, t) : mix(0.58f, 0.86f, t), kToneChroma, kToneHue});
}

// Largest chroma that every hue can show at this lightness.
constexpr float kWheelLightness = 0.74f, kWheelChroma = 0.122f;
Rgb wheel(float t) { return fromOklch({kWheelLightness, kWheelChroma, 360.0f * t + 20.0f}); }

Rgb category(float value) {
  return kCategories[std::lround(std::clamp(value, 0.0f, 65535.0f)) % std::ssize(kCategories)];
}

// Where the colour map of a scale begins, and over which values it goes; 0: none.
struct Extent {
  float origin = 0, span = 1;
};
Extent extentOf(const ColourScale& s) {
  const float reach = std::max(std::abs(s.lo), std::abs(s.hi));
  switch (s.kind) {
    case ColourKind::plain:
      return {};
    case ColourKind::diverging:
      return {-reach, 2 * reach};
    case ColourKind::hueWheel:
      return {-kHalfTurn, 2 * kHalfTurn};
    default:
      return {s.lo, std::max(s.hi - s.lo, 0.0f)};
  }
}

}  // namespace

Rgb undefinedColour() { return hex(0x8B949E); }
Rgb accentColour() { return hex(0x4CC2FF); }
Rgb backgroundColour(bool dark) { return dark ? hex(0x0E1116) : hex(0xFBFCFD); }
Rgb quietColour(bool dark) { return dark ? Rgb{0.45f, 0.46f, 0.48f} : Rgb{0.80f, 0.80f, 0.82f}; }

Rgb outlineColour(bool dark) { return dark ? hex(0x6E7A89) : hex(0x6B7580); }

float contrastOf(const Rgb& a, const Rgb& b) {
  const auto light = [](const Rgb& c) {
    return 0.2126f * linearFromSrgb(c.r) + 0.7152f * linearFromSrgb(c.g) +
           0.0722f * linearFromSrgb(c.b) + 0.05f;
  };
  const float x = light(a), y = light(b);
  return std::max(x, y) / std::min(x, y);
}

Paint paintOf(Primitive primitive, const ColourScale& scale, bool dark) {
  const bool bodies = std::ranges::all_of(
      scale.marks, [](Mark mark) { return lookOf(mark).shape == MarkShape::body; });
  const bool filled = std::ranges::all_of(scale.marks, [](Mark mark) {
    return lookOf(mark).role == ColourRole::own && lookOf(mark).faces > 0;
  });
  if (primitive == Primitive::cells || (primitive == Primitive::points && bodies) ||
      (primitive == Primitive::boxes && filled && !scale.marks.empty()))
    return dark ? Paint::area : Paint::areaOnLight;
  return dark ? Paint::thinOnDark : Paint::thinOnLight;
}

static Rgb inFull(const ColourScale& scale, float value, Paint paint) {
  const MarkLook& look = lookOf(markOf(scale, value));
  if (look.role == ColourRole::own) return hex(look.rgb);
  const auto [origin, span] = extentOf(scale);
  const float share = (value - origin) / span, t = span > 0 ? std::clamp(share, 0.0f, 1.0f) : 0.5f;
  switch (scale.kind) {
    case ColourKind::plain:
      return accentColour();
    case ColourKind::sequential:
      return sequential(t, paint);
    case ColourKind::diverging:
      return diverging(t, paint);
    case ColourKind::hueWheel:
      return wheel(share - std::floor(share));
    case ColourKind::categorical:
      return scale.tones ? tone(t, paint) : category(value);
  }
  return undefinedColour();
}

Rgb colourOf(const ColourScale& scale, float value, Paint paint) {
  if (!std::isfinite(value)) return undefinedColour();
  const Rgb colour = inFull(scale, value, paint);
  const bool own = lookOf(markOf(scale, value)).role == ColourRole::own;
  return scale.kind == ColourKind::sequential && !own ? colour : keptApart(colour, paint);
}

ColourTable tableOf(const ColourScale& scale, Paint paint) {
  const auto [origin, span] = extentOf(scale);
  ColourTable table{origin, span, scale.kind == ColourKind::hueWheel};
  int n = scale.kind == ColourKind::plain ? 1 : kEntries;
  if (scale.kind == ColourKind::categorical) {
    n = static_cast<int>(scale.marks.empty() ? std::size(kCategories) : scale.marks.size());
    if (scale.marks.empty() && scale.tones) n = static_cast<int>(std::lround(scale.hi)) + 1;
    table = {-0.5f, static_cast<float>(n), true, true};
  }
  if (!table.wraps && n > 1) {  // entries at both ends, so that clamping is exact
    table.origin -= table.span / static_cast<float>(2 * (n - 1));
    table.span *= static_cast<float>(n) / static_cast<float>(n - 1);
  }
  for (int i = 0; i < n; ++i) {
    const float t = (static_cast<float>(i) + 0.5f) / static_cast<float>(n);
    const float value = scale.kind == ColourKind::categorical ? static_cast<float>(i)
                                                              : table.origin + t * table.span;
    table.entries.push_back(colourOf(scale, value, paint));
  }
  return table;
}

bool sameColours(const ColourScale& a, const ColourScale& b) {
  return a.kind == b.kind && a.lo == b.lo && a.hi == b.hi && a.marks == b.marks &&
         a.tones == b.tones;
}

}  // namespace cellscope::render
