// Whole sweeps of one grid by the resident kernel: its tiles, their flags, and its launches.
#pragma once
#include "sim/algo/mpmc/tile_update.cuh"
#include "sim/exec/cuda_exec.cuh"
#include "sim/exec/layout.h"

namespace cellscope::mpmc {

// Whole sweeps on CUDA in one launch (S3, Algorithms 1, 2 and 4), for small grids of four slots
// and n_M = 4: every thread block stays on its multiprocessor and processes one tile sweep after
// sweep in shared memory (tile.cuh). Such systems are bound by latency and launches, not by
// arithmetic: random numbers are drawn while the neighbours finish, and the last warp of a block
// plans the next sweep and waits for the neighbours while the others work.

// Cell shift of a tile (S3, Algorithm 4): from shared memory to the other buffer, one thread per
// cell, which gathers the disks that stay and those that enter.

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

// Place and random numbers of update number i of a sweep.
__device__ inline void drawMoves(TileShared& tile, const TilePlan& plan, const RoundKeys& keys,
                                 int i, const GridInfo& g, float scale) {
  int k = 0;
  while (k < 4 && i >= plan.active[k].total) i -= plan.active[k++].total;
  if (k == 4) return;
  const ActiveCells active = plan.active[k];
  const int row = divide(i, plan.reciprocalOfActive[k]);
  const int x = active.x + 2 * (i - row * active.nx), y = active.y + 2 * row;
  TileMoves& moves = tile.moves;
  moves.active[k][i] = {static_cast<std::uint16_t>(plan.at.cell(x, y)),
                        static_cast<std::uint16_t>(plan.x.holds(x) && plan.y.holds(y))};
  CandidateStream<32> stream{keys,
                             sharedAddress(&tile.candidates[threadIdx.x / 32][0][threadIdx.x % 32]),
                             plan.sweep, g.id(plan.column[x - plan.at.x], plan.row[y - plan.at.y])};
  moves.shuffle[k][i] = stream.start();
  std::uint32_t word[kTileMoves];
  stream.takeFirst(word);
#pragma unroll
  for (int s = 0; s < kTileMoves; ++s) moves.step[k][s][i] = displacementOf(word[s], scale);
}

// Add what this launch counted to the totals of the block.
__device__ inline void addTally(const TileShared& tile, const TileSweepArgs& a) {
  const int block = blockIdx.y * gridDim.x + blockIdx.x;
  for (int i = threadIdx.x; i < 4 * kTileActive; i += kTileThreads) {
    const std::uint64_t tally = (&tile.tally[0][0])[i];
    BlockCounters& counters = a.counters[i / kTileActive * a.counterStride + block];
    for (int j = 0; j < 3; ++j)
      if (tally != 0) exec::addGlobal(&counters.total[j], tally >> (20 * j) & 0xfffffu);
  }
}

template <bool kRecorded = false>
__global__ void __launch_bounds__(kTileThreads, 1)
    tileSweepsKernel(const __grid_constant__ TileSweepArgsOf<kRecorded> a) {
  extern __shared__ __align__(16) unsigned char raw[];
  TileShared& tile = *reinterpret_cast<TileShared*>(raw);
  const GridInfo g = a.cells[0].grid;
  const float scale = a.parameters.d / 32768.0f;
  const bool shuffle = !a.parameters.experiments.noParticleShuffle;
  const bool planner = threadIdx.x >= kTileWorkers;
  prepareTile(tile, a);
  if (planner) planTile(tile.plan[0], a, a.firstSweep);
  __syncthreads();
  for (int i = 0; i < a.sweeps; ++i) {
    const TilePlan& plan = tile.plan[i & 1];
    if (planner)
      waitForNeighbours(a, i);
    else
      drawMoves(tile, plan, a.keys, threadIdx.x, g, scale);
    __syncthreads();
    if (!planner) loadTile(tile, plan, a.cells[i & 1]);
    __syncthreads();
    if (planner) {
      planTile(tile.plan[(i + 1) & 1], a, a.firstSweep + i + 1);
    } else {
      if constexpr (kRecorded)
        subSweepsOfTile(tile, plan, g.w, shuffle, RecordedTileInput{a.cells[i & 1], a.trace});
      else
        subSweepsOfTile(tile, plan, g.w, shuffle, NoTileInput{});
      shiftTile(tile, plan, a.cells[(i + 1) & 1]);
    }
    __syncthreads();
    if (threadIdx.x == kTileWorkers) signalDone(a, i + 1);
  }
  addTally(tile, a);
}

// Blocks of an instance of the kernel above that fit on the device at the same time.
template <bool kRecorded>
int residentBlocks(int device) {
  int processors = 0, resident = 0;
  cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  const bool fits =
      cudaFuncSetAttribute(tileSweepsKernel<kRecorded>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(sizeof(TileShared))) == cudaSuccess &&
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &resident, tileSweepsKernel<kRecorded>, kTileThreads, sizeof(TileShared)) == cudaSuccess;
  cudaGetLastError();  // insufficient shared memory is not an error
  return fits ? processors * resident : 0;
}

class ResidentSweeps {
 public:
  static constexpr std::uint64_t kMost = 1024;  // sweeps in one launch

  struct Flags {
    exec::Array<std::uint32_t> done;
    static exec::Layout<Flags> layout(const TileCount& tiles) {
      return {{"flags of tiles", &Flags::done,
               kFlagStride * std::max<std::size_t>(1, blocksOf(tiles))}};
    }
  };
  // For a grid on this device; not possible when it is too large. Of runs side by side each takes
  // its share of the blocks, or as few as it can do with.
  static TileCount tilesFor(const GridInfo& grid, const ExecConfig& config) {
    const int blocks = residentBlocks<false>(config.device);
    TileCount tiles;
    for (int runs = config.together; runs >= 1 && !tiles.possible(); --runs)
      tiles = chooseTiles(grid.m, grid.allRows(), blocks / runs);
    return tiles;
  }
  static unsigned blocksOf(const TileCount& t) { return static_cast<unsigned>(t.x * t.y); }

  void prepare(const GridInfo& grid, const ExecConfig& config) {
    tiles_ = tilesFor(grid, config);
    recorded_ = residentBlocks<true>(config.device) >= tiles_.x * tiles_.y;
    flags_ = Flags::layout(tiles_).make(Backend::cuda);
    flags_.done.zero();
    doneBefore_ = 0;
  }
  const TileCount& tiles() const { return tiles_; }
  std::size_t bytes() const { return Flags::layout(tiles_).held(flags_); }
  bool possible() const { return tiles_.possible(); }
  bool canRecord() const { return recorded_; }  // the recording instance fits with the same tiles

  // Start a.sweeps sweeps, at most kMost; fills in the flags of `a`.
  void start(exec::CudaExec& exec, TileSweepArgs a, const MpmcTrace& trace) {
    a.done = flags_.done.data();
    a.doneBefore = doneBefore_;
    const auto launch = [&](auto kernel, const auto& args) {
      exec.launchResident("resident sweeps", dim3(tiles_.x, tiles_.y), kTileThreads,
                          sizeof(TileShared), static_cast<std::uint64_t>(a.sweeps), kernel, args);
    };
    if (trace.on())
      launch(tileSweepsKernel<true>, RecordedTileSweepArgs{a, trace});
    else
      launch(tileSweepsKernel<false>, a);
    doneBefore_ += static_cast<std::uint32_t>(a.sweeps);
  }

 private:
  TileCount tiles_;
  bool recorded_ = false;
  Flags flags_;
  std::uint32_t doneBefore_ = 0;
};

}  // namespace cellscope::mpmc
