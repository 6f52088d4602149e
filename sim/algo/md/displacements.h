// How far particles have come since a moment of the run, through the faces of the box: counted
// where the particles are.
//
// A particle's way is its position now, moved by whole boxes to the image nearest to where it was
// seen last, less its origin. It does not depend on how often one looks, as long as no particle
// moves by half a box in between: stepsToFollow() gives the longest wait.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/algo/neighbours/list.h"
#include "sim/base/box.h"
#include "sim/exec/memory.h"

namespace cellscope {

// Where particles are with the images that they went through. origin and seen: by number of the
// particle; tag: that of the particle in each slot, null where it is the slot.
struct Ways {
  const Vec3d* position;
  const std::uint32_t* tag;
  const Vec3 *origin, *seen;
  Box box;

  HOST_DEVICE std::size_t number(std::size_t k) const { return tag ? tag[k] : k; }
  HOST_DEVICE static double unwrapped(double now, float seen, double length) {
    return now + length * rint((static_cast<double>(seen) - now) / length);
  }
  HOST_DEVICE Vec3d place(std::size_t k) const {
    const Vec3d r = position[k];
    const Vec3 s = seen[number(k)];
    return {unwrapped(r.x, s.x, box.length[0]), unwrapped(r.y, s.y, box.length[1]),
            box.dimension == 3 ? unwrapped(r.z, s.z, box.length[2]) : 0.0};
  }
  HOST_DEVICE double squared(std::size_t k) const {
    const Vec3d d = place(k) - toDoubles(origin[number(k)]);
    return dot(d, d);
  }
};

// Remembers where they are.
struct FollowParticles {
  Ways ways;
  Vec3* seen;
  HOST_DEVICE void operator()(std::size_t k) const {
    seen[ways.number(k)] = toFloats(ways.place(k));
  }
};
struct BeginToFollow {
  const Vec3d* position;
  const std::uint32_t* tag;
  Vec3 *origin, *seen;
  HOST_DEVICE void operator()(std::size_t k) const {
    const std::size_t i = tag ? tag[k] : k;
    origin[i] = seen[i] = toFloats(position[k]);
  }
};
// The box became longer by `factor`.
struct ScaleWays {
  Vec3 *origin, *seen;
  float factor;
  HOST_DEVICE void operator()(std::size_t i) const {
    origin[i] = factor * origin[i], seen[i] = factor * seen[i];
  }
};
// Steps within which no particle moves by half the box. No step is longer than longestMove, or the
// run ends; beyond that it is taken for granted that over all these steps together no particle is
// faster than `speed`.
inline std::uint64_t stepsToFollow(const Box& box, double longestMove, double speed, double dt,
                                   std::uint64_t most) {
  const double half = 0.5 * box.shortest();
  const double step = std::min(longestMove, speed * dt);
  if (!(step * static_cast<double>(most) >= half)) return most;
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(half / step)) - 1);
}

// Origins of particles and where they were seen last; empty: from now on.
struct Followed {
  std::vector<Vec3> origin, seen;
};

class Displacements {
 public:
  static constexpr std::size_t bytesFor(std::size_t n) { return 2 * n * sizeof(Vec3); }
  std::size_t bytes() const { return origin_.bytes() + seen_.bytes(); }

  // Of `some` of n slots; all, in several calls.
  template <class Exec>
  void begin(Exec& exec, std::size_t n, const Vec3d* position, const std::uint32_t* tag,
             const OwnSlots& some = {}) {
    resize(Exec::backend, n);
    const BeginToFollow each{position, tag, origin_.data(), seen_.data()};
    exec.forEach("displacements: begin", some.of(n), FromSlot<BeginToFollow>{each, some.begin});
  }
  // Does not wait.
  void follow(auto& exec, const Box& box, std::size_t n, const Vec3d* position,
              const std::uint32_t* tag, const OwnSlots& some = {}) {
    const FollowParticles each{ways(box, position, tag), seen_.data()};
    exec.forEach("displacements: follow", some.of(n), FromSlot<FollowParticles>{each, some.begin});
  }
  // Ways in a box that became longer by `factor`: as long as they are measured by the box.
  void scale(auto& exec, double factor) {
    if (factor == 1) return;
    exec.forEach("displacements: scale", origin_.size(),
                 ScaleWays{origin_.data(), seen_.data(), static_cast<float>(factor)});
  }
  Ways ways(const Box& box, const Vec3d* position, const std::uint32_t* tag) const {
    return {position, tag, origin_.data(), seen_.data(), box};
  }
  Followed get() const { return {origin_.get(), seen_.get()}; }
  void set(Backend where, const Followed& f) {
    resize(where, f.origin.size());
    origin_.set(f.origin), seen_.set(f.seen);
  }

 private:
  void resize(Backend where, std::size_t n) {
    if (origin_.size() == n) return;
    origin_ = exec::Array<Vec3>(where, n);
    seen_ = exec::Array<Vec3>(where, n);
  }
  exec::Array<Vec3> origin_, seen_;
};

}  // namespace cellscope
