// Pair energies of distances that a warp measures: the few below the cutoff are put together first,
// so that all lanes work out energies. Of 320 particles around a point 44 are neighbours: two turns
// instead of ten in which most lanes wait.
#pragma once

#include "sim/core/gcmc_pair.h"

namespace cellscope {
inline namespace GCMC_TYPES {

__device__ inline double sumOverWarp(double u) {
  for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(0xffffffffu, u, step);
  return u;
}

class NearPairs {
 public:
  // Numbers in shared memory, of this warp alone: distances, and of mixtures the epsilons.
  static constexpr int kKept = 64, kRoom = kGcmcMixtures ? 2 * kKept : kKept;

  __device__ NearPairs(const GcmcPair& pair, float* room)
      : pair_(pair),
        room_(room),
        cutoffSquared_(pair.cutoffSquared),
        lane_(static_cast<int>(threadIdx.x % 32)) {}

  // By all lanes: a distance of each. old: its energy is taken away.
  __device__ void keep(GcmcReduced d, bool old) {
    const float r2 = d.r2;
    const bool near = r2 < cutoffSquared_;
    const unsigned those = __ballot_sync(kAll, near);
    const int place = count_ + __popc(those & ((1u << lane_) - 1));
    if (near) put(place, {old ? -r2 : r2, d.epsilon});
    count_ += __popc(those);
    if (count_ < 32) return;
    __syncwarp();
    const GcmcReduced rest = at(32 + lane_);
    add(at(lane_));
    __syncwarp();
    count_ -= 32;
    if (lane_ < count_) put(lane_, rest);
  }
  // A distance that does not count.
  __device__ GcmcReduced far() const { return {cutoffSquared_, 1.0f}; }
  // Of all that was kept; it begins again. Exact in any order.
  __device__ double sum() {
    __syncwarp();
    if (lane_ < count_) add(at(lane_));
    __syncwarp();
    const double all = sumOverWarp(u_);
    u_ = 0, count_ = 0;
    return all;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;

  __device__ GcmcReduced at(int k) const {
    return {room_[k], kGcmcMixtures ? room_[kKept + k] : 1.0f};
  }
  __device__ void put(int k, GcmcReduced d) {
    room_[k] = d.r2;
    if (kGcmcMixtures) room_[kKept + k] = d.epsilon;
  }
  // Called, not inlined: the loops that measure are to fit the instruction cache.
  __device__ void add(GcmcReduced kept) { u_ += energyOf(pair_, kept.r2, kept.epsilon); }
  __device__ __noinline__ static float energyOf(const GcmcPair& pair, float kept, float epsilon) {
    const float energy = gcmcPairEnergy(pair, fabsf(kept), epsilon);
    return signbit(kept) ? -energy : energy;
  }

  const GcmcPair& pair_;
  float* const room_;
  const float cutoffSquared_;
  const int lane_;
  int count_ = 0;
  double u_ = 0;
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
