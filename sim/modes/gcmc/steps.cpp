// Phases of a step: all moves but the last, then the last one under the microscope. Methods that
// make many moves together show one of them: the checkerboard of the first colour of the last
// sweep, before its other colours, and moves in order of the last batch. And which method makes the
// moves: automatic choice and race.
#include "sim/modes/gcmc/mode.h"

namespace cellscope {

using gcmc::MoveStage;

std::uint64_t GcmcMode::movesBefore(const P& p) const {
  return gcmc::movesOfStep(p) - gcmc::methodOf(p, config().backend).turn(p).movesOfSweep();
}

std::vector<std::string> GcmcMode::phases(const P& p) const {
  const gcmc::Method::Turn turn = gcmc::methodOf(p, config().backend).turn(p);
  std::vector<std::string> names = gcmc::moveStageNames();
  if (movesBefore(p) > 0) names.insert(names.begin(), turn.before);
  names.insert(names.end(), turn.others.begin(), turn.others.end());
  return names;
}

// Moves of which one is recorded where somebody looks.
void GcmcMode::runShown(bool alone) {
  scene_.trace().clear();
  const GcmcRules rules = makeGcmcRules(active().settings(), active().box());
  if (alone) scene_.trace().begin(*engine_, rules, scene_.followed());
  makeMoves(method_->turn(active()).moves);
  if (alone) scene_.trace().finish(*engine_);
}

// Moves are made by their kernel in one piece, in the phase of the choice; where somebody looks,
// the following phases show what it recorded. Of the other colours an attempt is shown at its end.
void GcmcMode::runPhase(int phase, bool alone) {
  const std::uint64_t before = movesBefore(active());
  if (phase == 0) {
    keepForTheWayBack();
    scene_.beforeStep(*engine_, gcmc::movesOfStep(active()));
  }
  cancellably([&] {
    if (phase == 0 && before > 0) return makeMoves(before);
    const int stage = phase - (before > 0 ? 1 : 0);
    if (stage == 0 || stage >= gcmc::kMoveStages) runShown(alone);
    const auto others = static_cast<int>(method_->turn(active()).others.size());
    if (stage < gcmc::kMoveStages - 1 + others) return;
    scene_.afterStep(*engine_, step() + 1);
    endStep();
  });
}

// What of the traced move has happened.
MoveStage GcmcMode::stage() const {
  const int done = nextPhase() - 1 - (movesBefore(active()) > 0 ? 1 : 0);
  if (nextPhase() == 0 || done >= gcmc::kMoveStages) return MoveStage::update;
  return static_cast<MoveStage>(done < 0 ? 0 : done);
}

std::vector<Curve> GcmcMode::curves() const {
  std::vector<Curve> all = sampler_.curves(active());
  if (!gcmc::isAutomatic(active()))
    for (Curve& c : method_->curves(made_.counts)) {
      for (CurveSeries& s : c.series) {
        s.provisional = !sampler_.settled();
        if (s.provisional) s.label += ", equilibrating";
      }
      all.push_back(std::move(c));
    }
  if (auto chart = race_.chart()) all.push_back(std::move(*chart));
  if (replicas_.on())
    for (Curve& c : replicas_.curves(active())) all.push_back(std::move(c));
  return all;
}

// The method makes the moves from now on. False: there is no memory for it.
bool GcmcMode::changeTo(const gcmc::Method& method) {
  if (&method == method_) return true;
  P p = gcmc::soundOf(active());
  gcmc::choose(p, method);
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
      gcmc::fastestMethods(active(), config().backend),
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
  setByItself(p, &P::method, &P::mapping, &P::blockSize);
  chooseAutomatically();
}

}  // namespace cellscope
