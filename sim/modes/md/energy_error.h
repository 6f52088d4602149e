// How far the energy of velocity Verlet may be from what it was: the bound of the self-check, and
// how it grows with time.
//
// With a force that has a derivative, velocity Verlet conserves E + dt^2 (v U'' v / 12 - f^2 / 24
// m) to order dt^4 (Hairer, Lubich and Wanner, Acta Numerica 12, 399, 2003): the error of E is
// bounded and does not grow. It is
//  - of all particles together kMean dt^2 each, from a crystal to a liquid;
//  - of the pair that collides hardest dt^2 max(E u'' / 6, f^2 / 24) / mu, where its energy E is T
//    ln(10^6 N): one instant in 10^6 has a harder one.
// Where a pair crosses the cutoff at the speed v, the force jumps by f_c and its slope by k. The
// error of each crossing depends on where in the step it is, which is as good as random:
//  - f_c v dt (1/2 - x), x uniform: a random walk, and f_c^2 dt^2 / 24 mu of heat on the average;
//  - k v^2 dt^2 (x (1 - x) / 2 - 1/12): a random walk.
// So the error grows with the square root of time, and for forces that jump a little with time.
// Velocity rescaling takes heat from the kinetic energy and not from the term of order dt^2, of
// which a share is left behind each time: a walk, and a drift as both are correlated.
// With friction and noise no energy is conserved.
#pragma once
#include "sim/algo/md/engine.h"
#include "sim/algo/md/pair_law.h"

namespace cellscope::md {

struct EnergyRun {
  PairSettings pair;
  int dimension = 3;
  double particles = 2, density = 1, temperature = 1, dt = 0.004;
  double time = 0;        // since the energy was taken
  double rescalings = 0;  // since then
  double relaxed = 0;     // rescalingFactor()
};

struct EnergyBound {
  double bound = 0;      // per particle
  double perPair = 0;    // by which each pair that crosses the cutoff changes it; 0: continuous
  double shorterDt = 0;  // time step for a valid bound; 0: it is valid
};

EnergyBound energyBound(const EnergyRun& run);

// f(law, reduced mass, closest distance that is looked at) of each pair of species.
void forEachPairOfTypes(const PairSettings& settings, const auto& f) {
  const SpeciesTable& s = settings.species;
  withLaw<double>(settings.potential, s, [&](const auto& law) {
    for (int a = 0; a < s.types; ++a)
      for (int b = 0; b <= a; ++b)
        f(law.of(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)),
          1 / (1 / s.mass[a] + 1 / s.mass[b]), s.radius[a] + s.radius[b] + 0.2);
  });
}

// The largest frequency at which a pair of particles moves that comes as near as an energy of T
// lets it: of the curvature of the energy there, over the reduced mass.
double collisionFrequency(const PairSettings& settings, double temperature);

}  // namespace cellscope::md
