// Small plain vectors shared by host and device code.
#pragma once
#include "sim/base/host_device.h"

namespace cellscope {

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
};

HOST_DEVICE Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
HOST_DEVICE Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
HOST_DEVICE Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
HOST_DEVICE Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
HOST_DEVICE Vec3 operator*(float s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
HOST_DEVICE float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

}  // namespace cellscope
