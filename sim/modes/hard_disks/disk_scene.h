// Frames of the hard-disk mode: which layers are on, what they show, and the picked disk.
#pragma once
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/base/box.h"
#include "sim/base/frame_buffer.h"
#include "sim/layers/layers.h"
#include "sim/layers/structures.h"
#include "sim/modes/hard_disks/disk_finder.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

// The moves of a single sweep or phase: which disks moved, and which had all their trial
// moves rejected, as recorded by the engine. Only for systems small enough to read every
// disk.
class MoveTrace {
 public:
  static constexpr std::int64_t kMostDisks = 200000;  // larger systems take too long to read

  // Whether the moves are shown.
  void want(bool on) { shown_ = on; }
  // Whether they are kept for table(), whatever is shown.
  void keep(bool on) { kept_ = on; }
  Table table(std::int64_t disks) const;
  bool follows(const DiskSystem& system) const {
    return (shown_ || kept_) && system.disks() <= kMostDisks;
  }
  void clear() {
    marks_.clear();
    paths_.clear();
    tried_.clear();
  }

  // Target of the next sweep or phase, one record for each of `disks` disks; off if the moves are
  // not shown.
  RecordWriter begin(Backend where, std::int64_t disks);
  // Appends the records since clear(). `grid`: as it was before any shift.
  void finish(const GridInfo& grid, const GridPlacement& placement);

  // One mark per selected disk, at its position after the sub-sweep; value: MovePart. Displacements
  // of the disks that moved. Both only while they are shown.
  layers::MovesView view() const {
    return shown_ ? layers::MovesView{marks_, paths_} : layers::MovesView{};
  }
  std::size_t bytes() const { return recorder_.bytes(); }

 private:
  void add(const Record& r, const GridInfo& grid, const GridPlacement& placement);

  bool shown_ = false, kept_ = false, recording_ = false;
  Recorder recorder_;
  std::vector<PointInstance> marks_;
  std::vector<LineInstance> paths_;
  struct Tried {
    ParticleId id;
    bool moved;
    double dx, dy;
  };
  std::vector<Tried> tried_;
};

// Host copy of a cell and its eight neighbours, from the memory of either backend.
Neighbourhood copyNeighbourhood(const DiskCellsView& cells, Backend where, int x, int y);

// The picked disk in the last recorded sweep: the disks in the 3x3 cells around it and the trial
// moves of its cell, as recorded by the engine.
class PickTrace {
 public:
  // Selects disk `id` for recording (negative: none); clears the trace of another disk.
  void watch(ParticleId id);
  ParticleId watched() const { return id_; }
  void forget() { valid_ = false; }

  // Target for records of the next sweep or phase; off if no disk is selected.
  RecordWriter begin(Backend where);
  // Reads the records, if the disk's cell was updated. `grid`: as it was before any
  // shift.
  void finish(const GridInfo& grid, const GridPlacement& placement, std::uint64_t sweep);
  // Moves the trace by whole boxes, so that its cell lies nearest to `place`, where the picked disk
  // is drawn: a disk may have crossed the border since.
  void bringTo(Vec3d place, const Box& box) {
    corner_.x += box.length[0] * std::round((place.x - corner_.x - w_ / 2) / box.length[0]);
    corner_.y += box.length[1] * std::round((place.y - corner_.y - w_ / 2) / box.length[1]);
  }
  std::size_t bytes() const { return recorder_.bytes(); }

  // A disk against which the last trial moves were tested, with its position at that time: all of
  // the 3x3 cells, or none if every move would have left the cell.
  struct Tested {
    std::uint32_t id;
    double x, y;
    layers::TestedPart part;
  };
  std::vector<Tested> testedDisks() const;

  // The trial moves of the picked disk only.
  std::vector<TrialRecord> ownTrials() const;

  // The cell and its surroundings, its trial moves, and the disks of the last trial.
  std::vector<BoxInstance> stencil() const;
  std::vector<LineInstance> tested() const;
  std::vector<LineInstance> trials() const;
  // Rows of the card: one per trial move, with the outcome and the blocking disk.
  std::vector<std::pair<std::string, std::string>> rows() const;

 private:
  // k: cell of the 3x3 block; may lie outside the box.
  Vec3d global(int k, Vec2 local) const {
    return {corner_.x + (k % 3 - 1) * w_ + static_cast<double>(local.x),
            corner_.y + (k / 3 - 1) * w_ + static_cast<double>(local.y), 0};
  }
  void take(const Record& r);

  static constexpr std::size_t kRecords = 512;  // updates of four cells with 64 trial moves each
  Recorder recorder_;
  ParticleId id_ = -1;
  bool valid_ = false;
  std::uint64_t sweep_ = 0;
  Vec3d corner_{};  // of the own cell in the box
  double w_ = 1;
  Neighbourhood before_{};
  std::vector<TrialRecord> records_;
  std::uint64_t lost_ = 0;  // records that did not fit
};

inline CellGridPlace gridPlaceOf(const GridInfo& grid, const GridPlacement& at) {
  return {{grid.m, grid.rows(), 1}, {at.w, at.w, 1}, {at.originX, at.originY, 0}};
}

class HardDisksMode;

class DiskScene {
 public:
  explicit DiskScene(const exec::Shared& exec) : finder_(makeDiskFinder(exec)) {}

  std::shared_ptr<Frame> frame(const ViewRequest& view, HardDisksMode& mode);
  // Nearest disk that covers the point, or -1.
  static ParticleId pick(const PickQuery& query, const DiskSystem& system);
  std::vector<std::optional<Vec3d>> placesOf(const std::vector<ParticleId>& ids,
                                             const DiskSystem& system);

  PickTrace& trace() { return trace_; }
  MoveTrace& moves() { return moves_; }
  // Whether a sweep is watched: it is then recorded, alone.
  bool recordsMoves(const DiskSystem& system) const {
    return trace_.watched() >= 0 || moves_.follows(system);
  }
  // Overlap report of the present or, for large systems, of a recent state (at most kCheckAge old).
  const MpmcEngine::OverlapReport& recentCheck(const DiskSystem& system);
  std::size_t bytes() const {
    return BondArrays::layout(0).held(bonds_) + finder_->packer().bytes() + trace_.bytes() +
           moves_.bytes();
  }
  void forgetState();  // another state: nothing remembered is valid

 private:
  static constexpr std::chrono::milliseconds kCheckAge{500};

  // What layers with these needs (bits of layers::Need) draw.
  layers::Structures structures(std::uint32_t needs, const std::string& colouring,
                                HardDisksMode& mode);
  layers::DisksInCellsView disks(const std::string& colouring, HardDisksMode& mode);
  layers::PickedMovesView pickedMoves() const;
  // Around the watched disk, which is there, and where `tested` those that it was tested against,
  // where they were then.
  std::vector<PointInstance> marks(const PickedParticle& picked, bool tested) const;
  PickedParticle card(HardDisksMode& mode, const FoundDisk& disk) const;
  // Bond order per slot of the present state, computed once per state.
  BondOrderView bondOrder(HardDisksMode& mode);

  std::unique_ptr<DiskFinder> finder_;
  PickTrace trace_;
  MoveTrace moves_;
  BondArrays bonds_;
  std::uint64_t bondRevision_ = ~0ull;
  MpmcEngine::OverlapReport check_;
  std::uint64_t checkRevision_ = ~0ull;
  bool checked_ = false;
  std::chrono::steady_clock::time_point checkTime_;
};

}  // namespace cellscope
