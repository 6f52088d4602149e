// The search of neighbour lists by warps, whatever the candidates come from: each lane has a
// particle. Of the candidates only those within reach of the box around the lanes' own particles
// are kept: they pass through a ring in shared memory, and each lane tests them one by one, all
// lanes the same one. What a lane finds is collected in shared memory, too, and written by eight
// lanes at once. Lists come out in the order in which candidates are offered.
#pragma once
#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

inline constexpr unsigned kLaneWarps = 4;     // of a block
inline constexpr std::uint32_t kRing = 64;    // candidates: two batches of one for each lane
inline constexpr std::uint32_t kStaged = 64;  // neighbours of a lane, at most
inline constexpr std::uint32_t kStagedRow = kStaged + 1;  // rows begin in different banks

struct LaneSearchShared {
  float4 ring[kLaneWarps][kRing];  // position and slot
  std::uint32_t staged[kLaneWarps][32 * kStagedRow];
};

// Differences to candidates, whose bits are those of RecordBox::difference().
struct PlainDifference {  // that of the nearest image already
  __device__ float of(float a, float b, int) const { return a - b; }
  __device__ float toCentre(float x, float centre, int) const { return x - centre; }
};
struct NearestDifference {
  const RecordBox& box;
  __device__ float of(float a, float b, int axis) const { return box.difference(a, b, axis); }
  __device__ float toCentre(float x, float centre, int axis) const {
    return box.difference(x, centre, axis);
  }
};
struct ShiftedDifference {  // the centre is moved by the shift as well
  float shift[3];
  __device__ float of(float a, float b, int axis) const { return a - b + shift[axis]; }
  __device__ float toCentre(float x, float centre, int) const { return x - centre; }
};

// What a lane knows while its warp searches.
struct SearchLane {
  ParticleRecord p;
  float reachSquared;  // negative: the lane has no particle, or none within reach
  std::uint32_t k;     // its number in the order of the candidates
  std::uint64_t next;  // where its next neighbours are written
  std::uint32_t room, targets;
  std::uint32_t* items;
  float4* ring;
  std::uint32_t* stage;  // of the warp
  float centre[3], half[3], keptSquared;
  std::uint32_t head = 0, tail = 0;       // candidates tested and kept
  std::uint32_t selfAt = ~0u;             // place of the lane's own particle among those kept
  std::uint32_t staged = 0, written = 0;  // neighbours found
};

// Writes what has been collected: eight lanes for each of four particles at a time.
__device__ __forceinline__ void flushStaged(SearchLane& s) {
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  for (std::uint32_t first = 0; first < s.targets; first += 4) {
    const std::uint32_t t = first + lane / 8;
    const std::uint32_t count = __shfl_sync(0xffffffffu, s.staged, t);
    const std::uint32_t written = __shfl_sync(0xffffffffu, s.written, t);
    const std::uint64_t next = __shfl_sync(0xffffffffu, s.next, t);
    const std::uint32_t ofLane = __shfl_sync(0xffffffffu, s.room, t);
    const std::uint32_t room = ofLane > written ? ofLane - written : 0;
    const std::uint32_t stored = count < room ? count : room;
    for (std::uint32_t e = lane % 8; e < stored; e += 8)
      s.items[next + e] = s.stage[t * kStagedRow + e];
  }
  __syncwarp();
  s.written += s.staged, s.next += s.staged;
  s.staged = 0;
}

// Slot to the place `at` in shared memory, which moves on, where r2 is within reach: without a
// branch.
__device__ __forceinline__ void stageWithin(std::uint32_t& at, float r2, float reachSquared,
                                            float slot) {
  asm volatile(
      "{ .reg .pred in;\n"
      "setp.le.f32 in, %1, %2;\n"
      "@in st.shared.f32 [%0], %3;\n"
      "@in add.u32 %0, %0, 4; }"
      : "+r"(at)
      : "f"(r2), "f"(reachSquared), "f"(slot)
      : "memory");
}

// One batch. own: some of its candidates are particles of the lanes themselves. Four candidates
// are read before the first is stored: a store holds back the reads behind it.
template <bool own, class Difference>
__device__ __forceinline__ void testBatch(const Difference& d, SearchLane& s) {
  constexpr std::uint32_t kAhead = 4;
  const float4* const batch = s.ring + s.head % kRing;
  const std::uint32_t self = s.selfAt - s.head;
  const auto row = static_cast<std::uint32_t>(
      __cvta_generic_to_shared(s.stage + (threadIdx.x % 32) * kStagedRow));
  std::uint32_t at = row + 4 * s.staged;
#pragma unroll 2
  for (std::uint32_t first = 0; first < 32; first += kAhead) {
    float4 q[kAhead];
#pragma unroll
    for (std::uint32_t c = 0; c < kAhead; ++c) q[c] = batch[first + c];
#pragma unroll
    for (std::uint32_t c = 0; c < kAhead; ++c) {
      const float dx = d.of(s.p.x, q[c].x, 0), dy = d.of(s.p.y, q[c].y, 1);
      const float dz = d.of(s.p.z, q[c].z, 2);
      float r2 = dx * dx + dy * dy + dz * dz;
      if constexpr (own) r2 = first + c == self ? 3e38f : r2;
      stageWithin(at, r2, s.reachSquared, q[c].w);
    }
  }
  s.staged = (at - row) / 4;
}

template <class Difference>
__device__ __forceinline__ void takeBatch(const Difference& d, SearchLane& s) {
  __syncwarp();
  if (__any_sync(0xffffffffu, s.selfAt - s.head < 32))
    testBatch<true>(d, s);
  else
    testBatch<false>(d, s);
  s.head += 32;
  __syncwarp();
  if (__any_sync(0xffffffffu, s.staged > kStaged - 32)) flushStaged(s);
}

// A candidate of each lane: number base + lane where it is below `end`, at (x, y, z).
// slot(): its slot.
template <class Difference, class Slot>
__device__ __forceinline__ void offerBatch(const Difference& d, std::uint32_t base,
                                           std::uint32_t end, const float (&x)[3], const Slot& slot,
                                           SearchLane& s) {
  const std::uint32_t lane = threadIdx.x % 32, below = (1u << lane) - 1;
  float gap2 = 0;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const float gap = fmaxf(fabsf(d.toCentre(x[a], s.centre[a], a)) - s.half[a], 0.0f);
    gap2 += gap * gap;
  }
  const bool kept = base + lane < end && gap2 <= s.keptSquared;
  const std::uint32_t all = __ballot_sync(0xffffffffu, kept);
  if (kept)
    s.ring[(s.tail + static_cast<std::uint32_t>(__popc(all & below))) % kRing] = {
        x[0], x[1], x[2], __uint_as_float(slot())};
  if (s.k - base < 32 && s.k < end)
    s.selfAt = s.tail + static_cast<std::uint32_t>(__popc(all & ((1u << (s.k - base)) - 1)));
  s.tail += static_cast<std::uint32_t>(__popc(all));
  if (s.tail - s.head >= 32) takeBatch(d, s);
}

// The last batch of those offered so far: nothing is within reach of a position that is not a
// number. Others may be offered then, with another difference, box or reach.
template <class Difference>
__device__ __forceinline__ void endOffers(const Difference& d, SearchLane& s) {
  if (s.tail != s.head) {
    if (threadIdx.x % 32 >= s.tail - s.head)
      s.ring[(s.head + threadIdx.x % 32) % kRing].x = __uint_as_float(0x7fc00000u);
    takeBatch(d, s);
  }
  s.head = s.tail = 0;
  s.selfAt = ~0u;
}

// Box around the particles of the lanes; margins for the rounding of differences to its centre.
__device__ __forceinline__ void boundLanes(const RecordBox& box, SearchLane& s) {
  const float x[3] = {s.p.x, s.p.y, s.p.z};
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const std::uint32_t bits = __float_as_uint(fabsf(x[a]));  // coordinates are never negative
    const float lo = __uint_as_float(__reduce_min_sync(0xffffffffu, bits));
    const float hi = __uint_as_float(__reduce_max_sync(0xffffffffu, bits));
    s.centre[a] = 0.5f * (lo + hi);
    s.half[a] = 0.5f * (hi - lo) + 2e-6f * box.length[a];
  }
}

// What candidates are kept for at this squared reach.
__device__ __forceinline__ float keptSquared(float reachSquared) { return reachSquared * 1.00001f; }

}  // namespace cellscope
