#include "render/label_pass.h"

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

void LabelLayout::keepFree(const LabelBox& b) {
  const LabelBox seen{std::max(b.x0, 0), std::max(b.y0, 0), std::min(b.x1, width_),
                      std::min(b.y1, height_)};
  if (seen.x0 < seen.x1 && seen.y0 < seen.y1) take(seen);
}

// corners: the lower left ones of the places, the best first.
bool LabelLayout::takeFirst(std::span<const glm::ivec2> corners, glm::ivec2 size, LabelBox& box) {
  for (const glm::ivec2& c : corners) {
    const LabelBox there{c.x, c.y, c.x + size.x, c.y + size.y};
    if (!isFree(there)) continue;
    take(box = there);
    return true;
  }
  return false;
}

namespace {

glm::ivec2 nearestPixel(glm::vec2 at) {
  return {static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y))};
}

// Whether a label fits into a room, which becomes smaller by the inset.
bool fits(LabelBox& room, glm::ivec2 size, int inset) {
  room = {room.x0 + inset, room.y0 + inset, room.x1 - inset, room.y1 - inset};
  return room.x1 - room.x0 >= size.x && room.y1 - room.y0 >= size.y;
}

}  // namespace

bool LabelLayout::place(glm::vec2 at, glm::ivec2 size, int gap, LabelBox& box) {
  const glm::ivec2 p = nearestPixel(at);
  const int w = size.x, h = size.y;
  const glm::ivec2 beside[] = {{p.x + gap, p.y - h / 2},
                               {p.x - w / 2, p.y + gap},
                               {p.x - gap - w, p.y - h / 2},
                               {p.x - w / 2, p.y - gap - h}};
  const glm::ivec2 centred[] = {{p.x - w / 2, p.y - h / 2}};
  if (gap > 0) return takeFirst(beside, size, box);
  return takeFirst(centred, size, box);
}

bool LabelLayout::placeAround(glm::vec2 at, glm::ivec2 size, int radius, LabelBox& box) {
  const glm::ivec2 p = nearestPixel(at);
  const int w = size.x, h = size.y;
  radius += kSquare;  // beyond the squares of what is kept free there
  const glm::ivec2 around[] = {{p.x - w / 2, p.y - radius - h},
                               {p.x - w / 2, p.y + radius},
                               {p.x + radius, p.y - h / 2},
                               {p.x - radius - w, p.y - h / 2}};
  return takeFirst(around, size, box);
}

bool LabelLayout::placeInCorner(const LabelBox& room, glm::ivec2 size, int inset, LabelBox& box) {
  LabelBox r = room;
  if (!fits(r, size, inset)) return false;
  const int right = r.x1 - size.x, top = r.y1 - size.y;
  const glm::ivec2 corners[] = {{r.x0, top}, {right, top}, {r.x0, r.y0}, {right, r.y0}};
  return takeFirst(corners, size, box);
}

bool LabelLayout::placeInMiddle(const LabelBox& room, glm::ivec2 size, int inset, LabelBox& box) {
  LabelBox r = room;
  if (!fits(r, size, inset)) return false;
  const int x = (r.x0 + r.x1 - size.x) / 2, y = (r.y0 + r.y1 - size.y) / 2;
  const glm::ivec2 rows[] = {{x, y}, {x, y + size.y}, {x, y - size.y}};
  const int count = r.y1 - r.y0 >= 3 * size.y ? 3 : 1;
  return takeFirst({rows, static_cast<std::size_t>(count)}, size, box);
}

}  // namespace cellscope::render
