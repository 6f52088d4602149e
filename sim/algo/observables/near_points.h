// List of the disks near a disk, visited repeatedly by the Voronoi walk (voronoi.h). Two versions
// with bitwise identical results: a scalar one for a GPU thread, and one for the CPU that processes
// four points at a time.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>

#include "sim/algo/observables/voronoi.h"

namespace cellscope {

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

  // t of every point (voronoi.h), kNone for those not to the left of a, and the smallest.
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
