// Forces and energies of particles as methods store them, and sums over all particles.
#pragma once
#include <cstddef>

#include "sim/algo/md/velocities.h"
#include "sim/base/box.h"
#include "sim/base/host_device.h"

namespace cellscope {

// Sums over all partners of one particle. energy and virial (r . f) hold half of each pair, so that
// their sums over the particles are the totals.
struct PairSums {
  double fx, fy, fz;
  double energy, virial;
};

// The sums of particle i, by number in double, or by slot with energies apart in single precision.
struct WholeSums {
  const PairSums* sums;
  HOST_DEVICE Vec3d force(std::size_t i) const { return {sums[i].fx, sums[i].fy, sums[i].fz}; }
  HOST_DEVICE PairSums operator()(std::size_t i) const { return sums[i]; }
};
struct SplitSums {
  const Vec4* at;     // w: 0
  const Vec2* terms;  // energy and virial; null: forces alone are asked for
  HOST_DEVICE Vec3d force(std::size_t i) const { return {at[i].x, at[i].y, at[i].z}; }
  HOST_DEVICE PairSums operator()(std::size_t i) const {
    const Vec4 f = at[i];
    const Vec2 t = terms[i];
    return {f.x, f.y, f.z, t.x, t.y};
  }
};

// Sums over the particles of one configuration, of which totals and samples have more.
struct StateSums {
  double kinetic = 0, potential = 0, virial = 0;
  double px = 0, py = 0, pz = 0;  // momentum
};
HOST_DEVICE StateSums operator+(const StateSums& a, const StateSums& b) {
  return {a.kinetic + b.kinetic, a.potential + b.potential,
          a.virial + b.virial,   a.px + b.px,
          a.py + b.py,           a.pz + b.pz};
}

struct MdTotals : StateSums {
  double fx = 0, fy = 0, fz = 0;  // sum of the forces: 0 but for rounding
};
HOST_DEVICE MdTotals operator+(const MdTotals& a, const MdTotals& b) {
  const StateSums& first = a;
  return {first + b, a.fx + b.fx, a.fy + b.fy, a.fz + b.fz};
}

template <class Sums>
struct TotalsOf {
  KineticOf kinetic;
  Sums sums;
  HOST_DEVICE MdTotals operator()(std::size_t i) const {
    const PairSums s = sums(i);
    const KineticTotals k = kinetic.sampled(i, s.fx, s.fy, s.fz);
    return {{k.kinetic, s.energy, s.virial, k.px, k.py, k.pz}, s.fx, s.fy, s.fz};
  }
};

}  // namespace cellscope
