// Starting states of molecular dynamics.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/vec.h"

namespace cellscope::md {

// n particles on a face-centred cubic lattice in a periodic cube of side `length`. The lattice has
// 4 k^3 sites, k the smallest that has room for n; with fewer particles than sites the vacancies
// are spread evenly. Coordinates in [0, length).
std::vector<Vec3d> fccLattice(std::int64_t n, double length);
// Sites of the lattice that fccLattice uses for n particles.
std::int64_t fccSites(std::int64_t n);

// Maxwell-Boltzmann velocities with total momentum 0, scaled to the temperature exactly:
// sum v^2 = 3 (n - 1) T (m = k_B = 1). n >= 2.
std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed);

}  // namespace cellscope::md
