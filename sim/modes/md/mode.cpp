// Life of the mode: start and edits; steps.cpp has its steps.
#include "sim/modes/md/mode.h"

#include "sim/algo/observables/fluid_reference.h"

namespace cellscope {

using md::MdParameters;

// The minimum image is unique up to half the box only; beyond it images have to be added up. Throws
// InputError with the way out.
void md::requireFit(const MdParameters& p, const Box& box) {
  const double longest = p.largestCutoff(), sides = p.by().sides, most = sides * box.shortest();
  if (longest <= most) return requireRoom(p, static_cast<std::size_t>(p.n), box);
  const double least = std::floor(1000.0 * most) / 1000.0;
  std::string other = p.by().longerCutoffs;
  const std::string limit =
      fmt::format("it may be at most {} the side{}, {:.4g}", p.by().sidesInWords,
                  other.empty() ? "" : " with " + p.by().label, least);
  if (p.aspectY != 1 || p.aspectZ != 1) other += ", or aspect_y and aspect_z nearer to 1";
  const std::string side = shortestSideInWords(box);
  double room = 1;  // the least volume of a box of this shape
  for (int a = 0; a < box.dimension; ++a)
    room *= longest / sides * (box.length[a] / box.shortest());
  if (p.what() == md::System::colloids) {
    requireRoom(p, static_cast<std::size_t>(p.n), box);  // the number that is enough for these
    throw InputError(
        "colloids of diameter {:g} have a cutoff of {:g}, which does not fit into the box of {}: "
        "{}; use colloids of at least {:.0f}, a smaller colloid_fraction, or a colloid_diameter "
        "whose cutoffs fit{}",
        p.colloidDiameter, longest, side, limit,
        std::ceil(static_cast<double>(p.colloids) * std::pow(longest / most, 3)), other);
  }
  if (p.what() == md::System::binary && longest > p.cutoff)
    throw InputError(
        "the longest cutoff of the mixture, {:g} (cutoff = {:g}, cutoff_b = {:g}, sigma_b = "
        "{:g}{}), does not fit into the box of {}: {}; use a smaller one, or n of at least "
        "{:.0f}{}",
        longest, p.cutoff, p.cutoffB, p.sigmaB,
        p.givesPairs() ? fmt::format(", cutoff_ab = {:g}", p.cutoffAB) : "", side, limit,
        std::ceil(p.density * room), other);
  const bool asked = longest == p.cutoff;  // otherwise the law has a reach of its own
  throw InputError(
      "{} = {:.4g} does not fit into the box of {} ({} particles at density {:g}): {}; use {}n of "
      "at least {:.0f}, or a density of at most {:.3g}{}",
      asked ? "cutoff"
            : fmt::format("the reach of potential = {}",
                          potentialKeys()[static_cast<std::size_t>(p.law())]),
      longest, side, p.n, p.density, limit,
      asked ? fmt::format("a cutoff up to {:.4g}, or ", least) : "", std::ceil(p.density * room),
      static_cast<double>(p.n) / room, other);
}

MdMode::MdMode(const ExecConfig& config)
    : ModeBase(describe(), config),
      engine_(makeAllPairs(exec_)),
      scene_(exec_),
      races_(exec_),
      tuner_(exec_) {
  lennardJonesData();  // missing or damaged: an error now, not in the middle of the run
  ready();
}

// An engine of its own for a new state, with the forces: the old one stays as it is until the new
// one is complete, or the work is cancelled.
std::unique_ptr<MdEngine> MdMode::prepared(const MdParameters& p, const MdState& state,
                                           const PairProgress& progress) const {
  std::unique_ptr<MdEngine> engine = p.by().make(exec_);
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
    engine->followDisplacements();
    if (state.force.empty()) engine->forces(progress);
  });
  return engine;
}

RunMemory MdMode::memoryOfRun() const {
  ExecConfig drawn = config();
  const std::size_t frames = scene_.packer().bytes();
  drawn.drawn |= frames > 0;
  return {active().n, engine_->bytes() + frames,
          md::memoryNeed(ids_.empty() ? active() : active().in(box_), drawn).running};
}

void MdMode::startOver(const MdParameters& p, std::unique_ptr<MdEngine> engine,
                       const MdState& state, std::vector<ParticleId> ids) {
  begin(p);
  races_.forget();
  scene_.forget();
  judgedFrom_ = 0;
  run_ = keptRun_ = {};
  nextId_ = *std::max_element(ids.begin(), ids.end()) + 1;
  takeEngine(std::move(engine));
  box_ = keptBox_ = state.box;
  listGoesOn_ = false;
  follower_.begin();
  types_ = {};
  types_.of = state.type;
  types_.names = each(p.speciesList(), &Species::name);
  if (types_.types() == 1) {
    types_.of.clear();
    types_.count[0] = ids.size();
  }
  for (const std::uint8_t t : types_.of) ++types_.count[t];
  descent_.clear();
  slots_ = IdMap(ids);
  ids_ = std::move(ids);
  sampler_ = md::MdSampler(static_cast<std::uint64_t>(p.n));
  markStart();
  tune();
}

void MdMode::takeEngine(std::unique_ptr<MdEngine> engine) {
  engine_ = std::move(engine);
  engine_->setHeat(run_.progress.heat);
  engine_->hold(run_.held.all);
}

// With friction and noise neither energy nor momentum is conserved; velocity rescaling conserves
// energy less the heat that came from the bath. Work of changes of the volume is left out, too.
void MdMode::markStart() {
  run_.startEnergy.reset();
  run_.progress.heat = run_.progress.work = run_.progress.strain2 = 0;
  run_.progress.pulled = {};
  run_.progress.pulled.add(run_.held.sum(), -1);
  engine_->setHeat(0);
  run_.progress.energyTime = run_.progress.time;
  if (active().bathKind() != md::Thermostat::langevin) run_.startEnergy = measured().conserved();
  startMomentum_ = momentum();
}

void MdMode::recallState() {
  engine_->restore();
  run_ = keptRun_, box_ = keptBox_;
  engine_->hold(run_.held.all);
  follower_.forgetSpeeds();
  engine_->setHeat(run_.progress.heat);
  if (std::exchange(listGoesOn_, false)) refreshInfo();
}

void MdMode::resetAverages() {
  sampler_.reset();
  if (ids_.empty()) return;
  engine_->resetDisplacements();
  run_.progress.originTime = run_.progress.time;
}

double MdMode::totalMass() const {
  const SpeciesTable s = active().species();
  double mass = 0;
  for (int t = 0; t < s.types; ++t)
    mass += s.mass[t] * static_cast<double>(types_.count[static_cast<std::size_t>(t)]);
  return mass;
}

void MdMode::start(const MdParameters& asked) {
  MdParameters p = asked;
  md::requireFit(p, p.box());
  p.n = md::expectedParticles(p);
  md::checkMemory(p, config());
  reportWork("placing the particles", -1);
  MdState state = md::startState(p, progressOf("placing the particles"));
  const bool atRandom = p.lattice.index == static_cast<int>(md::StartLattice::random);
  const bool relaxes = atRandom || md::crowdedLattice(state.position, state.box);
  const bool apart = p.minimise || atRandom;
  if (apart) md::separate(state, static_cast<std::uint64_t>(p.seed));
  ParameterSet::of(p).at("n").set(static_cast<std::int64_t>(state.position.size()));
  std::vector<ParticleId> ids = firstIds(state.position.size());
  std::string descent;
  if (relaxes) descent = relaxed(p, state, ids);
  const std::string slow = p.by().warning(p.n);
  reportWork(slow.empty() ? "computing the first forces" : "Warning: " + slow, 0);
  std::unique_ptr<MdEngine> engine = prepared(p, state, progressOf("computing the first forces"));
  if (apart && !relaxes) descent = minimised(*engine, state, ids, md::kGentleForce);
  md::requireApart(engine->totals().potential / static_cast<double>(p.n), p);
  startOver(p, std::move(engine), state, std::move(ids));
  descent_ = std::move(descent);
}

// Positions at random or of a crowded lattice, minimised and brought to the temperature in an
// engine of their own, which has no bath and keeps its lists up to date whatever the run will do.
// What was done, in words.
std::string MdMode::relaxed(const MdParameters& p, MdState& state,
                            const std::vector<ParticleId>& ids) const {
  MdParameters plain = p;
  plain.thermostat.index = static_cast<int>(md::Thermostat::none);
  plain.rightLists();
  const std::unique_ptr<MdEngine> engine =
      prepared(plain, state, progressOf("computing the first forces"));
  std::string done = minimised(*engine, state, ids, md::kSmallForce);
  const bool succeeded = withHint([&] {
    return md::relax(*engine, state, p.temperature, p.dt, {state.type, p.species()},
                     progressOf("bringing the particles to the temperature"));
  });
  if (!succeeded)
    throw InputError(
        "relaxing the starting positions failed: a particle moved too far; use a lower density or "
        "temperature, or another lattice");
  return fmt::format("{}{}positions at the temperature after {} steps of relaxation", done,
                     done.empty() ? "" : "; ", md::kRelaxationSteps);
}

// Moves particles apart where the largest force is above `most`. What was done, in words; none:
// nothing. Throws InputError where it does not succeed.
std::string MdMode::minimised(MdEngine& engine, MdState& state, const std::vector<ParticleId>& ids,
                              double most) const {
  const double first = md::largestForce(engine.pairSums()).largestForce;
  if (first <= most) return "";
  const md::Descent d =
      withHint([&] { return md::minimise(engine, state, progressOf("moving overlaps apart")); });
  if (!d.done())
    throw InputError(
        "minimise: the largest force is still {:.3g} epsilon/sigma (at most {:g}) after {} steps, "
        "between {}; move or remove one of them, or use a lower density",
        d.largestForce, md::kGentleForce, d.steps, md::worstPair(state, d, ids));
  const auto n = static_cast<double>(state.position.size());
  return fmt::format(
      "overlaps moved apart in {} steps: the potential energy fell from {:.3g} to {:.4g} epsilon "
      "per particle, the largest force from {:.3g} to {:.3g} epsilon/sigma",
      d.steps, d.before / n, d.after / n, first, d.largestForce);
}

// In an engine of its own, so that the state stays as it is when that fails.
void MdMode::removeDrift() {
  MdState s = engine_->download();
  const md::MdSample before = measured();
  md::removeDrift(s.velocity, {s.type, active().species()});
  takeEngine(prepared(active(), s, progressOf("computing the forces")));
  if (run_.startEnergy) *run_.startEnergy -= before.driftEnergy() / before.particles;
  startMomentum_ = momentum();
  run_.progress.pulled.impulse = {0, 0, 0};
  run_.progress.pulled.add({0, run_.held.sum().impulse}, -1);
}

void MdMode::heat(const std::vector<ParticleId>& ids, double factor) {
  MdState s = engine_->download();
  for (const ParticleId id : ids)
    if (const auto number = slots_.find(id)) s.velocity[*number] = factor * s.velocity[*number];
  takeEngine(prepared(active(), s, progressOf("computing the forces")));
  follower_.forgetSpeeds();
  markStart();
}

void MdMode::parametersChanged(const MdParameters& before, std::uint32_t touched) {
  using T = md::MdTouch;
  races_.end(active(), (touched & (T::pairLaw | T::forces | T::engine)) != 0);
  follower_.forgetSpeeds();
  const bool density = (touched & T::box) != 0;
  const MdParameters next = density ? withDensity(before) : active();
  requireFit(active().in(box_), box_);
  if (before.by().make != active().by().make) {  // the same state in an engine of another kind
    MdState s = engine_->download();
    s.dropDerived();
    s.history = {.firstStep = step(), .lastStep = step()};
    takeEngine(prepared(active(), s, progressOf("computing the new forces")));
  } else if (touched & (T::forces | T::engine)) {
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
  if (touched & T::drift && active().removeDrift) removeDrift();
  engine_->setBath(active().bath());
  // What lists on purpose too old have done to the energy is no fault of the run after them.
  const bool experiment = active().wrongLists() != before.wrongLists();
  if (touched & (T::pairLaw | T::bath) || experiment) markStart();
  if (density) {
    setByItself(&P::colloidFraction, next.colloidFraction);
    run_.changeFrom = box_ == active().box() ? 0 : box_.length[0];
    resetAverages();
  }
  // Without a barostat the density is that of the box as it is now.
  if (before.barostatOn() && !active().barostatOn() && !changesDensity() && !density)
    setByItself(active().in(box_), &P::density, &P::colloidFraction);
  scene_.judge().forget();
  judgedFrom_ = step() + 1;
  tune();
}

// From here on, or not any more: what has been found by then is for another state.
void MdMode::tune() {
  tuner_.end();
  if (active().toTune() != md::Tune::off)
    tuner_.begin(engine_->download(), active(), active().toTune() == md::Tune::all);
}

}  // namespace cellscope
