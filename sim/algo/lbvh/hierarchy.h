// The radix tree over sorted codes (Karras 2012; S1, Algorithm 3, line 10): every internal node
// finds by itself which leaves it covers and where it splits them. Equal codes are distinguished by
// their index.
//
// Node numbers within a tree of N leaves: internal nodes 0 (root) to N - 2, leaf k is N - 1 + k.
#pragma once
#include <bit>
#include <cstdint>

#include "sim/base/box.h"

namespace cellscope {

// Codes along the Z-order curve: the bits of the bins of a position, interleaved, x first.
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

HOST_DEVICE int leadingZeros(std::uint32_t v) {
#ifdef __CUDA_ARCH__
  return __clz(static_cast<int>(v));
#else
  return std::countl_zero(v);
#endif
}

// The codes of the leaves of one tree: those of every `stride`-th particle in sorted order. Keys of
// more than 32 bits differ within a tree in the low 32 only.
template <class Key>
struct LeafCodes {
  const Key* key;
  std::uint32_t stride;
  std::int32_t leaves;

  HOST_DEVICE std::uint32_t code(std::int32_t leaf) const {
    return static_cast<std::uint32_t>(key[static_cast<std::size_t>(leaf) * stride]);
  }
  // Leading bits that (code, index) of two leaves share; -1 where there is no leaf j.
  HOST_DEVICE int common(std::int32_t i, std::int32_t j) const {
    if (j < 0 || j >= leaves) return -1;
    const std::uint32_t different = code(i) ^ code(j);
    if (different != 0) return leadingZeros(different);
    return 32 + leadingZeros(static_cast<std::uint32_t>(i ^ j));
  }
};

// Leaves that an internal node covers, first <= split < last: its children cover [first, split] and
// [split + 1, last].
struct NodeRange {
  std::int32_t first, last, split;

  HOST_DEVICE bool leftIsLeaf() const { return first == split; }
  HOST_DEVICE bool rightIsLeaf() const { return last == split + 1; }
  HOST_DEVICE std::int32_t leftChild(std::int32_t leaves) const {
    return leftIsLeaf() ? leaves - 1 + split : split;
  }
  HOST_DEVICE std::int32_t rightChild(std::int32_t leaves) const {
    return (rightIsLeaf() ? leaves - 1 : 0) + split + 1;
  }
};

// Of internal node i: i is one end of its range.
template <class Key>
HOST_DEVICE NodeRange nodeRange(const LeafCodes<Key>& codes, std::int32_t i) {
  const std::int32_t d = codes.common(i, i + 1) > codes.common(i, i - 1) ? 1 : -1;
  const int least = codes.common(i, i - d);
  std::int32_t bound = 2;
  while (codes.common(i, i + bound * d) > least) bound *= 2;
  std::int32_t length = 0;
  for (std::int32_t t = bound / 2; t > 0; t /= 2)
    if (codes.common(i, i + (length + t) * d) > least) length += t;
  const std::int32_t j = i + length * d;
  const int shared = codes.common(i, j);
  std::int32_t before = 0;
  for (std::int32_t t = (length + 1) / 2;; t = (t + 1) / 2) {
    if (codes.common(i, i + (before + t) * d) > shared) before += t;
    if (t <= 1) break;
  }
  const std::int32_t split = i + before * d + (d < 0 ? -1 : 0);
  return {d > 0 ? i : j, d > 0 ? j : i, split};
}

}  // namespace cellscope
