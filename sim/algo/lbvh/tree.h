// Linear bounding volume hierarchies (S1, sections 2.2 and 3), one tree per type of particle, as
// kernels, layers and tests see them, and the codes and the radix tree that they are built from.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/base/box.h"

namespace cellscope {

inline constexpr std::int32_t kNoNode = -1;
inline constexpr std::uint32_t kParticlesPerLeaf = 4;  // w of S1, section 3.2, by default
inline constexpr int kTileLevels = 3;
inline constexpr std::uint32_t kTileWidth = 32;

// Half of an axis-aligned bounding box, with one number beside it.
struct alignas(16) NodeBound {
  float x, y, z;
  std::int32_t link;
};

// Lower bound with the skip rope: the node where traversal goes on when this one is a leaf or not
// overlapped (kNoNode: it ends). Upper bound with the left child, or with the particles of a leaf.
struct alignas(16) TreeNode {
  NodeBound low, high;

  HOST_DEVICE std::int32_t rope() const { return low.link; }
  HOST_DEVICE bool isLeaf() const { return high.link < 0; }
  HOST_DEVICE std::int32_t leftChild() const { return high.link; }
};

// Particles [first, first + count) of the sorted order; count is 1 to 8.
struct LeafRange {
  std::uint32_t first, count;
};
HOST_DEVICE std::int32_t leafLink(LeafRange r) {
  return ~static_cast<std::int32_t>(r.first * 8 + (r.count - 1));
}
HOST_DEVICE LeafRange leafRange(std::int32_t link) {
  const auto bits = static_cast<std::uint32_t>(~link);
  return {bits / 8, bits % 8 + 1};
}

// A particle in the order of the tree.
struct alignas(16) TreeParticle {
  float x, y, z;
  std::uint32_t slot;
  HOST_DEVICE Vec3 position() const { return {x, y, z}; }
};

// A bounding box in a hierarchy of fixed shape over the same order, for searches by warps: level 0
// has the boxes of 32 particles each (tiles), the next ones those of 32 boxes of the level below.
struct alignas(16) TileBounds {
  float low[4], high[4];  // x, y, z
};

// Where the tree of one type lies in the arrays that all trees share. Its nodes are numbered from
// firstNode: internal nodes (the root first), then leaves.
struct TreePart {
  std::uint32_t firstParticle = 0, particles = 0;
  std::uint32_t firstLeaf = 0, leaves = 0;
  std::int32_t firstNode = 0;
  std::uint32_t firstTile[kTileLevels] = {}, tiles[kTileLevels] = {};  // of each level

  HOST_DEVICE std::int32_t nodes() const {
    return leaves == 0 ? 0 : 2 * static_cast<std::int32_t>(leaves) - 1;
  }
  HOST_DEVICE std::int32_t root() const { return leaves == 0 ? kNoNode : firstNode; }
  HOST_DEVICE std::int32_t leafNode(std::uint32_t leaf) const {
    return firstNode + static_cast<std::int32_t>(leaves - 1 + leaf);
  }
  HOST_DEVICE LeafRange particlesOf(std::uint32_t leaf, std::uint32_t perLeaf) const {
    const std::uint32_t begin = leaf * perLeaf, left = particles - begin;
    return {firstParticle + begin, left < perLeaf ? left : perLeaf};
  }
};

// Where everything lies for these numbers of particles; fixed while they do not change.
struct TreeLayout {
  std::vector<TreePart> parts;  // of each type, empty ones included
  std::uint32_t particles = 0, leaves = 0;
  std::int32_t nodes = 0;
  std::uint32_t perLeaf = kParticlesPerLeaf;
  std::uint32_t tileBoxes = 0;  // of all types and levels

  // Codes with their types need 30 + b bits: 32 for up to four types.
  int keyBits() const;
  bool wide() const { return keyBits() > 32; }

  TreeLayout() = default;
  explicit TreeLayout(std::span<const std::uint32_t> particlesOfType,
                      std::uint32_t perLeaf = kParticlesPerLeaf);  // 1 to 8
};

// The trees in the memory of a backend.
struct TreesView {
  const TreePart* part = nullptr;
  const TreeNode* node = nullptr;
  const std::int32_t* parent = nullptr;    // of each node; kNoNode for roots
  const TreeParticle* particle = nullptr;  // in tree order: by type, then along the Z-order curve
  std::uint32_t types = 0, particles = 0, leaves = 0;
  std::int32_t nodes = 0;
  Vec3 length{1, 1, 1};  // of the box
  int dimension = 3;
  std::uint32_t perLeaf = kParticlesPerLeaf;
  const TileBounds* tile = nullptr;  // of all types and levels
  std::uint32_t tiles = 0;
};

// Edges between a node and the root.
HOST_DEVICE std::int32_t depthOf(const std::int32_t* parent, std::int32_t node) {
  std::int32_t depth = 0;
  for (std::int32_t up = parent[node]; up != kNoNode; up = parent[up]) ++depth;
  return depth;
}

// Number of the tree that holds a leaf, or a particle of the sorted order.
HOST_DEVICE std::uint32_t typeOfLeaf(const TreePart* part, std::uint32_t leaf) {
  std::uint32_t t = 0;
  while (leaf >= part[t].firstLeaf + part[t].leaves) ++t;
  return t;
}
HOST_DEVICE std::uint32_t typeOfSorted(const TreePart* part, std::uint32_t particle) {
  std::uint32_t t = 0;
  while (particle >= part[t].firstParticle + part[t].particles) ++t;
  return t;
}

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

// The radix tree over sorted codes (Karras 2012; S1, Algorithm 3, line 10): every internal node
// finds by itself which leaves it covers and where it splits them. Equal codes are distinguished by
// their index.
//
// Node numbers within a tree of N leaves: internal nodes 0 (root) to N - 2, leaf k is N - 1 + k.

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
