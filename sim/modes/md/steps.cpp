// Steps of the mode: batches, rescaling thermostat, phases, what is done where a particle flies.
#include <fmt/format.h>

#include "sim/algo/md/rescaler.h"
#include "sim/modes/md/mode.h"

namespace cellscope {

void MdMode::runSteps(std::uint64_t steps) {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  for (; steps > 0 && tuner_.active(); --steps)
    tuner_.advance([this] {
      const Preparation now = tuner_.preparation();
      reportWork(now.label, now.progress);
    });
  while (steps > 0) {
    std::uint64_t count = std::min(steps, kStepsBetweenChecks);
    if (onTheWay_.every > 0)
      count =
          std::min(count, sampler_.stepsToDue(step(), onTheWay_.every, active().by().hasLists()));
    runBatch(count);
    steps -= count;
  }
}

void MdMode::advanceSampling(std::uint64_t steps, std::uint64_t every, const SampleSink& sink) {
  CELLSCOPE_ASSERT(samplesOnTheWay() && every > 0);
  struct End {
    MdMode& mode;
    ~End() {
      mode.onTheWay_ = {};
      mode.engine_->sampleEvery(0);
      mode.engine_->whileRunning({});
    }
  };
  const End end{*this};
  engine_->sampleEvery(every);
  onTheWay_.every = every, onTheWay_.sink = &sink;
  onTheWay_.later = engine_->whileRunning([this] { handOverSamples(); });
  try {
    advance(steps);
  } catch (...) {
    handOverSamples();  // those of batches that were done
    throw;
  }
  handOverSamples();
}

// Of the batch that is done. What is measured now and then needs the state as it is.
void MdMode::takeSamples() {
  if (onTheWay_.batch.empty()) return;
  const std::vector<RunSample> taken = engine_->takeSamples();
  CELLSCOPE_ASSERT(taken.size() == onTheWay_.batch.size());
  for (std::size_t k = 0; k < taken.size(); ++k)
    onTheWay_.waiting.emplace_back(onTheWay_.batch[k], taken[k]);
  onTheWay_.batch.clear();
  if (!onTheWay_.later || measuresMore(onTheWay_.waiting.back().first.steps)) handOverSamples();
}

// Only single steps are cancellable.
void MdMode::runBatch(std::uint64_t count) {
  keep();
  run_.stepDt = active().dt;
  try {
    orderSteps(count);
  } catch (...) {
    goBack();
    throw;
  }
  const bool ramped = step() < active().bath().rampSteps;
  countSteps(count);
  if (ramped && step() >= active().bath().rampSteps) refreshInfo();
  checkFailure();
  followHeat();
  readHeld();
  takeSamples();
  races_.turn(*engine_, active());
}

void MdMode::orderSteps(std::uint64_t count) {
  for (std::uint64_t done = 0; done < count;) {
    changeVolumeBefore(step() + done);
    std::uint64_t now = std::min(
        count - done, follower_.stepsFrom(step() + done, *engine_, active(), box_, run_.stepDt));
    if (const std::uint64_t every = stepsBetweenVolumes(); every > 0)
      now = std::min(now, every - (step() + done) % every);
    if (active().bathKind() == md::Thermostat::bussi)
      now = std::min(now, kStepsBetweenRescalings - (step() + done) % kStepsBetweenRescalings);
    if (run_.held.any()) now = 1;
    pullHeld(false);
    engine_->run(run_.stepDt, step() + done, now,
                 count == 1 ? progressOf("computing the forces") : PairProgress{});
    pullHeld(true);
    follower_.made(now, *engine_);
    // One by one: the sum must not depend on how the steps are divided into batches.
    for (const std::uint64_t end = done + now; done < end;) {
      run_.progress.time += run_.stepDt;
      const std::uint64_t complete = step() + ++done;
      if (onTheWay_.every == 0 || complete % onTheWay_.every != 0) continue;
      onTheWay_.batch.push_back({complete, moment()});
    }
    rescaleAfter(step() + done);
  }
}

void MdMode::rescaleAfter(std::uint64_t steps) {
  const bool due = steps % kStepsBetweenRescalings == 0;
  if (!due || active().bathKind() != md::Thermostat::bussi) return;
  const BathSettings bath = active().bath();
  Rescaling by;
  by.temperature = bath.temperatureAt(steps);
  by.relaxed = static_cast<double>(kStepsBetweenRescalings) * run_.stepDt / active().couplingTime;
  by.freedoms = box_.dimension * static_cast<double>(active().n - 1);
  by.mass = totalMass();
  by.seed = bath.seed, by.steps = steps;
  engine_->rescale(by);
}

// Without lists there is no phase of them. The boxes of trees take a phase for each level: the
// words of that phase say which. Where the list is kept, there is nothing to do in those after the
// check, and they report it.
void MdMode::runPhase(int phase, bool) {
  CELLSCOPE_ASSERT(!ids_.empty());  // after restart(), adopt() or load()
  const bool wentOn = std::exchange(listGoesOn_, false), hadKept = listKept_;
  const auto phases = static_cast<int>(info().phases.size());
  if (phase == 0 || phase == phases - 1) listKept_ = false;
  if (phase == 0) {
    keep();
    try {
      changeVolumeBefore(step());
      run_.stepDt = active().dt;
      pullHeld(false);
      readHeld();
      engine_->halfKickDrift(run_.stepDt, step());
    } catch (...) {
      goBack();
      throw;
    }
    checkFailure();
  } else if (phase == phases - 1) {
    engine_->halfKick(run_.stepDt);
    pullHeld(true);
    readHeld();
    follower_.stepsFrom(step(), *engine_, active(), box_, run_.stepDt);
    follower_.made(1, *engine_);
    run_.progress.time += run_.stepDt;
    rescaleAfter(step() + 1);
    followHeat();
  } else if (phase == phases - 2) {
    engine_->forces(progressOf("computing the forces"));
  } else {
    withHint([&] { listGoesOn_ = engine_->updateListPart(phase - 1, step()); });
    if (phase == 1) {
      const auto lists = lent<ListsLent>();
      listKept_ = lists && lists->partsDone < 0;
    }
  }
  const bool rampEnds = phase == 0 && step() == active().bath().rampSteps;
  if (wentOn || listGoesOn_ || listKept_ != hadKept || rampEnds) refreshInfo();
}

// A particle moved too far: go back to the last valid state and name it.
void MdMode::checkFailure() {
  const std::optional<exec::StatusReport> failure = engine_->failure();
  if (!failure) return;
  const std::uint64_t step = failure->stepBefore(this->step());
  goBack();
  throw RunError(
      "particle {} would have moved more than {:g} sigma in step {}: the run blew up. The state of "
      "step {} is kept; use a smaller time step (dt = {:g} now) or start again",
      ids_[failure->where], kLongestMove, step + 1, keptStep(), active().dt);
}

// Volume of a run: density tuned while it runs, and the barostat. Both change the box before a
// step, so that samples after a step are those of the state as it is.

using md::MdParameters;

namespace {

constexpr std::uint64_t kStepsBetweenStages = 10;  // of a change of density
constexpr double kStage = 0.002;                   // of the lengths, at most, in each

// The shape stays.
Box scaled(Box box, double factor) {
  for (int a = 0; a < box.dimension; ++a) box.length[a] *= factor;
  return box;
}

Box nextStage(const Box& now, const Box& goal) {
  const double factor = goal.length[0] / now.length[0];
  if (factor <= 1 + kStage && factor >= 1 / (1 + kStage)) return goal;
  return scaled(now, factor > 1 ? 1 + kStage : 1 / (1 + kStage));
}

// Throws RunError where the run cannot go on in that box. kept: the step that it goes back to.
Box boxAtPressure(const MdParameters& p, const Box& box, double pressure, std::uint64_t step,
                  std::uint64_t kept) {
  Barostat b;
  b.pressure = p.targetPressure, b.time = p.barostatTime, b.compressibility = p.compressibility;
  b.temperature = p.bath().temperatureAt(step);
  b.interval = static_cast<double>(p.barostatInterval) * p.dt;
  b.seed = static_cast<std::uint64_t>(p.seed);
  const int d = box.dimension;
  const double factor = volumeFactor(b, box.volume(), pressure, step, d);
  const Box next = scaled(box, std::pow(factor, 1.0 / d));
  const MdParameters then = p.in(next);
  std::string why = md::outOfRange(then);
  if (why.empty()) try {
      requireFit(then, next);
    } catch (const InputError& e) {
      why = e.what();
    }
  if (!why.empty())
    throw RunError(
        "the barostat goes towards pressure {:g} from {:.4g} and cannot go on: {}; the state of "
        "step {} is kept: use another target_pressure, or barostat = none",
        p.targetPressure, pressure, why, kept);
  return next;
}

}  // namespace

std::uint64_t MdMode::stepsBetweenVolumes() const {
  if (changesDensity()) return kStepsBetweenStages;
  return active().barostatOn() ? static_cast<std::uint64_t>(active().barostatInterval) : 0;
}

// As a piston does it: velocities relative to the centre of mass are scaled by the inverse of the
// positions. What that does to the energy is work, and no drift.
void MdMode::changeVolumeBefore(std::uint64_t step) {
  if (const std::uint64_t every = stepsBetweenVolumes(); every == 0 || step % every != 0) return;
  // With friction and noise the pressure is the one that is shown; no energy is counted then.
  const md::MdSample before =
      run_.startEnergy ? whole() : completed(engine_->sampleNow(run_.stepDt), moment());
  const Box next = changesDensity()
                       ? nextStage(box_, active().box())
                       : boxAtPressure(active(), box_, before.pressure(), step, keptStep());
  const double mass = before.mass;
  const MdSums& t = before.totals;
  engine_->followDisplacements();
  follower_.begin();
  engine_->changeBox(next, {t.px / mass, t.py / mass, t.pz / mass}, step);
  const double strain = std::log(next.volume() / box_.volume());
  run_.progress.strain2 += strain * strain;
  box_ = next;
  if (run_.startEnergy)
    run_.progress.work += (whole().energy() - before.energy()) * before.particles;
  if (!changesDensity() || box_ != active().box()) return;
  run_.changeFrom = 0;
  markStart();
  resetAverages();
}

// Sums of the state as it is.
md::MdSample MdMode::whole() {
  RunSample now;
  static_cast<StateSums&>(now.sums) = engine_->totals();
  return completed(now, moment());
}

// Everything that may refuse the new density; then the goal.
MdParameters MdMode::withDensity(const MdParameters& before) const {
  MdParameters next = active();
  if (next.what() == md::System::colloids)
    next.colloidFraction = before.colloidFraction * next.density / before.density;
  if (const std::string why = md::outOfRange(next); !why.empty()) throw InputError(why);
  requireFit(next, next.box());
  try {
    md::checkMemory(next, config());
  } catch (const RunError& e) {
    throw InputError(e.what());  // the run continues unchanged
  }
  return next;
}

std::optional<Preparation> MdMode::preparation() const {
  if (tuner_.active()) return tuner_.preparation();
  if (!changesDensity()) return std::nullopt;
  const double goal = active().length(), now = box_.length[0];
  const double whole = std::log(goal / run_.changeFrom);
  return Preparation{
      fmt::format("{} to density {:.4g} (now {:.4g})",
                  goal < run_.changeFrom ? "compressing" : "expanding", active().density,
                  active().in(box_).density),
      whole == 0 ? 1.0 : std::clamp(std::log(now / run_.changeFrom) / whole, 0.0, 1.0)};
}

}  // namespace cellscope
