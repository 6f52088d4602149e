// Contact of disks on CUDA: a fast filter and the exact rule.
//
// With s = |q|^2 stored with each disk q, d^2 - |p|^2 = s - 2 q.p costs two fused multiply-adds and
// half a three-way minimum, against five operations for the difference form. That expression is a
// filter: unless its minimum is within kBand of contact the result is certain;
// within the band, once in several thousand trials, the exact rule of sim/core/checkerboard.h
// decides. The result therefore equals the exact rule bit for bit.
#pragma once
#include "sim/core/checkerboard.h"

namespace cellscope::mpmc {

// Rounding error of the filter is below 5e-6 (four roundings below 32, two below 16); the band is
// wider than that.
inline constexpr float kBand = 8e-6f;
inline constexpr float kOffset = 8.0f;  // makes filter values positive: they compare as integers
inline constexpr float kFar = 100.0f;   // coordinate of an unused entry
inline constexpr int kNothing = 0x7f000000;  // filter value without a disk

// Filter form of a disk: q and |q|^2 + kOffset.
struct FilterDisk {
  float x, y, s;
};

__device__ inline FilterDisk filterDisk(Vec2 q) {
  return {q.x, q.y, __fmaf_rn(q.x, q.x, __fmaf_rn(q.y, q.y, kOffset))};
}

// Filter value of q for a trial position p, a = -2 p.
__device__ inline int filterBits(const FilterDisk& q, Vec2 a) {
  return __float_as_int(__fmaf_rn(q.x, a.x, __fmaf_rn(q.y, a.y, q.s)));
}

// Smallest d^2 - 1 within kBand, from the least filter value and s of the trial position.
__device__ inline float filterMargin(int least, float s) {
  return __int_as_float(least) + (s - (1.0f + 2.0f * kOffset));
}

// Inside [0, w): negative numbers are large when compared without sign.
__device__ inline bool insideUnsigned(Vec2 p, float w) {
  return max(__float_as_uint(p.x), __float_as_uint(p.y)) < __float_as_uint(w);
}

}  // namespace cellscope::mpmc
