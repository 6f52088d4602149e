// The scalar rules of sim/core/mpmc_rules.h as CUDA functors: grids of five slots, the experiments
// that change moves or shifts, compression, single phases, and the exhaustive check. Slow, but the
// same code as the reference on the CPU.
#pragma once
#include "sim/algo/mpmc/engine.h"
#include "sim/algo/mpmc/resident_sweeps.cuh"
#include "sim/algo/mpmc/side_by_side.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope::mpmc {

// Counters of all thread blocks together, for each set.
struct SetTotals {
  BlockCounters set[4];
};

struct CountersOfBlock {
  const BlockCounters* blocks;
  std::size_t stride;
  __device__ SetTotals operator()(std::size_t block) const {
    SetTotals t;
    for (int set = 0; set < 4; ++set) t.set[set] = blocks[set * stride + block];
    return t;
  }
};

struct AddSetTotals {
  __device__ SetTotals operator()(SetTotals a, const SetTotals& b) const {
    for (int set = 0; set < 4; ++set)
      for (int k = 0; k < 3; ++k) a.set[set].total[k] += b.set[set].total[k];
    return a;
  }
};

// Counters of the sub-sweep kernels, one for each thread block of any mapping and set.
struct Counters {
  exec::Array<BlockCounters> blocks;
  static int stride(const GridInfo& grid, const TileCount& tiles) {
    unsigned most = std::max(ResidentSweeps::blocksOf(tiles),
                             static_cast<unsigned>(SideBySide::blocksOf(grid)));
    for (const MpmcMappingInfo& m : kMpmcMappings) {
      const dim3 blocks = m.subSweep(grid, true).grid;
      most = std::max(most, blocks.x * blocks.y);
    }
    return static_cast<int>(most);
  }
  static exec::Layout<Counters> layout(const GridInfo& grid, const TileCount& tiles) {
    return {{"counters of thread blocks", &Counters::blocks,
             4 * static_cast<std::size_t>(stride(grid, tiles))}};
  }

  // Summed on the device: the blocks of a large grid are many. Waits.
  void addTo(MpmcCounters& total, exec::CudaExec& exec, exec::DeviceValue<SetTotals>& sum) const {
    const std::size_t stride = blocks.size() / 4;
    exec.reduce("counters", stride, SetTotals{}, CountersOfBlock{blocks.data(), stride},
                AddSetTotals{}, sum);
    const SetTotals all = exec.read(sum);
    for (int set = 0; set < 4; ++set) {
      total.attempted[set] += all.set[set].total[0];
      total.accepted[set] += all.set[set].total[1];
      total.leftCell[set] += all.set[set].total[2];
      total.overlap[set] = total.attempted[set] - total.accepted[set] - total.leftCell[set];
    }
  }
};

// What a strip has to do with the strips beside it on CUDA.

// i = cell of `a`, then of `b`.
struct CopyRows {
  RowCopy a, b;
  int slots;
  __device__ void operator()(std::size_t i) const {
    const RowCopy& rows = i < a.cells ? a : b;
    if (i >= a.cells) i -= a.cells;
    for (int k = 0; k < slots; ++k) {
      rows.to.disk[k * rows.to.stride + i] = rows.from.disk[k * rows.from.stride + i];
      rows.to.id[k * rows.to.stride + i] = rows.from.id[k * rows.from.stride + i];
    }
    rows.to.count[i] = rows.from.count[i];
  }
};

struct CountTrials {
  unsigned long long* accepted;
  unsigned long long* leftCell;
  unsigned long long* attempted;
  HOST_DEVICE void operator()(const TrialRecord& t) const {
    exec::addGlobal(attempted, 1ull);
    if (t.outcome == TrialOutcome::accepted) exec::addGlobal(accepted, 1ull);
    if (t.outcome == TrialOutcome::leftCell) exec::addGlobal(leftCell, 1ull);
  }
};

// i = index among the active cells of the set, a quarter of those that are not of a halo.
template <bool kRecorded>
struct UpdateCells {
  SubSweepTask task;
  CountTrials count;
  MpmcTrace trace = {};  // of a recording instance
  std::uint32_t stage = 0;
  __device__ void operator()(std::size_t i) const {
    const GridInfo& g = task.cells.grid;
    const int half = g.m / 2, set = task.set;
    const int x = 2 * static_cast<int>(i % half) + (set & 1),
              y = 2 * (static_cast<int>(i / half) + g.firstPair()) + (set >> 1);
    if constexpr (kRecorded)
      updateRecordedCell(task, trace, stage, x, y, count);
    else
      updateStoredCell(task, x, y, count);
  }
};

// Gathering after a shift, or after disks left their cells; last: of the sweep, when marks of moves
// end. status: cells that overflowed.
struct GatherCells {
  DiskCellsView from, to;
  CellShift shift;
  bool rebin, last;
  exec::StatusWord* status;
  __device__ void operator()(std::size_t i) const {
    const GridInfo& g = from.grid;
    const int x = static_cast<int>(i % g.m), y = static_cast<int>(i / g.m);
    CellContents c = rebin ? gatherRebinned(from, x, y) : gatherShifted(from, x, y, shift);
    if (last) c.moved = 0;
    if (c.overflow)
      exec::reportFault(status, exec::Fault::overflow, static_cast<std::uint32_t>(g.cell(x, y)));
    writeContents(to, x, y, c);
  }
};

// Takes all disks out, and marks. Waits.
inline void emptyOn(exec::CudaExec& exec, DiskCells& cells) {
  cells.markMoved(false);
  const GridInfo& grid = cells.grid;
  exec.fill("empty cells", cells.disk.data(), grid.slotCount(), Vec2{kEmptySlot, kEmptySlot});
  exec.fill("empty cells", cells.id.data(), grid.slotCount(), kNoId);
  exec.fill("empty cells", cells.count.data(), grid.cellCount(), std::uint8_t{0});
  exec.synchronize();
}
inline DiskCells emptyOn(exec::CudaExec& exec, const GridInfo& grid) {
  DiskCells cells(Backend::cuda, grid);
  emptyOn(exec, cells);
  return cells;
}

}  // namespace cellscope::mpmc
