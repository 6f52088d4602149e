// Life of the mode: start, edits, steps.
#include "sim/modes/gcmc/mode.h"

#include <chrono>

#include "sim/modes/gcmc/start.h"

namespace cellscope {

using gcmc::GcmcParameters;

namespace {

TunerRange moveSizesOf(const GcmcParameters& p) {
  return {0.001, std::min(10.0, 0.5 * p.box().shortest())};
}

// Whether a step looks at enough particles to be worth cancelling: some 10^9 a second on
// a CPU, and by methods of many moves at a time a thousand times as many on a GPU. Keeping a
// state is to take a tenth of it at most.
bool mayTakeLong(const GcmcParameters& p, const gcmc::Method& method, const GcmcEngine& engine,
                 const gcmc::ReplicaRun& replicas, Backend where) {
  constexpr double kLong = 5e7, kOfParticle = 100, kOfByte = 2, kAround = 1000, kGpu = 1000,
                   kEmulated = 20000;  // threads of blocks on a CPU, one after another
  const double many = where == Backend::cuda ? kGpu : 1, n = engine.count();
  const double around = std::max(engine.cells().count[0] > 0 ? std::min(n, kAround) : n,
                                 method.made().emulatedOn(where) ? kEmulated : 0.0);
  const bool together = method.turn(p).moves > 1;
  const double chains = static_cast<double>(replicas.size());
  const double work = static_cast<double>(gcmc::movesOfStep(p)) * around / (together ? many : 1) +
                      chains * static_cast<double>(p.movesPerStep) * kAround / many;
  return work > kLong && work > kOfParticle * n + kOfByte * static_cast<double>(replicas.bytes());
}

}  // namespace

GcmcMode::GcmcMode(const ExecConfig& config)
    : ModeBase(describe(), config),
      replicas_(exec_),
      scene_(exec_),
      wall_(exec_),
      method_(gcmc::methods().front().get()),
      tuner_(moveSizesOf(active())) {
  engine_ = method_->made().make(nullptr);  // of nobody, until the start
  ready();
}

void GcmcMode::check(const P& p) const {
  P followed = p;
  gcmc::followEdits(followed, active());
  gcmc::checkParameters(followed, config());
}

std::unique_ptr<GcmcEngine> GcmcMode::prepared(const P& p, const GcmcState& state) const {
  gcmc::checkMemory(p, state.point.size(), config());
  const GcmcOptions options = gcmc::optionsOf(gcmc::isAutomatic(p) ? gcmc::soundOf(p) : p);
  std::unique_ptr<GcmcEngine> engine =
      gcmc::methodOf(p, config().backend).made().make(exec_, options);
  withHint([&] { engine->upload(state, makeGcmcRules(p.settings(), state.box)); });
  return engine;
}

gcmc::ReplicaRun GcmcMode::newReplicas(const P& p) const {
  gcmc::requireRoom(p, config());
  gcmc::ReplicaRun replicas(exec_);
  withHint(
      [&] { replicas.start(p, [this](double done) { reportWork("making the replicas", done); }); });
  return replicas;
}

void GcmcMode::startOver(const P& p, std::unique_ptr<GcmcEngine> engine,
                         gcmc::ReplicaRun replicas) {
  begin(p);
  takeOver(gcmc::methodOf(p, config().backend), std::move(engine));
  replicas_ = std::move(replicas);
  sampler_ = {};
  scene_.forget();
  made_ = {};
  takeSlots();
  grown_ = 0;
  tuner_ = TargetTuner(moveSizesOf(p));
  if (p.tune) beginTuning();
  race_.stop();
  if (p.race) race_.begin(p, engine_->state(), exec_);
  chooseAutomatically();
}

void GcmcMode::start(const P& draft) {
  P p = draft;
  gcmc::followEdits(p, active());
  const Box box = p.box();
  reportWork("placing the particles", -1);
  const auto n = static_cast<std::size_t>(std::llround(p.density * box.volume()));
  GcmcState s = gcmc::latticeState(box, n, p.hard());
  gcmc::drawTypes(s, p);
  startOver(p, prepared(p, s), newReplicas(p));
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
  if (other) takeOver(gcmc::methodOf(p, config().backend), std::move(other));
  setByItself(p, &P::mu, &P::activity, &P::fugacity, &P::reservoir, &P::displacement, &P::insertion,
              &P::deletion, &P::method, &P::mapping, &P::blockSize);
  takeSlots();
  if (touched & T::method || fastest || p.reach() != before.reach() ||
      p.movesPerStep != before.movesPerStep)
    chooseAutomatically();
  if (!tuner_.state.active) tuner_.state = {};  // what it has found was of other parameters
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
  tuner_.state = {};
}

void GcmcMode::beginTuning() {
  tuner_ = TargetTuner(moveSizesOf(active()));
  tuner_.begin(active().targetAcceptance,
               static_cast<double>(gcmc::movesOfStep(active())) * active().settings().ratio[0]);
  made_.round = {};
}

void GcmcMode::recallState() {
  engine_->setTrace({});
  engine_->upload(kept_.state, makeGcmcRules(active().settings(), active().box()));
  made_ = kept_.made;
  takeSlots();
  replicas_.recall(kept_.replicas, active());
}

// The way back is needed from a box that this step may overfill, and from a step that may be
// cancelled: one of more than some tens of milliseconds, of which keeping the state is a small
// part.
void GcmcMode::keepForTheWayBack() {
  const std::uint64_t moves = gcmc::movesOfStep(active());
  cancellable_ =
      workReport() && mayTakeLong(active(), *method_, *engine_, replicas_, exec_->where());
  constexpr double kDensest = 4;  // nearer than this particles are never accepted
  const double room =
      active().ideal() ? 1e18 : kDensest * active().box().volume() / active().leastVolume();
  if (cancellable_ ||
      engine_->count() + std::min(static_cast<double>(moves), room) > active().mostParticles())
    keep();
}

// Of work that takes this part of a step.
GcmcProgress GcmcMode::reports(double from, double to) const {
  if (!cancellable_) return {};
  return [this, from, to](double done) {
    reportWork("making the moves of a step", from + (to - from) * done);
  };
}

void GcmcMode::runSteps(std::uint64_t count) {
  for (std::uint64_t s = 0; s < count; ++s) {
    if (race_.running()) {
      raceTurn();
      continue;
    }
    keepForTheWayBack();
    changedByItself_ = false;
    cancellably([&] {
      if (auto_.outdated(engine_->count())) chooseAutomatically();
      auto_.running() ? auto_.advance() : runShownMoves(gcmc::movesOfStep(active()));
      endStep();
    });
    countSteps(1);
    if (changedByItself_) reportChange();
  }
}

// With what the scene wants to be recorded; a step of a single move as phases show it.
void GcmcMode::runShownMoves(std::uint64_t moves) {
  scene_.beforeStep(*engine_, moves);
  const gcmc::Method::Turn turn = method_->turn(active());
  if (scene_.scoped() && moves == 1 && turn.moves == 1 && turn.others.empty())
    runShown(true);
  else
    makeMoves(moves);
  scene_.afterStep(*engine_, step() + 1);
}

void GcmcMode::makeMoves(std::uint64_t moves) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  const double own = 1.0 / (1.0 + static_cast<double>(replicas_.size()));  // part of the step
  engine_->watch(reports(0, own));
  engine_->advance(moves);
  engine_->watch({});
  const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
  if (engine_->memory() == Backend::cpu)
    exec_->profile().add(std::string("moves, ") + method_->made().key, time.count());
  takeCounters();
}

void GcmcMode::endStep() {
  const auto each = static_cast<std::uint64_t>(active().movesPerStep);
  replicas_.advance(active(), each,
                    reports(1.0 / (1.0 + static_cast<double>(replicas_.size())), 1));
  made_.moves += each * replicas_.size();
  takeSlots();
  checkRoom();
  if (tuner_.state.active)
    tunerRound();
  else
    sampler_.count(engine_->count());
}

void GcmcMode::takeCounters() {
  GcmcCounters c = engine_->counters();
  // Which method `auto` takes depends on the speed of the machine; results must not.
  if (gcmc::isAutomatic(active())) c.speculation = {};
  const GcmcFlightCounts flown = engine_->flightCounts();
  engine_->clearCounters();
  made_.counts.take(flown, c.speculation);
  for (const std::uint64_t attempted : c.attempted) made_.moves += attempted;
  gcmcAddCounts(made_.sinceSample, c);
  gcmcAddCounts(made_.round, c);
}

// Slots per cell as they have grown: with the parameter a checkpoint goes on exactly.
void GcmcMode::takeSlots() {
  const auto slots = static_cast<std::int64_t>(engine_->slotsPerCell());
  if (slots == 0 || slots == active().slotsPerCell) return;
  setByItself(&P::slotsPerCell, slots);
  changedByItself_ = true;
}

void GcmcMode::tunerRound() {
  tuner_.stepsDone(1);
  if (!tuner_.roundOver()) return;
  const auto k = static_cast<int>(GcmcKind::displacement);
  const double d =
      tuner_.evaluate(active().maxDisplacement, made_.round.accepted[k], made_.round.attempted[k]);
  made_.round = {};
  const P before = active();
  setByItself(&P::maxDisplacement, d);
  engine_->setRules(makeGcmcRules(active().settings(), active().box()));
  if (tuner_.state.active) return;
  setByItself(&P::tune, false);  // frozen
  changedByItself_ = true;
  replicas_.follow(active(), before);
  resetAverages();
}

// Storage grows by itself; no insertion was rejected for lack of it. What no memory can hold ends
// the run at the last state kept.
void GcmcMode::checkRoom() {
  if (engine_->capacity() > room_) room_ = engine_->capacity(), ++grown_;
  const double most = active().mostParticles();
  if (engine_->count() <= most) return;
  const std::uint32_t n = engine_->count();
  goBack();
  throw RunError(
      "the reservoir fills the box: {} particles after step {}, at most {:.0f} can be held. The "
      "state of step {} is kept; use a smaller chemical potential (mu = {:g} at T = {:g} now) or "
      "box",
      n, step() + 1, most, keptStep(), active().mu, active().temperature);
}

}  // namespace cellscope
