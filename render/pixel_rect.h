// Rectangles of pixels.
#pragma once
#include <vector>

namespace cellscope::render {

// From the upper left corner; the far ends do not belong to it.
struct PixelRect {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool empty() const { return x1 <= x0 || y1 <= y0; }
  bool operator==(const PixelRect&) const = default;
};
PixelRect overlap(const PixelRect& a, const PixelRect& b);
PixelRect hull(const PixelRect& a, const PixelRect& b);
// What of `whole` lies outside of `hole`: at most four rectangles.
std::vector<PixelRect> around(const PixelRect& whole, const PixelRect& hole);
// Rectangles that overlap become one, until none do.
std::vector<PixelRect> joined(std::vector<PixelRect> parts);

}  // namespace cellscope::render
