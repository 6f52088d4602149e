// Colour maps as tables for the GPU. render/renderer.h declares colourOf, which fills them.
#pragma once
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

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
Rgb outlineColour(bool dark);                  // of the simulation box
float contrastOf(const Rgb& a, const Rgb& b);  // 1 to 21, WCAG 2

}  // namespace cellscope::render
