// Decisions of moves in flight on CUDA: a warp per undecided move.
//
// Work of one move at density 0.67, cutoff 2.5, cells of 2.6: 20 of the 27 cells have a place
// within the cutoff of its point; their 240 particles are 2.9 kB read from the L2 cache and eight
// distances of each lane, some 45 instructions each where a lane finds a neighbour; half as much
// again on the average, as displacements have two points. With lists, random numbers and records
// some 900 instructions of a warp and 5 kB a move. An H200 issues 9e11 instructions a second and
// reads 6e12 bytes from its L2 cache: at most 1e9 moves/s. What a batch takes beyond that are its
// rounds: two barriers of all blocks each, of some 1.5 us, and of one block in the last ones.
#pragma once
#include <cooperative_groups.h>

#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/flight_decide.h"
#include "sim/algo/gcmc/flight_work.h"

namespace cellscope {

inline constexpr int kFlightWarps = 4;  // of a block

// All rounds of a batch in one kernel: blocks that wait for each other.
inline constexpr int kRoundsThreads = 512;
inline constexpr std::uint32_t kRoundsAlone = 32;  // moves that one block decides faster by itself

class GcmcWarpCrew {
 public:
  __device__ explicit GcmcWarpCrew(const GcmcPlaces& p)
      : p_(p), lane_(static_cast<int>(threadIdx.x % 32)) {}

  __device__ int lane() const { return lane_; }
  __device__ std::uint32_t latest(std::uint32_t w) const { return __reduce_max_sync(kAll, w); }

  // The cell of this lane, if any.
  struct Near {
    std::uint32_t cell;
    bool any;
  };
  __device__ Near near(GcmcPoint at) const {
    if (lane_ >= p_.cube.cells()) return {0, false};
    const std::uint32_t cell = gcmcCubeCell(p_.cube, at, lane_).cell;
    // The middle one also without a cutoff.
    return {cell, lane_ == p_.cube.cells() / 2 || gcmcInReach(p_, gcmcWordsOf(p_, cell), at)};
  }
  template <class F>
  __device__ void forCells(const Near& near, const F& f) const {
    if (near.any) f(near.cell);
  }

  // Each lane counts what its cell holds; then all share the particles out evenly.
  __device__ double energy(const Near& near, GcmcPoint at) const {
    if (!(p_.rules.pair.cutoffSquared > 0)) return 0;
    const std::uint32_t cell = near.cell, filled = near.any ? p_.filled[cell] : 0;
    std::uint32_t end = filled;  // particles up to this cell
    for (int step = 1; step < 32; step *= 2) {
      const std::uint32_t before = __shfl_up_sync(kAll, end, step);
      if (lane_ >= step) end += before;
    }
    const std::uint32_t all = __shfl_sync(kAll, end, 31);
    double u = 0;
    for (std::uint32_t first = 0; first < all; first += 32 * kAtOnce) {
      GcmcPoint q[kAtOnce];
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) {  // on their way at the same time
        const std::uint32_t k = first + static_cast<std::uint32_t>(32 * j + lane_);
        int of = 0;  // the first cell that ends behind particle k
        for (int step = 16; step > 0; step /= 2)
          if (__shfl_sync(kAll, end, of + step - 1) <= k) of += step;
        const std::uint32_t its = __shfl_sync(kAll, cell, of);
        const std::uint32_t begin = __shfl_sync(kAll, end - filled, of);
        if (k < all) q[j] = p_.point(its, k - begin);
      }
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j)
        if (first + static_cast<std::uint32_t>(32 * j + lane_) < all)
          u += gcmcPairAt(p_.rules.pair, at, q[j]);
    }
    for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(kAll, u, step);
    return u;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  static constexpr int kAtOnce = 2;  // particles of a lane
  const GcmcPlaces& p_;
  const int lane_;
};

// Undecided moves of a round, a warp each: those of warp `first` of `warps`.
__device__ inline void decideShare(const GcmcFlights& g, std::uint32_t round, std::uint32_t left,
                                   std::uint32_t first, std::uint32_t warps) {
  const std::uint32_t* const list = g.list[round % 2];
  const GcmcWarpCrew crew(g.p);
  const GcmcDecide<GcmcWarpCrew> decide(g, crew);
  for (std::uint32_t k = first; k < left; k += warps) decide(list[k]);
}

// One round: of the experiment, whose verdicts are applied in another way.
__global__ void __launch_bounds__(32 * kFlightWarps)
    decideMoves(__grid_constant__ const GcmcFlights g) {
  if (g.head->stage != GcmcFlightStage::inFlight) return;
  const std::uint32_t round = g.head->round, left = g.head->waiting[round % 3];
  decideShare(g, round, left, blockIdx.x * kFlightWarps + threadIdx.x / 32,
              gridDim.x * kFlightWarps);
}

// Takes over the verdicts first, first + stride, ... of a round; by all threads of a block.
__device__ inline void applyShare(const GcmcFlightApply& apply, std::uint32_t round,
                                  std::uint32_t left, std::uint32_t first, std::uint32_t stride) {
  __shared__ GcmcFlightApply::Shared found;
  if (threadIdx.x == 0) found = {};
  __syncthreads();
  for (std::uint32_t k = first; k < left; k += stride) apply.takeOver(k, round, found);
  __syncthreads();
  if (threadIdx.x == 0) apply.add(found);
}

// The last rounds, which have few moves, by one block.
__device__ inline void finishAlone(const GcmcFlightApply& apply) {
  const GcmcFlights& g = apply.g;
  const GcmcFlightHead& h = *g.head;
  while (h.stage == GcmcFlightStage::inFlight) {
    const std::uint32_t round = h.round, left = h.waiting[round % 3];
    decideShare(g, round, left, threadIdx.x / 32, kRoundsThreads / 32);
    __syncthreads();
    applyShare(apply, round, left, threadIdx.x, kRoundsThreads);
    __syncthreads();
    if (threadIdx.x == 0) apply.endRound();
    __syncthreads();
  }
}

// All rounds of a batch that has begun. Blocks must all be there at the same time. What the end of
// a round changes in the head, others read when it is over, and it changes again after the next
// barrier at the earliest.
__global__ void __launch_bounds__(kRoundsThreads, 2)
    flightRounds(__grid_constant__ const GcmcFlightApply apply) {
  const GcmcFlights& g = apply.g;
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  if (g.head->stage != GcmcFlightStage::inFlight) return;
  const std::uint32_t thread = blockIdx.x * kRoundsThreads + threadIdx.x;
  const std::uint32_t threads = gridDim.x * kRoundsThreads;
  for (std::uint32_t round = g.head->round;; ++round) {
    const std::uint32_t left = g.head->waiting[round % 3];
    if (left <= kRoundsAlone) break;
    decideShare(g, round, left, thread / 32, threads / 32);
    grid.sync();
    applyShare(apply, round, left, thread, threads);
    grid.sync();
    if (thread == 0) apply.endRound();
  }
  if (blockIdx.x != 0) return;
  __syncthreads();  // the last round has ended
  finishAlone(apply);
}

}  // namespace cellscope
