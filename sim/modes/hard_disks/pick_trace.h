// What happened to the picked disk in the last sweep that was watched: the trial moves of its cell,
// replayed from a copy of the 3x3 cells taken just before the engine updated them.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/layers/layers.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/painter.h"

namespace cellscope {

// Host copy of a cell and its eight neighbours, from either backend's memory.
Neighbourhood copyNeighbourhood(const DiskCellsView& cells, Backend where, int x, int y);

class PickTrace {
 public:
  // Begin watching disk `id` (negative: none); forgets the trace of another disk.
  void watch(ParticleId id);
  ParticleId watched() const { return id_; }
  bool valid() const { return valid_; }
  void forget() { valid_ = false; }

  // To be called before the sub-sweep of `set`: replays the update of the disk's cell if it is in
  // that set.
  void beforeSubSweep(const DiskSystem& system, DiskPainter& painter, const MpmcParameters& p,
                      std::uint64_t sweep, int set);

  // A disk against which the last trial moves were tested, and where it was then: all of the 3x3
  // cells, or none where every move would have left the cell.
  struct Tested {
    std::uint32_t id;
    double x, y;
    layers::TestedPart part;
  };
  std::vector<Tested> testedDisks() const;

  std::uint64_t sweep() const { return sweep_; }
  // The trial moves of the picked disk alone.
  std::vector<TrialRecord> ownTrials() const;

  // The cell and its surroundings, its trial moves, and the disks of the last trial.
  std::vector<BoxInstance> stencil() const;
  std::vector<LineInstance> tested() const;
  std::vector<LineInstance> trials() const;
  // Rows of the card: one per trial move, with the outcome and the blocking disk.
  std::vector<std::pair<std::string, std::string>> rows() const;

 private:
  struct Point {
    double x, y;
  };
  Point global(int k, Vec2 local) const;  // k: cell of the 3x3 block; may lie outside the box

  ParticleId id_ = -1;
  bool valid_ = false;
  std::uint64_t sweep_ = 0;
  Point corner_{};  // of the own cell in the box
  double w_ = 1;
  Neighbourhood before_{};
  std::vector<TrialRecord> records_;
};

}  // namespace cellscope
