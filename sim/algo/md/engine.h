// Molecular dynamics on one backend: a system of particles, and a way to compute their forces.
#pragma once
#include "sim/algo/md/curves.h"
#include "sim/algo/md/integrator.h"
#include "sim/algo/md/particles_lent.h"
#include "sim/algo/md/rescaler.h"
#include "sim/algo/md/state.h"
#include "sim/base/lent.h"

namespace cellscope {

// Parts of the work, ordered by themselves to see where the time goes.
enum class TimedPart {
  sorted,    // of a list build: particles in order, in cells or in trees; no search
  walked,    // with a search through cells or nodes that computes no distances
  built,     // a whole list build
  partners,  // of a force pass: list, tiles or slots are gone through, and nothing else is read
  records,   // with the positions of the partners, and no arithmetic
  forces     // a whole force pass
};

// Slots [begin, end), whose records one domain sends to another.
struct SentSlots {
  int from, to;
  std::uint32_t begin, end;
  bool ahead;  // they are the last ones of their domain
};

// The particles, which sim/algo/md/system.h has on an exec, and their forces.
class MdEngine {
 public:
  virtual ~MdEngine() = default;

  virtual void setBath(const BathSettings& bath) = 0;
  // Samples on the way: run() takes one behind every step s with (s + 1) % every == 0, without
  // waiting; 0: none. They are the same as sampleNow(dt) would give there.
  virtual void sampleEvery(std::uint64_t every) = 0;
  // Those since the last time, in order; they must be taken before there are more than
  // SampleRing::kRoom. May wait.
  virtual std::vector<RunSample> takeSamples() = 0;
  // dt: of the step that ended here; 0: none did, or velocities are wanted as they are. With a
  // Langevin bath others are sampled (BathSettings::sampledBack()). Waits.
  virtual RunSample sampleNow(double dt) = 0;
  virtual MdTotals totals() = 0;
  virtual KineticTotals kinetic() = 0;           // without a pass over pairs
  virtual std::vector<PairSums> pairSums() = 0;  // by number; waits
  // Stochastic velocity rescaling behind the steps made so far. A sample that run() has taken
  // behind the last of them becomes one of the new velocities. Does not wait.
  virtual void rescale(const Rescaling& by) = 0;
  virtual double heat() = 0;  // taken from the bath by all of them; waits
  virtual void setHeat(double heat) = 0;
  // v' = mean + factor (v - mean) of all particles.
  virtual void scaleVelocities(double factor, Vec3d mean) = 0;
  // Particles on springs, by ascending numbers, until other ones are given; those of several
  // domains cannot be held. pullHeld() is half a step of their springs, between two steps, and does
  // not wait; held() does.
  virtual void hold(const std::vector<HeldParticle>&) {}
  virtual void pullHeld(const Spring&, double /*dt*/) {}
  virtual std::vector<HeldParticle> held() { return {}; }
  // Displacements of samples since the last reset are right if particles were followed before any
  // of them had crossed half the box since the last time. Does not wait.
  virtual void followDisplacements() = 0;
  virtual void resetDisplacements() = 0;
  // At least one bin of each kind. Waits; particles stay where they are.
  virtual CurveCounts curveCounts(const CurveRequest& request) = 0;
  // The first particle that moved too far since the last upload or restore. Waits for the work.
  virtual std::optional<exec::StatusReport> failure() const = 0;

  // Take over a host state. The forces are not valid until forces() has run. Throws RunError.
  virtual void upload(const MdState& state) = 0;
  virtual MdState download() const = 0;
  virtual void keep() = 0;     // remember positions, velocities and forces
  virtual void restore() = 0;  // go back to what keep() remembered; forgets a failure
  virtual void setPair(const PairSettings& settings) = 0;

  // The parts of a velocity Verlet step. May return before the work is done.
  virtual void halfKickDrift(double dt, std::uint64_t step) = 0;
  // What forces need of structures, in parts to be looked at one by one: part 0 checks the
  // particles and brings them into order, the others are those of a list builder
  // (ListBuilder::parts()). Whether there is more to do of this part: then it has to be called for
  // again.
  virtual bool updateListPart(int /*part*/, std::uint64_t /*step*/) { return false; }
  virtual void forces(const PairProgress& progress) = 0;
  void forces() { forces({}); }
  virtual void halfKick(double dt) = 0;
  // Whole steps, the first of which has this number.
  virtual void run(double dt, std::uint64_t step, std::uint64_t count,
                   const PairProgress& progress) = 0;
  // To be called in run() while the device computes and the host would wait. Whether it is.
  virtual bool whileRunning(const std::function<void()>&) { return false; }
  // The state was uploaded between halfKickDrift() and updateListPart().
  virtual void recheck() {}
  // Before step `step`: another box of this shape, with positions and ways scaled as it is and
  // velocities relative to `mean` by the inverse (ScaleParticles); then the forces. What lists,
  // cells and recorded steps know of the old box is made anew. Particles must have been followed.
  virtual void changeBox(const Box& box, Vec3d mean, std::uint64_t step) = 0;

  // The particles, to be drawn, and the structures that they are found by, in the memory of the
  // backend and valid until the engine is used again: ListsLent (sim/algo/neighbours/builder.h),
  // CellsLent (sim/algo/placeholders/cells.h). energies: those of the particles are needed.
  virtual ParticlesLent lendParticles(bool energies) = 0;
  virtual void lend(Lent&, bool /*energies*/) {}
  // Of lists, or of cells that are refreshed; 0 without.
  virtual ListHistory history() const { return {}; }
  virtual std::uint64_t listGrowths() const { return 0; }  // how often they needed more memory
  // Pairs that a force pass computes with the lists as they are, and how many of them are within
  // the cutoff now. Waits.
  virtual std::optional<ListedPairs> listFill() { return std::nullopt; }
  // Orders a part of the work, to be timed, and does not wait; false: there is no such part. After
  // a part of a build there is no list until the next one. Positions, velocities and forces stay.
  virtual bool orderPart(TimedPart) { return false; }
  virtual std::size_t bytes() const = 0;
  // Of several domains: what each sends to others after every drift.
  virtual std::vector<SentSlots> sent() const { return {}; }
};

// Engines of molecular dynamics, each on the backend of an exec.
using MakeMdEngine = std::unique_ptr<MdEngine>(const exec::Shared& exec);

// All pairs (S2, section 2); Verlet lists (S1), rebuilt when some particle has moved further than
// half the buffer; placeholder cells (S2, section 3), which are brought up to date with the forces.
MakeMdEngine makeAllPairsCpu, makeAllPairsCuda;
MakeMdEngine makeVerletCpu, makeVerletCuda;
MakeMdEngine makePlaceholdersCpu, makePlaceholdersCuda;

inline constexpr MakeMdEngine *makeAllPairs = exec::makeOn<makeAllPairsCpu, makeAllPairsCuda>,
                              *makeVerlet = exec::makeOn<makeVerletCpu, makeVerletCuda>,
                              *makePlaceholders =
                                  exec::makeOn<makePlaceholdersCpu, makePlaceholdersCuda>;

// What an engine takes for n particles, with the structures that it needs, before there is one.
// Lists and cells that grow, as in a vapour that condenses, take more.
std::size_t allPairsBytes(Backend where, std::size_t n, int tile, int types = 1);
std::size_t verletBytes(std::size_t n, const Box& box, const PairSettings& settings,
                        const std::array<std::size_t, kMostTypes>& countOfType,
                        const ExecConfig& config = {});
std::size_t placeholderBytes(std::size_t n, const Box& box, const PairSettings& settings);

}  // namespace cellscope
