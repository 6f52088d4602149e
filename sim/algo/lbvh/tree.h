// Linear bounding volume hierarchies (S1, sections 2.2 and 3), one tree per type of particle, as
// kernels, layers and tests see them.
#pragma once
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

}  // namespace cellscope
