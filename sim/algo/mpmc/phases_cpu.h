// The parts of a sweep as phases on the CPU: sub-sweeps, sorting of disks that left their cell, and
// the cell shift, each over bands of rows.
#pragma once
#include <cstddef>
#include <vector>

#include "sim/algo/mpmc/cpu_kernels.h"
#include "sim/algo/mpmc/engine.h"

namespace cellscope {

struct Phase {
  enum class Kind { update, rebin, shift };
  Kind kind;
  const char* name;  // in the profile
  CellRule rule{};   // update: of the active cells of `set`
  int set = 0;
  CellShift shift{};
};

inline Phase updatePhase(const char* name, const CellRule& rule, int set) {
  return {.kind = Phase::Kind::update, .name = name, .rule = rule, .set = set};
}
inline Phase rebinPhase() {
  return {.kind = Phase::Kind::rebin, .name = "sorting disks into cells"};
}
inline Phase shiftPhase(const CellShift& shift) {
  return {.kind = Phase::Kind::shift, .name = "cell shift", .shift = shift};
}

// Rows are handed out in pairs 2 r, 2 r + 1: one of them is active in a sub-sweep.
inline std::size_t rowPairs(const GridInfo& grid) { return static_cast<std::size_t>(grid.m) / 2; }

// A phased work (sim/exec/phases.h). A part is the same band of rows in every phase. Phases that
// move disks between cells write to `next` and swap; when a disk finds no place there, `now` is
// kept and no more phases are done.
class SweepWork {
 public:
  SweepWork(const CpuKernels& kernels, const std::vector<Phase>& phases, DiskCells& now,
            DiskCells& next, std::size_t parts)
      : kernels_(kernels), phases_(phases), now_(now), next_(next), results_(parts) {}

  std::size_t parts() const { return results_.size(); }
  const char* name(std::size_t phase) const { return phases_[phase].name; }
  void part(std::size_t phase, std::size_t part);
  bool finish(std::size_t phase);

  void addTo(MpmcCounters& counters) const;
  // Throws RunError when a disk found no place.
  void refuseOverflow() const;

 private:
  // Of one part, over all phases.
  struct alignas(64) Result {
    MpmcTally tally[4];  // by set
    std::size_t overflow = kNoCell;
  };

  const CpuKernels& kernels_;
  const std::vector<Phase>& phases_;
  DiskCells &now_, &next_;
  std::vector<Result> results_;
  std::size_t overflow_ = kNoCell;
  const char* action_ = "";  // what the overflow interrupted
};

}  // namespace cellscope
