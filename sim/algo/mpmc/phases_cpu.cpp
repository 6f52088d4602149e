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

exec::Layout<KeptRows> KeptRows::layout(const GridInfo& grid, std::size_t parts) {
  const std::size_t cells = parts * static_cast<std::size_t>(grid.m);
  const std::size_t slots = cells * static_cast<std::size_t>(grid.slots);
  return {{"disks of kept rows", &KeptRows::disk_, slots},
          {"ids of kept rows", &KeptRows::id_, slots},
          {"counts of kept rows", &KeptRows::count_, cells}};
}

KeptRows::KeptRows(const GridInfo& grid, std::size_t parts)
    : KeptRows(layout(grid, parts).make(Backend::cpu)) {
  cells_ = static_cast<std::size_t>(grid.m);
  slots_ = static_cast<std::size_t>(grid.slots);
  parts_ = parts;
}

CellRow KeptRows::row(std::size_t part) const {
  const std::size_t first = part * slots_ * cells_;
  return {disk_.data() + first, id_.data() + first, count_.data() + part * cells_, cells_};
}

void KeptRows::keep(std::size_t part, const CellRow& from) {
  copyRows({from, row(part), cells_}, Backend::cpu, Backend::cpu, slots_);
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
  if (p.keep != 0) keepRow(part, p.keep, 2 * begin, 2 * end);
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
    task.beyond = kept_.row((step > 0 ? part + 1 : part + parts() - 1) % parts());
  else if (step != 0)  // nobody changes it meanwhile
    task.beyond =
        rowOf(task.cells, now_.grid.wrapRow(static_cast<int>(step > 0 ? end : begin) - (step < 0)));
  const CpuKernels& kernels = phase.shift.rounding > 0 ? kScalarKernels : kernels_;
  return kernels.shiftRows(task, begin, end);
}

void SweepWork::keepRow(std::size_t part, int which, std::size_t begin, std::size_t end) {
  kept_.keep(part, rowOf(now_.view(), static_cast<int>(which > 0 ? begin : end - 1)));
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
