#include "sim/algo/mpmc/phases_cpu.h"

#include <algorithm>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/base/error.h"

namespace cellscope {

static std::size_t rebinRows(const DiskCellsView& from, const DiskCellsView& to, std::size_t begin,
                             std::size_t end, bool last) {
  std::size_t overflow = kNoCell;
  for (std::size_t y = begin; y < end; ++y)
    for (int x = 0; x < from.grid.m; ++x) {
      CellContents c = gatherRebinned(from, x, static_cast<int>(y));
      if (last) c.moved = 0;
      if (c.overflow) overflow = std::min(overflow, from.grid.cell(x, static_cast<int>(y)));
      writeContents(to, x, static_cast<int>(y), c);
    }
  return overflow;
}

void addShift(std::vector<Phase>& phases, const CellShift& shift, bool ask) {
  if (ask)
    phases.push_back({.kind = Phase::Kind::room, .name = "room in the cells", .shift = shift});
  if (const int keep = shiftStepY(shift.direction)) {
    // Once its own work is done, no other part changes the rows of a part.
    const bool inPlace = !phases.empty() && phases.back().kind != Phase::Kind::rebin;
    if (!inPlace) phases.push_back({.kind = Phase::Kind::keep, .name = "rows for the shift"});
    phases.back().keep = keep;
  }
  phases.push_back({.kind = Phase::Kind::shift, .name = "cell shift", .shift = shift});
}

void SweepWork::part(std::size_t phase, std::size_t part) {
  const Phase& p = phases_[phase];
  Result& result = results_[part];
  const std::size_t pairs = rowPairs(now_.grid), halo = haloPairs(now_.grid);
  const std::size_t begin = halo + pairs * part / parts(),
                    end = halo + pairs * (part + 1) / parts();
  switch (p.kind) {
    case Phase::Kind::update: {
      MpmcTally tally = result.tally[p.set];
      const SubSweepTask task{now_.view(), p.rule, p.set};
      if (halo > 0) updateHalos(task, part);
      if (trace_.on() && !p.rule.relax)
        updateRecorded(kernels_, task, trace_, p.stage, begin, end, tally);
      else
        kernels_.updateRows(task, begin, end, tally);
      result.tally[p.set] = tally;
      break;
    }
    case Phase::Kind::rebin:
      result.overflow = rebinRows(now_.view(), next_.view(), 2 * begin, 2 * end, p.last);
      break;
    case Phase::Kind::room:
    case Phase::Kind::shift:
      result.overflow = shiftPart(p, part, 2 * begin, 2 * end);
      break;
    case Phase::Kind::keep:
      break;
  }
  if (p.keep == 0) return;
  const auto row = static_cast<int>(p.keep > 0 ? 2 * begin : 2 * end - 1);
  copyRows({rowOf(now_.view(), row), keptRow(part), static_cast<std::size_t>(now_.grid.m)},
           Backend::cpu, Backend::cpu, static_cast<std::size_t>(now_.grid.slots));
}

// What the neighbours do with their rows near this strip; they count those moves.
void SweepWork::updateHalos(const SubSweepTask& task, std::size_t part) const {
  const std::size_t halo = haloPairs(now_.grid), end = halo + rowPairs(now_.grid);
  const auto first = static_cast<std::size_t>(now_.grid.firstPair());
  MpmcTally notCounted;
  if (part == 0) kernels_.updateRows(task, first, halo, notCounted);
  if (part + 1 == parts()) kernels_.updateRows(task, end, end + halo - first, notCounted);
}

std::size_t SweepWork::shiftPart(const Phase& phase, std::size_t part, std::size_t begin,
                                 std::size_t end) {
  ShiftTask task{now_.view(), phase.shift, {}, phase.kind == Phase::Kind::shift};
  const int step = shiftStepY(phase.shift.direction);
  const bool toHalo = now_.grid.halo > 0 && part == (step > 0 ? parts() - 1 : 0);
  if (step != 0 && task.store && !toHalo)
    task.beyond = keptRow((step > 0 ? part + 1 : part + parts() - 1) % parts());
  else if (step != 0)  // nobody changes it meanwhile
    task.beyond =
        rowOf(task.cells, now_.grid.wrapRow(static_cast<int>(step > 0 ? end : begin) - (step < 0)));
  const CpuKernels& kernels = phase.shift.rounding > 0 ? kScalarKernels : kernels_;
  return kernels.shiftRows(task, begin, end);
}

bool SweepWork::finish(std::size_t phase) {
  const Phase::Kind kind = phases_[phase].kind;
  if (kind == Phase::Kind::update || kind == Phase::Kind::keep) return true;
  for (const Result& r : results_) overflow_ = std::min(overflow_, r.overflow);
  if (overflow_ != kNoCell) {
    action_ = kind == Phase::Kind::rebin ? "sorting disks into cells" : "shifting the cells";
    return false;
  }
  if (kind == Phase::Kind::rebin) std::swap(now_, next_);
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
