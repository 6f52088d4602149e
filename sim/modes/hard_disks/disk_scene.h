// Frames of the hard-disk mode: which layers are on, what they show, and the picked disk.
#pragma once
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/observables/disk_observables.h"
#include "sim/api/mode.h"
#include "sim/layers/structures.h"
#include "sim/modes/hard_disks/disk_finder.h"
#include "sim/modes/hard_disks/disk_system.h"
#include "sim/modes/hard_disks/pick_trace.h"

namespace cellscope {

// What the mode knows and the scene draws.
struct SceneState {
  const DiskSystem& system;
  DiskObservables& observables;
  std::uint64_t step = 0;
  int phase = -1;  // last phase done, -1 between steps
  int activeSet = 0;
  GridOrigin activeOrigin;   // of the grid when that set was updated
  CellShift shift{0, 0.0f};  // of the last complete sweep
  bool shiftDone = false;
  NeighbourChoice neighbours;
  int domains = 1;
  bool stale = false;  // their halos
};

CellGridPlace gridPlaceOf(const GridInfo& grid, const GridPlacement& at);

class DiskScene {
 public:
  explicit DiskScene(const exec::Shared& exec);

  std::shared_ptr<Frame> frame(const ViewRequest& view, const SceneState& state);
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
                                const SceneState& state);
  layers::DisksInCellsView disks(const std::string& colouring, const SceneState& state);
  layers::PickedMovesView pickedMoves() const;
  FoundDisk watchedDisk(const SceneState& state);
  // Around the watched disk, which is there, and where `tested` those that it was tested against,
  // where they were then.
  std::vector<PointInstance> marks(const PickedParticle& picked, bool tested) const;
  PickedParticle card(const SceneState& state, const FoundDisk& disk) const;
  // Bond order per slot of the present state, computed once per state.
  BondOrderView bondOrder(const SceneState& state);

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
