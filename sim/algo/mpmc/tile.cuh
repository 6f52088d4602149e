// Tiles of the CUDA engine for small systems: a resident thread block processes a rectangle of
// cells in shared memory for whole sweeps, that is four sub-sweeps and the shift. It reads its tile
// with a margin and repeats the updates of neighbouring blocks there: random numbers are keyed by
// cell, so that both obtain the same result, and blocks synchronise only once per sweep.
//
// How wide a margin: tile_choice.h.
#pragma once
#include "sim/algo/mpmc/cell_trials.cuh"
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/algo/mpmc/tile_choice.h"

namespace cellscope::mpmc {

inline constexpr int kTileMoves = 4;                           // n_M
inline constexpr int kTileLanes = 4;                           // threads per active cell
inline constexpr int kTileWorkers = kTileLanes * kTileActive;  // one per update of a sweep
inline constexpr int kTileThreads = kTileWorkers + 32;         // the last warp plans the next sweep

struct TileSweepArgs {
  DiskCellsView cells[2];  // sweep i reads cells[i mod 2] and writes the other
  MpmcParameters parameters;
  RoundKeys keys;
  std::uint64_t firstSweep;
  std::int32_t sweeps;
  std::uint32_t* done = nullptr;  // [kFlagStride * block]: sweeps done since the upload
  std::uint32_t doneBefore = 0;   // when this launch starts
  BlockCounters* counters;        // [set * counterStride + block]
  std::int32_t counterStride;
};

// Of the recording instance.
struct RecordedTileSweepArgs : TileSweepArgs {
  MpmcTrace trace;
};
template <bool kRecorded>
using TileSweepArgsOf = std::conditional_t<kRecorded, RecordedTileSweepArgs, TileSweepArgs>;

// i / d for i below 2^15 and d below 2^9 by a product.
__device__ inline std::uint32_t reciprocalOf(int d) { return d > 1 ? 0xffffffffu / d + 1 : 0; }
__device__ inline int divide(int i, std::uint32_t reciprocal) {
  return reciprocal ? static_cast<int>(__umulhi(i, reciprocal)) : i;
}

// Step from a cell to neighbour c, 0 to 7: x 0 1 0 1 -1 -1 1 -1, y -1 -1 1 1 -1 0 0 1. For a cell
// in an odd column the steps along x are the other way round: then step 1 always leads to the same
// number of column in the other half of the row. Neighbours 2 i and 2 i + 1, which are read
// together, lie in different banks of shared memory but for 6 and 7.
__device__ inline int stepX(int c) { return static_cast<int>(0x2099u >> 2 * c & 3u) - 1; }
__device__ inline int stepY(int c) { return static_cast<int>(0x94a0u >> 2 * c & 3u) - 1; }

// Where the cells of a region lie in shared memory: rows, and in each the even columns before the
// odd ones.
struct TileLayout {
  int x, y;   // first column (even) and row of the region
  int pairs;  // half the columns
  int rows;
  int odd, row;  // where the odd columns of a row begin, and the next row
  __device__ int cell(int cx, int cy) const {
    return (cy - y) * row + ((cx & 1) ? odd : 0) + ((cx - x) >> 1);
  }
};

// The course of one sweep in one block.
struct TilePlan {
  Span x, y;  // the block's own cells
  TileLayout at;
  ActiveCells active[4];
  std::uint32_t reciprocalOfActive[4];  // of nx
  std::int32_t around[4][8];  // distance of the eight cells around an active cell in the tile
  std::uint32_t reciprocalOfRegion, reciprocalOfOwn;  // of the lengths of rows
  CellShift shift;
  std::uint64_t sweep;
  std::uint16_t column[kTileSide], row[kTileSide];  // coordinates in the grid
};

// Where an active cell lies in the region, and whether it is the block's own or of the margin.
struct TileCell {
  std::uint16_t cell;
  std::uint16_t own;
};

// Computed by a block before the disks are read: for each sub-sweep and active cell its position,
// the shuffle word and the trial displacements.
struct TileMoves {
  TileCell active[4][kTileActive];
  std::uint32_t shuffle[4][kTileActive];
  Vec2 step[4][kTileMoves][kTileActive];
};

// Arrays of a block in shared memory.
struct TileShared {
  union {
    struct {
      Vec2 disk[4][kTileSlots];
      std::uint32_t id[4][kTileSlots];
    } region;
    std::uint32_t candidates[kTileWorkers / 32][kWords + 1][32];  // before the disks are read
  };
  TileMoves moves;
  // Moves since the launch, for each set and number of active cell: attempted, accepted and left
  // the cell, 20 bits each.
  std::uint64_t tally[4][kTileActive];
  std::uint8_t count[kTileSlots];
  VisitOrders orders;
  TilePlan plan[2];  // of this sweep and the next
};

static_assert(sizeof(TileShared) <=
              99 * 1024);  // available to a block from compute capability 8.6 on

// The active cells of every sub-sweep and the region that holds all that they need.
__device__ inline void planMargins(TilePlan& plan, const SweepSchedule& s, int lane) {
  Span x = plan.x, y = plan.y;
  goThroughMargins(s, x, y, [&](int k, Span needX, Span needY) {
    if (lane != k) return;
    plan.active[k] = activeCells(s.set[k], needX, needY);
    plan.reciprocalOfActive[k] = reciprocalOf(plan.active[k].nx);
  });
  if (lane > 0) return;
  const int first = x.lo & ~1, pairs = (x.hi - first + 1) >> 1;
  plan.at = {first, y.lo, pairs, y.hi - y.lo, bankStride(pairs), rowStride(pairs)};
  plan.reciprocalOfRegion = reciprocalOf(2 * plan.at.pairs);
}

// Plans one sweep; called by one warp.
__device__ inline void planTile(TilePlan& plan, const TileSweepArgs& a, std::uint64_t sweep) {
  const int lane = threadIdx.x % 32;
  const GridInfo g = a.cells[0].grid;
  const SweepSchedule s = scheduleOfSweep(a.parameters, g.w, sweep);
  if (lane == 0) {
    plan.x = {evenBorder(g.m, gridDim.x, blockIdx.x), evenBorder(g.m, gridDim.x, blockIdx.x + 1)};
    plan.y = {evenBorder(g.rows(), gridDim.y, blockIdx.y),
              evenBorder(g.rows(), gridDim.y, blockIdx.y + 1)};
    plan.reciprocalOfOwn = reciprocalOf(plan.x.hi - plan.x.lo);
    plan.shift = s.shift;
    plan.sweep = sweep;
  }
  __syncwarp();
  planMargins(plan, s, lane);
  __syncwarp();
  const TileLayout at = plan.at;
  for (int i = lane; i < 2 * at.pairs; i += 32)
    plan.column[i] = static_cast<std::uint16_t>(g.wrapFar(at.x + i));
  for (int i = lane; i < at.rows; i += 32)
    plan.row[i] = static_cast<std::uint16_t>(g.wrapFarRow(at.y + i));
  const int k = lane / 8, c = lane % 8, odd = plan.active[k].set & 1;
  const int x = at.x + odd, xBeside = odd ? x - stepX(c) : x + stepX(c);
  plan.around[k][c] = at.cell(xBeside, at.y + stepY(c)) - at.cell(x, at.y);
}

// Data common to all sweeps.
__device__ inline void prepareTile(TileShared& tile, const TileSweepArgs& a) {
  const int thread = threadIdx.x;
  copyVisitOrders(tile.orders, thread, kTileThreads);
  for (int i = thread; i < 4 * kTileActive; i += kTileThreads) (&tile.tally[0][0])[i] = 0;
}

// Copies to shared memory without passing through registers (compute capability 8.0 on; plain loads
// and stores before).

// Of 4 or 8 bytes.
template <class T>
__device__ inline void copyAsync(T* to, const T* from) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(to))),
               "l"(from), "n"(sizeof(T)));
#else
  *to = *from;
#endif
}
// Closes the group of copies made since the last call.
__device__ inline void closeCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Waits for all copies of this thread except the last kLater groups.
template <int kLater>
__device__ inline void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(kLater) : "memory");
#endif
}

// Signals that this block has written its tile; called by one thread, after a barrier.
__device__ inline void signalDone(const TileSweepArgs& a, std::uint32_t done) {
  std::uint32_t* flag = a.done + kFlagStride * (blockIdx.y * gridDim.x + blockIdx.x);
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(flag), "r"(a.doneBefore + done)
               : "memory");
}

// Waits until the eight surrounding blocks have completed `done` sweeps; called by one warp, before
// a barrier.
__device__ inline void waitForNeighbours(const TileSweepArgs& a, std::uint32_t done) {
  const int c = threadIdx.x % 32;
  if (c >= 8) return;
  const int x = wrapRow(static_cast<int>(blockIdx.x) + stepX(c), gridDim.x);
  const int y = wrapRow(static_cast<int>(blockIdx.y) + stepY(c), gridDim.y);
  const std::uint32_t* flag = a.done + kFlagStride * (y * gridDim.x + x);
  std::uint32_t seen;
  do {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (static_cast<std::int32_t>(seen - (a.doneBefore + done)) < 0);
}

// A cell of the region: where it lies in shared memory and in the grid's arrays.
struct TileSource {
  int slot;
  unsigned cell;
};

// Cell number t of the region.
__device__ inline TileSource sourceOf(const TilePlan& plan, int t, int m) {
  const TileLayout& at = plan.at;
  const int row = divide(t, plan.reciprocalOfRegion), c = t - row * 2 * at.pairs;
  const int odd = c >= at.pairs, pair = c - (odd ? at.pairs : 0), x = plan.column[2 * pair + odd];
  return {row * at.row + (odd ? at.odd : 0) + pair,
          static_cast<unsigned>(plan.row[row]) * m + ((x + (odd ? m : 0)) >> 1)};
}

// Cells of the region that one working thread reads.
inline constexpr int kTileReads = (kTileCells + kTileWorkers - 1) / kTileWorkers;

// Read the region of a block, all slots in one round of loads, by the working threads. Only the
// shift needs ids: their copies may still be pending on return.
__device__ inline void loadTile(TileShared& tile, const TilePlan& plan, const DiskCellsView& from) {
  const int total = 2 * plan.at.pairs * plan.at.rows;
  const unsigned cells = static_cast<unsigned>(from.grid.cellCount());
  TileSource source[kTileReads];
  std::uint8_t count[kTileReads];
  const auto has = [&](int r) { return static_cast<int>(threadIdx.x + r * kTileWorkers) < total; };
#pragma unroll
  for (int r = 0; r < kTileReads; ++r) {
    if (!has(r)) continue;
    const TileSource& s = source[r] = sourceOf(plan, threadIdx.x + r * kTileWorkers, from.grid.m);
    count[r] = from.count[s.cell];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      copyAsync(&tile.region.disk[i][s.slot], from.disk + (i * cells + s.cell));
  }
  closeCopies();
#pragma unroll
  for (int r = 0; r < kTileReads; ++r) {
    if (!has(r)) continue;
#pragma unroll
    for (int i = 0; i < 4; ++i)
      copyAsync(&tile.region.id[i][source[r].slot], from.id + (i * cells + source[r].cell));
  }
  closeCopies();
#pragma unroll
  for (int r = 0; r < kTileReads; ++r)
    if (has(r)) tile.count[source[r].slot] = count[r];
  waitForCopies<1>();
}

}  // namespace cellscope::mpmc
