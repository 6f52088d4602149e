// Mixtures of two species for tests of whatever takes particles.
#pragma once

#include "sim/api/configuration.h"
#include "sim/core/rng.h"

namespace cellscope::test {

// n particles at random in a box of 30 x 40 (x 50): argon of diameter 1 and mass 1, xenon of
// diameter 10 and mass 7.5, with velocities; ids sparse, unsorted, up to nearly 2^63.
inline Configuration mixture(int dimension, std::size_t n, std::uint64_t seed) {
  Configuration c;
  c.box = dimension == 2 ? Box{2, {30, 40, 1}} : Box{3, {30, 40, 50}};
  c.species = {{"Ar", 1, 1}, {"Xe", 10, 7.5}};
  const RngKey key = hashSeed(seed);
  for (std::uint32_t i = 0; i < n; ++i) {
    const Random4 r = draw(key, RngPurpose::test, 0, i, 0),
                  s = draw(key, RngPurpose::test, 0, i, 1);
    const double u[4] = {uniformOpen(r.w[0], r.w[1]), uniformOpen(r.w[2], r.w[3]),
                         uniformOpen(s.w[0], s.w[1]), uniformOpen(s.w[2], s.w[3])};
    for (int a = 0; a < 3; ++a) {
      c.positions.push_back(a < dimension ? u[a] * c.box.length[a] : 0.0);
      c.velocities.push_back(a < dimension ? u[(a + 1) % 4] - 0.5 : 0.0);
    }
    c.types.push_back(i % 3 == 0 ? 1 : 0);
    c.ids.push_back(static_cast<ParticleId>(std::uint64_t{r.w[1]} << 31 | i));
  }
  return c;
}

}  // namespace cellscope::test
