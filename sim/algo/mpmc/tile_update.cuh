// Sub-sweeps of a tile (S3, Algorithm 2 and section 5.2): four threads per active cell, each with
// two of the eight neighbour cells and one of the cell's own disks. Every thread follows all trial
// moves; overlaps are combined by a warp vote. Bitwise identical to thread_mappings.cu.
//
// Legend: p disk of this cell, q neighbour disk in this cell's coordinates, w cell width.
#pragma once
#include "sim/algo/mpmc/tile.cuh"

namespace cellscope::mpmc {

// Records written by the recording instance of the resident kernel.

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

inline constexpr int kGroups = 32 / kTileLanes;  // active cells of a warp
inline constexpr int kCellsPerLane = 8 / kTileLanes;
inline constexpr unsigned kGroupMask = ~0u / ((1u << kGroups) - 1);  // lanes of the first group
static_assert(kTileLanes == 4 && kTileMoves == 4);

// Number of a thread in its group, and its neighbour cells' offsets for cells in even columns.
struct Lane {
  int role;
  Vec2 offset[kCellsPerLane];
};

__device__ inline Lane laneOf(float w) {
  Lane lane;
  lane.role = threadIdx.x % 32 / kGroups;
#pragma unroll
  for (int j = 0; j < kCellsPerLane; ++j) {
    const int c = lane.role + j * kTileLanes;
    lane.offset[j] = {static_cast<float>(stepX(c)) * w, static_cast<float>(stepY(c)) * w};
  }
  return lane;
}

// Number of the first active cell of a warp.
__device__ inline int firstOfWarp() { return threadIdx.x / 32 * kGroups; }

// Data of a lane for an update that are available before the previous sub-sweep ends: all but the
// neighbours' disks. Computed in four steps, so that no step waits for the shared-memory reads of
// the previous one.
struct Update {
  int index = 0;                 // of the active cell
  int n = 0;                     // disks of the cell; 0 where the warp has lanes to spare
  int cell[kCellsPerLane] = {};  // neighbour cells
  int count[kCellsPerLane];      // their disks
  unsigned order;                // of visits
  Vec2* slot;                    // of the disk visited role-th
  Vec2 own;                      // that disk
  Vec2 step[kTileMoves];
  TileCell active{};
  std::uint32_t word = 0;

  __device__ void find(const TileShared& tile, const TilePlan& plan, int k, int role) {
    const int i = firstOfWarp() + threadIdx.x % kGroups;
    const bool inside = i < plan.active[k].total;
    index = inside ? i : 0;
    n = inside ? 4 : 0;
    if (firstOfWarp() >= plan.active[k].total) {  // nothing for this warp
#pragma unroll
      for (int j = 0; j < kCellsPerLane; ++j) cell[j] = 0;
      active.cell = 0;
      return;
    }
    active = tile.moves.active[k][index];
    word = tile.moves.shuffle[k][index];
#pragma unroll
    for (int j = 0; j < kCellsPerLane; ++j) cell[j] = plan.around[k][role + j * kTileLanes];
#pragma unroll
    for (int s = 0; s < kTileMoves; ++s) step[s] = tile.moves.step[k][s][index];
  }
  __device__ void countDisks(const TileShared& tile) {
    n = min(n, static_cast<int>(tile.count[active.cell]));
#pragma unroll
    for (int j = 0; j < kCellsPerLane; ++j) {
      cell[j] += active.cell;
      count[j] = tile.count[cell[j]];
    }
  }
  __device__ void arrange(const TileShared& tile, bool shuffle) {
    order = visitOrder(tile.orders, word, n);
    order = shuffle ? order : 0x3210u;
  }
  __device__ void fetch(TileShared& tile, int role) {
    slot = &tile.region.disk[(order >> (4 * role)) & 15u][active.cell];
    own = role < n ? *slot : Vec2{kEmptySlot, kEmptySlot};
  }
  __device__ void prepare(TileShared& tile, bool shuffle, int role) {
    countDisks(tile);
    arrange(tile, shuffle);
    fetch(tile, role);
  }
  // Whether this lane counts the moves for the block: not in its margin.
  __device__ bool counted(int role) const { return role == 0 && n > 0 && active.own; }
};

// The disks of a lane's neighbour cells; unused slots lie at kEmptySlot, out of reach. The third
// is read only if occupied, as sub-sweeps are bound by shared memory, the fourth only if a cell of
// the warp has one, which is rare.
struct NearDisks {
  FilterDisk q[3 * kCellsPerLane], fourth[kCellsPerLane];
  bool anyFourth;

  // alongX: 1 for cells in even columns, -1 in odd ones (stepX()).
  __device__ NearDisks(const TileShared& tile, const Update& u, const Lane& lane, float alongX) {
    anyFourth = __any_sync(~0u, max(u.count[0], u.count[1]) > 3);
#pragma unroll
    for (int j = 0; j < kCellsPerLane; ++j) {
      const Vec2 offset = {alongX * lane.offset[j].x, lane.offset[j].y};
#pragma unroll
      for (int p = 0; p < 3; ++p) q[3 * j + p] = seen(tile, u, offset, j, p);
      fourth[j] = anyFourth ? seen(tile, u, offset, j, 3) : FilterDisk{kFar, kFar, kFar * kFar};
    }
  }
  __device__ static FilterDisk seen(const TileShared& tile, const Update& u, Vec2 offset, int j,
                                    int slot) {
    Vec2 v = {kEmptySlot, kEmptySlot};
    if (slot < 2 || slot < u.count[j]) v = tile.region.disk[slot][u.cell[j]];
    return filterDisk({v.x + offset.x, v.y + offset.y});
  }
  // Least filter value of these disks and `own`.
  __device__ int least(int own, Vec2 a) const {
    static_assert(kCellsPerLane == 2);
    const int first = __vimin3_s32(filterBits(q[0], a), filterBits(q[1], a), filterBits(q[2], a));
    const int second = __vimin3_s32(filterBits(q[3], a), filterBits(q[4], a), filterBits(q[5], a));
    if (anyFourth) own = __vimin3_s32(own, filterBits(fourth[0], a), filterBits(fourth[1], a));
    return __vimin3_s32(first, second, own);
  }
  // The exact rule.
  __device__ bool overlapsAny(Vec2 to) const {
    bool blocked = false;
#pragma unroll
    for (const FilterDisk& d : q) blocked |= overlaps(to.x - d.x, to.y - d.y);
#pragma unroll
    for (const FilterDisk& d : fourth) blocked |= overlaps(to.x - d.x, to.y - d.y);
    return blocked;
  }
};

// s mod n for s below 4.
__device__ inline int turnOf(int s, int n) {
  if (s == 0) return 0;
  if (s == 1) return n > 1;
  if (s == 2) return n > 2 ? 2 : 0;
  return n == 2 ? 1 : n == 4 ? 3 : 0;
}

// Trial move s in one active cell by the lanes of its group; the whole warp takes part, and
// branches as one. `own`: the lane's disk. Adds the accepted moves to `counts` and, from bit 8 on,
// those that left the cell.
template <class Trace>
__device__ inline void moveByGroup(int s, const NearDisks& near, const Update& u, FilterDisk& own,
                                   int role, float w, unsigned& counts, Trace& trace) {
  static_assert(kTileMoves == 4);
  const int column = threadIdx.x % kGroups;
  const int turn = turnOf(s, u.n), holder = turn * kGroups + column;
  const Vec2 from = {__shfl_sync(~0u, own.x, holder), __shfl_sync(~0u, own.y, holder)};
  const Vec2 to = {from.x + u.step[s].x, from.y + u.step[s].y};
  const bool stays = insideUnsigned(to, w), moves = turn == role;
  const FilterDisk moved = filterDisk(to);
  const Vec2 a = {-2.0f * to.x, -2.0f * to.y};
  const float margin = filterMargin(near.least(moves ? kNothing : filterBits(own, a), a), moved.s);
  unsigned votes = __ballot_sync(~0u, margin < 0.0f);
  if (__any_sync(~0u, fabsf(margin) < kBand))
    votes =
        __ballot_sync(~0u, near.overlapsAny(to) | (!moves & overlaps(to.x - own.x, to.y - own.y)));
  const bool accept = ((votes & (kGroupMask << column)) == 0) & stays;
  if (accept & moves) own = moved;
  if (accept) ++counts;
  if (!stays) counts += 1u << 8;
  trace.trial(s, static_cast<int>(u.order >> (4 * turn) & 15u), from, to, outcomeOf(accept, stays));
}

// Barrier of the working warps.
__device__ inline void meetWorkers() {
  asm volatile("bar.sync 1, %0;" ::"n"(kTileWorkers) : "memory");
}

// The four sub-sweeps of a sweep. Each update is prepared between the moves of the one before it.
// input: the cells that the tile was read from, and what to record; nothing in the fast instance.
template <class Input>
__device__ inline void subSweepsOfTile(TileShared& tile, const TilePlan& plan, float w,
                                       bool shuffle, const Input& input) {
  const Lane lane = laneOf(w);
  Update next;
  next.find(tile, plan, 0, lane.role);
  next.prepare(tile, shuffle, lane.role);
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const bool last = k == 3;
    const Update u = next;
    if (!last) next.find(tile, plan, k + 1, lane.role);
    if (firstOfWarp() < plan.active[k].total) {
      const NearDisks near(tile, u, lane, plan.active[k].set & 1 ? -1.0f : 1.0f);
      FilterDisk own = filterDisk(u.own);
      unsigned counts = 0;
      auto trace = traceOfTile(input, tile, plan, k, u.index, u.counted(lane.role) ? u.n : 0);
      moveByGroup(0, near, u, own, lane.role, w, counts, trace);
      if (!last) next.countDisks(tile);
      moveByGroup(1, near, u, own, lane.role, w, counts, trace);
      if (!last) next.arrange(tile, shuffle);
      moveByGroup(2, near, u, own, lane.role, w, counts, trace);
      if (!last) next.fetch(tile, lane.role);
      moveByGroup(3, near, u, own, lane.role, w, counts, trace);
      trace.end();
      if (lane.role < u.n) *u.slot = {own.x, own.y};
      if (u.counted(lane.role))
        tile.tally[plan.active[k].set][u.index] +=
            kTileMoves | std::uint64_t{counts & 0xffu} << 20 | std::uint64_t{counts >> 8} << 40;
    } else if (!last) {
      next.prepare(tile, shuffle, lane.role);
    }
    waitForCopies<0>();  // identities, before the shift
    meetWorkers();
  }
}

}  // namespace cellscope::mpmc
