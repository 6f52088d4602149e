// All-pairs molecular dynamics (S2, section 2): every particle interacts with every other one, in
// a periodic box, which must be a cube today, and of which the cutoff may be up to 1.5 sides long
// (sim/algo/all_pairs/images.h); of one species or of several. One engine per backend.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "sim/algo/all_pairs/curves.h"
#include "sim/algo/all_pairs/state.h"
#include "sim/algo/md/bath.h"
#include "sim/algo/md/displacements.h"
#include "sim/algo/md/particles_lent.h"
#include "sim/algo/md/rescaler.h"
#include "sim/algo/md/samples.h"
#include "sim/algo/md/species.h"
#include "sim/algo/md/timed_part.h"
#include "sim/algo/md/velocities.h"
#include "sim/algo/neighbours/list_fill.h"
#include "sim/algo/neighbours/list_search.h"
#include "sim/algo/neighbours/particle_record.h"
#include "sim/base/backend.h"
#include "sim/base/box.h"
#include "sim/exec/context.h"
#include "sim/exec/status.h"

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
  // Of engines with Verlet lists.
  int method = 0;  // index in sim/algo/neighbours/methods.h
  ListOptions search = {};
  double buffer = 0.3;  // by which lists reach beyond the cutoff; 0: a list for every step
  // Wrong on purpose: lists are built at a fixed interval of steps, however far particles have
  // moved. 0: whenever they must.
  std::uint64_t uncheckedSteps = 0;
  // Threads per particle in a force pass on CUDA, 1 to 32; 0: chosen by the number of particles.
  int lanes = 0;
  SpeciesTable species = {};  // of one type: its cutoff is that above
  // Of engines with placeholder cells.
  int slots = 32;     // of each cell; grown where they are too few
  double skin = 0.2;  // lambda: by which cells are at least wider than the cutoff

  // Of one species, with all pairs.
  PairOfTypes onlyPair() const {
    PairOfTypes p{.cutoff = cutoff};
    for (int k = 0; k < kMostOwn; ++k) p.ownA[k] = p.ownB[k] = species.own[k][0];
    return p;
  }
};

// Neighbour lists since the start, or since the engine last began to use them: part of the state,
// since it tells when they are sorted.
struct ListHistory {
  std::uint64_t firstStep = 0;  // the first step with lists
  std::uint64_t builds = 0;
  // Builds in the step after another one: half the buffer is less than a particle moves in a step.
  // Lists are checked before their forces are computed, so that these are right all the same.
  std::uint64_t dangerous = 0;
  std::uint64_t lastStep = 0;  // of the last build
};

struct MdState {
  Box box = cubicBox(1);
  std::vector<Vec3d> position = {}, velocity = {};  // positions lie in the box
  std::vector<std::uint8_t> type = {};              // none: all 0
  // Of engines with Verlet lists: the particle in each slot of their memory, and what their list
  // was built from, by slot; none: not known, a list is built.
  std::vector<std::uint32_t> order = {};
  std::vector<ParticleRecord> built = {};
  // Of engines with placeholder cells: `order` goes through the particles cell by cell; the cell of
  // each, the slots of a cell, and forces by number, whose sums depend on the cells as they were.
  std::vector<std::uint32_t> cellOf = {};
  std::uint32_t slots = 0;
  std::vector<Vec4> force = {};
  ListHistory history = {};
  Followed followed = {};

  // Forgets what engines derive from the positions, so that another engine begins without lists.
  void dropDerived() {
    order.clear(), built.clear(), cellOf.clear(), force.clear();
    history = {};
  }
};

// Called with the share of the forces that is done, several times a second where that takes long on
// a CPU, with all pairs and with placeholder cells: the plain tiles, for a million particles in
// large tiles, every few seconds; a GPU with tuned all pairs of millions of particles, otherwise
// nothing.
// What it throws gives the work up: the forces are not valid then.
using PairProgress = std::function<void(double)>;

struct ListsLent;
struct CellsLent;

class AllPairsEngine {
 public:
  virtual ~AllPairsEngine() = default;

  // Take over a host state. The forces are not valid until forces() has run. Throws RunError.
  virtual void upload(const MdState& state) = 0;
  virtual MdState download() const = 0;
  virtual std::vector<PairSums> pairSums() const = 0;
  virtual void setPair(const PairSettings& settings) = 0;

  virtual void setBath(const BathSettings& bath) = 0;

  // The parts of a velocity Verlet step. May return before the work is done.
  virtual void halfKickDrift(double dt, std::uint64_t step) = 0;
  virtual void updateList(std::uint64_t) {}  // a new neighbour list where one is needed
  // The same in parts, to be looked at one by one: part 0 checks the displacements and sorts the
  // slots, the others are those of the builder (ListBuilder::parts()). Whether there is more to do
  // of this part: then it has to be called for again.
  virtual bool updateListPart(int /*part*/, std::uint64_t /*step*/) { return false; }
  virtual void forces(const PairProgress& progress) = 0;
  void forces() { forces({}); }
  virtual void halfKick(double dt) = 0;
  // Whole steps, the first of which has this number.
  virtual void run(double dt, std::uint64_t step, std::uint64_t count,
                   const PairProgress& progress) {
    for (std::uint64_t s = step; s < step + count; ++s) {
      halfKickDrift(dt, s);
      forces(progress);
      halfKick(dt);
    }
  }
  // The state was uploaded between halfKickDrift() and updateList().
  virtual void recheck() {}
  virtual ListHistory history() const { return {}; }
  virtual std::uint64_t listGrowths() const { return 0; }  // how often lists needed more memory
  // Of all particles, in the lists as they are; each pair counts twice.
  virtual std::optional<std::uint64_t> neighboursListed() { return std::nullopt; }
  // Pairs that a force pass computes with the lists as they are, and how many of them are within
  // the cutoff now. Waits.
  virtual std::optional<ListedPairs> listFill() { return std::nullopt; }

  // Fills `lent` (sim/algo/verlet/lists_lent.h) and says whether there are lists. energies: those
  // of the particles are needed.
  virtual bool lendLists(ListsLent&, bool /*energies*/) { return false; }
  // Fills `lent` (sim/algo/placeholders/cells.h) and says whether there are such cells.
  virtual bool lendCells(CellsLent&) { return false; }
  // Builds the list although it is valid, to be timed. Does not wait.
  virtual void buildAnew() {}
  // Orders a part of the work, to be timed, and does not wait; false: there is no such part. After
  // a part of a build there is no list until the next one. Positions, velocities and forces stay.
  virtual bool orderPart(TimedPart) { return false; }

  // Samples on the way: run() takes one behind every step s with (s + 1) % every == 0, without
  // waiting; 0: none. They are the same as sampleNow(dt) would give there.
  virtual void sampleEvery(std::uint64_t every) = 0;
  // Those since the last time, in order; they must be taken before there are more than
  // SampleRing::kRoom. May wait.
  virtual std::vector<RunSample> takeSamples() = 0;
  // dt: of the step that ended here; 0: none did, or velocities are wanted as they are. With a
  // Langevin bath others are sampled (BathSettings::sampledBack()). Waits.
  virtual RunSample sampleNow(double dt) = 0;
  // To be called in run() while the device computes and the host would wait. Whether it is.
  virtual bool whileRunning(const std::function<void()>&) { return false; }
  virtual MdTotals totals() = 0;
  virtual KineticTotals kinetic() = 0;  // without a pass over pairs
  // Stochastic velocity rescaling behind the steps made so far. A sample that run() has taken
  // behind the last of them becomes one of the new velocities. Does not wait.
  virtual void rescale(const Rescaling& by) = 0;
  virtual double heat() = 0;  // taken from the bath by all of them; waits
  virtual void setHeat(double heat) = 0;
  // v' = mean + factor (v - mean) of all particles.
  virtual void scaleVelocities(double factor, Vec3d mean) = 0;
  // Before step `step`: another box of this shape, with positions and ways scaled as it is and
  // velocities relative to `mean` by the inverse (ScaleParticles); then the forces. What lists,
  // cells and recorded steps know of the old box is made anew. Particles must have been followed.
  virtual void changeBox(const Box& box, Vec3d mean, std::uint64_t step) = 0;
  // Of all particles, since the last reset; right if particles were followed, or this was asked
  // for, before any of them had crossed half the box since the last time.
  virtual double meanSquareDisplacement() = 0;
  virtual void followDisplacements() = 0;  // does not wait
  virtual void resetDisplacements() = 0;
  // At least one bin of each kind. Waits; particles stay where they are.
  virtual CurveCounts curveCounts(const CurveRequest& request) = 0;
  // The first particle that moved too far since the last upload or restore. Waits for the work.
  virtual std::optional<exec::StatusReport> failure() const = 0;
  virtual void keep() = 0;     // remember positions, velocities and forces
  virtual void restore() = 0;  // go back to what keep() remembered; forgets a failure

  // The particles, to be drawn. energies: theirs are needed.
  virtual ParticlesLent lendParticles(bool energies) = 0;

  virtual std::size_t bytes() const = 0;
};

std::unique_ptr<AllPairsEngine> makeAllPairsCpu(const exec::Shared& exec);
std::unique_ptr<AllPairsEngine> makeAllPairsCuda(
    const exec::Shared& exec);  // builds with CUDA only
inline std::unique_ptr<AllPairsEngine> makeAllPairs(const exec::Shared& exec) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeAllPairsCuda(exec);
  return makeAllPairsCpu(exec);
}
// With an exec of its own.
inline std::unique_ptr<AllPairsEngine> makeAllPairs(const ExecConfig& config) {
  return makeAllPairs(exec::makeExec(config));
}
inline std::unique_ptr<AllPairsEngine> makeAllPairsCpu(int threads) {
  return makeAllPairsCpu(exec::makeExec({Backend::cpu, threads}));
}

}  // namespace cellscope
