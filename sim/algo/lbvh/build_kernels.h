// The steps of building the trees (S1, Algorithm 3).
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/lbvh/hierarchy.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/particle_record.h"
#include "sim/base/host_device.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// Lines 1 to 3: the code of every particle after its type.
template <class Key>
struct TypeMortonCodes {
  const ParticleRecord* particles;
  MortonGrid grid;
  Key* key;
  std::uint32_t* slot;

  HOST_DEVICE void operator()(std::size_t i) const {
    const ParticleRecord p = particles[i];
    key[i] = static_cast<Key>(p.type) << kMortonBits | static_cast<Key>(grid.code({p.x, p.y, p.z}));
    slot[i] = static_cast<std::uint32_t>(i);
  }
};

// Positions in sorted order.
struct GatherParticles {
  const ParticleRecord* particles;
  const std::uint32_t* slot;
  TreeParticle* out;

  HOST_DEVICE void operator()(std::size_t i) const {
    const std::uint32_t s = slot[i];
    const ParticleRecord p = particles[s];
    out[i] = {p.x, p.y, p.z, s};
  }
};

// Line 10: for each internal node its children, their parent, and which node lies to the right of
// its split. One call per leaf of all trees; the last leaf of a tree has no internal node.
template <class Key>
struct BuildHierarchy {
  const TreePart* part;
  const Key* key;
  std::uint32_t perLeaf;
  std::int32_t* parent;        // of each node
  std::int32_t* leftChild;     // of each internal node
  std::int32_t* rightOfSplit;  // by the last leaf before the split

  HOST_DEVICE void operator()(std::size_t leaf) const {
    const TreePart tree = part[typeOfLeaf(part, static_cast<std::uint32_t>(leaf))];
    const auto i = static_cast<std::int32_t>(leaf - tree.firstLeaf);
    const auto leaves = static_cast<std::int32_t>(tree.leaves);
    if (i == 0) parent[tree.root()] = kNoNode;
    if (i == leaves - 1) {
      rightOfSplit[leaf] = kNoNode;
      return;
    }
    const NodeRange range = nodeRange(LeafCodes<Key>{key + tree.firstParticle, perLeaf, leaves}, i);
    const std::int32_t left = tree.firstNode + range.leftChild(leaves);
    const std::int32_t right = tree.firstNode + range.rightChild(leaves);
    parent[left] = parent[right] = tree.firstNode + i;
    leftChild[tree.firstNode + i] = left;
    rightOfSplit[tree.firstLeaf + static_cast<std::uint32_t>(range.split)] = right;
  }
};

struct DepthOf {
  const std::int32_t* parent;
  HOST_DEVICE std::int32_t operator()(std::size_t node) const {
    return depthOf(parent, static_cast<std::int32_t>(node));
  }
};
struct LargerDepth {
  HOST_DEVICE std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return a > b ? a : b;
  }
};

HOST_DEVICE float lesser(float a, float b) { return b < a ? b : a; }
HOST_DEVICE float greater(float a, float b) { return b > a ? b : a; }

// Lines 6 to 9 and 11 to 21: boxes of the leaves, and of the internal nodes from the leaves up; the
// second of two children to arrive goes on. The rope of a node leads to what lies to the right of
// the last leaf that it covers, so that a parent has the rope of its right child, and a left
// child's leads to its sibling.
struct MergeBoxes {
  const TreePart* part;
  const TreeParticle* particle;
  const std::int32_t* parent;
  const std::int32_t* leftChild;
  const std::int32_t* rightOfSplit;
  std::uint32_t perLeaf;
  std::uint32_t* arrivals;  // of each node; 0 before and after
  TreeNode* node;
  std::int32_t shallowest;  // inner nodes of less depth are left out: to see the tree grow

  HOST_DEVICE TreeNode leafOf(const TreePart& tree, std::uint32_t leaf) const {
    const LeafRange range = tree.particlesOf(leaf, perLeaf);
    const TreeParticle p = particle[range.first];
    TreeNode n{{p.x, p.y, p.z, rightOfSplit[tree.firstLeaf + leaf]},
               {p.x, p.y, p.z, leafLink(range)}};
    for (std::uint32_t k = 1; k < range.count; ++k) {
      const TreeParticle q = particle[range.first + k];
      n.low = {lesser(n.low.x, q.x), lesser(n.low.y, q.y), lesser(n.low.z, q.z), n.low.link};
      n.high = {greater(n.high.x, q.x), greater(n.high.y, q.y), greater(n.high.z, q.z),
                n.high.link};
    }
    return n;
  }
  HOST_DEVICE static TreeNode merged(const TreeNode& left, const TreeNode& right,
                                     std::int32_t leftNode) {
    return {{lesser(left.low.x, right.low.x), lesser(left.low.y, right.low.y),
             lesser(left.low.z, right.low.z), right.low.link},
            {greater(left.high.x, right.high.x), greater(left.high.y, right.high.y),
             greater(left.high.z, right.high.z), leftNode}};
  }

  HOST_DEVICE void operator()(std::size_t i) const {
    const TreePart tree = part[typeOfLeaf(part, static_cast<std::uint32_t>(i))];
    const std::uint32_t leaf = static_cast<std::uint32_t>(i) - tree.firstLeaf;
    std::int32_t at = tree.leafNode(leaf);
    TreeNode box = leafOf(tree, leaf);
    node[at] = box;
    for (std::int32_t up = parent[at]; up != kNoNode; up = parent[at]) {
      if (shallowest > 0 && depthOf(parent, up) < shallowest) return;
      if (exec::arriveGlobal(&arrivals[up]) == 0) return;
      arrivals[up] = 0;
      const std::int32_t left = leftChild[up];
      box = at == left ? merged(box, node[node[left].rope()], left) : merged(node[left], box, left);
      node[up] = box;
      at = up;
    }
  }
};

}  // namespace cellscope
