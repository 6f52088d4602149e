// The kick and the drift of molecular dynamics: velocity Verlet, and with a bath BAOAB (bath.h).
//
// Positions and velocities are kept in double: single precision alone drifts over long runs. Only
// the pair terms themselves are evaluated in single precision.
#pragma once
#include "sim/algo/md/bath.h"
#include "sim/algo/md/forces.h"
#include "sim/core/rounded.h"
#include "sim/exec/status.h"

namespace cellscope {

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

// v + f dt / 2 m, with the same bits on every backend.
HOST_DEVICE Vec3d halfKicked(Vec3d v, Vec3d f, double dt, double perMass) {
  const double kick = 0.5 * dt * perMass;
  return {addRn(v.x, mulRn(kick, f.x)), addRn(v.y, mulRn(kick, f.y)), addRn(v.z, mulRn(kick, f.z))};
}

struct Drift {
  Vec3d *position, *velocity;
  const std::uint32_t* tag;  // number of the particle in each place; null: that of the place
  exec::StatusWord* status;
  Box box;
  Bath bath;
  double dt;

  HOST_DEVICE std::uint32_t number(std::size_t i) const {
    return tag ? tag[i] : static_cast<std::uint32_t>(i);
  }
  // r += v dt, or with a bath half of it, friction and noise, and the other half: to the positions
  // of step `to`. v: after the half kick. False: the particle would move further than kLongestMove,
  // or to no finite position; it is reported and left where it is.
  HOST_DEVICE bool operator()(std::size_t i, Vec3d v, double perMass, std::uint64_t to) const {
    Vec3d move{mulRn(v.x, dt), mulRn(v.y, dt), mulRn(v.z, dt)};
    if (bath.on) {
      const double half = 0.5 * dt;
      const Vec3d before = v;
      v = bath.kicked(v, to, number(i), box.dimension == 2, perMass);
      move = half * (before + v);
    }
    velocity[i] = v;
    const double far = dot(move, move);
    if (!(far <= kLongestMove * kLongestMove)) {
      const exec::Fault fault = far == far ? exec::Fault::lostParticle : exec::Fault::notANumber;
      exec::reportFault(status, fault, number(i), to);
      return false;
    }
    const Vec3d r = position[i];
    position[i] = box.wrap({addRn(r.x, move.x), addRn(r.y, move.y), addRn(r.z, move.z)});
    return true;
  }
};

// First part of a step, of particles by number.
struct HalfKickDrift {
  Drift drift;
  WholeSums sums;
  ParticleMasses masses;
  std::uint64_t step;

  HOST_DEVICE void operator()(std::size_t i) const {
    const double perMass = masses.perMass(i);
    drift(i, halfKicked(drift.velocity[i], sums.force(i), drift.dt, perMass), perMass, step);
  }
};

// Last part of a step, with the new forces, where `when` is true.
struct Always {
  HOST_DEVICE bool operator()() const { return true; }
};
template <class Sums, class When = Always>
struct HalfKick {
  Vec3d* velocity;
  Sums sums;
  ParticleMasses masses;
  double dt;
  When when = {};

  HOST_DEVICE void operator()(std::size_t i) const {
    if (when()) velocity[i] = halfKicked(velocity[i], sums.force(i), dt, masses.perMass(i));
  }
};

// Particles that a hand holds by springs: the kick of these between two steps of velocity Verlet.
//
// The force of a spring depends on positions alone, as those of pairs do. Half of its kick before a
// step and half of it behind are therefore the step with the sum of both forces, whatever computes
// those of pairs, and a step without a spring has nothing to do with it.
//
// Of one: the end of its spring is at anchor + Spring::shift. What the spring did since it was
// grabbed: the sum of the changes of m v^2 / 2 and of m v in its kicks.
struct HeldParticle {
  std::uint32_t number = 0;
  Vec3d anchor{0, 0, 0};  // in the box
  double work = 0;
  Vec3d impulse{0, 0, 0};
};

// f = m k d towards the end of the spring, d away; beyond `longest` it grows no more.
struct Spring {
  double k = 1, longest = 1;
  Vec3d shift{0, 0, 0};  // within half the box along each axis
};

// Half a step of the springs. position, velocity: by place; tag: number of the particle in each,
// null: that of the place. held: in ascending order of numbers.
struct PullHeld {
  const Vec3d* position;
  Vec3d* velocity;
  const std::uint32_t* tag;
  ParticleMasses masses;
  HeldParticle* held;
  std::uint32_t count;
  Box box;
  Spring spring;
  double dt;

  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t number = tag ? tag[i] : static_cast<std::uint32_t>(i);
    std::uint32_t lo = 0;
    for (std::uint32_t hi = count; lo < hi;) {
      const std::uint32_t middle = (lo + hi) / 2;
      held[middle].number < number ? lo = middle + 1 : hi = middle;
    }
    if (lo == count || held[lo].number != number) return;
    HeldParticle& h = held[lo];
    const Vec3d r = position[i], v = velocity[i];
    const Vec3d d = box.minimumImage(box.wrap(h.anchor + spring.shift) - r);
    const double length = sqrt(dot(d, d));
    const double most = length > spring.longest ? spring.longest / length : 1.0;
    const double kick = 0.5 * dt * spring.k * most, m = 1.0 / masses.perMass(i);
    const Vec3d dv = kick * d;
    velocity[i] = v + dv;
    h.work += m * dot(v + 0.5 * dv, dv);
    h.impulse = h.impulse + m * dv;
  }
};

}  // namespace cellscope
