// Many moves in one kernel of one block, tuned: half a warp per neighbour cell, the random numbers
// of hundreds of moves drawn at a time, particles and cells in shared memory where they fit, and
// else the reads of the next moves sent ahead to the L1 cache. Decisions are those of the serial
// chain: pair energies are multiples of a quantum, so that sums in any order are the same.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/step.h"
#include "sim/algo/gcmc/trace.h"
#include "sim/algo/gcmc/work.h"

namespace cellscope {

inline constexpr int kHalfWarp = 16;
inline constexpr int kHalfWarpMostThreads = 448;  // 27 cells, and one half warp without

// Threads of the block: whole warps.
inline int halfWarpThreads(const GcmcCube& cube) { return (cube.cells() + 1) / 2 * 2 * kHalfWarp; }

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

__device__ inline double sumOverWarp(double u) {
  for (int step = 16; step > 0; step /= 2) u += __shfl_xor_sync(0xffffffffu, u, step);
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

// Sends what the next moves will read ahead to the L1 cache, in three steps of one move each: the
// particle (three moves ahead), the entries of its cells (two), their particles (one). Only hints:
// the moves read everything again.
class HalfWarpHints {
 public:
  __device__ HalfWarpHints(const GcmcArrays& a, HalfWarpOffset o, std::uint32_t lane, bool works)
      : a_(a), offset_(o), lane_(lane), works_(works) {}

  // third, second: draws of the moves three and two ahead; null: not drawn yet.
  __device__ void next(const GcmcDraw* third, const GcmcDraw* second, std::uint32_t n) {
    if (!works_) return;
    prefetchPoint(entry_[0]), prefetchPoint(entry_[1]);
    entry_[0] = entry_[1] = kGcmcNoSlot;
    if (second != nullptr && known_) loadEntries(*second);
    known_ = third != nullptr && (third->kind == GcmcKind::insertion || n > 0);
    if (known_)
      from_ = third->kind == GcmcKind::insertion ? third->point : a_.point[gcmcSlot(*third, n)];
  }

 private:
  __device__ void loadEntries(const GcmcDraw& d) {
    const GcmcPoint to =
        d.kind == GcmcKind::displacement ? gcmcDisplaced(a_.rules, d, from_) : from_;
    const std::uint32_t was = halfWarpCell(a_.grid.cube, from_, offset_);
    const std::uint32_t is = halfWarpCell(a_.grid.cube, to, offset_);
    prefetch(a_.grid.filled + was), entry_[0] = entryOf(was);
    if (is != was) prefetch(a_.grid.filled + is), entry_[1] = entryOf(is);
  }
  __device__ std::uint32_t entryOf(std::uint32_t cell) const {
    return lane_ < a_.grid.capacity ? a_.grid.at(cell, lane_) : kGcmcNoSlot;
  }
  __device__ void prefetchPoint(std::uint32_t slot) const {
    if (slot < a_.capacity) prefetch(a_.point + slot);
  }
  __device__ static void prefetch(const void* p) {
    asm volatile("prefetch.global.L1 [%0];" ::"l"(p));
  }

  const GcmcArrays& a_;
  HalfWarpOffset offset_;
  std::uint32_t lane_;
  bool works_, known_ = false;
  GcmcPoint from_{};
  std::uint32_t entry_[2] = {kGcmcNoSlot, kGcmcNoSlot};
};

template <class T>
__device__ void copyByBlock(T* to, const T* from, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

// The arrays of a chain with particles and cells in `shared`: room for a.capacity particles.
__device__ inline GcmcArrays halfWarpArrays(const GcmcArrays& a, std::byte* shared) {
  GcmcArrays own = a;
  const std::size_t cells = a.grid.cube.allCells();
  own.point = reinterpret_cast<GcmcPoint*>(shared);
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

struct HalfWarpShared {
  alignas(GcmcHead) std::byte head[sizeof(GcmcHead)];
  GcmcDraw draw[kHalfWarpMostThreads];  // of this move and those that follow
  double ofWarp[32];
};

// One move, by all threads; the first warp adds up and decides.
template <class Trace>
__device__ void halfWarpMove(const GcmcArrays& a, const GcmcTrial& t, const HalfWarpOffset& o,
                             bool works, double* ofWarp, const Trace& trace) {
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const auto own = static_cast<std::uint32_t>(thread % kHalfWarp);
  const double u = sumOverWarp(works ? halfWarpChange(a, t, o, own, 0, trace) : 0.0);
  if (lane == 0) ofWarp[warp] = u;
  if constexpr (Trace::kOn)
    if (lane == 0) trace.partial(t, warp, 32, u);
  __syncthreads();
  if (warp == 0) {
    const double sum = sumOverWarp(lane < static_cast<int>(blockDim.x) / 32 ? ofWarp[lane] : 0.0);
    if (lane == 0) gcmcFinish(a, t, sum, trace);
  }
  __syncthreads();
}

// All moves of one chain, by one block.
template <bool inShared, class Trace>
__device__ void halfWarpMovesOf(const GcmcArrays& all, int moves, const Trace& trace) {
  extern __shared__ __align__(16) std::byte dynamic[];
  __shared__ HalfWarpShared s;
  const int thread = static_cast<int>(threadIdx.x), drawn = static_cast<int>(blockDim.x);
  GcmcArrays a = inShared ? halfWarpArrays(all, dynamic) : all;
  a.head = reinterpret_cast<GcmcHead*>(s.head);
  if (thread == 0) *a.head = *all.head;
  __syncthreads();
  const bool works = thread / kHalfWarp < a.grid.cube.cells();
  const HalfWarpOffset o = halfWarpOffset(a.grid.cube, works ? thread / kHalfWarp : 0);
  HalfWarpHints hints(a, o, static_cast<std::uint32_t>(thread % kHalfWarp), works && !inShared);
  const std::uint64_t first = a.head->move;
  for (int k = 0; k < moves; ++k) {
    const int at = k % drawn;
    if (at == 0) {
      s.draw[thread] = gcmcDraw(a.rules, first + k + thread);
      __syncthreads();
    }
    const GcmcTrial t = gcmcTrialOf(a, s.draw[at]);
    if (t.idle) break;
    if (!inShared)
      hints.next(at + 3 < drawn ? &s.draw[at + 3] : nullptr,
                 at + 2 < drawn ? &s.draw[at + 2] : nullptr, t.n);
    if constexpr (Trace::kOn)
      if (thread == 0) trace.choose(a, t, Trace::idOf(a, t));
    halfWarpMove(a, t, o, works, s.ofWarp, trace);
  }
  if (inShared) halfWarpWriteBack(all, a);
  if (thread == 0) *all.head = *a.head;
}

template <bool inShared, class Trace>
__global__ void __launch_bounds__(kHalfWarpMostThreads)
    halfWarpMoves(__grid_constant__ const GcmcArrays all, int moves, Trace trace) {
  halfWarpMovesOf<inShared>(all, moves, trace);
}

}  // namespace cellscope
