// How warps read particles.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {

// By one instruction, whichever parts are used.
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
