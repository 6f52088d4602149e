// Decisions of moves in flight on CUDA: a warp per undecided move.
//
// Work of one move at density 0.67, cutoff 2.5, cells of 2.6: 20 of the 27 cells have a place
// within the cutoff of its point; their 240 particles are 2.9 kB read from the L2 cache and eight
// distances of each lane, some 45 instructions each where a lane finds a neighbour; half as much
// again on the average, as displacements have two points. With lists, random numbers and records
// some 900 instructions of a warp and 5 kB a move. An H200 issues 9e11 instructions a second and
// reads 6e12 bytes from its L2 cache: at most 1e9 moves/s. What a batch takes beyond that are its
// rounds: two dependent kernels each, of some 3 us where there is little to do.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/flight_decide.h"

namespace cellscope {

inline constexpr int kFlightWarps = 4;  // of a block

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
    for (std::uint32_t first = 0; first < all; first += 32) {
      const std::uint32_t k = first + static_cast<std::uint32_t>(lane_);
      int of = 0;  // the first cell that ends behind particle k
      for (int step = 16; step > 0; step /= 2)
        if (__shfl_sync(kAll, end, of + step - 1) <= k) of += step;
      const std::uint32_t its = __shfl_sync(kAll, cell, of);
      const std::uint32_t begin = __shfl_sync(kAll, end - filled, of);
      if (k < all) u += gcmcPairAt(p_.rules.pair, at, p_.point(its, k - begin));
    }
    for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(kAll, u, step);
    return u;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  const GcmcPlaces& p_;
  const int lane_;
};

__global__ void __launch_bounds__(32 * kFlightWarps)
    decideMoves(__grid_constant__ const GcmcFlights g) {
  if (g.head->stage != GcmcFlightStage::inFlight) return;
  const std::uint32_t round = g.head->round, left = g.head->waiting[round % 3];
  const std::uint32_t* const list = g.list[round % 2];
  const GcmcWarpCrew crew(g.p);
  const GcmcDecide<GcmcWarpCrew> decide(g, crew);
  for (std::uint32_t k = blockIdx.x * kFlightWarps + threadIdx.x / 32; k < left;
       k += gridDim.x * kFlightWarps)
    decide(list[k]);
}

}  // namespace cellscope
