// Recording instance of the CPU kernels: the scalar rules where records are written, the fast
// kernels elsewhere.
#include "sim/algo/mpmc/cpu_kernels.h"

namespace cellscope {
namespace {

void updateRecordedRow(const SubSweepTask& t, const MpmcTrace& trace, std::uint32_t stage,
                       std::size_t row, MpmcTally& tally) {
  const GridInfo& g = t.cells.grid;
  const int y = 2 * static_cast<int>(row) + (t.set >> 1);
  for (int x = t.set & 1; x < g.m; x += 2) {
    const int n = t.cells.count[g.cell(x, y)];
    CellTrace<StoredCells> cell(trace, {t.cells, x, y}, n, stage, g.id(x, y));
    int number = 0;
    updateStoredCell(t, x, y, [&](const TrialRecord& r) {
      addTrial(tally, r);
      cell.trial(number++, r.slot, r.from, r.to, r.outcome);
    });
    cell.end();
  }
}

// Whether an active cell of the row holds the disk.
bool rowHolds(const SubSweepTask& t, std::size_t row, std::uint32_t id) {
  const GridInfo& g = t.cells.grid;
  const int y = 2 * static_cast<int>(row) + (t.set >> 1);
  for (int i = 0; i < g.slots; ++i)
    for (int x = t.set & 1; x < g.m; x += 2)
      if (t.cells.id[g.slot(x, y, i)] == id) return true;
  return false;
}

}  // namespace

void updateRecorded(const CpuKernels& fast, const SubSweepTask& task, const MpmcTrace& trace,
                    std::uint32_t stage, std::size_t begin, std::size_t end, MpmcTally& tally) {
  std::size_t next = begin;  // first row not yet processed
  for (std::size_t row = begin; row < end; ++row) {
    if (!trace.disks.on() && !rowHolds(task, row, trace.followed)) continue;
    fast.updateRows(task, next, row, tally);
    updateRecordedRow(task, trace, stage, row, tally);
    next = row + 1;
  }
  fast.updateRows(task, next, end, tally);
}

}  // namespace cellscope
