// The Voronoi cell of a disk, found by walking from neighbour to neighbour.
//
// The nearest point is a neighbour. Seen from neighbour a, the next one counter-clockwise is the
// point b to the left of a whose bisector cuts the bisector of a first: smallest
// t = (b.b - a.b) / (a x b); the vertex between them is (a + t a') / 2, a' = a turned by 90
// degrees. Bisectors that meet within kTie count as meeting in one vertex, and points that only
// touch the cell there are passed over: a neighbour shares an edge longer than about kTie/2 times
// its distance. The cell is complete when all points within twice its farthest vertex were looked
// at.
//
// All arithmetic is float, each operation rounded on its own: both backends find the same cells.
#pragma once
#include <cstdint>

#include "sim/core/rounded.h"

namespace cellscope {

inline constexpr float kTie = 2e-5f;
inline constexpr int kMostNeighbours = 64;  // more: the walk failed because of rounding

struct VoronoiCell {
  Vec2 psi6 = {0, 0};  // sum over neighbours of exp(6 i theta)
  float area = 0;
  float farthest = 0;  // squared distance of the farthest vertex
  std::int32_t neighbours = 0;
  bool closed = false;  // false: no complete cell from the points given
};

// exp(6 i theta) of the direction d: (d^2 / |d|^2)^3 as complex numbers.
HOST_DEVICE Vec2 sixfold(Vec2 d) {
  const float r2 = dotRn(d, d);
  const Vec2 square = complexRn(d, d);
  const Vec2 z = {divRn(square.x, r2), divRn(square.y, r2)};
  return complexRn(complexRn(z, z), z);
}

// Visitor: remembers the nearest point.
struct NearestPoint {
  Vec2 point = {0, 0};
  float square = 3e38f;
  std::int64_t key = -1;
  HOST_DEVICE void operator()(Vec2 b, std::int64_t k) {
    const float d2 = dotRn(b, b);
    if (d2 > 0 && d2 < square) {
      point = b;
      square = d2;
      key = k;
    }
  }
};

// Visitor: remembers the next neighbour after a.
struct NextPoint {
  Vec2 a;
  Vec2 point = {0, 0};
  float above = 1, below = 0;  // t = above / below; none yet: infinity
  std::int64_t key = -1;
  HOST_DEVICE explicit NextPoint(Vec2 from) : a(from) {}
  HOST_DEVICE void operator()(Vec2 b, std::int64_t k) {
    const float left = crossRn(a, b);
    const float top = subRn(dotRn(b, b), dotRn(a, b));
    const float mine = mulRn(top, below), best = mulRn(above, left);
    const float margin = mulRn(kTie, mulRn(left, below));
    // One test that usually fails instead of several unpredictable ones.
    if (!((left > 0) & (mine <= addRn(best, margin)))) return;
    if (!(mine < subRn(best, margin)) && !(crossRn(point, b) > 0)) return;
    point = b;
    above = top;
    below = left;
    key = k;
  }
};

// points.visit(v) calls v(point, key) for every point near the disk, relative to it; keys differ.
template <class Points>
HOST_DEVICE VoronoiCell voronoiCell(const Points& points) {
  VoronoiCell cell;
  NearestPoint start;
  points.visit(start);
  if (start.key < 0) return cell;
  Vec2 a = start.point, first = {0, 0}, before = {0, 0};
  float twiceArea = 0;
  while (cell.neighbours < kMostNeighbours) {
    NextPoint next(a);
    points.visit(next);
    if (next.key < 0) return cell;
    const float t = divRn(next.above, next.below);
    const Vec2 vertex = {mulRn(0.5f, subRn(a.x, mulRn(t, a.y))),
                         mulRn(0.5f, addRn(a.y, mulRn(t, a.x)))};
    const float square = dotRn(vertex, vertex);
    if (square > cell.farthest) cell.farthest = square;
    if (cell.neighbours == 0) first = vertex;
    if (cell.neighbours > 0) twiceArea = addRn(twiceArea, crossRn(before, vertex));
    const Vec2 z = sixfold(a);
    cell.psi6 = {addRn(cell.psi6.x, z.x), addRn(cell.psi6.y, z.y)};
    cell.neighbours += 1;
    before = vertex;
    a = next.point;
    if (next.key == start.key) {
      cell.area = mulRn(0.5f, addRn(twiceArea, crossRn(before, first)));
      cell.closed = true;
      return cell;
    }
  }
  return cell;
}

}  // namespace cellscope
