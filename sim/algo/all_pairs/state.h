// What molecular dynamics stores per particle, and the per-particle parts of one time step.
//
// Positions and velocities are kept in double, forces summed in double: single precision alone
// drifts over long runs. Only the pair terms themselves are evaluated in single precision.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/md/bath.h"
#include "sim/algo/md/state_sums.h"
#include "sim/algo/md/velocities.h"
#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/base/vec.h"
#include "sim/exec/status.h"

namespace cellscope {

// Sums over all partners of one particle. energy and virial (r . f) hold half of each pair, so that
// their sums over the particles are the totals.
struct PairSums {
  double fx, fy, fz;
  double energy, virial;
};

// Maximum displacement in one step. A particle that moves further has met an overlap, or the time
// step is too long.
inline constexpr double kLongestMove = 0.5;

// 1 / m by particle. kind: types; null: all of type 0.
struct ParticleMasses {
  const ParticleRecord* kind;
  InverseMasses inverse;
  HOST_DEVICE double perMass(std::size_t i) const {
    return inverse.types == 1 || !kind ? inverse.of[0] : inverse.of[kind[i].type];
  }
};

// First part of velocity Verlet: v += f dt / 2 m, r += v dt; with a bath, that of BAOAB
// (sim/algo/md/bath.h). A particle that would move further than kLongestMove, or to no finite
// position, is reported and left where it is.
struct HalfKickDrift {
  Vec3d* position;
  Vec3d* velocity;
  const PairSums* sums;
  exec::StatusWord* status;
  double dt;
  Box box;
  std::uint64_t step;
  Bath bath;
  ParticleMasses masses;

  HOST_DEVICE void operator()(std::size_t i) const {
    const PairSums f = sums[i];
    const double perMass = masses.perMass(i), kick = 0.5 * dt * perMass;
    Vec3d v = velocity[i];
    v = {v.x + kick * f.fx, v.y + kick * f.fy, v.z + kick * f.fz};
    Vec3d move{v.x * dt, v.y * dt, v.z * dt};
    if (bath.on) {
      const Vec3d before = v;
      v = bath.kicked(v, step, static_cast<std::uint32_t>(i), box.dimension == 2, perMass);
      const double half = 0.5 * dt;
      move = {half * (before.x + v.x), half * (before.y + v.y), half * (before.z + v.z)};
    }
    velocity[i] = v;
    const double far = move.x * move.x + move.y * move.y + move.z * move.z;
    if (!(far <= kLongestMove * kLongestMove)) {
      const exec::Fault fault = far == far ? exec::Fault::lostParticle : exec::Fault::notANumber;
      exec::reportFault(status, fault, static_cast<std::uint32_t>(i), step);
      return;
    }
    const Vec3d r = position[i];
    position[i] = box.wrap({r.x + move.x, r.y + move.y, r.z + move.z});
  }
};

// Last part of velocity Verlet: v += f dt / 2 m with the new forces.
struct HalfKick {
  Vec3d* velocity;
  const PairSums* sums;
  double dt;
  ParticleMasses masses;

  HOST_DEVICE void operator()(std::size_t i) const {
    const PairSums f = sums[i];
    const Vec3d v = velocity[i];
    const double kick = 0.5 * dt * masses.perMass(i);
    velocity[i] = {v.x + kick * f.fx, v.y + kick * f.fy, v.z + kick * f.fz};
  }
};

struct ParticleArrays {
  Vec3d* position;
  Vec3d* velocity;
  PairSums* sums;
};

struct CopyState {
  ParticleArrays from, to;
  HOST_DEVICE void operator()(std::size_t i) const {
    to.position[i] = from.position[i];
    to.velocity[i] = from.velocity[i];
    to.sums[i] = from.sums[i];
  }
};

// Totals over all particles.
struct MdTotals : StateSums {
  double fx = 0, fy = 0, fz = 0;  // sum of the forces: 0 but for rounding
};

struct TotalsOf {
  KineticOf kinetic;
  const PairSums* sums;
  HOST_DEVICE MdTotals operator()(std::size_t i) const {
    const PairSums s = sums[i];
    const KineticTotals k = kinetic.sampled(i, s.fx, s.fy, s.fz);
    return {{k.kinetic, s.energy, s.virial, k.px, k.py, k.pz}, s.fx, s.fy, s.fz};
  }
};

struct AddTotals {
  HOST_DEVICE MdTotals operator()(const MdTotals& a, const MdTotals& b) const {
    return {a + b, a.fx + b.fx, a.fy + b.fy, a.fz + b.fz};
  }
};

}  // namespace cellscope
