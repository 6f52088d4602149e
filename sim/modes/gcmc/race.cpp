// Which method makes the moves: automatic choice and race in the life of the mode.
#include "sim/modes/gcmc/mode.h"

namespace cellscope {

std::vector<Curve> GcmcMode::curves() const {
  std::vector<Curve> all = sampler_.curves(active());
  if (!gcmc::isAutomatic(active()))
    for (Curve& c : method_->curves(counts_)) all.push_back(std::move(c));
  if (auto chart = race_.chart()) all.push_back(std::move(*chart));
  if (replicas_.on())
    for (Curve& c : replicas_.curves(active())) all.push_back(std::move(c));
  return all;
}

void GcmcMode::takeOver(const gcmc::Method& method, std::unique_ptr<GcmcEngine> engine) {
  method_ = &method;
  engine_ = std::move(engine);
  room_ = engine_->capacity();
}

// The method makes the moves from now on. False: there is no memory for it.
bool GcmcMode::changeTo(const gcmc::Method& method) {
  if (&method == method_) return true;
  P p = active();
  gcmc::choose(p, method);
  p.boardExperiment = p.speculativeBatch = Choice{0}, p.ignoreConflicts = false;
  GcmcState state = engine_->state();
  state.energy = engine_->knownEnergy();
  try {
    takeOver(method, prepared(p, state));
  } catch (const RunError&) {
    return false;
  }
  return true;
}

void GcmcMode::chooseAutomatically() {
  if (!gcmc::isAutomatic(active())) return auto_.stop();
  auto_.begin(
      gcmc::fastestMethods(config().backend),
      [this](const gcmc::Method& method) { return changeTo(method); },
      [this] { runShownMoves(gcmc::movesOfStep(active())); }, gcmc::movesOfStep(active()),
      engine_->count());
}

void GcmcMode::raceTurn() {
  try {
    race_.advance([this](double) {
      const Preparation now = *preparation();
      reportWork(now.label, now.progress);
    });
  } catch (const Cancelled&) {
    throw;         // the race goes on when the run does
  } catch (...) {  // no memory for a copy: the run goes on without
    race_.stop();
    setByItself(&P::race, false);
    throw;
  }
  if (race_.running()) return;
  setByItself(&P::race, false);
  if (active().keepFastest) keepFastest();
}

void GcmcMode::keepFastest() {
  P p = active();
  if (!race_.apply(p)) return;
  takeOver(gcmc::methodOf(p, config().backend), prepared(p, engine_->state()));
  setByItself(&P::method, p.method);
  setByItself(&P::mapping, p.mapping);
  setByItself(&P::blockSize, p.blockSize);
  chooseAutomatically();
}

}  // namespace cellscope
