#include "sim/algo/mpmc/phases_cpu.h"

#include <algorithm>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/api/error.h"

namespace cellscope {
namespace {

std::size_t rebinRows(const DiskCellsView& from, const DiskCellsView& to, std::size_t begin,
                      std::size_t end) {
  std::size_t overflow = kNoCell;
  for (std::size_t y = begin; y < end; ++y)
    for (int x = 0; x < from.grid.m; ++x) {
      const CellContents c = gatherRebinned(from, x, static_cast<int>(y));
      if (c.overflow) overflow = std::min(overflow, from.grid.cell(x, static_cast<int>(y)));
      writeContents(to, x, static_cast<int>(y), c);
    }
  return overflow;
}

}  // namespace

void SweepWork::part(std::size_t phase, std::size_t part) {
  const Phase& p = phases_[phase];
  Result& result = results_[part];
  const std::size_t pairs = rowPairs(now_.grid);
  const std::size_t begin = pairs * part / parts(), end = pairs * (part + 1) / parts();
  switch (p.kind) {
    case Phase::Kind::update: {
      MpmcTally tally = result.tally[p.set];
      kernels_.updateRows({now_.view(), p.rule, p.set}, begin, end, tally);
      result.tally[p.set] = tally;
      return;
    }
    case Phase::Kind::rebin:
      result.overflow = rebinRows(now_.view(), next_.view(), 2 * begin, 2 * end);
      return;
    case Phase::Kind::shift:
      result.overflow =
          kernels_.shiftRows({now_.view(), next_.view(), p.shift}, 2 * begin, 2 * end);
      return;
  }
}

bool SweepWork::finish(std::size_t phase) {
  if (phases_[phase].kind == Phase::Kind::update) return true;
  for (const Result& r : results_) overflow_ = std::min(overflow_, r.overflow);
  if (overflow_ != kNoCell) {
    action_ = phases_[phase].kind == Phase::Kind::shift ? "shifting the cells"
                                                        : "sorting disks into cells";
    return false;
  }
  std::swap(now_, next_);
  return true;
}

void SweepWork::addTo(MpmcCounters& counters) const {
  for (const Result& r : results_)
    for (int set = 0; set < 4; ++set) {
      const MpmcTally& t = r.tally[set];
      counters.attempted[set] += t.attempted;
      counters.accepted[set] += t.accepted;
      counters.overlap[set] += t.overlap;
      counters.leftCell[set] += t.leftCell;
    }
}

void SweepWork::refuseOverflow() const {
  if (overflow_ != kNoCell) throw RunError(overflowMessage(now_.grid, overflow_, action_));
}

}  // namespace cellscope
