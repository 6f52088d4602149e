// The scalar rules of sim/core/mpmc_rules.h as CUDA functors: grids of five slots, the experiments
// that change moves or shifts, compression, single phases, and the exhaustive check. Slow, but the
// same code as the reference on the CPU.
#pragma once
#include <algorithm>

#include "sim/algo/mpmc/engine.h"
#include "sim/algo/mpmc/resident_sweeps.cuh"
#include "sim/algo/mpmc/side_by_side.cuh"
#include "sim/algo/mpmc/sweep_plan.cuh"
#include "sim/core/checkerboard.h"
#include "sim/core/mpmc_rules.h"
#include "sim/exec/atomic.h"
#include "sim/exec/cuda_exec.cuh"
#include "sim/exec/layout.h"
#include "sim/exec/status.h"

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
  __device__ void operator()(const TrialRecord& t) const {
    exec::addGlobal(attempted, 1ull);
    if (t.outcome == TrialOutcome::accepted) exec::addGlobal(accepted, 1ull);
    if (t.outcome == TrialOutcome::leftCell) exec::addGlobal(leftCell, 1ull);
  }
};

// i = index among the active cells of the set, a quarter of those that are not of a halo.
struct UpdateCells {
  DiskCellsView cells;
  CellRule rule;
  int set;
  CountTrials count;
  __device__ CellIndex cell(std::size_t i) const {
    const int half = cells.grid.m / 2;
    return {2 * static_cast<int>(i % half) + (set & 1),
            2 * (static_cast<int>(i / half) + cells.grid.firstPair()) + (set >> 1)};
  }
  __device__ void operator()(std::size_t i) const {
    const CellIndex at = cell(i);
    update(at.x, at.y, count);
  }
  template <class Record>
  __device__ void update(int x, int y, Record&& record) const {
    const GridInfo& g = cells.grid;
    const int disks = cells.count[g.cell(x, y)];
    if (disks == 0) return;
    Neighbourhood n = readNeighbourhood(cells, x, y);
    updateCell(n, rule, g.id(x, y), record, cells.moved ? cells.moved + g.cell(x, y) : nullptr);
    for (int k = 0; k < disks; ++k) cells.disk[g.slot(x, y, k)] = n.disk[kOwnCell][k];
  }
};

// The same by a recording instance.
struct UpdateRecordedCells {
  UpdateCells update;
  MpmcTrace trace;
  std::uint32_t stage;
  __device__ void operator()(std::size_t i) const {
    const DiskCellsView& cells = update.cells;
    const auto [x, y] = update.cell(i);
    CellTrace<StoredCells> cell(trace, {cells, x, y}, cells.count[cells.grid.cell(x, y)], stage,
                                cells.grid.id(x, y));
    int number = 0;
    update.update(x, y, [&](const TrialRecord& t) {
      update.count(t);
      cell.trial(number++, t.slot, t.from, t.to, t.outcome);
    });
    cell.end();
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

// Totals of MpmcEngine::OverlapReport.
struct CheckTotals {
  unsigned long long overlaps = 0, disks = 0, misplaced = 0;
  float smallest = 9;  // squared distance
};

struct AddCheckTotals {
  __device__ CheckTotals operator()(const CheckTotals& a, const CheckTotals& b) const {
    return {a.overlaps + b.overlaps, a.disks + b.disks, a.misplaced + b.misplaced,
            fminf(a.smallest, b.smallest)};
  }
};

// Index: cell.
struct CheckCell {
  DiskCellsView cells;

  __device__ void pairs(int x, int y, int dx, int dy, CheckTotals& totals) const {
    const GridInfo& g = cells.grid;
    const int nx = g.wrap(x + dx), ny = g.wrapRow(y + dy);
    const Vec2 s = {static_cast<float>(dx) * g.w, static_cast<float>(dy) * g.w};
    const bool own = dx == 0 && dy == 0;
    for (int i = 0; i < slotsInUse(x, y); ++i)
      for (int j = own ? i + 1 : 0; j < slotsInUse(nx, ny); ++j) {
        const Vec2 a = cells.disk[g.slot(x, y, i)], b = cells.disk[g.slot(nx, ny, j)] + s;
        const float d2 = distanceSquared(a.x - b.x, a.y - b.y);
        totals.overlaps += d2 < 1.0f;
        totals.smallest = fminf(totals.smallest, d2);
      }
  }
  __device__ int slotsInUse(int x, int y) const {
    const int n = cells.count[cells.grid.cell(x, y)];
    return n < cells.grid.slots ? n : cells.grid.slots;
  }
  __device__ CheckTotals operator()(std::size_t index) const {
    const GridInfo& g = cells.grid;
    const int x = static_cast<int>(index % g.m), y = static_cast<int>(index / g.m);
    const int n = cells.count[g.cell(x, y)];
    CheckTotals totals;
    totals.disks = n;
    totals.misplaced = n > g.slots ? n - g.slots : 0;
    for (int i = 0; i < g.slots; ++i) {
      const Vec2 p = cells.disk[g.slot(x, y, i)];
      const bool empty =
          p.x == kEmptySlot && p.y == kEmptySlot && cells.id[g.slot(x, y, i)] == kNoId;
      totals.misplaced += i < n ? !insideCell(p.x, p.y, g.w) : !empty;
    }
    pairs(x, y, 0, 0, totals);
    pairs(x, y, 1, 0, totals);
    for (int dx = -1; dx <= 1; ++dx) pairs(x, y, dx, 1, totals);
    return totals;
  }
};

inline MpmcEngine::OverlapReport checkOn(exec::CudaExec& exec, const DiskCellsView& cells,
                                         exec::DeviceValue<CheckTotals>& totals) {
  exec.reduce("overlap check", cells.grid.cellCount(), CheckTotals{}, CheckCell{cells},
              AddCheckTotals{}, totals);
  const CheckTotals t = exec.read(totals);
  return {t.overlaps, t.disks, t.misplaced, t.smallest};
}

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
