#include "sim/modes/md/relax.h"

#include <algorithm>
#include <cmath>

namespace cellscope::md {
namespace {

constexpr std::uint64_t kStepsBetween = 10;

// In these steps a particle of mass 1 at T covers 0.004 sigma at most, about: relaxation is there
// to be stable where dt is not, and to be long enough where dt is short.
double stepOf(double temperature, double dt) {
  return std::min(0.004 / std::sqrt(std::max(1.0, temperature)), std::max(dt, 0.001));
}

}  // namespace

bool relax(MdEngine& engine, MdState& state, double temperature, double dt, const Masses& masses,
           const std::function<void(double)>& report) {
  const auto n = state.position.size();
  double mass = 0;
  for (std::size_t i = 0; i < n; ++i) mass += masses.of(i);
  const double wanted = 0.5 * state.box.dimension * (static_cast<double>(n) - 1) * temperature;
  const double step = stepOf(temperature, dt);
  for (std::uint64_t done = 0; done < kRelaxationSteps; done += kStepsBetween) {
    const auto tell = [&](double) {
      report(static_cast<double>(done) / static_cast<double>(kRelaxationSteps));
    };
    if (report) tell(0);
    engine.run(step, done, kStepsBetween, report ? PairProgress(tell) : PairProgress{});
    if (engine.failure()) return false;
    const KineticTotals t = engine.kinetic();
    const double kinetic = t.kinetic - (t.px * t.px + t.py * t.py + t.pz * t.pz) / (2.0 * mass);
    if (kinetic > 0)
      engine.scaleVelocities(std::sqrt(wanted / kinetic), {t.px / mass, t.py / mass, t.pz / mass});
  }
  state.position = engine.download().position;
  return true;
}

}  // namespace cellscope::md
