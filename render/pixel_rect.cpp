#include "render/pixel_rect.h"

#include <algorithm>

namespace cellscope::render {

PixelRect overlap(const PixelRect& a, const PixelRect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

PixelRect hull(const PixelRect& a, const PixelRect& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1), std::max(a.y1, b.y1)};
}

std::vector<PixelRect> around(const PixelRect& whole, const PixelRect& hole) {
  const PixelRect h = overlap(whole, hole);
  if (h.empty()) return {whole};
  std::vector<PixelRect> parts = {{whole.x0, whole.y0, whole.x1, h.y0},
                                  {whole.x0, h.y0, h.x0, h.y1},
                                  {h.x1, h.y0, whole.x1, h.y1},
                                  {whole.x0, h.y1, whole.x1, whole.y1}};
  std::erase_if(parts, [](const PixelRect& r) { return r.empty(); });
  return parts;
}

std::vector<PixelRect> joined(std::vector<PixelRect> parts) {
  std::erase_if(parts, [](const PixelRect& r) { return r.empty(); });
  for (std::size_t i = 0; i < parts.size();) {
    const auto other = std::find_if(parts.begin(), parts.end(), [&](const PixelRect& r) {
      return &r != &parts[i] && !overlap(r, parts[i]).empty();
    });
    if (other == parts.end()) {
      ++i;
      continue;
    }
    parts[i] = hull(parts[i], *other);
    parts.erase(other);
    i = 0;  // the larger one may overlap with any
  }
  return parts;
}

}  // namespace cellscope::render
