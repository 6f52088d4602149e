// Enables recording by the engine during its lifetime.
#pragma once
#include <cstdint>

#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/move_trace.h"
#include "sim/modes/hard_disks/pick_trace.h"

namespace cellscope {

class SweepRecording {
 public:
  SweepRecording(DiskSystem& system, PickTrace& pick, MoveTrace& moves)
      : system_(system),
        pick_(pick),
        moves_(moves),
        grid_(system.grid()),
        placement_(system.placement()) {
    const Backend where = system.engine().backend();
    MpmcTrace trace;
    trace.followed = static_cast<std::uint32_t>(pick.watched());
    trace.update = pick.begin(where);
    trace.disks = moves.begin(where, system.disks());
    system.engine().setTrace(trace);
  }
  ~SweepRecording() { system_.engine().setTrace({}); }
  SweepRecording(const SweepRecording&) = delete;
  SweepRecording& operator=(const SweepRecording&) = delete;

  // Call after the sweep or phase.
  void finish(std::uint64_t sweep) {
    pick_.finish(grid_, placement_, sweep);
    moves_.finish(grid_, placement_);
  }

 private:
  DiskSystem& system_;
  PickTrace& pick_;
  MoveTrace& moves_;
  GridInfo grid_;  // with its origin before the shift
  GridPlacement placement_;
};

}  // namespace cellscope
