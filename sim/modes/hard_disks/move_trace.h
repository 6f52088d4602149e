// What a single sweep or phase did to every disk: which ones moved, and which ones were held back.
// The cells of a set are replayed from a copy taken just before the engine updates them, so that
// the marks are those of the very moves made. Only for systems small enough to be looked at disk by
// disk.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

class MoveTrace {
 public:
  static constexpr std::int64_t kMostDisks = 200000;  // beyond, replaying takes longer than a blink

  // Whether somebody wants to see the moves.
  void want(bool on) { wanted_ = on; }
  bool follows(const DiskSystem& system) const { return wanted_ && system.disks() <= kMostDisks; }

  void clear();
  // To be called before the sub-sweep of `set`; adds to what was seen since clear().
  void beforeSubSweep(const DiskSystem& system, const MpmcParameters& p, std::uint64_t sweep,
                      int set);

  // One mark per disk that was tried, where it is after the sub-sweep: value = MovePart.
  const std::vector<PointInstance>& marks() const { return marks_; }
  // From where a disk was to where it is, for those that moved.
  const std::vector<LineInstance>& paths() const { return paths_; }

 private:
  bool wanted_ = false;
  std::vector<PointInstance> marks_;
  std::vector<LineInstance> paths_;
};

}  // namespace cellscope
