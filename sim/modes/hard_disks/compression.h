// Changing the packing fraction: the box shrinks or grows in stages, and the disks follow.
//
// A stage scales the box by a small factor, which leaves some pairs overlapping, and relaxes them
// with sweeps in which a move is also accepted when it does not bring the nearest disk nearer
// (MpmcEngine::relax). What still overlaps after a fixed number of sweeps is undone by scaling the
// box up by the smallest distance, and the next stage is half as large. Every stage therefore ends
// without an overlap, at a box that is no longer than before.
#pragma once
#include <cstdint>
#include <functional>

#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// All of it is plain data, so that a checkpoint can hold it.
struct CompressionState {
  bool active = false;
  double target = 0;         // packing asked for
  double startLength = 0;    // box when it began
  double stage = 0.01;       // next relative change of length
  std::uint64_t sweeps = 0;  // relaxing sweeps since restart; their random numbers are never reused
  std::int64_t stages = 0;   // since it began
  double watchedLength = 0;  // box at the last look at the progress
  bool parting = false;      // overlaps left by the leaveCell experiment go first
};

class Compression {
 public:
  enum class Outcome { working, done, stuck };

  CompressionState state;

  // Begin moving from the system's packing to `target`.
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

// Relaxing moves reach about half the free gap at this packing.
double relaxingMove(double packing);

}  // namespace cellscope
