// OKLab and its polar form OKLCH (Ottosson, "A perceptual color space for image processing", 2020):
// L lightness 0..1, C chroma, h hue in degrees.
#pragma once
#include "render/renderer.h"

namespace cellscope::render {

struct Oklch {
  float l, c, h;
};

// sRGB in 0..1; chroma is reduced at constant lightness and hue until the colour can be shown.
Rgb fromOklch(const Oklch& colour);
Oklch toOklch(const Rgb& srgb);  // hue 0 for greys
bool inGamut(const Oklch& colour);

float linearFromSrgb(float encoded);  // IEC 61966-2-1
float srgbFromLinear(float linear);

}  // namespace cellscope::render
