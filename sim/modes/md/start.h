// Starting states of molecular dynamics.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/vec.h"

namespace cellscope::md {

// n particles, far apart, in a periodic cube of side `length`: on a face-centred cubic lattice of
// 4 k^3 sites, k the smallest that has room for n, with evenly spread vacancies; or, where these
// would bring neighbours closer together, on the sites i (1, a, b) / n (mod 1), i = 0 .. n - 1,
// with the best a and b. From n = 106 on, nearest neighbours are at least 0.9 times as far apart as
// in a perfect face-centred cubic lattice of the same density. Coordinates in [0, length).
std::vector<Vec3d> startLattice(std::int64_t n, double length);

// Subtracts the velocity of the centre of mass (all masses are 1).
void removeDrift(std::vector<Vec3d>& velocity);

// Maxwell-Boltzmann velocities with total momentum 0, scaled to the temperature exactly:
// sum v^2 = 3 (n - 1) T (m = k_B = 1). n >= 2.
std::vector<Vec3d> maxwellVelocities(std::int64_t n, double temperature, std::uint64_t seed);

}  // namespace cellscope::md
