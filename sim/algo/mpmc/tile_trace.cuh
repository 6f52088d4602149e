// Records written by the recording instance of the resident kernel.
#pragma once
#include "sim/algo/mpmc/tile.cuh"

namespace cellscope::mpmc {

// The 3x3 cells around an active cell: disks in the tile, identities in the cells that it was read
// from, where the slots are the same. Margins are wide enough, and no block writes those cells
// before this one has done its sweep.
struct TileCells {
  const TileShared& tile;
  const TilePlan& plan;
  DiskCellsView from;
  int x, y;  // of the active cell; may lie beyond the grid
  __device__ int cell(int k) const { return plan.at.cell(x + k % 3 - 1, y + k / 3 - 1); }
  __device__ int count(int k) const { return tile.count[cell(k)]; }
  __device__ Vec2 disk(int k, int slot) const { return tile.region.disk[slot][cell(k)]; }
  __device__ std::uint32_t id(int k, int slot) const {
    const int column = plan.column[x + k % 3 - 1 - plan.at.x];
    const int row = plan.row[y + k / 3 - 1 - plan.at.y];
    return from.id[from.grid.slot(column, row, slot)];
  }
  __device__ float width() const { return from.grid.w; }
};

struct NoTileInput {};
struct RecordedTileInput {
  DiskCellsView from;
  const MpmcTrace& trace;
};

__device__ inline NoTrace traceOfTile(const NoTileInput&, const TileShared&, const TilePlan&, int,
                                      int, int) {
  return {};
}

// Of active cell number `index` of sub-sweep k, by one of its threads; n: its disks.
__device__ inline CellTrace<TileCells> traceOfTile(const RecordedTileInput& input,
                                                   const TileShared& tile, const TilePlan& plan,
                                                   int k, int index, int n) {
  const ActiveCells& active = plan.active[k];
  const int row = divide(index, plan.reciprocalOfActive[k]);
  const int x = active.x + 2 * (index - row * active.nx), y = active.y + 2 * row;
  const std::uint32_t cell =
      input.from.grid.id(plan.column[x - plan.at.x], plan.row[y - plan.at.y]);
  return {input.trace, {tile, plan, input.from, x, y}, n, traceStage(plan.sweep, k), cell};
}

}  // namespace cellscope::mpmc
