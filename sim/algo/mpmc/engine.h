// Massively parallel Monte Carlo of hard disks (S3): one engine per backend, the same
// configuration bit for bit.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/mpmc/stored_cells.h"
#include "sim/base/backend.h"
#include "sim/base/frame_buffer.h"
#include "sim/core/checkerboard.h"
#include "sim/exec/context.h"
#include "sim/exec/layout.h"
#include "sim/exec/peers.h"

namespace cellscope {

// Mappings of active cells to threads on CUDA. Results do not depend on them; the CPU has a single
// one.

namespace mpmc {
struct SubSweepLaunch;  // sweep_plan.cuh
SubSweepLaunch threadPerCell(const GridInfo& grid, bool fourMoves);
SubSweepLaunch threadPerNeighbour(const GridInfo& grid, bool fourMoves);
}  // namespace mpmc

struct MpmcMappingInfo {
  const char* key;    // value of the parameter `mapping`
  const char* words;  // for its help
  // How its sub-sweeps are launched for a grid and n_M = 4 or any n_M; only in builds with CUDA.
  mpmc::SubSweepLaunch (*subSweep)(const GridInfo&, bool fourMoves);
  // Whole sweeps run from tiles in shared memory where they fit and n_M = 4.
  bool tiles = false;
  // Many small runs that share a device make whole sweeps in common launches where n_M = 4.
  bool sideBySide = false;
};

// All mappings; the first is used until another is set.
inline constexpr std::array<MpmcMappingInfo, 3> kMpmcMappings = {{
    // S3, Algorithm 2
    {"thread_per_cell",
     "one thread per active cell (large systems, and many small ones side by side in a sweep)",
     kCudaBuilt ? mpmc::threadPerCell : nullptr, false, true},
    // S3, section 5.2
    {"thread_per_neighbour", "eight threads per active cell, one for each neighbour cell",
     kCudaBuilt ? mpmc::threadPerNeighbour : nullptr},
    {"resident_tiles",
     "tiles of cells kept in shared memory for many sweeps, with four threads per active cell (up "
     "to about 70 000 disks on large GPUs and 4 trial moves per cell, otherwise as thread per "
     "neighbour)",
     kCudaBuilt ? mpmc::threadPerNeighbour : nullptr, true},
}};

// Cell-list storage in the memory of one backend. Layout: sim/core/checkerboard.h.
struct DiskCells {
  GridInfo grid;
  exec::Array<Vec2> disk;           // slotCount()
  exec::Array<std::uint32_t> id;    // slotCount()
  exec::Array<std::uint8_t> count;  // cellCount()
  exec::Array<std::uint8_t> moved;  // cellCount(), or nothing: DiskCellsView::moved

  DiskCells() = default;
  // padding: room after the last slot and the last count.
  DiskCells(Backend where, const GridInfo& g, std::size_t padding = 0)
      : DiskCells(layout(g, padding).make(where)) {
    grid = g;
  }
  static exec::Layout<DiskCells> layout(const GridInfo& g, std::size_t padding = 0) {
    return {{"disks", &DiskCells::disk, g.slotCount() + padding},
            {"ids", &DiskCells::id, g.slotCount() + padding},
            {"counts", &DiskCells::count, g.cellCount() + padding}};
  }
  DiskCellsView view() const {
    return {grid, disk.data(), id.data(), count.data(), moved.size() ? moved.data() : nullptr};
  }
  std::size_t bytes() const { return layout(grid).held(*this) + moved.bytes(); }
  // Room for marks, all unset, where there is none yet; or no marks.
  void markMoved(bool marks) {
    if (marks == (moved.size() > 0)) return;
    moved = {};
    if (!marks) return;
    moved = exec::Array<std::uint8_t>(disk.where(), grid.cellCount());
    moved.zero();
  }
};

class MpmcEngine {
 public:
  virtual ~MpmcEngine() = default;
  virtual Backend backend() const = 0;

  // Take over a host state (copied to this backend's memory). Throws RunError when memory runs out.
  virtual void upload(const DiskCells& host) = 0;
  virtual DiskCells download() const = 0;  // host copy
  virtual DiskCellsView view() const = 0;  // in this backend's memory; valid until the next call
  virtual GridInfo grid() const { return view().grid; }

  virtual void setMapping(const MpmcMappingInfo& mapping) = 0;
  // Whether sweeps with these parameters would run so, and not in place of it in another way; of
  // runs that share launches no other mapping is worth a try.
  virtual bool offers(const MpmcMappingInfo& mapping, const MpmcParameters& p) const = 0;
  // Complete sweeps [first, first + count) of Algorithm 1. Asynchronous work is finished on return.
  virtual void sweeps(const MpmcParameters& p, std::uint64_t first, std::uint64_t count) = 0;
  // Parts of one sweep, for single-phase stepping: the sub-sweep of one set, and the shift.
  virtual void subSweep(const MpmcParameters& p, std::uint64_t sweep, int set) = 0;
  virtual void shift(const CellShift& shift) = 0;

  // Sub-sweep of compression: a trial move is also accepted when it does not decrease the smallest
  // distance of the disk, so that overlaps left by a shrinking box are pushed apart.
  virtual void relax(const MpmcParameters& p, std::uint64_t sweep, int set) = 0;

  // Sweeps and sub-sweeps that follow record what they do, until a trace that is off is set: second
  // instances of the same kernels, with the same result bit for bit. The memory is that of this
  // backend.
  virtual void setTrace(const MpmcTrace& trace) = 0;

  virtual MpmcCounters counters() const = 0;
  virtual void resetCounters() = 0;

  using OverlapReport = cellscope::OverlapReport;
  virtual OverlapReport check() const = 0;

  virtual std::size_t bytes() const = 0;  // all arrays of the engine

  // Of the last exchange, of the domains of this process.
  virtual std::vector<HaloMessage> messages() const { return {}; }
};

// Rows of cells to be copied.
struct RowCopy {
  CellRow from, to;
  std::size_t cells;
};

// An engine of one device. It can hold a strip as well (GridInfo::halo), whose disks never overlap:
// then only what follows, upload() and download() are called, and of stale halos subSweep(). What
// is ordered is done in this order, without waiting for it.
class StripEngine : public MpmcEngine {
 public:
  static constexpr int kPlanned = 32;
  Backend backend() const final { return shared_->where(); }
  void upload(const DiskCells& host) final;
  DiskCells download() const final;
  DiskCellsView view() const final { return now_.view(); }
  void setTrace(const MpmcTrace& trace) final { trace_ = trace; }
  // Cells of this grid without a disk, to be written to view().
  virtual void hold(const GridInfo& grid) = 0;
  // While set, cells are there to be looked at, without memory to sweep with until a sweep is asked
  // for.
  virtual void setAside(bool) {}
  // Sweep first + local; 0, 1, ... below kPlanned in turn. The halos must be right before it, and
  // are not afterwards. Without experiments that need MpmcEngine::sweeps().
  virtual void orderSweep(const MpmcParameters& p, std::uint64_t first, int local) = 0;
  // Both at once, in memory that this device reaches.
  virtual void orderCopies(const RowCopy& a, const RowCopy& b) = 0;
  // What follows begins when what `other` had ordered before its last signal() is done; nothing of
  // an engine that does all at once.
  virtual void signal() {}
  virtual void waitFor(const StripEngine&) {}
  virtual void synchronize() {}
  // Cells were written to view() from outside; their disks may overlap.
  void changedOutside() { apart_ = false; }

 protected:
  explicit StripEngine(exec::Shared exec) : shared_(std::move(exec)) {}

  exec::Shared shared_;
  DiskCells now_, next_;
  // No two disks overlap, as last checked; no move makes them. Every cell then has room for a
  // shift, and otherwise it is asked for room before anything is moved.
  mutable bool apart_ = false;
  std::uint64_t unsure_ = 0;  // sweeps since the last check of disks that may overlap
  MpmcTrace trace_;
};

// bytes() of an engine that holds cells of this grid, before there is one. The experiment leaveCell
// takes the cells once more on the CPU.
std::size_t mpmcBytesCpu(const GridInfo& grid, int threads);
// In builds with CUDA only.
std::size_t mpmcBytesCuda(const GridInfo& grid, const ExecConfig& config);
inline std::size_t mpmcBytesOfOne(const GridInfo& grid, const ExecConfig& config) {
  if constexpr (kCudaBuilt)
    if (config.backend == Backend::cuda) return mpmcBytesCuda(grid, config);
  return mpmcBytesCpu(grid, config.threads);
}
// On the device of `config`, with the domains that it asks for.
std::size_t mpmcBytes(const GridInfo& grid, const ExecConfig& config);

std::unique_ptr<StripEngine> makeMpmcEngineCpu(const exec::Shared& exec);
std::unique_ptr<StripEngine> makeMpmcEngineCuda(const exec::Shared& exec);
inline std::unique_ptr<StripEngine> makeStripEngine(const exec::Shared& exec) {
  return exec::makeOn<makeMpmcEngineCpu, makeMpmcEngineCuda>(exec);
}
// Of all domains (domains.h).
std::unique_ptr<MpmcEngine> makeMpmcEngine(const exec::Shared& exec);
// With an exec of its own.
inline std::unique_ptr<MpmcEngine> makeMpmcEngine(const ExecConfig& config) {
  return makeMpmcEngine(exec::makeExec(config));
}

// The CPU engine with a chosen kernel set, for tests and benchmarks.

// kernels: name of an instruction set (exec::instructionSet).
std::unique_ptr<MpmcEngine> makeMpmcEngineCpu(int threads, const std::string& kernels);

}  // namespace cellscope
