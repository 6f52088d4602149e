// The search of neighbour lists by warps, whatever the candidates come from: up to 32 particles,
// one of each lane, look for their neighbours together (targets). Of the candidates only those
// within reach of the box around the targets are kept, in shared memory. Of these each lane takes
// four at a time and tests them against one target after the other, which all lanes read at once; a
// vote gives the place of a neighbour in the list. Lists come out in the order in which
// candidates are offered.
//
// A thread block is one warp: where the compiler sees that all lanes go the same way, votes and
// shuffles need no check for that.
#pragma once
#include "sim/algo/neighbours/list.h"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {

inline constexpr int kTestedByLane = 4;  // candidates at a time
inline constexpr std::uint32_t kTested = 32 * kTestedByLane;

struct LaneSearchShared {
  struct alignas(16) TargetList {
    std::uint32_t* items;
    std::uint32_t room, slot;
  };
  float4 kept[kTested + 64];  // candidates: position and slot
  float4 target[32];          // position and squared reach; negative: nothing is within reach
  TargetList list[32];
};

// Differences to candidates, whose squares have the bits of those of RecordBox::difference().
struct PlainDifference {  // already the difference to the nearest image
  __device__ float of(float a, float b, int) const { return a - b; }
  __device__ float toCentre(float x, float centre, int) const { return x - centre; }
};
struct NearestDifference {
  const RecordBox& box;
  __device__ float of(float a, float b, int axis) const {
    const float apart = fabsf(a - b);
    return fminf(apart, box.length[axis] - apart);
  }
  __device__ float toCentre(float x, float centre, int axis) const { return of(x, centre, axis); }
};
struct ShiftedDifference {  // the centre is moved by the shift as well
  float shift[3];
  __device__ float of(float a, float b, int axis) const { return a - b + shift[axis]; }
  __device__ float toCentre(float x, float centre, int) const { return x - centre; }
};

// What a lane knows while its warp searches.
struct SearchLane {
  ParticleRecord p;
  std::uint32_t k;  // its number in the order of the candidates
  std::uint32_t* items;
  std::uint32_t room, slot;
  std::uint32_t written = 0;  // neighbours found
  LaneSearchShared* shared;
  std::uint32_t first = 0, end = 0;       // lanes whose particles are targets
  float centre[3], half[3], keptSquared;  // of the box around them
  std::uint32_t kept = 0;                 // candidates that wait for their tests
  bool targetsKept = false;               // whether targets may be among them
};

// Where a lane's list is. To be called once by all lanes.
__device__ __forceinline__ void beginLists(SearchLane& s) {
  s.shared->list[threadIdx.x] = {s.items, s.room, s.slot};
}
// The targets [first, end) and how far each of them reaches; to be called by all lanes whenever one
// of that changes.
__device__ __forceinline__ void setTargets(SearchLane& s, std::uint32_t first, std::uint32_t end,
                                           float reachSquared) {
  __syncwarp();
  s.shared->target[threadIdx.x] = {s.p.x, s.p.y, s.p.z, reachSquared};
  s.first = first, s.end = end;
}

// Without a branch, to memory that the compiler does not see to be global.
__device__ __forceinline__ void storeWhere(bool where, std::uint32_t* to, float slot) {
  asm volatile(
      "{ .reg .pred p;\n"
      "setp.ne.u32 p, %0, 0;\n"
      "@p st.global.f32 [%1], %2; }"
      :
      : "r"(static_cast<std::uint32_t>(where)), "l"(to), "f"(slot)
      : "memory");
}

// Kept candidates 32 b + lane, b < batches, against all targets. own: targets may be among them.
template <int batches, bool own, class Difference>
__device__ __forceinline__ void testKept(const Difference& d, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x, below = (1u << lane) - 1;
  float4 q[batches];
#pragma unroll
  for (int b = 0; b < batches; ++b) q[b] = s.shared->kept[32 * b + lane];
#pragma unroll 1
  for (std::uint32_t t = s.first; t < s.end; ++t) {
    const float4 p = s.shared->target[t];
    const LaneSearchShared::TargetList list = s.shared->list[t];
    std::uint32_t found = __shfl_sync(0xffffffffu, s.written, t);
    bool near[batches];
    std::uint32_t at[batches];
#pragma unroll
    for (int b = 0; b < batches; ++b) {
      const float dx = d.of(p.x, q[b].x, 0), dy = d.of(p.y, q[b].y, 1), dz = d.of(p.z, q[b].z, 2);
      near[b] = dx * dx + dy * dy + dz * dz <= p.w;
      if constexpr (own) near[b] = near[b] && __float_as_uint(q[b].w) != list.slot;
      const std::uint32_t all = __ballot_sync(0xffffffffu, near[b]);
      at[b] = found + static_cast<std::uint32_t>(__popc(all & below));
      found += static_cast<std::uint32_t>(__popc(all));
    }
#pragma unroll
    for (int b = 0; b < batches; ++b)
      storeWhere(near[b] && at[b] < list.room, list.items + at[b], q[b].w);
    if (lane == t) s.written = found;
  }
}

// Tests as many as the lanes take at a time. targetsNext: targets may be among those that stay.
template <class Difference>
__device__ __forceinline__ void takeKept(const Difference& d, bool targetsNext, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x;
  __syncwarp();
  if (s.targetsKept)
    testKept<kTestedByLane, true>(d, s);
  else
    testKept<kTestedByLane, false>(d, s);
  const float4 a = s.shared->kept[kTested + lane], b = s.shared->kept[kTested + 32 + lane];
  __syncwarp();
  s.shared->kept[lane] = a;
  s.shared->kept[32 + lane] = b;
  __syncwarp();  // others go where these lie after the last that stays
  s.kept -= kTested;
  s.targetsKept = targetsNext;
}

// Keeps a candidate of each lane, where `valid`, at (x, y, z), of this slot, if it is near enough.
// Two calls at most before takeKept() where there are enough.
template <class Difference>
__device__ __forceinline__ void keepNear(const Difference& d, bool valid, const float (&x)[3],
                                         std::uint32_t slot, SearchLane& s) {
  const std::uint32_t below = (1u << threadIdx.x) - 1;
  float gap2 = 0;
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const float gap = fmaxf(fabsf(d.toCentre(x[a], s.centre[a], a)) - s.half[a], 0.0f);
    gap2 += gap * gap;
  }
  const bool near = valid && gap2 <= s.keptSquared;
  const std::uint32_t all = __ballot_sync(0xffffffffu, near);
  if (near)
    s.shared->kept[s.kept + static_cast<std::uint32_t>(__popc(all & below))] = {
        x[0], x[1], x[2], __uint_as_float(slot)};
  s.kept += static_cast<std::uint32_t>(__popc(all));
}

// Tests those that are left: nothing is within reach of a position that is not a number. Others may
// be offered then, with another difference, box or reach.
template <class Difference>
__device__ __forceinline__ void endOffers(const Difference& d, SearchLane& s) {
  const std::uint32_t batches = (s.kept + 31) / 32, lane = threadIdx.x;
  if (batches == 0) return;
  if (32 * (batches - 1) + lane >= s.kept)
    s.shared->kept[32 * (batches - 1) + lane].x = __uint_as_float(0x7fc00000u);
  __syncwarp();
  if (batches == 1) testKept<1, true>(d, s);
  if (batches == 2) testKept<2, true>(d, s);
  if (batches == 3) testKept<3, true>(d, s);
  if (batches == 4) testKept<4, true>(d, s);
  __syncwarp();
  s.kept = 0;
  s.targetsKept = false;
}

// Box around the particles of the lanes; margins for the rounding of differences to its centre.
// at: of the lane's own, or of another one that is in the box.
__device__ __forceinline__ void boundLanes(const RecordBox& box, const ParticleRecord& at,
                                           SearchLane& s) {
  const float x[3] = {at.x, at.y, at.z};
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const std::uint32_t bits = __float_as_uint(fabsf(x[a]));  // coordinates are never negative
    const float lo = __uint_as_float(exec::minOverWarp(bits));
    const float hi = __uint_as_float(exec::maxOverWarp(bits));
    s.centre[a] = 0.5f * (lo + hi);
    s.half[a] = 0.5f * (hi - lo) + 2e-6f * box.length[a];
  }
}
// The same around the targets [first, end).
__device__ __forceinline__ void boundTargets(const RecordBox& box, std::uint32_t first,
                                             std::uint32_t end, SearchLane& s) {
  const std::uint32_t lane = threadIdx.x;
  const std::uint32_t near = lane < first ? first : (lane < end ? lane : end - 1);
  ParticleRecord p = s.p;
  p.x = __shfl_sync(0xffffffffu, s.p.x, near);
  p.y = __shfl_sync(0xffffffffu, s.p.y, near);
  p.z = __shfl_sync(0xffffffffu, s.p.z, near);
  boundLanes(box, p, s);
}

// What candidates are kept for at this squared reach.
__device__ __forceinline__ float keptSquared(float reachSquared) { return reachSquared * 1.00001f; }

// A particle by one instruction, whichever parts are used.
__device__ __forceinline__ ParticleRecord recordAt(const ParticleRecord* record, std::uint32_t i) {
  const float4 r = __ldg(reinterpret_cast<const float4*>(record) + i);
  return {r.x, r.y, r.z, __float_as_uint(r.w)};
}

// Up to 32 runs of sorted particles, one after the other: candidates 0 to all - 1. Runs that are
// shorter than a warp would leave most lanes without a candidate if they were read one at a time.
struct PackedRuns {
  // Of run number `lane`: its first candidate, and how far that is from its place in the order.
  std::uint32_t first, shift;
  std::uint32_t all, before = 0;  // runs that begin before the next candidates

  // begin, end: of the lane's run, which may be empty. A thread block is one warp.
  __device__ PackedRuns(std::uint32_t begin, std::uint32_t end) {
    __shared__ uint2 runs[32];
    const std::uint32_t lane = threadIdx.x, own = end - begin;
    std::uint32_t last = own;
#pragma unroll
    for (std::uint32_t d = 1; d < 32; d *= 2) {
      const std::uint32_t others = __shfl_up_sync(0xffffffffu, last, d);
      if (lane >= d) last += others;
    }
    all = __shfl_sync(0xffffffffu, last, 31);
    const std::uint32_t some = __ballot_sync(0xffffffffu, own > 0);
    __syncwarp();
    if (own > 0) runs[__popc(some & ((1u << lane) - 1))] = {last - own, begin - (last - own)};
    __syncwarp();
    const uint2 mine = runs[lane];
    first = lane < static_cast<std::uint32_t>(__popc(some)) ? mine.x : ~0u;
    shift = mine.y;
  }
  // Place of candidate base + lane; 0 where there is none. base: 0, 32, 64 ... in turn.
  __device__ std::uint32_t placeOf(std::uint32_t base) {
    const std::uint32_t from = first - base, lane = threadIdx.x;
    const std::uint32_t begins = exec::orOverWarp(from < 32 ? 1u << from : 0u);
    const auto run = before + static_cast<std::uint32_t>(__popc(begins & ((2u << lane) - 1))) - 1;
    before += static_cast<std::uint32_t>(__popc(begins));
    const std::uint32_t place = base + lane + __shfl_sync(0xffffffffu, shift, run);
    return base + lane < all ? place : 0;
  }
};

}  // namespace cellscope
