// Life of the mode: start, edits, steps.
#include "sim/modes/gcmc/mode.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "sim/modes/gcmc/memory.h"
#include "sim/modes/gcmc/start.h"
#include "sim/modes/move_tuning.h"

namespace cellscope {

using gcmc::GcmcParameters;

namespace {

constexpr std::uint32_t kMostParticles = 4194304;
constexpr TunerRange kMoveSizes{0.001, 10};

void add(GcmcCounters& to, const GcmcCounters& more) {
  for (int k = 0; k < kGcmcKinds; ++k) {
    to.attempted[k] += more.attempted[k];
    to.accepted[k] += more.accepted[k];
  }
  gcmc::addTo(to.speculation, more.speculation);
}

}  // namespace

GcmcMode::GcmcMode(const ExecConfig& config)
    : ModeBase(describe(), config),
      engine_(makeGcmcEngine(gcmcMethods().front().key, exec_)),
      replicas_(exec_),
      scene_(exec_),
      wall_(exec_),
      tuner_(kMoveSizes) {
  ready();
}

void GcmcMode::check(const P& p) const {
  P followed = p;
  gcmc::followEdits(followed, active());
  gcmc::checkParameters(followed, config().backend);
}

RunMemory GcmcMode::memoryOfRun() const {
  const std::size_t bytes = engineBytes() + scene_.bytes() + wall_.bytes();
  return {engine_->count(), bytes, bytes, "number of particles ('density' times volume)"};
}

std::unique_ptr<GcmcEngine> GcmcMode::prepared(const P& p, const GcmcState& state) const {
  gcmc::checkMemory(p, state.point.size(), config());
  std::unique_ptr<GcmcEngine> engine =
      makeGcmcEngine(gcmc::methodOf(p, config().backend), exec_, gcmc::optionsOf(p));
  withHint([&] { engine->upload(state, makeGcmcRules(p.settings(), state.box)); });
  return engine;
}

gcmc::ReplicaRun GcmcMode::newReplicas(const P& p) const {
  gcmc::requireRoom(p, config());
  gcmc::ReplicaRun replicas(exec_);
  withHint([&] { replicas.start(p); });
  return replicas;
}

void GcmcMode::startOver(const P& p, std::unique_ptr<GcmcEngine> engine,
                         gcmc::ReplicaRun replicas) {
  begin(p);
  engine_ = std::move(engine);
  replicas_ = std::move(replicas);
  sampler_ = {};
  scene_.forget();
  sinceSample_ = round_ = {};
  flights_ = {}, flownSinceSample_ = {}, full_ = 0;
  speculation_ = {};
  moves_ = 0;
  takeSlots();
  room_ = engine_->capacity(), grown_ = 0;
  tuner_.state = {};
  if (p.tune) beginTuning();
  race_.stop();
  if (p.race) race_.begin(p, engine_->state(), exec_);
}

void GcmcMode::start(const P& draft) {
  P p = draft;
  gcmc::followEdits(p, active());
  const Box box = p.box();
  reportWork("placing the particles", -1);
  const auto n = static_cast<std::size_t>(std::llround(p.density * box.volume()));
  startOver(p, prepared(p, gcmc::latticeState(box, n, p.hard())), newReplicas(p));
}

// What may fail comes first, and is undone where something after it fails.
void GcmcMode::parametersChanged(const P& before, std::uint32_t touched) {
  using T = gcmc::GcmcTouch;
  P p = active();
  gcmc::followEdits(p, before);
  const bool races = p.race && !before.race;
  const bool fastest = !races && p.race == before.race && p.keepFastest && !before.keepFastest &&
                       !race_.running() && race_.apply(p);
  if (touched & T::replicas) gcmc::requireRoom(p, config());
  std::unique_ptr<GcmcEngine> other;  // the chain goes on where it is
  if (touched & T::method || fastest) other = prepared(p, engine_->state());
  const bool otherRules = touched & T::rules && !other;
  std::optional<GcmcState> kept;  // the way back must not need memory
  if (otherRules) kept = engine_->state();
  try {
    if (races) race_.begin(p, engine_->state(), exec_);
    if (otherRules) engine_->setRules(makeGcmcRules(p.settings(), p.box()));
    replicas_.follow(p, before);
  } catch (...) {
    if (races) race_.stop();
    if (kept) engine_->upload(*kept, makeGcmcRules(before.settings(), before.box()));
    throw;
  }
  if (other) engine_ = std::move(other);
  setByItself(&P::mu, p.mu), setByItself(&P::activity, p.activity);
  setByItself(&P::fugacity, p.fugacity), setByItself(&P::reservoir, p.reservoir);
  setByItself(&P::displacement, p.displacement), setByItself(&P::insertion, p.insertion);
  setByItself(&P::deletion, p.deletion);
  setByItself(&P::method, p.method), setByItself(&P::mapping, p.mapping);
  takeSlots();
  if (touched & (T::tuning | T::moveSize)) changeTuning(before, touched);
  if (touched & T::averages) {
    if (!(touched & T::isotherm)) sampler_.closePoint(before);
    forgetOwnAverages();
  }
  if (touched & T::isotherm) sampler_.forgetIsotherm();
  if (!p.race && before.race) race_.stop();
}

// A maximum displacement set by hand ends the search for one.
void GcmcMode::changeTuning(const P& before, std::uint32_t touched) {
  const bool byHand = touched & gcmc::GcmcTouch::moveSize && active().tune == before.tune;
  if (!byHand && active().tune) return beginTuning();
  setByItself(&P::tune, false);
  tuner_.state.active = false;
}

void GcmcMode::beginTuning() {
  tuner_.begin(active().targetAcceptance,
               static_cast<double>(gcmc::movesOfStep(active())) * active().displacement);
  round_ = {};
}

void GcmcMode::keepState() { kept_ = {engine_->state(), moves_, replicas_.states()}; }

void GcmcMode::recallState() {
  engine_->upload(kept_.state, makeGcmcRules(active().settings(), active().box()));
  moves_ = kept_.moves;
  takeSlots();
  replicas_.recall(kept_.replicas, active());
  sinceSample_ = {}, flownSinceSample_ = {};
}

// Only a box that this step may overfill needs the way back.
void GcmcMode::keepIfFull() {
  const std::uint64_t moves = gcmc::movesOfStep(active());
  if (engine_->count() + moves > kMostParticles) keep();
}

void GcmcMode::runSteps(std::uint64_t count) {
  for (std::uint64_t s = 0; s < count; ++s) {
    if (race_.running()) {
      raceTurn();
      continue;
    }
    keepIfFull();
    runMoves();
    countSteps(1);
  }
}

void GcmcMode::runMoves() {
  const std::uint64_t moves = gcmc::movesOfStep(active());
  scene_.beforeStep(*engine_, moves);
  makeMoves(moves);
  endStep();
}

void GcmcMode::makeMoves(std::uint64_t moves) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  engine_->advance(moves);
  const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
  if (exec_->where() == Backend::cpu)
    exec_->profile().add("moves, " + gcmc::methodOf(active(), config().backend), time.count());
  takeCounters();
}

void GcmcMode::endStep() {
  scene_.afterStep(*engine_, step() + 1);
  const auto each = static_cast<std::uint64_t>(active().movesPerStep);
  replicas_.advance(active(), each);
  moves_ += each * replicas_.size();
  checkRoom();
  if (tuner_.state.active)
    tunerRound();
  else
    sampler_.count(engine_->count());
}

void GcmcMode::takeCounters() {
  const GcmcCounters c = engine_->counters();
  const GcmcFlightCounts flown = engine_->flightCounts();
  engine_->clearCounters();
  flights_.add(flown);
  gcmc::addTo(speculation_, c.speculation);
  gcmc::addTo(flownSinceSample_, flown);
  full_ += flown.full;
  takeSlots();
  for (const std::uint64_t attempted : c.attempted) moves_ += attempted;
  add(sinceSample_, c);
  add(round_, c);
}

// Slots per cell as they have grown: with the parameter a checkpoint goes on exactly.
void GcmcMode::takeSlots() {
  if (active().inOrder())
    setByItself(&P::slotsPerCell, static_cast<std::int64_t>(engine_->slotsPerCell()));
}

void GcmcMode::tunerRound() {
  tuner_.stepsDone(1);
  if (!tuner_.roundOver()) return;
  const auto k = static_cast<int>(GcmcKind::displacement);
  const double d =
      std::min(tuner_.evaluate(active().maxDisplacement, round_.accepted[k], round_.attempted[k]),
               0.5 * active().length);
  round_ = {};
  const P before = active();
  setByItself(&P::maxDisplacement, d);
  engine_->setRules(makeGcmcRules(active().settings(), active().box()));
  if (tuner_.state.active) return;
  setByItself(&P::tune, false);  // frozen
  replicas_.follow(active(), before);
  resetAverages();
}

std::optional<Preparation> GcmcMode::preparation() const {
  if (race_.running()) return Preparation{"timing the methods: " + race_.now(), race_.progress()};
  return tuningProgress(tuner_, active().maxDisplacement);
}

// Storage grows by itself; no insertion was rejected for lack of it. What no memory can hold ends
// the run at the last state kept.
void GcmcMode::checkRoom() {
  if (engine_->capacity() > room_) room_ = engine_->capacity(), ++grown_;
  if (engine_->count() <= kMostParticles) return;
  const std::uint32_t n = engine_->count();
  goBack();
  throw RunError(fmt::format(
      "the reservoir fills the box: {} particles after step {}, at most {} can be held. The state "
      "of step {} is kept; use a smaller chemical potential (mu = {:g} at T = {:g} now) or box",
      n, step() + 1, kMostParticles, keptStep(), active().mu, active().temperature));
}

void GcmcMode::forgetOwnAverages() {
  sampler_.reset();
  flights_.reset();
  speculation_ = {};
  sinceSample_ = {}, flownSinceSample_ = {};
}

void GcmcMode::resetAverages() {
  forgetOwnAverages();
  replicas_.reset();
}

// Replicas have forgotten by themselves what was needed: ln P(N) is good for any chemical
// potential.
bool GcmcMode::startOverAfterEdit() {
  forgetOwnAverages();
  return true;
}

}  // namespace cellscope
