// What molecular dynamics stores per particle, and the per-particle parts of one time step.
//
// Positions and velocities are kept in double, forces summed in double: single precision alone
// drifts over long runs. Only the pair terms themselves are evaluated in single precision.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope {

// Sums over all partners of one particle. energy and virial (r . f) hold half of each pair, so that
// their sums over the particles are the totals.
struct PairSums {
  double fx, fy, fz;
  double energy, virial;
};

inline constexpr std::uint64_t kNoFailure = ~0ull;
// Longest sound displacement in one step. A particle that moves further has been thrown by an
// overlap, or the time step is too long.
inline constexpr double kLongestMove = 0.5;

HOST_DEVICE std::uint64_t failureWord(std::uint32_t step, std::uint32_t particle) {
  return (static_cast<std::uint64_t>(step) << 32) | particle;
}

// Keep the smallest word: the first step, and in it the smallest particle.
HOST_DEVICE void reportFailure(std::uint64_t* status, std::uint64_t word) {
#ifdef __CUDA_ARCH__
  atomicMin(reinterpret_cast<unsigned long long*>(status), static_cast<unsigned long long>(word));
#else
  std::uint64_t seen = __atomic_load_n(status, __ATOMIC_RELAXED);
  while (word < seen && !__atomic_compare_exchange_n(status, &seen, word, false, __ATOMIC_RELAXED,
                                                     __ATOMIC_RELAXED)) {
  }
#endif
}

// First part of velocity Verlet: v += f dt / 2, r += v dt (m = 1). A particle that would move
// further than kLongestMove, or to no finite place, is reported and left where it is.
struct HalfKickDrift {
  Vec3d* position;
  Vec3d* velocity;
  const PairSums* sums;
  std::uint64_t* status;
  double dt;
  Box box;
  std::uint32_t step;

  HOST_DEVICE void operator()(std::size_t i) const {
    const PairSums f = sums[i];
    Vec3d v = velocity[i];
    v = {v.x + 0.5 * dt * f.fx, v.y + 0.5 * dt * f.fy, v.z + 0.5 * dt * f.fz};
    velocity[i] = v;
    const Vec3d move{v.x * dt, v.y * dt, v.z * dt};
    const double far = move.x * move.x + move.y * move.y + move.z * move.z;
    if (!(far <= kLongestMove * kLongestMove)) {
      reportFailure(status, failureWord(step, static_cast<std::uint32_t>(i)));
      return;
    }
    const Vec3d r = position[i];
    position[i] = box.wrap({r.x + move.x, r.y + move.y, r.z + move.z});
  }
};

// Last part of velocity Verlet: v += f dt / 2 with the new forces.
struct HalfKick {
  Vec3d* velocity;
  const PairSums* sums;
  double dt;

  HOST_DEVICE void operator()(std::size_t i) const {
    const PairSums f = sums[i];
    const Vec3d v = velocity[i];
    velocity[i] = {v.x + 0.5 * dt * f.fx, v.y + 0.5 * dt * f.fy, v.z + 0.5 * dt * f.fz};
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
struct MdTotals {
  double kinetic = 0, potential = 0, virial = 0;
  double px = 0, py = 0, pz = 0;  // momentum
  double fx = 0, fy = 0, fz = 0;  // sum of the forces: 0 but for rounding
};

struct TotalsOf {
  const Vec3d* velocity;
  const PairSums* sums;
  HOST_DEVICE MdTotals operator()(std::size_t i) const {
    const Vec3d v = velocity[i];
    const PairSums s = sums[i];
    return {0.5 * (v.x * v.x + v.y * v.y + v.z * v.z),
            s.energy,
            s.virial,
            v.x,
            v.y,
            v.z,
            s.fx,
            s.fy,
            s.fz};
  }
};

struct AddTotals {
  HOST_DEVICE MdTotals operator()(const MdTotals& a, const MdTotals& b) const {
    return {a.kinetic + b.kinetic,
            a.potential + b.potential,
            a.virial + b.virial,
            a.px + b.px,
            a.py + b.py,
            a.pz + b.pz,
            a.fx + b.fx,
            a.fy + b.fy,
            a.fz + b.fz};
  }
};

}  // namespace cellscope
