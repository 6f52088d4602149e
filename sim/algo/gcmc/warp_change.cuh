// What a trial changes of the pair energy, by one warp that goes through all cells around it: for
// kernels that have many chains, where it is instructions that count and not latency.
//
// Fewest instructions of a point at density 0.67, cutoff 2.5, cells of 2.6: 320 particles of 27
// cells, ten of each lane, some 45 to find, read and measure one; then 44 neighbours in two turns
// of 45: 550 of the warp, and half as many more for a displacement, which measures two distances.
#pragma once
#include "sim/algo/gcmc/half_warps.cuh"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

// Of a warp, in shared memory.
struct WarpChangeRoom {
  std::uint32_t start[32], cell[32];  // of cells that hold particles: number of the first, and cell
  float near[NearPairs::kRoom];
};

// Pointers and strides are copies: what a chain has in shared memory would be read again after each
// write there.
class WarpChange {
 public:
  // a: its particles and cells are read; rules: the same chain, for the rest.
  __device__ WarpChange(const GcmcArrays& a, const GcmcArrays& rules, WarpChangeRoom& room)
      : cube_(rules.grid.cube),
        point_(a.point),
        filled_(a.grid.filled),
        entry_(a.grid.entry),
        stride_(static_cast<std::uint32_t>(a.grid.cellStride)),
        room_(room),
        near_(rules.rules.pair, room.near),
        lane_(threadIdx.x % 32),
        offset_(halfWarpOffset(rules.grid.cube, static_cast<int>(lane_))) {
    const GcmcPair& pair = rules.rules.pair;
    for (int k = 0; k < 3; ++k) {
      units_.unit[k] = pair.unit[k];
      if (!kGcmcMixtures) continue;
      units_.inverseSigma2[k] = pair.inverseSigma2[k], units_.epsilon[k] = pair.epsilon[k];
    }
  }

  // The same for all lanes.
  __device__ double operator()(const GcmcTrial& t) {
    if (cube_.cells() == cube_.allCells()) return aroundBoth<true>(t, true);
    return aroundBoth<false>(t, cube_.cellOf(t.from) == cube_.cellOf(t.to));
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;

  // Lists the cells around a point that hold particles, and returns how many these are.
  __device__ std::uint32_t list(GcmcPoint at) {
    const bool mine = static_cast<int>(lane_) < cube_.cells();
    const std::uint32_t cell = mine ? halfWarpCell(cube_, at, offset_) : 0;
    const std::uint32_t filled = mine ? filled_[cell] : 0;
    std::uint32_t end = filled;
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t before = __shfl_up_sync(kAll, end, step);
      if (lane_ >= step) end += before;
    }
    const unsigned holding = __ballot_sync(kAll, filled > 0);
    const int place = __popc(holding & below());
    if (filled > 0) room_.start[place] = end - filled, room_.cell[place] = cell;
    if (static_cast<int>(lane_) >= __popc(holding)) room_.start[lane_] = ~0u;
    __syncwarp();
    return __shfl_sync(kAll, end, 31);
  }
  // whole: the cells around any point are the whole box, whose particles are read by slot.
  template <bool whole>
  __device__ double aroundBoth(const GcmcTrial& t, bool same) {
    if (t.old && t.fresh && same)
      around<whole, true, true>(t);
    else if (t.fresh)
      around<whole, false, true>(t);
    if (t.old && !(t.fresh && same)) around<whole, true, false>(t);
    return near_.sum();
  }
  // old, fresh: which of the two points the particles are measured from.
  template <bool whole, bool old, bool fresh>
  __device__ void around(const GcmcTrial& t) {
    const std::uint32_t count = whole ? t.n : list(fresh ? t.to : t.from);
    const std::uint32_t own = whole ? 0 : room_.start[lane_];
    int before = -1;  // cells that begin before these particles, less one
#pragma unroll 1
    for (std::uint32_t first = 0; first < count; first += 32) {
      const std::uint32_t e = first + lane_, held = min(e, count - 1);
      const std::uint32_t slot = whole ? held : slotOf(held, own - first, before);
      const GcmcPoint p = point_[slot];
      const bool counts = e < count && slot != t.slot;
      if (fresh) near_.keep(counts ? gcmcReduced(units_, t.to, p) : near_.far(), false);
      if (old) near_.keep(counts ? gcmcReduced(units_, t.from, p) : near_.far(), true);
    }
    __syncwarp();
  }
  // Slot of particle e, of 32 in a row; begins: where among these the cell of this lane begins.
  __device__ std::uint32_t slotOf(std::uint32_t e, std::uint32_t begins, int& before) const {
    const unsigned those = exec::orOverWarp(begins < 32 ? 1u << begins : 0u);
    const int c = before + __popc(those & (below() | 1u << lane_));
    before += __popc(those);
    // There may be more entries than 32 bits can number.
    return entry_[std::size_t{room_.cell[c]} * stride_ + (e - room_.start[c])];
  }
  __device__ unsigned below() const { return (1u << lane_) - 1; }

  const GcmcCube& cube_;
  const GcmcPoint* const point_;
  const std::uint32_t *const filled_, *const entry_;
  const std::uint32_t stride_;
  WarpChangeRoom& room_;
  GcmcPair units_;  // those alone: registers are few
  NearPairs near_;
  const std::uint32_t lane_;
  const HalfWarpOffset offset_;
};

}  // namespace GCMC_TYPES
}  // namespace cellscope
