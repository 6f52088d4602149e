// Position and type of a particle in one 16-byte record: what neighbour lists and pair forces read.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"

namespace cellscope {

struct alignas(16) ParticleRecord {
  float x, y, z;       // in [0, float(length)) along each axis; z = 0 in 2D
  std::uint32_t type;  // index into the table of species
};

// Lengths of a box in the precision of the records, and the nearest image of a difference.
struct RecordBox {
  float length[3];
  float inverse[3];  // 0 where there is no axis
  std::int32_t dimension;

  explicit RecordBox(const Box& box = cubicBox(1)) : dimension(box.dimension) {
    for (int a = 0; a < 3; ++a) {
      const bool axis = a < box.dimension;
      length[a] = axis ? static_cast<float>(box.length[a]) : 1.0f;
      inverse[a] = axis ? 1.0f / length[a] : 0.0f;
    }
  }

  // Difference a - b along an axis to the nearest image; odd in (a, b), bit for bit.
  HOST_DEVICE float difference(float a, float b, int axis) const {
    const float d = a - b;
    const float half = 0.5f * length[axis];
    return d > half ? d - length[axis] : (d < -half ? d + length[axis] : d);
  }
  // Squared distance to the nearest image. The same bits for (a, b) and (b, a).
  HOST_DEVICE float distanceSquared(const ParticleRecord& a, const ParticleRecord& b) const {
    const float dx = difference(a.x, b.x, 0), dy = difference(a.y, b.y, 1);
    const float dz = dimension == 3 ? difference(a.z, b.z, 2) : 0.0f;
    return dx * dx + dy * dy + dz * dz;
  }
  // A coordinate in [0, length) of the box in double, rounded: what rounds to the length is 0.
  HOST_DEVICE float rounded(double x, int axis) const {
    const auto f = static_cast<float>(x);
    return f < length[axis] ? f : 0.0f;
  }
  HOST_DEVICE ParticleRecord record(Vec3d r, std::uint32_t type) const {
    return {rounded(r.x, 0), rounded(r.y, 1), dimension == 3 ? rounded(r.z, 2) : 0.0f, type};
  }
};

}  // namespace cellscope
