#include "app/gui/card_place.h"

#include <algorithm>
#include <cmath>

namespace cellscope::gui {
namespace {

// Distance of a point from a rectangle; negative inside.
float distance(ImVec2 at, ImVec2 size, ImVec2 p) {
  const float x = std::max(at.x - p.x, p.x - at.x - size.x);
  const float y = std::max(at.y - p.y, p.y - at.y - size.y);
  return x > 0 && y > 0 ? std::hypot(x, y) : std::max(x, y);
}

}  // namespace

ImVec2 placeIn(Corner corner, ImVec2 lo, ImVec2 hi, ImVec2 size) {
  const bool right = corner == Corner::upperRight || corner == Corner::lowerRight;
  const bool lower = corner == Corner::lowerRight || corner == Corner::lowerLeft;
  return ImVec2(right ? std::max(lo.x, hi.x - size.x) : lo.x,
                lower ? std::max(lo.y, hi.y - size.y) : lo.y);
}

Corner freeCorner(Corner now, ImVec2 lo, ImVec2 hi, ImVec2 size, ImVec2 subject, float margin) {
  const auto gap = [&](Corner c) { return distance(placeIn(c, lo, hi, size), size, subject); };
  if (gap(now) >= margin) return now;
  Corner best = now;
  for (Corner c : {Corner::upperRight, Corner::upperLeft, Corner::lowerRight, Corner::lowerLeft}) {
    if (gap(c) >= margin) return c;
    if (gap(c) > gap(best)) best = c;
  }
  return best;
}

}  // namespace cellscope::gui
