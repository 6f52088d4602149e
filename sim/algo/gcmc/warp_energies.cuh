// Energies by warps: pairs within the cutoff, the change by a trial by half a warp for each
// neighbour cell or by one warp, and the copy of a chain in the shared memory of a block. Pair
// energies are multiples of a quantum, so that sums in any order are the same.
#pragma once
#include "sim/algo/gcmc/trace.h"
#include "sim/exec/warp_reduce.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

__device__ inline double sumOverWarp(double u) {
  for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(0xffffffffu, u, step);
  return u;
}

// Pair energies of distances that a warp measures: the few below the cutoff are put together first,
// so that all lanes work out energies. Of 320 particles around a point 44 are neighbours: two turns
// instead of ten in which most lanes wait.
class NearPairs {
 public:
  // Numbers in shared memory, of this warp alone: distances, and of mixtures the epsilons.
  static constexpr int kKept = 64, kRoom = kGcmcMixtures ? 2 * kKept : kKept;

  __device__ NearPairs(const GcmcPair& pair, float* room)
      : pair_(pair),
        room_(room),
        cutoffSquared_(pair.cutoffSquared),
        lane_(static_cast<int>(threadIdx.x % 32)) {}

  // By all lanes: a distance of each, if it counts. old: its energy is taken away.
  __device__ void keep(GcmcReduced d, bool counts, bool old) {
    const float r2 = d.r2;
    const bool near = counts & (r2 < cutoffSquared_);
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

inline constexpr int kHalfWarp = 16;

// Room in shared memory for `points` particles and all cells of a grid.
inline std::size_t halfWarpSharedBytes(const GcmcGrid& g, std::size_t points) {
  const std::size_t cells = g.cube.allCells();
  return points * sizeof(GcmcPoint) + cells * (1 + g.capacity) * sizeof(std::uint32_t);
}

// Neighbour of the cell of p, each of the offsets in -1 .. 1.
struct HalfWarpOffset {
  int d[3];
};
__device__ inline HalfWarpOffset halfWarpOffset(const GcmcCube& c, int index) {
  HalfWarpOffset o;
  for (int k = 0; k < 3; ++k) {
    o.d[k] = index % c.span[k] - c.span[k] / 2;
    index /= c.span[k];
  }
  return o;
}
__device__ inline int halfWarpAlong(const GcmcCube& c, std::uint32_t word, int offset, int axis) {
  const int at = c.along(word, axis) + offset;
  return at < 0 ? at + c.count[axis] : at >= c.count[axis] ? at - c.count[axis] : at;
}
__device__ inline std::uint32_t halfWarpCell(const GcmcCube& c, GcmcPoint p,
                                             const HalfWarpOffset& o) {
  return c.number(halfWarpAlong(c, p.x, o.d[0], 0), halfWarpAlong(c, p.y, o.d[1], 1),
                  halfWarpAlong(c, p.z, o.d[2], 2));
}

// What this thread adds to the change of energy: its entries of one neighbour of both positions.
// turn: cells that it read before.
template <class Trace>
__device__ double halfWarpChange(const GcmcArrays& a, const GcmcTrial& t, const HalfWarpOffset& o,
                                 std::uint32_t lane, int turn, const Trace& trace) {
  const GcmcCube& cube = a.grid.cube;
  const std::uint32_t was = halfWarpCell(cube, t.from, o), is = halfWarpCell(cube, t.to, o);
  const bool same = t.old && t.fresh && was == is;
  const GcmcReader who{0, static_cast<int>(threadIdx.x), turn, kHalfWarp, lane == 0};
  double u = 0;
  if (t.old) u += gcmcChangeByCell(a, t, was, lane, kHalfWarp, true, same, who, trace);
  if (t.fresh && !same) u += gcmcChangeByCell(a, t, is, lane, kHalfWarp, false, true, who, trace);
  return u;
}

// What the cells first, first + stride, ... of the neighbours add to the change of energy: several
// cells on their way at the same time. By half a warp.
__device__ inline double halfWarpsChange(const GcmcArrays& a, const GcmcTrial& t,
                                         const HalfWarpOffset* offset, int first, int stride) {
  constexpr int kAtOnce = 4;
  const auto lane = threadIdx.x % kHalfWarp;
  const GcmcCube& cube = a.grid.cube;
  // A displacement that changes its cell has two neighbourhoods.
  const bool both = t.old && t.fresh, same = both && cube.cellOf(t.from) == cube.cellOf(t.to);
  double u = 0;
  if (cube.cells() == cube.allCells()) {  // around any point is the whole box: by slot
    for (auto j = static_cast<std::uint32_t>(first) * kHalfWarp + lane; j < t.n;
         j += static_cast<std::uint32_t>(stride) * kHalfWarp)
      u += gcmcChange(a, t, j, t.old, t.fresh);
    return u;
  }
  for (int side = same || t.fresh ? 0 : 1; side < 2; ++side) {
    const bool old = side == 1 || same, fresh = side == 0;
    if (side == 1 && (same || !t.old)) break;
    const GcmcPoint at = fresh ? t.to : t.from;
    for (int c = first; c < cube.cells(); c += kAtOnce * stride) {
      std::uint32_t cell[kAtOnce], filled[kAtOnce], most = 0;
#pragma unroll
      for (int k = 0; k < kAtOnce; ++k) {
        const int index = c + k * stride;
        cell[k] = index < cube.cells() ? halfWarpCell(cube, at, offset[index]) : 0;
        filled[k] = index < cube.cells() ? a.grid.filled[cell[k]] : 0;
        most = max(most, filled[k]);
      }
      for (std::uint32_t e = lane; e < most; e += kHalfWarp) {
        std::uint32_t slot[kAtOnce];
        GcmcPoint point[kAtOnce];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) slot[k] = e < filled[k] ? a.grid.at(cell[k], e) : t.slot;
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k)
          if (e < filled[k]) point[k] = a.point[slot[k]];
#pragma unroll
        for (int k = 0; k < kAtOnce; ++k) {
          if (!(e < filled[k]) || slot[k] == t.slot) continue;
          if (fresh) u += gcmcPairAt(a.rules.pair, t.to, point[k]);
          if (old) u -= gcmcPairAt(a.rules.pair, t.from, point[k]);
        }
      }
    }
  }
  return u;
}

template <class T>
__device__ void copyByBlock(T* to, const T* from, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

// The arrays of a chain with particles and cells in `shared`: room for a.capacity particles.
__device__ inline GcmcArrays halfWarpArrays(const GcmcArrays& a, void* shared) {
  GcmcArrays own = a;
  const std::size_t cells = a.grid.cube.allCells();
  own.point = static_cast<GcmcPoint*>(shared);
  own.grid.filled = reinterpret_cast<std::uint32_t*>(own.point + a.capacity);
  own.grid.entry = own.grid.filled + cells;
  copyByBlock(own.point, a.point, a.head->n);
  copyByBlock(own.grid.filled, a.grid.filled, cells);
  copyByBlock(own.grid.entry, a.grid.entry, cells * a.grid.capacity);
  return own;
}
__device__ inline void halfWarpWriteBack(const GcmcArrays& a, const GcmcArrays& own) {
  const std::size_t cells = a.grid.cube.allCells();
  copyByBlock(a.point, own.point, own.head->n);
  copyByBlock(a.grid.filled, own.grid.filled, cells);
  copyByBlock(a.grid.entry, own.grid.entry, cells * a.grid.capacity);
}

// --- What a trial changes of the pair energy, by one warp that goes through all cells around it:
// for kernels that have many chains, where it is instructions that count and not latency. ---
//
// Fewest instructions of a point at density 0.67, cutoff 2.5, cells of 2.6: 320 particles of 27
// cells, ten of each lane, some 45 to find, read and measure one; then 44 neighbours in two turns
// of 45: 550 of the warp, and half as many more for a displacement, which measures two distances.

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
      const bool counts = (e < count) & (slot != t.slot);
      if (fresh) near_.keep(gcmcReduced(units_, t.to, p), counts, false);
      if (old) near_.keep(gcmcReduced(units_, t.from, p), counts, true);
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
