// Marks as small pictures, for legends: drawn from the same table and text as the shaders are.
#pragma once
#include <cstdint>
#include <vector>

#include "render/renderer.h"

namespace cellscope::render {

// What a legend shows of a mark.
struct SwatchLook {
  Primitive primitive = Primitive::points;
  Mark mark = Mark::plain;
  Rgb colour{};          // of the instances, or of ink
  bool directed = true;  // lines: with their arrowhead
  int side = 13;         // pixels
  float scale = 1;       // of widths and dashes

  bool operator==(const SwatchLook&) const = default;
};

// side x side pixels, RGBA, rows from the top. Disks, spheres and boxes are squares with their
// hatching.
std::vector<std::uint8_t> swatch(const SwatchLook& look);

}  // namespace cellscope::render
