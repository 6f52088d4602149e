// Starting states of molecular dynamics, and particles that overlap moved apart.
#pragma once
#include "sim/base/box.h"
#include "sim/core/rng.h"
#include "sim/modes/md/parameters.h"
#include "sim/modes/mode_core.h"

namespace cellscope::md {

// n particles, far apart, in a periodic box: on a face-centred cubic lattice, in a cube of 4 k^3
// sites, k the smallest that has room for n, in other boxes of 4 k_x k_y k_z sites, stretched as
// little as it can be; with evenly spread vacancies. Or, where these would bring neighbours closer
// together, on the sites i (1, a, b) / n (mod 1), i = 0 .. n - 1, with the best a and b. In a cube
// from n = 106 on, nearest neighbours are at least 0.9 times as far apart as in a perfect
// face-centred cubic lattice of the same density; in other boxes at least 0.87 times. Coordinates
// within the box.
std::vector<Vec3d> startLattice(std::int64_t n, const Box& box);
inline std::vector<Vec3d> startLattice(std::int64_t n, double length) {
  return startLattice(n, cubicBox(length));
}

// n particles in rows of triangles in a periodic rectangle: that number of rows that keeps them
// furthest apart, with evenly spread vacancies; or, where these would bring neighbours closer
// together than 0.97 of the mean distance, the lattice of exactly n sites, each row shifted by the
// same length, that keeps them furthest apart.
std::vector<Vec3d> startTriangles(std::int64_t n, const Box& box);
// n of the sites of a simple cubic or square lattice of k sites along x, y (and z), the smallest
// numbers in proportion to the sides that have room for n; where these are closer together than
// 0.98 of the mean distance in the plane, 0.995 in space, the lattice of startTriangles() or
// startLattice().
std::vector<Vec3d> startSimple(std::int64_t n, const Box& box);
// n points one after the other at random, no two closer than `apart`. progress: the share that is
// placed. Throws InputError when there is no room left: how many were placed, and `way`, the way
// out. Without one, those for which there is no room are put where they overlap and minimise()
// moves them apart.
std::vector<Vec3d> startRandom(std::int64_t n, const Box& box, double apart, std::uint64_t seed,
                               const std::function<void(double)>& progress, const std::string& way);

// Masses of particles; types empty: all of type 0.
struct Masses {
  const std::vector<std::uint8_t>& types;
  SpeciesTable species = {};
  double of(std::size_t i) const { return species.mass[types.empty() ? 0 : types[i]]; }
};

// Subtracts the velocity of the centre of mass.
void removeDrift(std::vector<Vec3d>& velocity, const Masses& masses);

// One velocity of the Maxwell-Boltzmann distribution; square: T / m. Those at the start are of step
// 0.
Vec3d thermalVelocity(const RngKey& key, std::uint64_t step, std::uint32_t id, int dimension,
                      double square);
// Maxwell-Boltzmann velocities with total momentum 0, scaled to the temperature exactly:
// sum m v^2 = d (n - 1) T (k_B = 1). n >= 2.
std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed,
                                     int dimension, const Masses& masses);
// In space, of mass 1.
std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed);

// About how many particles startState() makes: p.n but with colloids.
std::int64_t expectedParticles(const MdParameters& p);
// Box, positions, velocities and types at the start of a run. Throws InputError when the particles
// cannot be placed.
MdState startState(const MdParameters& p, const std::function<void(double)>& progress);
// Colloids of these parameters, at random in this solvent, of which what overlaps with them is
// deleted (S1, section 4.2). Positions and types, solvent first; the velocities are the caller's.
MdState dispersed(const MdParameters& p, const std::vector<Vec3d>& solvent);
// Whether a lattice of few particles brings neighbours so much closer together than they are in a
// close-packed crystal of the same density that they repel each other: it would melt into a fluid
// several times as hot. In space at density 0.84: 5, 6, 11, 13, 15 to 17 and 20 particles.
bool crowdedLattice(const std::vector<Vec3d>& position, const Box& box);
// Throws InputError if the potential energy per particle shows an overlap at the start.
void requireApart(double energy, const MdParameters& p);

MemoryNeed memoryNeed(const MdParameters& p, const ExecConfig& config);
// Throws RunError when the particles do not fit.
void checkMemory(const MdParameters& p, const ExecConfig& config);

// Particles that overlap are moved apart along the forces on them: capped steepest descent.
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

// Particles that lie within the core radius of another one (sim/core/potentials/entry.h), where the
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
