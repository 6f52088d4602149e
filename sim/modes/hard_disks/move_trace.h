// The moves of a single sweep or phase: which disks moved, and which had all their trial
// moves rejected, as recorded by the engine. Only for systems small enough to read every
// disk.
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
  static constexpr std::int64_t kMostDisks = 200000;  // larger systems take too long to read

  // Whether the moves are shown.
  void want(bool on) { wanted_ = on; }
  bool follows(const DiskSystem& system) const { return wanted_ && system.disks() <= kMostDisks; }
  void clear();

  // Target of the next sweep or phase, one record for each of `disks` disks; off if the moves are
  // not shown.
  RecordWriter begin(Backend where, std::int64_t disks);
  // Appends the records since clear(). `grid`: as it was before any shift.
  void finish(const GridInfo& grid, const GridPlacement& placement);

  // One mark per selected disk, at its position after the sub-sweep; value: MovePart.
  const std::vector<PointInstance>& marks() const { return marks_; }
  // Displacements of the disks that moved.
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
