// Tiles of the CUDA engine for small systems: a resident thread block takes a rectangle of cells
// through whole sweeps in shared memory, the four sub-sweeps and the shift. It reads its tile with
// a margin and repeats the updates of the margin that the neighbouring blocks make too: random
// numbers belong to cells, so both get the same result, and blocks wait for each other once a sweep
// only.
//
// How wide a margin: tile_choice.h.
#pragma once
#include "sim/algo/mpmc/cell_random.cuh"
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/algo/mpmc/tile_choice.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope::mpmc {

inline constexpr int kTileMoves = 4;                    // n_M
inline constexpr int kTileLanes = 4;                    // threads per active cell
inline constexpr int kTileWorkers = 4 * kTileActive;    // one per update of a sweep
inline constexpr int kTileThreads = kTileWorkers + 32;  // the last warp plans the next sweep

struct TileSweepArgs {
  DiskCellsView cells[2];  // sweep i reads cells[i mod 2] and writes the other
  MpmcParameters parameters;
  std::uint64_t firstSweep;
  std::int32_t sweeps;
  std::uint32_t* done;       // per block: sweeps done since the upload
  std::uint32_t doneBefore;  // when this launch starts
  BlockCounters* counters;   // [set * counterStride + block]
  std::int32_t counterStride;
};

// i / d for i below 2^15 and d below 2^9 by a product.
__device__ inline std::uint32_t reciprocalOf(int d) { return d > 1 ? 0xffffffffu / d + 1 : 0; }
__device__ inline int divide(int i, std::uint32_t reciprocal) {
  return reciprocal ? static_cast<int>(__umulhi(i, reciprocal)) : i;
}

// Step from a cell to neighbour cell c, 0 to 7.
__device__ inline int stepX(int c) { return (c + (c > 3)) % 3 - 1; }
__device__ inline int stepY(int c) { return (c + (c > 3)) / 3 - 1; }

// Where the cells of a region lie in shared memory: as in global memory, rows, and in each the even
// columns before the odd ones.
struct TileLayout {
  int x, y;   // first column (even) and row of the region
  int pairs;  // half a row
  int rows;
  __device__ int cell(int cx, int cy) const {
    return (cy - y) * 2 * pairs + ((cx & 1) ? pairs : 0) + ((cx - x) >> 1);
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

// What a block works out before it sees a disk: for each sub-sweep and active cell its place, the
// word of the shuffle and the trial displacements.
struct TileMoves {
  TileCell active[4][kTileActive];
  std::uint32_t shuffle[4][kTileActive];
  Vec2 step[4][kTileMoves][kTileActive];
};

// Arrays of a block in shared memory.
struct TileShared {
  union {
    struct {
      Vec2 disk[4][kTileCells];
      std::uint32_t id[4][kTileCells];
    } region;
    std::uint32_t candidates[kTileWorkers / 32][kWords + 1][32];  // before the disks are read
  };
  TileMoves moves;
  // Moves since the launch, for each set and number of active cell: attempted, accepted and left
  // the cell, 20 bits each.
  std::uint64_t tally[4][kTileActive];
  std::uint8_t count[kTileCells];
  VisitOrders orders;
  TilePlan plan[2];  // of this sweep and the next
  RngKey key;
};

// The active cells of every sub-sweep and the region that holds all that they need.
__device__ inline void planMargins(TilePlan& plan, const SweepSchedule& s, int lane) {
  Span x = plan.x, y = plan.y;
  goThroughMargins(s, x, y, [&](int k, Span needX, Span needY) {
    if (lane != k) return;
    plan.active[k] = activeCells(s.set[k], needX, needY);
    plan.reciprocalOfActive[k] = reciprocalOf(plan.active[k].nx);
  });
  if (lane > 0) return;
  const int first = x.lo & ~1;
  plan.at = {first, y.lo, (x.hi - first + 1) >> 1, y.hi - y.lo};
  plan.reciprocalOfRegion = reciprocalOf(2 * plan.at.pairs);
}

__device__ inline int wrapFar(int v, int m) {  // small grids go round more than once
  while (v < 0) v += m;
  while (v >= m) v -= m;
  return v;
}

// Plan one sweep; done by one warp.
__device__ inline void planTile(TilePlan& plan, const TileSweepArgs& a, std::uint64_t sweep) {
  const int lane = threadIdx.x % 32;
  const GridInfo g = a.cells[0].grid;
  const SweepSchedule s = scheduleOfSweep(a.parameters, g.w, sweep);
  if (lane == 0) {
    plan.x = {tileBorder(g.m, gridDim.x, blockIdx.x), tileBorder(g.m, gridDim.x, blockIdx.x + 1)};
    plan.y = {tileBorder(g.m, gridDim.y, blockIdx.y), tileBorder(g.m, gridDim.y, blockIdx.y + 1)};
    plan.reciprocalOfOwn = reciprocalOf(plan.x.hi - plan.x.lo);
    plan.shift = s.shift;
    plan.sweep = sweep;
  }
  __syncwarp();
  planMargins(plan, s, lane);
  __syncwarp();
  const TileLayout at = plan.at;
  for (int i = lane; i < 2 * at.pairs; i += 32)
    plan.column[i] = static_cast<std::uint16_t>(wrapFar(at.x + i, g.m));
  for (int i = lane; i < at.rows; i += 32)
    plan.row[i] = static_cast<std::uint16_t>(wrapFar(at.y + i, g.m));
  const int k = lane / 8, c = lane % 8, x = at.x + (plan.active[k].set & 1);
  plan.around[k][c] = at.cell(x + stepX(c), at.y + stepY(c)) - at.cell(x, at.y);
}

// What stays the same in all sweeps.
__device__ inline void prepareTile(TileShared& tile, const TileSweepArgs& a) {
  const int thread = threadIdx.x;
  constexpr int kOrders = sizeof(VisitOrders) / sizeof(std::uint16_t);
  for (int i = thread; i < kOrders; i += kTileThreads)
    (&tile.orders.order[0][0])[i] = (&kVisitOrders.order[0][0])[i];
  for (int i = thread; i < 4 * kTileActive; i += kTileThreads) (&tile.tally[0][0])[i] = 0;
  if (thread == 0) tile.key = hashSeed(a.parameters.seed);
}

}  // namespace cellscope::mpmc
