// Codes along the Z-order curve: the bits of the bins of a position, interleaved, x first.
#pragma once
#include <cstdint>

#include "sim/base/box.h"
#include "sim/base/host_device.h"
#include "sim/base/vec.h"

namespace cellscope {

inline constexpr int kMortonBits = 30;  // 10 bits per axis in 3D (S1, section 3.2), 15 in 2D

// Bit k of the low ten to bit 3 k.
HOST_DEVICE std::uint32_t spreadToThirds(std::uint32_t v) {
  v &= 0x3ffu;
  v = (v | v << 16) & 0x030000ffu;
  v = (v | v << 8) & 0x0300f00fu;
  v = (v | v << 4) & 0x030c30c3u;
  return (v | v << 2) & 0x09249249u;
}
// Bit k of the low fifteen to bit 2 k.
HOST_DEVICE std::uint32_t spreadToHalves(std::uint32_t v) {
  v &= 0x7fffu;
  v = (v | v << 8) & 0x00ff00ffu;
  v = (v | v << 4) & 0x0f0f0f0fu;
  v = (v | v << 2) & 0x33333333u;
  return (v | v << 1) & 0x55555555u;
}

HOST_DEVICE std::uint32_t mortonCode(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  return spreadToThirds(x) << 2 | spreadToThirds(y) << 1 | spreadToThirds(z);
}
HOST_DEVICE std::uint32_t mortonCode(std::uint32_t x, std::uint32_t y) {
  return spreadToHalves(x) << 1 | spreadToHalves(y);
}

// The grid of bins over a box. Positions on the upper faces or outside go to the nearest bin.
struct MortonGrid {
  Vec3 scale{0, 0, 0};  // bins per length
  std::uint32_t bins = 1024;
  int dimension = 3;

  HOST_DEVICE std::uint32_t bin(float x, float binsPerLength) const {
    const float f = x * binsPerLength;
    if (!(f > 0)) return 0;
    return f < static_cast<float>(bins) ? static_cast<std::uint32_t>(f) : bins - 1;
  }
  HOST_DEVICE std::uint32_t code(Vec3 r) const {
    return dimension == 3 ? mortonCode(bin(r.x, scale.x), bin(r.y, scale.y), bin(r.z, scale.z))
                          : mortonCode(bin(r.x, scale.x), bin(r.y, scale.y));
  }
};

inline MortonGrid mortonGrid(const Box& box) {
  const std::uint32_t bins = box.dimension == 3 ? 1u << 10 : 1u << 15;
  const auto scale = [&](int axis) { return static_cast<float>(bins / box.length[axis]); };
  return {{scale(0), scale(1), box.dimension == 3 ? scale(2) : 0.0f}, bins, box.dimension};
}

}  // namespace cellscope
