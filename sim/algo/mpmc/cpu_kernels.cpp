#include "sim/algo/mpmc/cpu_kernels.h"

#include <algorithm>

#include "sim/exec/machine.h"

namespace cellscope {

CELLSCOPE_CHOICE_OF_SETS(UpdateRows, updateRows)
CELLSCOPE_CHOICE_OF_SETS(ShiftRows, shiftRows)

CpuKernels cpuKernels(const std::string& name) {
  const std::string set = exec::instructionSet(name);
  return set == "scalar" ? kScalarKernels : CpuKernels{updateRowsFor(set), shiftRowsFor(set)};
}

namespace {

void updateRows(const SubSweepTask& t, std::size_t begin, std::size_t end, MpmcTally& tally) {
  for (std::size_t r = begin; r < end; ++r) {
    const int y = 2 * static_cast<int>(r) + (t.set >> 1);
    for (int x = t.set & 1; x < t.cells.grid.m; x += 2)
      updateStoredCell(t, x, y, [&](const TrialRecord& move) { addTrial(tally, move); });
  }
}

// Row y; `beside` is the row along a shift along y.
std::size_t shiftRow(const ShiftTask& t, int y, const CellRow& beside) {
  const GridInfo& g = t.cells.grid;
  const int fx = shiftStepX(t.shift.direction);
  const CellRow own = rowOf(t.cells, y);
  const CellContents wrapped = contentsOf(own, g.column(fx < 0 ? g.m - 1 : 0));
  std::size_t overflow = kNoCell;
  for (int k = 0; k < g.m; ++k) {
    const int x = fx < 0 ? g.m - 1 - k : k;
    const CellContents old = contentsOf(own, g.column(x));
    const CellContents neighbour = fx == 0        ? contentsOf(beside, g.column(x))
                                   : k + 1 == g.m ? wrapped
                                                  : contentsOf(own, g.column(x + fx));
    const CellContents c = shiftedContents(old, neighbour, g, t.shift);
    if (c.overflow) overflow = std::min(overflow, g.cell(x, y));
    if (t.store) writeContents(t.cells, x, y, c);
  }
  return overflow;
}

std::size_t shiftRows(const ShiftTask& t, std::size_t begin, std::size_t end) {
  const int fy = shiftStepY(t.shift.direction);
  std::size_t overflow = kNoCell;
  for (std::size_t k = begin; k < end; ++k) {
    const int y = static_cast<int>(fy < 0 ? begin + (end - 1 - k) : k);
    const bool last = k + 1 == end;
    const CellRow beside = fy == 0 || last ? t.beyond : rowOf(t.cells, y + fy);
    overflow = std::min(overflow, shiftRow(t, y, beside));
  }
  return overflow;
}

}  // namespace

const CpuKernels kScalarKernels = {updateRows, shiftRows};

// Recording instance of the CPU kernels: the scalar rules where records are written, the fast
// kernels elsewhere.

// Whether an active cell of the row holds the disk.
static bool rowHolds(const SubSweepTask& t, std::size_t row, std::uint32_t id) {
  const GridInfo& g = t.cells.grid;
  const int y = 2 * static_cast<int>(row) + (t.set >> 1);
  for (int i = 0; i < g.slots; ++i)
    for (int x = t.set & 1; x < g.m; x += 2)
      if (t.cells.id[g.slot(x, y, i)] == id) return true;
  return false;
}

void updateRecorded(const CpuKernels& fast, const SubSweepTask& task, const MpmcTrace& trace,
                    std::uint32_t stage, std::size_t begin, std::size_t end, MpmcTally& tally) {
  std::size_t next = begin;  // first row not yet processed
  for (std::size_t row = begin; row < end; ++row) {
    if (!trace.disks.on() && !rowHolds(task, row, trace.followed)) continue;
    fast.updateRows(task, next, row, tally);
    const int y = 2 * static_cast<int>(row) + (task.set >> 1);
    for (int x = task.set & 1; x < task.cells.grid.m; x += 2)
      updateRecordedCell(task, trace, stage, x, y,
                         [&](const TrialRecord& r) { addTrial(tally, r); });
    next = row + 1;
  }
  fast.updateRows(task, next, end, tally);
}

}  // namespace cellscope
