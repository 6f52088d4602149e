// Trial moves of one cell on CUDA: random words in stream order (S3, Algorithm 2, lines 8 and 12);
// contact of disks, by a fast filter and the exact rule.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/core/checkerboard.h"
#include "sim/core/rng.h"

namespace cellscope::mpmc {

// Shared memory by 32-bit addresses. A list then needs one register for its end; with a generic
// pointer the compiler would keep the end twice, once per address space.

__device__ inline unsigned sharedAddress(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}
__device__ inline void storeShared(unsigned at, std::uint32_t word) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(word) : "memory");
}
__device__ inline void storeShared(unsigned at, Vec2 v) {
  asm volatile("st.shared.v2.f32 [%0], {%1, %2};" ::"r"(at), "f"(v.x), "f"(v.y) : "memory");
}
__device__ inline std::uint32_t loadSharedWord(unsigned at) {
  std::uint32_t word;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(at) : "memory");
  return word;
}
__device__ inline Vec2 loadSharedVec2(unsigned at) {
  Vec2 v;
  asm volatile("ld.shared.v2.f32 {%0, %1}, [%2];" : "=f"(v.x), "=f"(v.y) : "r"(at) : "memory");
  return v;
}

inline constexpr int kWords = 11;  // candidates drawn in advance: 3 Philox blocks minus one word

// Visiting orders of shuffleSlots() for n slots; nibble s is the slot visited at step s. The
// successive draws of the shuffle are the digits, in the mixed base n, n - 1, ..., 2, of
// floor(word n! / 2^32): that number is the index.
struct VisitOrders {
  std::uint16_t order[5][24];
};

constexpr VisitOrders makeVisitOrders() {
  VisitOrders table{};
  for (int n = 0; n < 5; ++n)
    for (int index = 0; index < 24; ++index) {
      int slot[4] = {0, 1, 2, 3}, base = 1;
      for (int i = 2; i <= n; ++i) base *= i;
      for (int i = n - 1, rest = index; i > 0; --i) {
        base /= i + 1;
        const int j = rest / base % (i + 1), t = slot[i];
        slot[i] = slot[j];
        slot[j] = t;
        rest %= base;
      }
      for (int v = 0; v < 4; ++v)
        table.order[n][index] |= static_cast<std::uint16_t>(slot[v] << (4 * v));
    }
  return table;
}
__device__ const VisitOrders kVisitOrders = makeVisitOrders();

// Copied by the threads of a block.
__device__ inline void copyVisitOrders(VisitOrders& to, int thread, int threads) {
  constexpr int kOrders = sizeof(VisitOrders) / sizeof(std::uint16_t);
  for (int i = thread; i < kOrders; i += threads)
    (&to.order[0][0])[i] = (&kVisitOrders.order[0][0])[i];
}

// shuffleSlots() for n <= 4 slots from one word.
__device__ inline unsigned visitOrder(const VisitOrders& orders, std::uint32_t word, int n) {
  const std::uint32_t factorial = n > 1 ? (0x18060200u >> (8 * n - 8)) & 0xffu : 1u;
  return orders.order[n][__umulhi(word, factorial)];
}

// Displacement proposed by a candidate word.
__device__ inline Vec2 displacementOf(std::uint32_t word, float scale) {
  return {displacement(candidateX(word), scale), displacement(candidateY(word), scale)};
}

// The candidates of one more block of the stream, stored from `to` on, stride kStep; returns the
// end.
template <unsigned kStep>
__device__ __noinline__ unsigned drawCandidates(const RoundKeys& keys, unsigned to,
                                                std::uint64_t sweep, std::uint32_t id,
                                                std::uint32_t block) {
  const Random4 r = draw(keys, RngPurpose::cellUpdate, sweep, id, block);
  for (int i = 0; i < 4; ++i) {
    if (!candidateInCircle(r.w[i])) continue;
    storeShared(to, r.w[i]);
    to += kStep;
  }
  return to;
}

// Candidate words of one cell update that lie in the circle, drawn ahead into shared memory:
// a thread's column of kWords + 1 entries, kStride numbers apart.
template <int kStride>
struct CandidateStream {
  static constexpr unsigned kStep = kStride * sizeof(std::uint32_t);
  const RoundKeys& keys;
  unsigned column;  // address in shared memory
  std::uint64_t sweep;
  std::uint32_t id;
  unsigned next = 0, end = 0;  // addresses of the unused entries
  std::uint32_t block = 0;

  __device__ std::uint32_t start() {  // returns word 0
    std::uint32_t first = 0;
    block = 3;
    next = end = column;
#pragma unroll
    for (int b = 0; b < 3; ++b) {
      const Random4 r = draw(keys, RngPurpose::cellUpdate, sweep, id, b);
      if (b == 0) first = r.w[0];
#pragma unroll
      for (int i = b == 0 ? 1 : 0; i < 4; ++i) store(r.w[i]);
    }
    return first;
  }
  // Always written, and kept by advancing the end: no branch.
  __device__ void store(std::uint32_t word) {
    storeShared(end, word);
    if (candidateInCircle(word)) end += kStep;
  }
  // The first N candidates without a test for each: too few of 11 once in 2,500.
  template <int N>
  __device__ void takeFirst(std::uint32_t (&words)[N]) {
    while (end < column + N * kStep) end = drawCandidates<kStep>(keys, end, sweep, id, block++);
#pragma unroll
    for (int s = 0; s < N; ++s) words[s] = loadSharedWord(column + s * kStep);
  }
  __device__ std::uint32_t take() {
    while (next == end) {  // one cell in 2,500 for n_M = 4
      next = column;
      end = drawCandidates<kStep>(keys, column, sweep, id, block++);
    }
    const std::uint32_t word = loadSharedWord(next);
    next += kStep;
    return word;
  }
};

// --- Contact: a fast filter and the exact rule. ---
//
// With s = |q|^2 stored with each disk q, d^2 - |p|^2 = s - 2 q.p costs two fused multiply-adds and
// half a three-way minimum, against five operations for the difference form. That expression is a
// filter: unless its minimum is within kBand of contact the result is certain;
// within the band, once in several thousand trials, the exact rule of sim/core/checkerboard.h
// decides. The result therefore equals the exact rule bit for bit.

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
