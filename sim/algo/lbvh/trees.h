// Memory of the trees and the order of their building, on either exec.
#pragma once
#include <cstddef>

#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/particle_record.h"
#include "sim/exec/atomic.h"
#include "sim/exec/layout.h"

namespace cellscope {

// The steps of building the trees (S1, Algorithm 3).

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

struct TreeArrays {
  exec::Array<TreePart> parts;
  exec::DoubleBuffer<std::uint32_t> keys32;
  exec::DoubleBuffer<std::uint64_t> keys64;
  exec::DoubleBuffer<std::uint32_t> slots;
  exec::Array<TreeParticle> particles;
  exec::Array<TreeNode> nodes;
  exec::Array<std::int32_t> parents, leftChild, rightOfSplit;
  exec::Array<std::uint32_t> arrivals;
  exec::Array<TileBounds> tileBoxes;

  static exec::Layout<TreeArrays> layout(const TreeLayout& of);
};

class LinearTrees {
 public:
  LinearTrees() = default;
  // Room for these numbers of particles of each type (at least one type).
  LinearTrees(Backend where, std::span<const std::uint32_t> particlesOfType,
              std::uint32_t perLeaf = kParticlesPerLeaf);

  const TreeLayout& layout() const { return layout_; }
  TreesView view() const;
  std::size_t bytes() const { return TreeArrays::layout(layout_).held(arrays_); }
  // Of a LinearTrees for these particles, before it is made.
  static std::size_t bytesFor(std::span<const std::uint32_t> particlesOfType,
                              std::uint32_t perLeaf = kParticlesPerLeaf) {
    return TreeArrays::layout(TreeLayout(particlesOfType, perLeaf)).bytes();
  }

  // All steps. As many particles of each type as the room was made for.
  void build(auto& exec, const ParticleRecord* particles, const Box& box) {
    codes(exec, particles, box);
    sort(exec);
    hierarchy(exec);
    gather(exec, particles);
    boxes(exec);
  }

  // The steps one by one.
  void codes(auto& exec, const ParticleRecord* particles, const Box& box) {
    box_ = box;
    arrays_.slots.goHome();
    withKeys(*this, [&]<class Key>(exec::DoubleBuffer<Key>& keys) {
      keys.goHome();
      exec.forEach(
          "tree codes", layout_.particles,
          TypeMortonCodes<Key>{particles, mortonGrid(box_), keys.data(), arrays_.slots.data()});
    });
  }
  void sort(auto& exec) {
    withKeys(*this, [&](auto& keys) {
      exec.sortByKey("tree sort", keys, arrays_.slots, layout_.particles, {0, layout_.keyBits()});
    });
  }
  void hierarchy(auto& exec) const {
    withKeys(*this, [&]<class Key>(const exec::DoubleBuffer<Key>& keys) {
      exec.forEach("tree hierarchy", layout_.leaves,
                   BuildHierarchy<Key>{arrays_.parts.data(), keys.data(), layout_.perLeaf,
                                       arrays_.parents.data(), arrays_.leftChild.data(),
                                       arrays_.rightOfSplit.data()});
    });
  }
  void gather(auto& exec, const ParticleRecord* particles) {
    exec.forEach("tree particles", layout_.particles,
                 GatherParticles{particles, arrays_.slots.data(), arrays_.particles.data()});
  }
  // Of leaves, and of inner nodes of this depth at least.
  void boxes(auto& exec, std::int32_t shallowest = 0) const {
    exec.forEach("tree boxes", layout_.leaves,
                 MergeBoxes{arrays_.parts.data(), arrays_.particles.data(), arrays_.parents.data(),
                            arrays_.leftChild.data(), arrays_.rightOfSplit.data(), layout_.perLeaf,
                            arrays_.arrivals.data(), arrays_.nodes.data(), shallowest});
  }

  // For callers that gather the particles themselves, with the boxes of tiles.
  const std::uint32_t* sortedSlots() const { return arrays_.slots.data(); }
  TreeParticle* sortedParticles() const { return arrays_.particles.data(); }
  TileBounds* tileBoxes() const { return arrays_.tileBoxes.data(); }

  // Codes in sorted order, with the type in front: for layers and tests; waits.
  std::vector<std::uint64_t> sortedKeys() const;

 private:
  // f(keys), of the width that there is.
  static void withKeys(auto& of, const auto& f) {
    if (of.layout_.wide())
      f(of.arrays_.keys64);
    else
      f(of.arrays_.keys32);
  }

  TreeLayout layout_;
  Box box_;
  TreeArrays arrays_;
};

}  // namespace cellscope
