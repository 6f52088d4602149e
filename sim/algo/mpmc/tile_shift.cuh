// Cell shift of a tile (S3, Algorithm 4): from shared memory to the other buffer, one thread per
// cell, which gathers the disks that stay and those that enter.
#pragma once
#include "sim/algo/mpmc/tile.cuh"

namespace cellscope::mpmc {

// Bits of the slots of a cell whose disks are, after the shift, inside the cell or outside it.
// `step`: the shift along its axis, -f d.
__device__ inline unsigned slotsInside(const TileShared& tile, int cell, bool alongY, float step,
                                       float w, bool inside) {
  const int n = tile.count[cell];
  unsigned slots = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (i == 3 && n < 4) continue;
    const Vec2 p = tile.region.disk[i][cell];
    // Inside [0, w): negative numbers are large when compared without sign.
    const bool stays = __float_as_uint((alongY ? p.y : p.x) + step) < __float_as_uint(w);
    if (stays == inside && i < n) slots |= 1u << i;
  }
  return slots;
}

// One cell after the shift: the disks that stay, then those that enter from the cell `beside`.
__device__ inline void shiftTileCell(const TileShared& tile, const DiskCellsView& to, unsigned out,
                                     int own, int beside, bool alongY, float step, float turn) {
  const float w = to.grid.w;
  const unsigned cells = static_cast<unsigned>(to.grid.cellCount());
  unsigned taken = slotsInside(tile, own, alongY, step, w, true) |
                   slotsInside(tile, beside, alongY, step, w, false) << 4;
  to.count[out] = static_cast<std::uint8_t>(__popc(taken));
  // Without branches: the four reads follow each other at once.
#pragma unroll
  for (int i = 0; i < 4; ++i, taken &= taken - 1) {
    const bool exists = taken != 0;
    const int slot = exists ? __ffs(taken) - 1 : 0, cell = slot < 4 ? own : beside;
    Vec2 p = tile.region.disk[slot & 3][cell];
    const std::uint32_t id = tile.region.id[slot & 3][cell];
    (alongY ? p.y : p.x) += step + (slot < 4 ? 0.0f : turn);
    to.disk[i * cells + out] = {exists ? p.x : kEmptySlot, exists ? p.y : kEmptySlot};
    to.id[i * cells + out] = exists ? id : kNoId;
  }
}

__device__ inline void shiftTile(const TileShared& tile, const TilePlan& plan,
                                 const DiskCellsView& to) {
  const GridInfo g = to.grid;
  const bool alongY = plan.shift.direction >= 2;
  const int along = (plan.shift.direction & 1) ? -1 : 1;  // f
  const float step = along > 0 ? -plan.shift.d : plan.shift.d, turn = along > 0 ? g.w : -g.w;
  const int half = (plan.x.hi - plan.x.lo) >> 1, width = 2 * half;
  const int total = width * (plan.y.hi - plan.y.lo);
  for (int t = threadIdx.x; t < total; t += kTileWorkers) {
    const int row = divide(t, plan.reciprocalOfOwn), c = t - row * width, odd = c >= half;
    const int x = plan.x.lo + 2 * (c - (odd ? half : 0)) + odd, y = plan.y.lo + row;
    shiftTileCell(tile, to, static_cast<unsigned>(g.cell(x, y)), plan.at.cell(x, y),
                  plan.at.cell(x + (alongY ? 0 : along), y + (alongY ? along : 0)), alongY, step,
                  turn);
  }
}

}  // namespace cellscope::mpmc
