// Life of the mode: start, edits, steps, observables.
#include "sim/modes/md/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/observables/lennard_jones_reference.h"
#include "sim/modes/md/start.h"

namespace cellscope {

using md::MdParameters;

namespace {

// The minimum image is unique up to half the box only. Throws InputError with the way out.
void requireFit(const MdParameters& p, double length) {
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

bool samePairLaw(const MdParameters& a, const MdParameters& b) {
  return a.potential == b.potential && a.cutoff == b.cutoff;
}

}  // namespace

MdMode::MdMode(const ExecConfig& config) : config_(config), set_(ParameterSet::of(edited_)) {
  lennardJonesData();  // missing or damaged: said now, not while the run goes on
  restart();
}

// An engine of its own for a new state, with the forces: until it is ready, and if its making is
// given up, the old one stays as it is.
std::unique_ptr<AllPairsEngine> MdMode::prepared(const MdParameters& p, const MdState& state,
                                                 const PairProgress& told) const {
  std::unique_ptr<AllPairsEngine> engine = makeAllPairs(config_);
  const auto measure = [&] {
    RunMemory m = memoryOfRun();
    m.n = p.n;
    m.needed = md::memoryNeed(p, config_).running;
    return m;
  };
  sayingWhatFits(measure, [&] {
    engine->upload(state);
    engine->setPair(p.pair());
    engine->forces(told);
  });
  return engine;
}

RunMemory MdMode::memoryOfRun() const {
  if (!engine_) return {};
  ExecConfig config = config_;
  config.drawn |= engine_->frameBytes() > 0;
  return {active_.n, engine_->bytes() + engine_->frameBytes(),
          md::memoryNeed(active_, config).running};
}

// Who watches sees the forces grow, and may give them up.
PairProgress MdMode::tell(const std::string& label) const {
  if (!workReport()) return {};
  return [this, label](double done) { reportWork(label, done); };
}

void MdMode::startOver(const MdParameters& p, std::unique_ptr<AllPairsEngine> engine,
                       double length) {
  engine_ = std::move(engine);
  active_ = p;
  length_ = length;
  step_ = keptStep_ = 0;
  phase_ = 0;
  work_ = 0;
  sampler_.reset();
  startEnergy_ = energyPerParticle();
  startMomentum_ = momentum();
}

void MdMode::restart() {
  const MdParameters p = edited_;
  const double length = p.length();
  requireFit(p, length);
  md::checkMemory(p, config_);
  reportWork("placing the particles", -1);
  const MdState state{
      length, md::startLattice(p.n, length),
      md::maxwellVelocities(p.n, p.temperature, static_cast<std::uint64_t>(p.seed))};
  reportWork("computing the first forces", 0);
  startOver(p, prepared(p, state, tell("computing the first forces")), length);
}

void MdMode::parametersChanged(const std::vector<std::string>&) {
  const MdParameters before = active_;
  MdParameters p = active_;
  p.dt = edited_.dt;
  p.potential = edited_.potential;
  p.cutoff = edited_.cutoff;
  p.tile = edited_.tile;
  p.kernel = edited_.kernel;
  const bool removing = edited_.removeDrift && !active_.removeDrift;
  p.removeDrift = edited_.removeDrift && !removing;
  requireFit(p, length_);
  const bool newLaw = !samePairLaw(p, active_);
  const bool newForces = newLaw || p.kernel != active_.kernel || p.tile != active_.tile;
  active_ = p;
  if (newForces) sayingWhatFits([&] { return memoryOfRun(); }, [&] { takeForces(before, newLaw); });
  if (removing) removeDrift();
}

// In an engine of its own, so that the state stays as it is when that fails.
void MdMode::removeDrift() {
  MdState s = engine_->download();
  const md::MdSample before = measured();
  md::removeDrift(s.velocity);
  engine_ = prepared(active_, s, tell("computing the forces"));
  if (startEnergy_) *startEnergy_ -= before.driftEnergy() / before.particles;
  startMomentum_ = momentum();
  active_.removeDrift = true;
}

Vec3d MdMode::momentum() {
  const MdTotals t = engine_->totals();
  return {t.px, t.py, t.pz};
}

void MdMode::takeForces(const MdParameters& before, bool newLaw) {
  engine_->setPair(active_.pair());
  if (phase_ == 1) {  // the forces come next; the new energy is known when the step ends
    if (newLaw) startEnergy_.reset();
    return;
  }
  engine_->keep();
  try {
    engine_->forces(tell("computing the new forces"));
  } catch (...) {
    active_ = before;
    engine_->setPair(before.pair());
    engine_->restore();
    throw;
  }
  if (newLaw && phase_ == 0) startEnergy_ = energyPerParticle();
  if (newLaw && phase_ != 0) startEnergy_.reset();
}

void MdMode::advance(std::uint64_t steps) {
  sayingWhatFits([&] { return memoryOfRun(); }, [&] { advanceSteps(steps); });
}

void MdMode::advanceSteps(std::uint64_t steps) {
  for (; steps > 0 && phase_ != 0; --steps)
    while (phase_ != 0) advancePhase();
  while (steps > 0) {
    const std::uint64_t count = std::min(steps, kStepsBetweenChecks);
    runSteps(count);
    steps -= count;
  }
}

void MdMode::runSteps(std::uint64_t count) {
  engine_->keep();
  keptStep_ = step_;
  for (std::uint64_t s = 0; s < count; ++s) {
    drift();
    stepForces(count == 1);
    engine_->halfKick(stepDt_);
    finishStep();
  }
  checkFailure();
}

// A step alone may be given up, which loses no other one. Whoever calls for several at once knows
// that they are short.
void MdMode::stepForces(bool alone) {
  try {
    engine_->forces(alone ? tell("computing the forces") : PairProgress{});
  } catch (...) {
    goBack();
    throw;
  }
}

void MdMode::advancePhase() {
  if (phase_ == 0) {
    engine_->keep();
    keptStep_ = step_;
    drift();
    checkFailure();
  } else if (phase_ == 1) {
    engine_->forces(tell("computing the forces"));
  } else {
    engine_->halfKick(stepDt_);
    finishStep();
  }
  phase_ = (phase_ + 1) % kPhases;
}

void MdMode::drift() {
  stepDt_ = active_.dt;
  engine_->halfKickDrift(stepDt_, step_);
}

void MdMode::finishStep() {
  ++step_;
  work_ += static_cast<double>(active_.n) * static_cast<double>(active_.n - 1);
  if (!startEnergy_) startEnergy_ = energyPerParticle();
}

void MdMode::goBack() {
  engine_->restore();
  work_ -= static_cast<double>(step_ - keptStep_) * static_cast<double>(active_.n) *
           static_cast<double>(active_.n - 1);
  step_ = keptStep_;
  phase_ = 0;
}

// A particle that was thrown: go back to the last sound state and say which one it was.
void MdMode::checkFailure() {
  const std::optional<MdFailure> failure = engine_->failure();
  if (!failure) return;
  const std::uint64_t step = keptStep_ + (failure->step - static_cast<std::uint32_t>(keptStep_));
  goBack();
  throw RunError(fmt::format(
      "particle {} would have moved more than {:g} sigma in step {}: the run blew up. The state of "
      "step {} is kept; use a smaller time step (dt = {:g} now) or start again",
      failure->particle, kLongestMove, step + 1, keptStep_, active_.dt));
}

md::MdSample MdMode::measured() {
  return {engine_->totals(), static_cast<double>(active_.n), length_ * length_ * length_,
          startEnergy_.value_or(0)};
}

double MdMode::energyPerParticle() { return measured().energy(); }

std::vector<double> MdMode::sample() {
  md::MdSample s = measured();
  if (!startEnergy_) s.startEnergy = s.energy();
  sampler_.add(engine_->download(), s.temperature());
  std::vector<double> values;
  for (const md::MdObservable& o : md::mdObservables()) values.push_back(o.value(s));
  return values;
}

// In NVE the total energy names the state; a drift of the whole fluid is no part of it.
std::vector<ReferenceValue> MdMode::references() const {
  if (!startEnergy_) return {};
  const Vec3d& p = startMomentum_;
  const auto n = static_cast<double>(active_.n);
  const double drift = (p.x * p.x + p.y * p.y + p.z * p.z) / (2.0 * n * n);
  return lennardJonesReferences(potentialKeys()[static_cast<std::size_t>(active_.potential.index)],
                                active_.cutoff, active_.density,
                                static_cast<std::uint64_t>(active_.n), *startEnergy_ - drift);
}

}  // namespace cellscope
