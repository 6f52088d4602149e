// Pair energies of distances that a warp measures: the few below the cutoff are put together first,
// so that all lanes work out energies. Of 320 particles around a point 44 are neighbours: two turns
// instead of ten in which most lanes wait.
#pragma once
#include <cstdint>

#include "sim/core/gcmc_pair.h"

namespace cellscope {

__device__ inline double sumOverWarp(double u) {
  for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(0xffffffffu, u, step);
  return u;
}

class NearPairs {
 public:
  static constexpr int kRoom = 64;  // numbers in shared memory, of this warp alone

  __device__ NearPairs(const GcmcPair& pair, float* room)
      : pair_(pair),
        room_(room),
        cutoffSquared_(pair.cutoffSquared),
        lane_(static_cast<int>(threadIdx.x % 32)) {}

  // By all lanes: a squared distance of each. old: its energy is taken away.
  __device__ void keep(float r2, bool old) {
    const bool near = r2 < cutoffSquared_;
    const unsigned those = __ballot_sync(kAll, near);
    if (near) room_[count_ + __popc(those & ((1u << lane_) - 1))] = old ? -r2 : r2;
    count_ += __popc(those);
    if (count_ < 32) return;
    __syncwarp();
    const float rest = room_[32 + lane_];
    add(room_[lane_]);
    __syncwarp();
    count_ -= 32;
    if (lane_ < count_) room_[lane_] = rest;
  }
  // A distance that does not count.
  __device__ float far() const { return cutoffSquared_; }
  // Of all that was kept; it begins again. Exact in any order.
  __device__ double sum() {
    __syncwarp();
    if (lane_ < count_) add(room_[lane_]);
    __syncwarp();
    const double all = sumOverWarp(u_);
    u_ = 0, count_ = 0;
    return all;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;

  // Called, not inlined: the loops that measure are to fit the instruction cache.
  __device__ void add(float kept) { u_ += energyOf(pair_, kept); }
  __device__ __noinline__ static float energyOf(const GcmcPair& pair, float kept) {
    const float energy = gcmcPairEnergy(pair, fabsf(kept));
    return signbit(kept) ? -energy : energy;
  }

  const GcmcPair& pair_;
  float* const room_;
  const float cutoffSquared_;
  const int lane_;
  int count_ = 0;
  double u_ = 0;
};

}  // namespace cellscope
