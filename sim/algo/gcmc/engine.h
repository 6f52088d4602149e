// Grand-canonical Monte Carlo of the Lennard-Jones fluid (S0). An engine holds one chain on one
// backend and runs it by one method (sim/algo/gcmc/methods.h).
//
// GcmcModel (sim/core/gcmc_rules.h) is all that a move depends on besides the state: seed,
// temperature, activity, cutoff and truncation, tail correction, shares of the kinds of moves,
// largest displacement. GcmcState (sim/algo/gcmc/state.h) is a state on the host: box, positions
// and ids by slot, next id. A move is a pure function of the model, its number and the state.
#pragma once
#include <array>
#include <cstdint>
#include <memory>

#include "sim/algo/gcmc/methods.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/base/backend.h"
#include "sim/base/particle_id.h"
#include "sim/base/vec.h"
#include "sim/exec/context.h"

namespace cellscope {

struct GcmcModel;
struct GcmcState;

struct GcmcSettings {
  GcmcMethod method = GcmcMethod::serial;
  int mapping = 0;             // of GcmcMethod::cells: row of gcmcMappings(dimension), mapping.h
  bool skipBeyond = true;      // of microcells: not those wholly beyond the cutoff
  int movesPerLaunch = 10000;  // moves ordered before the host looks again
  int cellCapacity = 48;       // particles per cell of GcmcMethod::cells to begin with; it grows
};

// Of the present state and of the moves since the last resetCounters(). Kinds: in the order of
// GcmcKind (sim/core/gcmc_rules.h).
struct GcmcTotals {
  std::uint64_t n = 0;  // particles
  double energy = 0;    // pairs within the cutoff, without tail
  double virial = 0;    // sum over pairs of r.f, without tail
  std::array<std::uint64_t, 3> attempted{}, accepted{};
  // Sums over the moves, each weighing the state after it: averages are these over `moves`.
  std::uint64_t moves = 0;
  double sumN = 0, sumNSquared = 0, sumEnergy = 0, sumVirial = 0;
};

// The particles in the memory of the backend, by slot.
struct GcmcParticlesView {
  const Vec3d* position = nullptr;
  const ParticleId* id = nullptr;
  std::uint64_t n = 0;
};

// The cells in the memory of the backend: cell (x, y, z) is number (z count[1] + y) count[0] + x;
// its entry k is the slot entry[cell * cellStride + k * entryStride], k < filled[cell].
struct GcmcCellsView {
  int count[3] = {0, 0, 0};  // 0: the method has no cells; count[2] = 1 in 2D
  double width[3] = {0, 0, 0};
  int capacity = 0;  // entries per cell
  const std::uint32_t* filled = nullptr;
  const std::uint32_t* entry = nullptr;
  std::uint64_t cellStride = 0, entryStride = 0;
};

class GcmcEngine {
 public:
  virtual ~GcmcEngine() = default;
  virtual Backend backend() const = 0;

  // Take over a state; sums energy and virial of all pairs and forgets the counters. Throws
  // RunError when memory runs out, InputError when the method cannot run this box.
  virtual void load(const GcmcModel& model, const GcmcState& state) = 0;
  // From the next move on. The box, cutoff and truncation must be those of load().
  virtual void setModel(const GcmcModel& model) = 0;
  // Moves [first, first + count). What was asked for is done on return. A full cell or particle
  // array grows and the move is made then: no move is ever rejected for want of room.
  virtual void run(std::uint64_t first, std::uint64_t count) = 0;

  virtual GcmcTotals totals() const = 0;
  virtual void resetCounters() = 0;
  virtual void download(GcmcState& state) const = 0;

  // Valid until the next call that changes the state.
  virtual GcmcParticlesView particles() const = 0;
  virtual GcmcCellsView cells() const = 0;

  // Moves that follow are recorded (sim/algo/gcmc/trace.h) until a writer that is off is set. The
  // memory is that of this backend. Results do not change.
  virtual void setTrace(const RecordWriter& writer) = 0;

  virtual std::size_t bytes() const = 0;  // of all arrays of the engine
};

// Algorithm 1 on one CPU thread.
std::unique_ptr<GcmcEngine> makeGcmcSerial(const exec::Shared& exec);
// The methods of blocks and threads.
std::unique_ptr<GcmcEngine> makeGcmcParallelCpu(const exec::Shared& exec, const GcmcSettings& s);
std::unique_ptr<GcmcEngine> makeGcmcParallelCuda(const exec::Shared& exec,
                                                 const GcmcSettings& s);  // builds with CUDA only

// A serial chain asked for on CUDA runs on the CPU.
inline std::unique_ptr<GcmcEngine> makeGcmcEngine(const exec::Shared& exec, const GcmcSettings& s) {
  if (s.method == GcmcMethod::serial) return makeGcmcSerial(exec);
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeGcmcParallelCuda(exec, s);
  return makeGcmcParallelCpu(exec, s);
}

}  // namespace cellscope
