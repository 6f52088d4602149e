// Forces and energies of particles as methods store them, sums over all particles, and parts of
// thermostats and of changes of the box that act on all particles at once.
#pragma once
#include "sim/algo/md/species.h"

namespace cellscope {

// Kinetic energy and momentum of all particles, and the square of the largest speed.
struct KineticTotals {
  double kinetic = 0, px = 0, py = 0, pz = 0, fastest2 = 0;
};

// record: types by slot; null: all of type 0.
struct KineticOf {
  const Vec3d* velocity;
  const ParticleRecord* record;
  InverseMasses inverseMass;
  // Above 0, half of the time step: sampled() sums up what the velocities were before the half kick
  // that ended the step.
  double halfStep = 0;

  HOST_DEVICE std::uint32_t typeOf(std::size_t i) const {
    return inverseMass.types == 1 || !record ? 0 : record[i].type;
  }
  HOST_DEVICE KineticTotals operator()(std::size_t i) const { return of(velocity[i], typeOf(i)); }
  // f: that of this kick.
  HOST_DEVICE Vec3d sampledVelocity(std::size_t i, double fx, double fy, double fz) const {
    const Vec3d v = velocity[i];
    if (halfStep == 0) return v;
    const double kick = halfStep * inverseMass.of[typeOf(i)];
    return {v.x - kick * fx, v.y - kick * fy, v.z - kick * fz};
  }
  HOST_DEVICE KineticTotals sampled(std::size_t i, double fx, double fy, double fz) const {
    return of(sampledVelocity(i, fx, fy, fz), typeOf(i));
  }
  HOST_DEVICE KineticTotals of(Vec3d v, std::uint32_t type) const {
    const double m = 1.0 / inverseMass.of[inverseMass.types == 1 ? 0 : type];
    const double v2 = dot(v, v);
    return {0.5 * m * v2, m * v.x, m * v.y, m * v.z, v2};
  }
};
struct AddKinetic {
  HOST_DEVICE KineticTotals operator()(const KineticTotals& a, const KineticTotals& b) const {
    return {a.kinetic + b.kinetic, a.px + b.px, a.py + b.py, a.pz + b.pz,
            a.fastest2 > b.fastest2 ? a.fastest2 : b.fastest2};
  }
};

// v' = u + factor (v - u), u the velocity of the centre of mass: momentum stays.
struct ScaleVelocities {
  Vec3d* velocity;
  double factor;
  Vec3d mean;
  HOST_DEVICE void operator()(std::size_t i) const {
    velocity[i] = mean + factor * (velocity[i] - mean);
  }
};

// Particles of a box that becomes `box`, longer by `factor`: r' = factor r and v' = u + (v - u) /
// factor, u the velocity of the centre of mass. Momenta relative to it times positions stay.
struct ScaleParticles {
  Vec3d* position;
  Vec3d* velocity;
  double factor;
  Vec3d mean;
  Box box;
  HOST_DEVICE void operator()(std::size_t i) const {
    position[i] = box.wrap(factor * position[i]);
    ScaleVelocities{velocity, 1.0 / factor, mean}(i);
  }
};

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
