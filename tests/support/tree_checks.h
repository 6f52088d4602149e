// What any tree must be, and the examples with known answers (Karras 2012).
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/lbvh/trees.h"
#include "sim/exec/context.h"

namespace cellscope::test {

// Trees read back.
struct HostTrees {
  TreeLayout layout;
  std::vector<TreeNode> node;
  std::vector<std::int32_t> parent;
  std::vector<TreeParticle> particle;
  std::vector<std::uint64_t> key;
  std::uint32_t perLeaf;  // asked for
};

inline std::vector<std::uint32_t> countsOf(const std::vector<ParticleRecord>& particles,
                                           std::uint32_t types) {
  std::vector<std::uint32_t> counts(types, 0);
  for (const ParticleRecord& p : particles) ++counts.at(p.type);
  return counts;
}

template <class T>
std::vector<T> readBack(Backend where, const T* data, std::size_t n) {
  std::vector<T> v(n);
  if (n > 0) exec::copy(Backend::cpu, v.data(), where, data, n * sizeof(T));
  return v;
}

template <class Exec>
HostTrees builtTrees(Exec& exec, const std::vector<ParticleRecord>& particles, const Box& box,
                     std::uint32_t types = 1, std::uint32_t perLeaf = kParticlesPerLeaf) {
  const exec::Array<ParticleRecord> input(Exec::backend, particles);
  LinearTrees trees(Exec::backend, countsOf(particles, types), perLeaf);
  EXPECT_EQ(trees.bytes(), LinearTrees::bytesFor(countsOf(particles, types), perLeaf));
  for (int k = 0; k < 2; ++k) trees.build(exec, input.data(), box);  // the second one the same
  exec.synchronize();
  const TreesView v = trees.view();
  const auto nodes = static_cast<std::size_t>(v.nodes);
  return {trees.layout(),
          readBack(Exec::backend, v.node, nodes),
          readBack(Exec::backend, v.parent, nodes),
          readBack(Exec::backend, v.particle, v.particles),
          trees.sortedKeys(),
          perLeaf};
}

// Nodes of a tree as a query that overlaps everything meets them: depth first, left before right.
inline void depthFirst(const HostTrees& t, std::int32_t node, std::vector<std::int32_t>& order) {
  order.push_back(node);
  const TreeNode& n = t.node[static_cast<std::size_t>(node)];
  if (n.isLeaf()) return;
  const std::int32_t left = n.leftChild();
  depthFirst(t, left, order);
  depthFirst(t, t.node[static_cast<std::size_t>(left)].rope(), order);
}

inline bool contains(const TreeNode& outer, const TreeNode& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         outer.high.x >= inner.high.x && outer.high.y >= inner.high.y &&
         outer.high.z >= inner.high.z;
}

// Children of an internal node: parents, boxes and ropes.
inline void expectChildren(const HostTrees& t, std::int32_t node) {
  const auto at = [&](std::int32_t k) -> const TreeNode& {
    return t.node[static_cast<std::size_t>(k)];
  };
  const TreeNode& n = at(node);
  const std::int32_t left = n.leftChild(), right = at(left).rope();
  EXPECT_EQ(t.parent[static_cast<std::size_t>(left)], node);
  EXPECT_EQ(t.parent[static_cast<std::size_t>(right)], node);
  EXPECT_TRUE(contains(n, at(left)) && contains(n, at(right))) << node;
  EXPECT_EQ(at(right).rope(), n.rope()) << node;
  const auto least = [](float a, float b) { return std::min(a, b); };
  EXPECT_EQ(n.low.x, least(at(left).low.x, at(right).low.x)) << "a box is as small as it can be";
  EXPECT_EQ(n.high.y, -least(-at(left).high.y, -at(right).high.y));
}

// Of an internal node: its children divide its leaves where the first of the bits changes in which
// their codes, those of their first particles, differ (Karras 2012; S1, section 3.2). Leaves are
// numbered within the tree; returns the first and last of a node.
inline std::pair<std::uint32_t, std::uint32_t> expectSplits(const HostTrees& t,
                                                            const TreePart& part,
                                                            std::int32_t node) {
  const TreeNode& n = t.node[static_cast<std::size_t>(node)];
  if (n.isLeaf()) {
    const std::uint32_t first = leafRange(n.high.link).first - part.firstParticle;
    EXPECT_EQ(first % t.perLeaf, 0u);
    return {first / t.perLeaf, first / t.perLeaf};
  }
  const std::int32_t left = n.leftChild(), right = t.node[static_cast<std::size_t>(left)].rope();
  const auto [first, split] = expectSplits(t, part, left);
  const auto [next, last] = expectSplits(t, part, right);
  EXPECT_EQ(next, split + 1);
  // Equal codes are distinguished by the number of the leaf.
  const auto code = [&](std::uint32_t leaf) {
    return t.key[part.firstParticle + leaf * t.perLeaf] << 32 | leaf;
  };
  const int shared = std::countl_zero(code(first) ^ code(last));
  EXPECT_GT(std::countl_zero(code(split) ^ code(first)), shared) << "leaf " << split;
  EXPECT_GT(std::countl_zero(code(next) ^ code(last)), shared) << "leaf " << next;
  return {first, last};
}

// Of one tree: every node once on the way along left children and ropes, the leaves in the order of
// the particles, each particle in its leaf's box, every node the parent of its children.
inline void expectTree(const HostTrees& t, const TreePart& part) {
  if (part.leaves == 0) return;
  std::vector<std::int32_t> order, walked;
  depthFirst(t, part.root(), order);
  EXPECT_EQ(t.parent[static_cast<std::size_t>(part.root())], kNoNode);
  for (std::int32_t at = part.root(); at != kNoNode;) {
    walked.push_back(at);
    const TreeNode& n = t.node[static_cast<std::size_t>(at)];
    at = n.isLeaf() ? n.rope() : n.leftChild();
    ASSERT_LE(walked.size(), static_cast<std::size_t>(part.nodes())) << "ropes run in a circle";
  }
  EXPECT_EQ(walked, order);
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t k = 0; k < part.nodes(); ++k)
    ASSERT_EQ(sorted.at(static_cast<std::size_t>(k)), part.firstNode + k);
  std::uint32_t next = part.firstParticle;
  for (const std::int32_t node : order) {
    const TreeNode& n = t.node[static_cast<std::size_t>(node)];
    if (!n.isLeaf()) {
      expectChildren(t, node);
      continue;
    }
    const LeafRange range = leafRange(n.high.link);
    EXPECT_EQ(range.first, next);
    const std::uint32_t left = part.firstParticle + part.particles - next;
    EXPECT_EQ(range.count, std::min(left, t.perLeaf)) << "particles of a leaf";
    for (next = range.first; next < range.first + range.count; ++next) {
      const TreeParticle& p = t.particle[next];
      EXPECT_TRUE(contains(n, {{p.x, p.y, p.z, 0}, {p.x, p.y, p.z, 0}}));
    }
  }
  EXPECT_EQ(next, part.firstParticle + part.particles);
  expectSplits(t, part, part.root());
}

// All trees: the particles are sorted by type and code, equal ones by slot; then tree by tree.
inline void expectTrees(const HostTrees& t, const std::vector<ParticleRecord>& particles) {
  ASSERT_EQ(t.particle.size(), particles.size());
  std::vector<bool> seen(particles.size(), false);
  for (std::size_t k = 0; k < particles.size(); ++k) {
    const TreeParticle& p = t.particle[k];
    ASSERT_LT(p.slot, particles.size());
    EXPECT_FALSE(seen[p.slot]) << "a particle twice";
    seen[p.slot] = true;
    const ParticleRecord& r = particles[p.slot];
    EXPECT_TRUE(p.x == r.x && p.y == r.y && p.z == r.z);
    EXPECT_EQ(t.key[k] >> kMortonBits, r.type);
    if (k == 0) continue;
    EXPECT_LE(t.key[k - 1], t.key[k]);
    EXPECT_TRUE(t.key[k - 1] != t.key[k] || t.particle[k - 1].slot < p.slot);
  }
  for (const TreePart& part : t.layout.parts) expectTree(t, part);
}

}  // namespace cellscope::test
