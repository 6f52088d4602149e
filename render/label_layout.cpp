#include "render/label_layout.h"

#include <algorithm>
#include <cmath>

namespace cellscope::render {

LabelLayout::LabelLayout(int width, int height)
    : width_(width), height_(height), columns_((width + kSquare - 1) / kSquare) {
  const int rows = (height + kSquare - 1) / kSquare;
  taken_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows), false);
}

bool LabelLayout::isFree(const LabelBox& b) const {
  if (b.x0 < 0 || b.y0 < 0 || b.x1 > width_ || b.y1 > height_) return false;
  for (int y = b.y0 / kSquare; y <= (b.y1 - 1) / kSquare; ++y)
    for (int x = b.x0 / kSquare; x <= (b.x1 - 1) / kSquare; ++x)
      if (taken_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(x)])
        return false;
  return true;
}

void LabelLayout::take(const LabelBox& b) {
  for (int y = b.y0 / kSquare; y <= (b.y1 - 1) / kSquare; ++y)
    for (int x = b.x0 / kSquare; x <= (b.x1 - 1) / kSquare; ++x)
      taken_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
             static_cast<std::size_t>(x)] = true;
}

bool LabelLayout::place(glm::vec2 at, glm::ivec2 size, int gap, LabelBox& box) {
  const int x = static_cast<int>(std::lround(at.x)), y = static_cast<int>(std::lround(at.y));
  const int w = size.x, h = size.y;
  const glm::ivec2 corners[] = {{x + gap, y - h / 2},
                                {x - w / 2, y + gap},
                                {x - gap - w, y - h / 2},
                                {x - w / 2, y - gap - h}};
  const glm::ivec2 centred{x - w / 2, y - h / 2};
  const glm::ivec2* begin = gap > 0 ? corners : &centred;
  const glm::ivec2* end = begin + (gap > 0 ? 4 : 1);
  const auto found = std::find_if(begin, end, [&](const glm::ivec2& c) {
    return isFree({c.x, c.y, c.x + w, c.y + h});
  });
  if (found == end) return false;
  box = {found->x, found->y, found->x + w, found->y + h};
  take(box);
  return true;
}

}  // namespace cellscope::render
