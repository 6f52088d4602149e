// Vectors, and the box of a state: axis-aligned, one corner at the origin, periodic along each of
// its axes.
#pragma once
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope {

// Small plain vectors shared by host and device code.
struct alignas(8) Vec2 {
  float x, y;
};

struct Vec3 {
  float x, y, z;
};

struct alignas(16) Vec4 {
  float x, y, z, w;
};

struct Vec3d {
  double x, y, z;
  double operator[](auto axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};

HOST_DEVICE Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
HOST_DEVICE Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
HOST_DEVICE Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HOST_DEVICE Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HOST_DEVICE Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
HOST_DEVICE float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

HOST_DEVICE Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HOST_DEVICE Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HOST_DEVICE Vec3d operator*(double s, Vec3d a) { return {s * a.x, s * a.y, s * a.z}; }
HOST_DEVICE double dot(Vec3d a, Vec3d b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

HOST_DEVICE Vec3 toFloats(Vec3d r) {
  return {static_cast<float>(r.x), static_cast<float>(r.y), static_cast<float>(r.z)};
}
HOST_DEVICE Vec3d toDoubles(Vec3 r) { return {r.x, r.y, r.z}; }

// Periodic boundaries of a cubic box, one axis at a time.

template <class Real>
HOST_DEVICE Real select(bool condition, Real yes, Real no) {
  return condition ? yes : no;
}

// Difference of two coordinates in [0, length], to the nearest image. Exactly antisymmetric, so
// that a pair of particles sees opposite vectors. Needs no rounding function.
template <class Real>
HOST_DEVICE Real minimumImage(Real difference, Real length) {
  const Real half = Real(0.5) * length;
  return select(difference > half, difference - length,
                select(difference < -half, difference + length, difference));
}

// Coordinate moved into [0, length); right for any finite x within one box length of the box.
HOST_DEVICE double wrapped(double x, double length) {
  const double up = x < 0 ? x + length : x;
  const double down = up >= length ? up - length : up;
  return down < length ? (down < 0 ? 0.0 : down) : 0.0;
}

struct Box {
  int dimension = 2;             // 2 or 3
  double length[3] = {1, 1, 1};  // sigma, each above 0; the third one is not used in 2D

  // Area in 2D.
  HOST_DEVICE double volume() const {
    return length[0] * length[1] * (dimension == 3 ? length[2] : 1.0);
  }
  HOST_DEVICE double shortest() const {
    const double flat = length[0] < length[1] ? length[0] : length[1];
    return dimension == 3 && length[2] < flat ? length[2] : flat;
  }
  // Moved into [0, length) along every axis, from at most one length outside; z = 0 in 2D.
  HOST_DEVICE Vec3d wrap(Vec3d r) const {
    return {wrapped(r.x, length[0]), wrapped(r.y, length[1]),
            dimension == 3 ? wrapped(r.z, length[2]) : 0.0};
  }
  // Difference of two positions in the box, to the nearest image; z = 0 in 2D.
  HOST_DEVICE Vec3d minimumImage(Vec3d d) const {
    return {cellscope::minimumImage(d.x, length[0]), cellscope::minimumImage(d.y, length[1]),
            dimension == 3 ? cellscope::minimumImage(d.z, length[2]) : 0.0};
  }
  // False for NaN. In 2D z must be 0.
  HOST_DEVICE bool contains(Vec3d r) const {
    return r.x >= 0 && r.x < length[0] && r.y >= 0 && r.y < length[1] &&
           (dimension == 3 ? r.z >= 0 && r.z < length[2] : r.z == 0);
  }
  friend bool operator==(const Box&, const Box&) = default;
};

inline Box squareBox(double side) { return {2, {side, side, 1}}; }
inline Box cubicBox(double side) { return {3, {side, side, side}}; }

// Identity of a particle: unique, never reused within a run, and not dense, as particles come and
// go. Ids are 0 or larger; -1 is no particle.
using ParticleId = std::int64_t;

}  // namespace cellscope
