// Life of the mode: start, edits, steps, observables.
#include "sim/modes/md/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/algo/observables/lennard_jones_reference.h"
#include "sim/algo/verlet/engine.h"
#include "sim/core/assert.h"
#include "sim/modes/md/start.h"

namespace cellscope {

using md::MdParameters;

namespace {

// The minimum image is unique up to half the box only. Throws InputError with the way out.
void requireFit(const MdParameters& p, const Box& box) {
  const double length = box.shortest();
  if (p.cutoff <= 0.5 * length) return;
  const double side = 2.0 * p.cutoff;
  throw InputError(fmt::format(
      "cutoff = {:g} does not fit into the box of side {:.4g} ({} particles at density {:g}): it "
      "may be at most half the side, {:.4g}; use a cutoff up to {:.4g}, or n of at least {:.0f}, "
      "or a "
      "density of at most {:.3g}",
      p.cutoff, length, p.n, p.density, 0.5 * length, std::floor(500.0 * length) / 1000.0,
      std::ceil(p.density * side * side * side), static_cast<double>(p.n) / (side * side * side)));
}

}  // namespace

MdMode::MdMode(const ExecConfig& config)
    : ModeBase(describe(), config), exec_(exec::makeExec(config)), engine_(makeAllPairs(exec_)) {
  lennardJonesData();  // missing or damaged: an error now, not in the middle of the run
  ready();
}

std::unique_ptr<AllPairsEngine> MdMode::engineFor(const MdParameters& p) const {
  return p.lists() ? makeVerlet(exec_) : makeAllPairs(exec_);
}

// An engine of its own for a new state, with the forces: the old one stays as it is until the new
// one is complete, or the work is cancelled.
std::unique_ptr<AllPairsEngine> MdMode::prepared(const MdParameters& p, const MdState& state,
                                                 const PairProgress& progress) const {
  std::unique_ptr<AllPairsEngine> engine = engineFor(p);
  const auto measure = [&] {
    RunMemory m = memoryOfRun();
    m.n = p.n;
    m.needed = md::memoryNeed(p, config()).running;
    return m;
  };
  withMemoryHint(measure, [&] {
    engine->setPair(p.pair());
    engine->setBath(p.bath());
    engine->upload(state);
    engine->forces(progress);
  });
  return engine;
}

RunMemory MdMode::memoryOfRun() const {
  ExecConfig drawn = config();
  drawn.drawn |= engine_->frameBytes() > 0;
  return {active().n, engine_->bytes() + engine_->frameBytes(),
          md::memoryNeed(active(), drawn).running};
}

PairProgress MdMode::progressOf(const std::string& label) const {
  if (!workReport()) return {};
  return [this, label](double done) { reportWork(label, done); };
}

double MdMode::work() const {
  const auto n = static_cast<double>(active().n);
  return static_cast<double>(step()) * (active().lists() ? n : n * (n - 1));
}

void MdMode::startOver(const MdParameters& p, std::unique_ptr<AllPairsEngine> engine,
                       const Box& box, std::vector<ParticleId> ids) {
  begin(p);
  engine_ = std::move(engine);
  box_ = box;
  slots_ = IdMap(ids);
  ids_ = std::move(ids);
  sampler_.reset();
  markStart();
}

// With a thermostat neither energy nor momentum is conserved.
void MdMode::markStart() {
  startEnergy_.reset();
  if (!active().bathOn()) startEnergy_ = energyPerParticle();
  startMomentum_ = momentum();
}

void MdMode::start(const MdParameters& p) {
  const Box box = cubicBox(p.length());
  requireFit(p, box);
  md::checkMemory(p, config());
  reportWork("placing the particles", -1);
  const MdState state{
      box, md::startLattice(p.n, p.length()),
      md::maxwellVelocities(p.n, p.temperature, static_cast<std::uint64_t>(p.seed))};
  reportWork("computing the first forces", 0);
  startOver(p, prepared(p, state, progressOf("computing the first forces")), box,
            firstIds(static_cast<std::size_t>(p.n)));
}

// In an engine of its own, so that the state stays as it is when that fails.
void MdMode::removeDrift() {
  MdState s = engine_->download();
  const md::MdSample before = measured();
  md::removeDrift(s.velocity);
  engine_ = prepared(active(), s, progressOf("computing the forces"));
  if (startEnergy_) *startEnergy_ -= before.driftEnergy() / before.particles;
  startMomentum_ = momentum();
}

Vec3d MdMode::momentum() {
  const MdTotals t = engine_->totals();
  return {t.px, t.py, t.pz};
}

void MdMode::parametersChanged(const MdParameters& before, std::uint32_t touched) {
  using T = md::MdTouch;
  requireFit(active(), box_);
  if (before.lists() != active().lists())
    changeEngine(before);
  else if (touched & (T::forces | T::engine))
    takeForces(before);
  if (touched & T::drift && active().removeDrift) removeDrift();
  engine_->setBath(active().bath());
  if (touched & (T::pairLaw | T::bath)) markStart();
}

// The same state in an engine of another kind.
void MdMode::changeEngine(const MdParameters&) {
  MdState s = engine_->download();
  s.order.clear(), s.built.clear(), s.history = {};
  engine_ = prepared(active(), s, progressOf("computing the new forces"));
}

void MdMode::takeForces(const MdParameters& before) {
  engine_->setPair(active().pair());
  engine_->keep();
  try {
    engine_->forces(progressOf("computing the new forces"));
  } catch (...) {
    engine_->setPair(before.pair());
    engine_->restore();
    throw;
  }
}

void MdMode::runSteps(std::uint64_t steps) {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  while (steps > 0) {
    const std::uint64_t count = std::min(steps, kStepsBetweenChecks);
    runBatch(count);
    steps -= count;
  }
}

// A step alone may be cancelled, which loses no other one. Whoever calls for several at once knows
// that they are short.
void MdMode::runBatch(std::uint64_t count) {
  keep();
  stepDt_ = active().dt;
  try {
    engine_->run(stepDt_, step(), count,
                 count == 1 ? progressOf("computing the forces") : PairProgress{});
  } catch (...) {
    goBack();
    throw;
  }
  countSteps(count);
  checkFailure();
}

// Without lists there is no phase of them.
void MdMode::runPhase(int phase, bool) {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  const int part = phase > 0 && !active().lists() ? phase + 1 : phase;
  if (part == 0) {
    keep();
    drift();
    checkFailure();
  } else if (part == 1) {
    withHint([&] { engine_->updateList(step()); });
  } else if (part == 2) {
    engine_->forces(progressOf("computing the forces"));
  } else {
    lastKick();
  }
}

void MdMode::drift() {
  stepDt_ = active().dt;
  engine_->halfKickDrift(stepDt_, step());
}

void MdMode::lastKick() { engine_->halfKick(stepDt_); }

// A particle moved too far: go back to the last valid state and name it.
void MdMode::checkFailure() {
  const std::optional<exec::StatusReport> failure = engine_->failure();
  if (!failure) return;
  const std::uint64_t step = failure->stepBefore(this->step());
  goBack();
  throw RunError(fmt::format(
      "particle {} would have moved more than {:g} sigma in step {}: the run blew up. The state of "
      "step {} is kept; use a smaller time step (dt = {:g} now) or start again",
      ids_[failure->where], kLongestMove, step + 1, keptStep(), active().dt));
}

md::MdSample MdMode::measured() {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  md::MdSample s;
  s.totals = engine_->totals();
  s.particles = static_cast<double>(active().n);
  s.volume = box_.volume();
  s.startEnergy = startEnergy_.value_or(0);
  return s;
}

double MdMode::energyPerParticle() { return measured().energy(); }

std::vector<double> MdMode::sample() {
  md::MdSample s = measured();
  if (!startEnergy_) s.startEnergy = std::numeric_limits<double>::quiet_NaN();
  addLists(s);
  sampler_.add(*engine_, box_, s.totals, static_cast<std::size_t>(active().n), s.temperature());
  std::vector<double> values;
  for (const md::MdObservable& o : md::mdObservables()) values.push_back(o.value(s));
  return values;
}

void MdMode::addLists(md::MdSample& s) {
  const std::optional<std::uint64_t> listed = engine_->neighboursListed();
  if (!listed) return;
  const ListHistory h = engine_->history();
  s.neighbours = static_cast<double>(*listed) / s.particles;
  s.builds = static_cast<double>(h.builds) / std::max(1.0, static_cast<double>(step()));
  s.dangerous = static_cast<double>(h.dangerous);
}

// In NVE the total energy names the state; a drift of the whole fluid is no part of it.
std::vector<ReferenceValue> MdMode::references() const {
  if (!startEnergy_) return {};
  const Vec3d& p = startMomentum_;
  const auto n = static_cast<double>(active().n);
  const double drift = (p.x * p.x + p.y * p.y + p.z * p.z) / (2.0 * n * n);
  return lennardJonesReferences(potentialKeys()[static_cast<std::size_t>(active().potential.index)],
                                active().cutoff, active().density,
                                static_cast<std::uint64_t>(active().n), *startEnergy_ - drift);
}

}  // namespace cellscope
