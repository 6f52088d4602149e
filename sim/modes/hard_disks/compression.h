// Changing the packing fraction: the box shrinks or grows in stages, and the disks follow.
//
// A stage scales the box by a small factor, which leaves some pairs overlapping, and relaxes them
// with sweeps in which a move is also accepted when it does not decrease the distance to the
// nearest disk (MpmcEngine::relax). If overlaps remain after a fixed number of sweeps, the box is
// scaled up until the smallest distance is one diameter, and the next stage is half as large. Every
// stage thus ends without overlaps, in a box not longer than before.
#pragma once
#include <cstdint>
#include <functional>

#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// Plain data, stored in checkpoints.
struct CompressionState {
  bool active = false;
  double target = 0;         // target packing
  double startLength = 0;    // box length at the start
  double stage = 0.01;       // next relative change of length
  std::uint64_t sweeps = 0;  // relaxing sweeps since restart; their random numbers are never reused
  std::int64_t stages = 0;   // since it began
  double watchedLength = 0;  // box length at the last test of progress
  bool parting = false;      // first removes overlaps of an experiment
};

class Compression {
 public:
  enum class Outcome { working, done, stuck };

  CompressionState state;

  // Starts the change from the current packing to `target`.
  void begin(const DiskSystem& system, double target);
  // One stage. `seed`: of the run. done: the system's grid is chooseGrid(disks, target).
  // stuck: the packing reached is the densest that stages of this kind can reach; state is valid.
  // `round` is called after every few sweeps; what it throws leaves disks that may overlap.
  Outcome stage(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round = {});
  double progress(const DiskSystem& system) const;  // 0..1

 private:
  void part(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round);
  Outcome expand(DiskSystem& system);
  Outcome compress(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round);
  Outcome finish(DiskSystem& system);
  void settle(DiskSystem& system);  // end at the packing reached
  void relaxingSweep(DiskSystem& system, const MpmcParameters& p);
  // Sweeps used, kBudget + 1 when not enough.
  int relax(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round);
  bool noProgress(const DiskSystem& system);
};

// Maximum displacement of relaxing moves: about half the mean gap at this packing.
double relaxingMove(double packing);

}  // namespace cellscope
