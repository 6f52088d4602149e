// List of the disks near a disk, visited repeatedly by the Voronoi walk. Two versions
// with bitwise identical results: a scalar one for a GPU thread, and one for the CPU that processes
// four points at a time.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "sim/core/rounded.h"

namespace cellscope {

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
HOST_DEVICE VoronoiCell voronoiCell(const auto& points) {
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

inline constexpr int kMostCandidates = 64;  // near disks stored per disk

#ifdef __CUDA_ARCH__

struct NearPoints {
  Vec2 point[kMostCandidates];
  std::int32_t count = 0;
  bool overflow = false;
  float limit;  // squared radius
  HOST_DEVICE explicit NearPoints(float squaredRadius) : limit(squaredRadius) {}

  HOST_DEVICE void operator()(Vec2 b, std::int64_t) {
    if (!(dotRn(b, b) < limit)) return;
    if (count == kMostCandidates)
      overflow = true;
    else
      point[count++] = b;
  }
  template <class Visitor>
  HOST_DEVICE void visit(Visitor& v) const {
    for (int k = 0; k < count; ++k) v(point[k], k);
  }
};

#else

struct NearPoints {
  static constexpr int kLanes = 4;
  using Floats = float __attribute__((vector_size(4 * kLanes)));  // GCC and Clang, any processor
  using Ints = std::int32_t __attribute__((vector_size(4 * kLanes)));

  float x[kMostCandidates + kLanes], y[kMostCandidates + kLanes], square[kMostCandidates + kLanes];
  std::int32_t count = 0;
  bool overflow = false;
  float limit;  // squared radius
  explicit NearPoints(float squaredRadius) : limit(squaredRadius) {}

  // Writes unconditionally and advances the count for near disks, to avoid unpredictable branches.
  void operator()(Vec2 b, std::int64_t) {
    const float d2 = dotRn(b, b);
    const bool near = d2 < limit, room = count < kMostCandidates;
    x[count] = b.x;
    y[count] = b.y;
    square[count] = d2;
    overflow |= near & !room;
    count += near & room;
  }
  template <class Visitor>
  void visit(Visitor& v) const {
    for (int k = 0; k < count; ++k) v(Vec2{x[k], y[k]}, k);
  }

  // Same result as visiting the points one by one. When one t is below all others by far more than
  // the tie and the rounding, its point wins whatever the order; otherwise the order counts.
  void visit(NextPoint& v) const {
    Floats t[kBlocks];
    const float least = smallest(v.a, t);
    if (!(least < kNone)) return;
    const float near = least + 64 * kTie + 1e-5f * std::fabs(least);
    Ints found = {}, which = {}, number = {0, 1, 2, 3};
    for (int block = 0; block * kLanes < count; ++block, number += kLanes) {
      const Ints is = t[block] <= near;  // -1 or 0
      found -= is;
      which |= is & number;
    }
    if (found[0] + found[1] + found[2] + found[3] > 1) return visit<NextPoint>(v);
    const int k = which[0] | which[1] | which[2] | which[3];
    v(Vec2{x[k], y[k]}, k);
  }

 private:
  static constexpr float kNone = 3e38f;
  static constexpr int kBlocks = kMostCandidates / kLanes;

  static Floats load(const float* p) {
    Floats f;
    std::memcpy(&f, p, sizeof f);
    return f;
  }

  // t of every point, kNone for those not to the left of a, and the smallest.
  float smallest(Vec2 a, Floats* t) const {
    const Floats none = Floats{} + kNone, one = Floats{} + 1.0f;
    const Ints ends = Ints{} + count;
    Ints number = {0, 1, 2, 3};
    Floats lowest = none;
    for (int k = 0; k < count; k += kLanes, number += kLanes) {
      const Floats px = load(x + k), py = load(y + k);
      const Floats left = a.x * py - a.y * px;
      const Floats top = load(square + k) - (a.x * px + a.y * py);
      const Ints valid = (left > 0) & (number < ends);
      const Floats mine = (valid ? top : none) / (valid ? left : one);
      t[k / kLanes] = mine;
      lowest = mine < lowest ? mine : lowest;
    }
    const float low = lowest[0] < lowest[1] ? lowest[0] : lowest[1];
    const float high = lowest[2] < lowest[3] ? lowest[2] : lowest[3];
    return low < high ? low : high;
  }
};

#endif

}  // namespace cellscope
