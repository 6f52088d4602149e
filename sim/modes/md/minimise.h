// Particles that overlap are moved apart along the forces on them: capped steepest descent.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/algo/md/engines.h"
#include "sim/modes/md/start.h"

namespace cellscope::md {

inline constexpr double kGentleForce = 100;  // at most, when a minimisation is done
inline constexpr double kSmallForce = 10;    // where it ends: two particles 1.01 sigma apart
inline constexpr std::uint64_t kMostDescents = 2000;

struct Descent {
  std::uint64_t steps = 0;       // passes over the pairs
  double before = 0, after = 0;  // potential energy, epsilon
  double largestForce = 0;       // epsilon / sigma
  std::size_t worst = 0;         // the particle on which it acts
  bool done() const { return largestForce <= kGentleForce; }
};

// The largest force on a particle, and on which. NaN counts as the largest.
Descent largestForce(const std::vector<PairSums>& sums);

// Particles that lie within the core radius of another one (sim/core/lennard_jones.h), where the
// direction of the force is lost, are put a tenth of sigma away at random. The number of them.
std::size_t separate(MdState& state, std::uint64_t seed);

// r' = r + s f, at most s / h_0 * 0.1 sigma per particle; s is halved where the energy would rise
// and grows by a fifth where it falls. Ends when the largest force is below kSmallForce, or after
// kMostDescents, or when the energy hardly falls any more. The engine has the forces of `state` and
// ends with those of the new positions. report: how far the force has fallen, 0 to 1; what it
// throws gives the work up.
Descent minimise(MdEngine& engine, MdState& state, const std::function<void(double)>& report);

// "particles 4 and 17, 0.012 sigma apart": the worst of a descent and its nearest neighbour.
std::string worstPair(const MdState& state, const Descent& d, const std::vector<std::int64_t>& ids);

// Particles at random hold potential energy that would turn into heat: they come to equilibrium
// with a thermostat before the run begins.
inline constexpr std::uint64_t kRelaxationSteps = 300;

// Steps of velocity Verlet; every ten of them the velocities are scaled to the temperature.
// Positions of `state` become those at the end, velocities stay as they are, so that they have the
// temperature exactly. The engine, without a bath, has the forces of `state`. False: a particle
// moved too far. report: the share that is done; what it throws gives the work up.
bool relax(MdEngine& engine, MdState& state, double temperature, double dt, const Masses& masses,
           const std::function<void(double)>& report);

}  // namespace cellscope::md
