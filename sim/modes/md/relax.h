// Particles at random hold potential energy that would turn into heat: they come to equilibrium
// with a thermostat before the run begins.
#pragma once
#include <cstdint>
#include <functional>

#include "sim/algo/md/engines.h"
#include "sim/modes/md/start.h"

namespace cellscope::md {

inline constexpr std::uint64_t kRelaxationSteps = 300;

// Steps of velocity Verlet; every ten of them the velocities are scaled to the temperature.
// Positions of `state` become those at the end, velocities stay as they are, so that they have the
// temperature exactly. The engine, without a bath, has the forces of `state`. False: a particle
// moved too far. report: the share that is done; what it throws gives the work up.
bool relax(MdEngine& engine, MdState& state, double temperature, double dt, const Masses& masses,
           const std::function<void(double)>& report);

}  // namespace cellscope::md
