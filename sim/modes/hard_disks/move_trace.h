// What a single sweep or phase did to every disk: which ones moved, and which ones had all their
// trial moves rejected, as the engine recorded it. Only for systems small enough to be looked at
// disk by disk.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/recorder/recorder.h"
#include "sim/base/frame_buffer.h"
#include "sim/modes/hard_disks/disk_functors.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

class MoveTrace {
 public:
  static constexpr std::int64_t kMostDisks = 200000;  // beyond, reading takes longer than a blink

  // Whether somebody wants to see the moves.
  void want(bool on) { wanted_ = on; }
  bool follows(const DiskSystem& system) const { return wanted_ && system.disks() <= kMostDisks; }
  void clear();

  // Where the next sweep or phase of `disks` disks writes one record for each; off when nobody
  // wants to see them.
  RecordWriter begin(Backend where, std::int64_t disks);
  // Adds what was written to what was seen since clear(). The grid as it was before any shift.
  void finish(const GridInfo& grid, const GridPlacement& placement);

  // One mark per disk that was tried, where it is after its sub-sweep: value = MovePart.
  const std::vector<PointInstance>& marks() const { return marks_; }
  // From where a disk was to where it is, for those that moved.
  const std::vector<LineInstance>& paths() const { return paths_; }
  std::size_t bytes() const { return recorder_.bytes(); }

 private:
  void add(const Record& r, const GridInfo& grid, const GridPlacement& placement);

  bool wanted_ = false, recording_ = false;
  Recorder recorder_;
  std::vector<PointInstance> marks_;
  std::vector<LineInstance> paths_;
};

}  // namespace cellscope
