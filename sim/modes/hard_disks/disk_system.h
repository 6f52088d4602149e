// Disks in an engine, the origin of the grid in the box, and changes of the box size for
// compression.
#pragma once
#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/engine.h"
#include "sim/algo/race/race.h"
#include "sim/base/box.h"
#include "sim/base/curve_series.h"
#include "sim/core/checkerboard.h"

namespace cellscope {

// Origin of cell (0, 0) in the box, in coordinate quanta q.
struct GridOrigin {
  std::int64_t x = 0, y = 0;
  friend bool operator==(const GridOrigin&, const GridOrigin&) = default;
};

// Any v moved into [0, total).
inline std::int64_t wrapped(std::int64_t v, std::int64_t total) {
  v %= total;
  return v < 0 ? v + total : v;
}

// The side of the box along an axis: cells times their width in quanta.
inline std::int64_t sideQuanta(const GridInfo& grid, int axis) {
  return std::llround(static_cast<double>(grid.w) / kCoordinateQuantum) *
         (axis == 0 ? grid.m : grid.allRows());
}

// Sum over the sets.
inline std::uint64_t sumOf(const std::uint64_t (&perSet)[4]) {
  return perSet[0] + perSet[1] + perSet[2] + perSet[3];
}

class DiskSystem {
 public:
  explicit DiskSystem(const exec::Shared& exec) : engine_(makeMpmcEngine(exec)) {}

  MpmcEngine& engine() { return *engine_; }
  const MpmcEngine& engine() const { return *engine_; }
  GridInfo grid() const { return engine_->grid(); }
  std::int64_t disks() const { return disks_; }
  double length() const { return boxLength(grid()); }  // along x
  Box box() const { return boxOf(grid()); }
  double packing() const { return packingOf(grid(), disks_); }  // realised
  // Of these disks in a box of this shape.
  GridInfo gridAt(double packing) const {
    return chooseGrid(disks_, packing, shapeOf(grid())).grid;
  }
  GridOrigin origin() const { return origin_; }
  // Incremented with every change of the configuration.
  std::uint64_t revision() const { return revision_; }
  // Origin of the grid before the last shift.
  GridOrigin originBefore(const CellShift& shift) const { return moved(origin_, shift, -1); }
  GridPlacement placement() const { return placementAt(origin_); }
  GridPlacement placementAt(GridOrigin origin) const;

  void adopt(const DiskCells& cells, std::int64_t disks, GridOrigin origin = {});
  // Complete sweeps, subSweep and shift as in MpmcEngine; the origin follows the shifts, and
  // disks() those that lose disks.
  void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count);
  void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) {
    engine_->subSweep(p, sweep, set);
    ++revision_;
  }
  void shift(const CellShift& shift);

  // Change the box by the cell width w, in the same grid: every coordinate is scaled and
  // rounded. Overlaps may appear when the box shrinks.
  void rescale(float w);
  // Sort the disks into another grid of the same shape, scaling their positions to its box. Without
  // overlap before, and with a box longer by 1e-6 or more, there is none afterwards.
  void regrid(const GridInfo& grid);

 private:
  void countDisks() { disks_ = static_cast<std::int64_t>(engine_->check().disks); }
  GridOrigin moved(GridOrigin origin, const CellShift& shift, int sign) const;

  std::unique_ptr<MpmcEngine> engine_;
  std::int64_t disks_ = 0;
  GridOrigin origin_;
  std::uint64_t revision_ = 0;
};

// mapping = auto: times the available thread mappings on sweeps of the run itself. The trajectory
// does not depend on the mapping, so that timing does not disturb it.
class MappingRace {
 public:
  MappingRace() = default;
  MappingRace(const MappingRace&) = delete;  // the candidates refer to it
  MappingRace& operator=(const MappingRace&) = delete;

  // Uses this mapping, or finds the fastest of those available for `p`.
  void begin(DiskSystem& system, const MpmcParameters& p, const MpmcMappingInfo* chosen);
  bool running() const { return race_.running(); }
  // Runs up to `most` sweeps from `first` on with the current candidate; returns their number. Only
  // while running().
  std::uint64_t advance(DiskSystem& system, const MpmcParameters& p, std::uint64_t first,
                        std::uint64_t most);
  // Trial moves per second of each mapping; empty without a choice or before the end.
  std::optional<Curve> chart() const;

 private:
  Race race_;
  DiskSystem* system_ = nullptr;  // of the current batch, as the next two
  const MpmcParameters* moves_ = nullptr;
  std::uint64_t first_ = 0;
  double sweeps_ = 0, trials_ = 0;  // in the race
};

// Changing the packing fraction: the box shrinks or grows in stages, and the disks follow.
//
// A stage scales the box by a small factor, which leaves some pairs overlapping, and relaxes them
// with sweeps in which a move is also accepted when it does not decrease the distance to the
// nearest disk (MpmcEngine::relax). If overlaps remain after a fixed number of sweeps, the box is
// scaled up until the smallest distance is one diameter, and the next stage is half as large. Every
// stage thus ends without overlaps, in a box not longer than before.

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
  void relaxingSweep(DiskSystem& system, const MpmcParameters& p);
  // Sweeps used, kBudget + 1 when not enough.
  int relax(DiskSystem& system, std::uint64_t seed, const std::function<void()>& round);
};

}  // namespace cellscope
