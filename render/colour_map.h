// Colour maps as tables for the GPU. render/renderer.h declares colourOf, which fills them.
#pragma once
#include "render/renderer.h"

namespace cellscope::render {

// OKLab and its polar form OKLCH (Ottosson, "A perceptual color space for image processing", 2020):
// L lightness 0..1, C chroma, h hue in degrees.
struct Oklch {
  float l, c, h;
};

// sRGB in 0..1; chroma is reduced at constant lightness and hue until the colour can be shown.
Rgb fromOklch(const Oklch& colour);
Oklch toOklch(const Rgb& srgb);  // hue 0 for greys

float linearFromSrgb(float encoded);  // IEC 61966-2-1

// Value v lies at t = (v - origin) / span of the table; t wraps for a hue wheel, else is clamped.
// Categories: entry i belongs to value i.
struct ColourTable {
  float origin = 0, span = 1;
  bool wraps = false, nearest = false;
  std::vector<Rgb> entries;  // at t = (i + 1/2) / size
};
ColourTable tableOf(const ColourScale& scale, Paint paint = Paint::area);

// Same picture: a table need not be rebuilt.
bool sameColours(const ColourScale& a, const ColourScale& b);

Rgb undefinedColour();  // of NaN and infinities
Rgb accentColour();
Rgb backgroundColour(bool dark);
Rgb quietColour(bool dark);                    // of isQuiet() particles
Rgb outlineColour(bool dark);                  // of the simulation box
float contrastOf(const Rgb& a, const Rgb& b);  // 1 to 21, WCAG 2

}  // namespace cellscope::render
