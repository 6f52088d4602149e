// Volume of a run: density tuned while it runs, and the barostat. Both change the box before a
// step, so that samples after a step are those of the state as it is.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/algo/md/barostat.h"
#include "sim/base/error.h"
#include "sim/modes/md/mode.h"

namespace cellscope {

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
        fmt::format("the barostat goes towards pressure {:g} from {:.4g} and cannot go on: {}; the "
                    "state of step {} is kept: use another target_pressure, or barostat = none",
                    p.targetPressure, pressure, why, kept));
  return next;
}

}  // namespace

bool MdMode::volumeChangesBefore(std::uint64_t step) const {
  const std::uint64_t every = stepsBetweenVolumes();
  return every > 0 && step % every == 0;
}

std::uint64_t MdMode::stepsBetweenVolumes() const {
  if (changesDensity()) return kStepsBetweenStages;
  return active().barostatOn() ? static_cast<std::uint64_t>(active().barostatInterval) : 0;
}

// As a piston does it: velocities relative to the centre of mass are scaled by the inverse of the
// positions. What that does to the energy is work, and no drift.
void MdMode::changeVolume(std::uint64_t step) {
  // With friction and noise the pressure is the one that is shown; no energy is counted then.
  const md::MdSample before =
      startEnergy_ ? whole() : completed(engine_->sampleNow(stepDt_), moment());
  const Box next = changesDensity()
                       ? nextStage(box_, active().box())
                       : boxAtPressure(active(), box_, before.pressure(), step, keptStep());
  const double mass = before.mass;
  const MdSums& t = before.totals;
  engine_->followDisplacements();
  follower_.begin();
  engine_->changeBox(next, {t.px / mass, t.py / mass, t.pz / mass}, step);
  const double strain = std::log(next.volume() / box_.volume());
  progress_.strain2 += strain * strain;
  box_ = next;
  if (startEnergy_) progress_.work += (whole().energy() - before.energy()) * before.particles;
  if (changesDensity() && box_ == active().box()) endChange();
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

void MdMode::beginChange(const MdParameters& next) {
  setByItself(&P::colloidFraction, next.colloidFraction);
  changeFrom_ = box_ == active().box() ? 0 : box_.length[0];
  resetAverages();
}

void MdMode::endChange() {
  changeFrom_ = 0;
  markStart();
  resetAverages();
}

// Without a barostat the density is that of the box as it is now.
void MdMode::keepVolume() {
  const MdParameters now = active().in(box_);
  setByItself(&P::density, now.density);
  setByItself(&P::colloidFraction, now.colloidFraction);
}

std::optional<Preparation> MdMode::preparation() const {
  if (tuner_.active()) return tuner_.preparation();
  if (!changesDensity()) return std::nullopt;
  const double goal = active().length(), now = box_.length[0];
  const double whole = std::log(goal / changeFrom_);
  return Preparation{fmt::format("{} to density {:.4g} (now {:.4g})",
                                 goal < changeFrom_ ? "compressing" : "expanding", active().density,
                                 active().in(box_).density),
                     whole == 0 ? 1.0 : std::clamp(std::log(now / changeFrom_) / whole, 0.0, 1.0)};
}

}  // namespace cellscope
