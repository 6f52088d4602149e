// The parts of a sweep as phases on the CPU: sub-sweeps, sorting of disks that left their cell, and
// the cell shift, each over bands of rows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/algo/mpmc/engine.h"

namespace cellscope {

struct Phase {
  enum class Kind { update, rebin, room, keep, shift };
  Kind kind;
  const char* name;  // in the profile
  CellRule rule{};   // update: of the active cells of `set`
  int set = 0;
  std::uint32_t stage = 0;  // update: of its records
  bool last = false;        // rebin: of the sweep; marks of moves end
  CellShift shift{};
  // A shift along y comes next: every part keeps a copy of the row that another part will ask for,
  // its first (1) or last (-1).
  int keep = 0;
};

inline Phase updatePhase(const char* name, const CellRule& rule, int set, std::uint32_t stage) {
  return {.kind = Phase::Kind::update, .name = name, .rule = rule, .set = set, .stage = stage};
}
inline Phase rebinPhase(bool last) {
  return {.kind = Phase::Kind::rebin, .name = "sorting disks into cells", .last = last};
}
// Append a shift. `ask`: see first whether every cell has room; if not, nothing is changed.
void addShift(std::vector<Phase>& phases, const CellShift& shift, bool ask);

// Rows are handed out in pairs 2 r, 2 r + 1: one of them is active in a sub-sweep. Of a strip those
// that are its own.
inline std::size_t haloPairs(const GridInfo& grid) {
  return static_cast<std::size_t>(grid.halo) / 2;
}
inline std::size_t rowPairs(const GridInfo& grid) {
  return static_cast<std::size_t>(grid.rows()) / 2 - 2 * haloPairs(grid);
}

// Of rows as they were before a shift, one per part.
inline GridInfo keptRows(const GridInfo& grid, std::size_t parts) {
  GridInfo kept{grid.m, grid.slots, grid.w};
  kept.taller = static_cast<std::int32_t>(parts) - grid.m;
  return kept;
}

// A phased work (sim/exec/phases.h). A part is the same band of rows in every phase. The shift is
// done in place. Sorting of disks into cells writes to `next` and swaps, and only for it `next`
// needs memory. When a disk finds no free slot, `now` is kept and no more phases are done.
class SweepWork {
 public:
  SweepWork(const CpuKernels& kernels, const std::vector<Phase>& phases, DiskCells& now,
            DiskCells& next, const DiskCells& kept, const MpmcTrace& trace)
      : kernels_(kernels),
        phases_(phases),
        now_(now),
        next_(next),
        kept_(kept),
        trace_(trace),
        results_(static_cast<std::size_t>(kept.grid.rows())) {}

  std::size_t parts() const { return results_.size(); }
  const char* name(std::size_t phase) const { return phases_[phase].name; }
  void part(std::size_t phase, std::size_t part);
  bool finish(std::size_t phase);

  void addTo(MpmcCounters& counters) const;
  // Throws RunError when a disk found no free slot.
  void refuseOverflow() const;

 private:
  // Of one part, over all phases.
  struct alignas(64) Result {
    MpmcTally tally[4];  // by set
    std::size_t overflow = kNoCell;
  };

  CellRow keptRow(std::size_t part) const { return rowOf(kept_.view(), static_cast<int>(part)); }
  void updateHalos(const SubSweepTask& task, std::size_t part) const;
  std::size_t shiftPart(const Phase& phase, std::size_t part, std::size_t begin, std::size_t end);

  const CpuKernels& kernels_;
  const std::vector<Phase>& phases_;
  DiskCells &now_, &next_;
  const DiskCells& kept_;   // of keptRows()
  const MpmcTrace& trace_;  // of the updates that do not relax
  std::vector<Result> results_;
  std::size_t overflow_ = kNoCell;
  const char* action_ = "";  // what the overflow interrupted
};

}  // namespace cellscope
