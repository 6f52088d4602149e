// Frames of the hard-disk mode: which layers are on, what they show, and the picked disk. Disks are
// found and packed in the memory where they are.
#pragma once
#include <chrono>

#include "sim/algo/observables/disk_observables.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/api/inspect.h"
#include "sim/api/mode.h"
#include "sim/base/frame_buffer.h"
#include "sim/exec/atomic.h"
#include "sim/exec/context.h"
#include "sim/exec/memory.h"
#include "sim/layers/layers.h"
#include "sim/layers/structures.h"
#include "sim/modes/hard_disks/disk_system.h"

namespace cellscope {

struct CellSlot {
  int x, y, i;
};

// Inverse of GridInfo::slot.
HOST_DEVICE CellSlot cellSlotOf(const GridInfo& g, std::size_t slot) {
  int inCell = 0;  // of a few: subtractions take a GPU less time than divisions of 64 bits
  while (slot >= g.cellCount()) slot -= g.cellCount(), ++inCell;
  const CellIndex at = cellIndex(g, slot);
  return {at.x, at.y, inCell};
}

// A disk that was looked for, and what is known of its slot.
struct FoundDisk {
  static constexpr unsigned long long kNone = ~0ull;
  unsigned long long slot = kNone;
  Vec2 local{}, psi6{};
  float density = 0;
  std::uint32_t neighbours = 0;
};

// Slots of several disks in one pass over the ids: the smallest one, if an id is in two.
struct FindDisks {
  static constexpr int kMost = 64;
  DiskCellsView cells;
  FoundDisk* found;  // of each wanted id
  std::int32_t count;
  std::uint32_t wanted[kMost];
  HOST_DEVICE void operator()(std::size_t slot) const {
    const std::uint32_t id = cells.id[slot];
    for (std::int32_t k = 0; k < count; ++k)
      if (wanted[k] == id) exec::minGlobal(&found[k].slot, static_cast<unsigned long long>(slot));
  }
};

// What lies in the slots that were found; bond order where it is there.
struct ReadFound {
  DiskCellsView cells;
  FoundDisk* found;
  const Vec2* psi6;
  const std::uint8_t* neighbours;
  const float* density;
  HOST_DEVICE void operator()(std::size_t k) const {
    FoundDisk& f = found[k];
    if (f.slot == FoundDisk::kNone) return;
    f.local = cells.disk[f.slot];
    if (psi6) f.psi6 = psi6[f.slot];
    if (neighbours) f.neighbours = neighbours[f.slot];
    if (density) f.density = density[f.slot];
  }
};

// Finds disks by identity in the cells, and owns the packer that fills their layers.
class DiskFinder {
 public:
  virtual ~DiskFinder() = default;
  virtual layers::Packer& packer() = 0;
  // Disks of these ids, in their order, in one pass over all slots for every FindDisks::kMost of
  // them; slot kNone: there is no such disk.
  virtual std::vector<FoundDisk> find(const DiskCellsView& cells, const BondOrderView& order,
                                      const std::vector<std::uint32_t>& ids) = 0;
};

std::unique_ptr<DiskFinder> makeDiskFinderCpu(const exec::Shared& exec);
std::unique_ptr<DiskFinder> makeDiskFinderCuda(const exec::Shared& exec);

// DiskFinder over one exec: instantiated in disk_scene.cpp and disk_finder_cuda.cu.
template <class Exec>
class DiskFinderOn final : public DiskFinder {
 public:
  explicit DiskFinderOn(exec::Shared shared)
      : shared_(std::move(shared)),
        exec_(exec::as<Exec>(shared_)),
        packer_(layers::makePacker(shared_)) {}

  layers::Packer& packer() override { return *packer_; }

  std::vector<FoundDisk> find(const DiskCellsView& cells, const BondOrderView& order,
                              const std::vector<std::uint32_t>& ids) override {
    std::vector<FoundDisk> all;
    for (std::size_t begin = 0; begin < ids.size(); begin += FindDisks::kMost) {
      const std::size_t count = std::min<std::size_t>(FindDisks::kMost, ids.size() - begin);
      FoundDisk* const there = found_.data()->of;
      FindDisks search{cells, there, static_cast<std::int32_t>(count), {}};
      std::copy_n(ids.begin() + static_cast<std::ptrdiff_t>(begin), count, search.wanted);
      exec_.fill("find disks", there, count, FoundDisk{});
      exec_.forEach("find disks", cells.grid.slotCount(), search, 16384);
      exec_.forEach("read disks", count,
                    ReadFound{cells, there, order.psi6, order.neighbours, order.density}, 64);
      const Found found = exec_.read(found_);
      all.insert(all.end(), found.of, found.of + count);
    }
    return all;
  }

 private:
  exec::Shared shared_;
  Exec& exec_;
  std::unique_ptr<layers::Packer> packer_;
  struct Found {
    FoundDisk of[FindDisks::kMost];
  };
  exec::DeviceValue<Found> found_{Exec::backend};
};

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
  explicit DiskScene(const exec::Shared& exec)
      : finder_(exec::makeOn<makeDiskFinderCpu, makeDiskFinderCuda>(exec)) {}

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
