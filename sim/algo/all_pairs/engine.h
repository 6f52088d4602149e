// All-pairs molecular dynamics (S2, section 2): every particle interacts with every other one, in
// a periodic box, which must be a cube today. One engine per backend.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/algo/all_pairs/state.h"
#include "sim/base/backend.h"
#include "sim/base/box.h"
#include "sim/base/frame_buffer.h"
#include "sim/base/kernel_time.h"

namespace cellscope {

enum class PairKernel {
  tuned,       // hand-tuned CUDA kernel, vectorised CPU loop; single precision
  teams,       // generic tiles of S2, single precision
  teamsDouble  // the same in double precision: the oracle
};

struct PairSettings {
  int potential = 0;  // index in sim/core/potentials.h
  double cutoff = 2.5;
  int tile = 64;  // n_B of S2: 32, 64, 128 or 256
  PairKernel kernel = PairKernel::tuned;
};

struct MdState {
  Box box = cubicBox(1);
  std::vector<Vec3d> position, velocity;  // by slot; positions lie in the box
};

enum class MdColour { speed, energy, tile, plain };

// Told which share of the forces is done, several times a second where that takes long on a CPU:
// the plain tiles, for a million particles in large tiles, every few seconds; a GPU nothing. What
// it throws gives the work up: the forces are not valid then.
using PairProgress = std::function<void(double)>;

struct MdFailure {
  std::uint32_t step = 0;  // low 32 bits of the step number given to halfKickDrift
  std::uint32_t particle = 0;
};

class AllPairsEngine {
 public:
  virtual ~AllPairsEngine() = default;

  // Take over a host state. The forces are not valid until forces() has run. Throws RunError.
  virtual void upload(const MdState& state) = 0;
  virtual MdState download() const = 0;
  virtual std::vector<PairSums> pairSums() const = 0;
  virtual void setPair(const PairSettings& settings) = 0;

  // The three parts of a velocity Verlet step. May return before the work is done.
  virtual void halfKickDrift(double dt, std::uint64_t step) = 0;
  virtual void forces(const PairProgress& told) = 0;
  void forces() { forces({}); }
  virtual void halfKick(double dt) = 0;

  virtual MdTotals totals() = 0;
  // The first particle that moved too far since the last upload or restore. Waits for the work.
  virtual std::optional<MdFailure> failure() const = 0;
  virtual void keep() = 0;     // remember positions, velocities and forces
  virtual void restore() = 0;  // go back to what keep() remembered; forgets a failure

  // Instances to draw, in this backend's memory, immutable.
  virtual std::shared_ptr<const FrameBuffer> points(MdColour colour) = 0;
  virtual std::shared_ptr<const FrameBuffer> velocities(double scale) = 0;

  virtual std::size_t bytes() const = 0;
  virtual std::size_t frameBytes() const = 0;  // of all buffers of points() and velocities()
  virtual std::vector<KernelTime> kernelTimes() = 0;
};

std::unique_ptr<AllPairsEngine> makeAllPairsCpu(int threads);
std::unique_ptr<AllPairsEngine> makeAllPairsCuda(int device);  // throws RunError without CUDA
inline std::unique_ptr<AllPairsEngine> makeAllPairs(const ExecConfig& c) {
  return c.backend == Backend::cuda ? makeAllPairsCuda(c.device) : makeAllPairsCpu(c.threads);
}

}  // namespace cellscope
