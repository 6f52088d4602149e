// Particles that a hand holds by springs: the kick of these between two steps of velocity Verlet.
//
// The force of a spring depends on positions alone, as those of pairs do. Half of its kick before a
// step and half of it behind are therefore the step with the sum of both forces, whatever computes
// those of pairs, and a step without a spring has nothing to do with it.
#pragma once
#include <cmath>
#include <cstdint>

#include "sim/algo/md/integrator.h"
#include "sim/base/box.h"
#include "sim/base/host_device.h"

namespace cellscope {

// The end of its spring is at anchor + Spring::shift. What the spring did since it was grabbed: the
// sum of the changes of m v^2 / 2 and of m v in its kicks.
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
