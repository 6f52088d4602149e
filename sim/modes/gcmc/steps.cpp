// Phases of a step: all moves but the last, then the last one under the microscope. Methods that
// make many moves together show one of them: the checkerboard of the first colour of the last
// sweep, before its other colours, and moves in order of the last batch. And which method makes the
// moves: automatic choice and race; and what a hand does between the steps.
#include "sim/modes/gcmc/mode.h"
#include "sim/modes/points.h"

namespace cellscope {

std::uint64_t GcmcMode::movesBefore(const P& p) const {
  return gcmc::movesOfStep(p) - gcmc::methodOf(p, config().backend).turn(p).movesOfSweep();
}

std::vector<std::string> GcmcMode::phases(const P& p) const {
  const gcmc::Method::Turn turn = gcmc::methodOf(p, config().backend).turn(p);
  std::vector<std::string> names = {"choose a move",
                                    "propose a position",
                                    "gather particles",
                                    "pair energies",
                                    "add up",
                                    "decide",
                                    "update"};
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
  P p = active();
  if (!p.keepFastest || !race_.apply(p)) return;
  takeOver(gcmc::methodOf(p, config().backend), prepared(p, engine_->state()));
  setByItself(p, &P::method, &P::mapping, &P::blockSize);
  chooseAutomatically();
}

// A hand adds and deletes particles outside of the chain, which goes on from there.
std::string GcmcMode::refuses(HandAct act) const {
  if (act == HandAct::add || act == HandAct::remove) return "";
  if (act == HandAct::heat) return "particles of a grand-canonical chain have no velocities";
  return "a grand-canonical chain knows no forces and no time; add and delete particles instead";
}

// Ids of insertions are idBase + move, so that those before move idBase + added are free for what
// is added here.
std::string GcmcMode::hand(const HandMove& move) {
  const double mostInBox = active().mostParticles();
  const GcmcState before = engine_->state();
  const GcmcRules rules = makeGcmcRules(active().settings(), before.box);
  GcmcState s = before;
  s.energy.reset();
  std::string done;
  if (move.act == HandAct::add) {
    const double most = std::max(1.0, 2 * active().temperature);
    std::vector<GcmcPoint> places, added;
    // One of 1 / y particles is B, counted by the ids given so far.
    const double y = rules.pair.mixed ? active().shareB : 0;
    const auto given = static_cast<double>(s.idBase + static_cast<ParticleId>(s.move));
    forEachPlace(s.box, move, [&](Vec3d at) {
      places.push_back(gcmcPointAt(s.box, at));
      if (!rules.pair.mixed) return;
      const double k = given + static_cast<double>(places.size());
      const bool b = std::floor((k + 1) * y) > std::floor(k * y);
      places.back() = gcmcWithType(places.back(), b ? kGcmcTypeBit : 0u);
    });
    const std::vector<double> energy = engine_->energiesAt(places);
    for (std::size_t k = 0; k < places.size(); ++k) {
      double sum = energy[k];
      for (const GcmcPoint& p : added) sum += gcmcPairAt(rules.pair, places[k], p);
      if (sum <= most) added.push_back(places[k]);
    }
    if (added.empty()) return "";
    if (static_cast<double>(s.point.size() + added.size()) > mostInBox)
      throw InputError("hand: add: at most {:g} particles can be held", mostInBox);
    for (const GcmcPoint& p : added) {
      s.point.push_back(p);
      s.id.push_back(s.idBase++ + static_cast<ParticleId>(s.move));
    }
    done = "added " + countOf(added.size(), "particle");
    if (rules.pair.mixed)
      done += fmt::format(", {} of type B", std::count_if(added.begin(), added.end(), gcmcTypeOf));
  } else {
    const auto places = each(s.point, [&](GcmcPoint p) { return gcmcPosition(s.box, p); });
    const std::vector<std::size_t> gone = withinReach(s.box, places, move);
    if (gone.empty()) return "";
    eraseAll(s.point, gone), eraseAll(s.id, gone);
    done = "deleted " + countOf(gone.size(), "particle");
  }
  try {
    withHint([&] { engine_->upload(s, rules); });
  } catch (...) {
    engine_->upload(before, rules);
    throw;
  }
  takeSlots();
  scene_.forget();
  return done;
}

}  // namespace cellscope
