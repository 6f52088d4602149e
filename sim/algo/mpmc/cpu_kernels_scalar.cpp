#include <algorithm>

#include "sim/algo/mpmc/cpu_kernels.h"

namespace cellscope {
namespace {

void updateOneCell(const SubSweepTask& t, int x, int y, MpmcTally& tally) {
  const GridInfo& g = t.cells.grid;
  const int disks = t.cells.count[g.cell(x, y)];
  if (disks == 0) return;
  Neighbourhood n = readNeighbourhood(t.cells, x, y);
  updateCell(n, t.rule, g.id(x, y), [&](const TrialRecord& record) {
    tally.attempted += 1;
    tally.accepted += record.outcome == TrialOutcome::accepted;
    tally.overlap += record.outcome == TrialOutcome::overlap;
    tally.leftCell += record.outcome == TrialOutcome::leftCell;
  });
  for (int i = 0; i < disks; ++i) t.cells.disk[g.slot(x, y, i)] = n.disk[kOwnCell][i];
}

void updateRows(const SubSweepTask& t, std::size_t begin, std::size_t end, MpmcTally& tally) {
  for (std::size_t r = begin; r < end; ++r) {
    const int y = 2 * static_cast<int>(r) + (t.set >> 1);
    for (int x = t.set & 1; x < t.cells.grid.m; x += 2) updateOneCell(t, x, y, tally);
  }
}

std::size_t shiftRows(const ShiftTask& t, std::size_t begin, std::size_t end) {
  std::size_t overflow = kNoCell;
  for (std::size_t row = begin; row < end; ++row) {
    const int y = static_cast<int>(row);
    for (int x = 0; x < t.from.grid.m; ++x) {
      const CellContents c = gatherShifted(t.from, x, y, t.shift);
      if (c.overflow) overflow = std::min(overflow, t.from.grid.cell(x, y));
      writeContents(t.to, x, y, c);
    }
  }
  return overflow;
}

}  // namespace

const CpuKernels kScalarKernels = {"scalar", updateRows, shiftRows};

}  // namespace cellscope
