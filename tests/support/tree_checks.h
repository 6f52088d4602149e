// What any tree must be, and the examples with known answers (Karras 2012).
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/lbvh/trees.h"
#include "sim/core/rng.h"
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

  const TreeNode& at(std::int32_t k) const { return node[static_cast<std::size_t>(k)]; }
  std::int32_t parentOf(std::int32_t k) const { return parent[static_cast<std::size_t>(k)]; }
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
  if (t.at(node).isLeaf()) return;
  const std::int32_t left = t.at(node).leftChild();
  depthFirst(t, left, order);
  depthFirst(t, t.at(left).rope(), order);
}

inline bool contains(const TreeNode& outer, const TreeNode& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         outer.high.x >= inner.high.x && outer.high.y >= inner.high.y &&
         outer.high.z >= inner.high.z;
}

// Children of an internal node: parents, boxes and ropes.
inline void expectChildren(const HostTrees& t, std::int32_t node) {
  const TreeNode& n = t.at(node);
  const std::int32_t left = n.leftChild(), right = t.at(left).rope();
  const TreeNode &a = t.at(left), &b = t.at(right);
  EXPECT_EQ(t.parentOf(left), node);
  EXPECT_EQ(t.parentOf(right), node);
  EXPECT_TRUE(contains(n, a) && contains(n, b)) << node;
  EXPECT_EQ(b.rope(), n.rope()) << node;
  EXPECT_EQ(n.low.x, std::min(a.low.x, b.low.x)) << "a box is as small as it can be";
  EXPECT_EQ(n.high.y, std::max(a.high.y, b.high.y));
}

// Of an internal node: its children divide its leaves where the first of the bits changes in which
// their codes, those of their first particles, differ (Karras 2012; S1, section 3.2). Leaves are
// numbered within the tree; returns the first and last of a node.
inline std::pair<std::uint32_t, std::uint32_t> expectSplits(const HostTrees& t,
                                                            const TreePart& part,
                                                            std::int32_t node) {
  const TreeNode& n = t.at(node);
  if (n.isLeaf()) {
    const std::uint32_t first = leafRange(n.high.link).first - part.firstParticle;
    EXPECT_EQ(first % t.perLeaf, 0u);
    return {first / t.perLeaf, first / t.perLeaf};
  }
  const std::int32_t left = n.leftChild(), right = t.at(left).rope();
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
  EXPECT_EQ(t.parentOf(part.root()), kNoNode);
  for (std::int32_t at = part.root(); at != kNoNode;) {
    walked.push_back(at);
    at = t.at(at).isLeaf() ? t.at(at).rope() : t.at(at).leftChild();
    ASSERT_LE(walked.size(), static_cast<std::size_t>(part.nodes())) << "ropes run in a circle";
  }
  EXPECT_EQ(walked, order);
  std::vector<std::int32_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::int32_t k = 0; k < part.nodes(); ++k)
    ASSERT_EQ(sorted.at(static_cast<std::size_t>(k)), part.firstNode + k);
  std::uint32_t next = part.firstParticle;
  for (const std::int32_t node : order) {
    const TreeNode& n = t.at(node);
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

// --- Configurations that trees must get right. ---

struct TreeState {
  std::string name;
  Box box;
  std::uint32_t types;
  std::vector<ParticleRecord> particles;
};

// n particles at random, with types by turns out of `present`.
inline std::vector<ParticleRecord> treeRecords(std::size_t n, const Box& box,
                                               const std::vector<std::uint32_t>& present = {0}) {
  const RngKey key = hashSeed(21);
  const RecordBox rounded(box);
  std::vector<ParticleRecord> all;
  for (std::size_t i = 0; i < n; ++i) {
    const Random4 a = draw(key, RngPurpose::test, 2, static_cast<std::uint32_t>(i), 0);
    const double scale = 1.0 / 4294967296.0;
    all.push_back(rounded.record({a.w[0] * scale * box.length[0], a.w[1] * scale * box.length[1],
                                  a.w[2] * scale * box.length[2]},
                                 present[a.w[3] % present.size()]));
  }
  return all;
}

inline std::vector<TreeState> treeStates() {
  const Box uneven{3, {17, 23, 29}}, plane{2, {19, 31, 1}};
  std::vector<TreeState> all;
  for (const std::size_t n : {1, 2, 3, 4, 5, 8, 9, 127, 128, 129, 1023, 4097})
    all.push_back({"random " + std::to_string(n), uneven, 1, treeRecords(n, uneven)});
  all.push_back({"plane", plane, 1, treeRecords(2000, plane)});
  TreeState same{"all in one place", uneven, 1, {}};
  same.particles.assign(1000, {3, 4, 5, 0});
  all.push_back(same);
  TreeState line{"a line", uneven, 1, {}};
  for (int k = 0; k < 500; ++k) line.particles.push_back({0.03f * static_cast<float>(k), 4, 5, 0});
  all.push_back(line);
  TreeState pairs{"pairs of equal codes", uneven, 1, treeRecords(600, uneven)};
  for (std::size_t k = 0; k < 300; ++k) pairs.particles.push_back(pairs.particles[k]);
  all.push_back(pairs);
  TreeState clusters{"clusters", uneven, 1, treeRecords(3000, uneven)};
  for (std::size_t k = 0; k < clusters.particles.size(); ++k) {
    ParticleRecord& p = clusters.particles[k];
    const float s = k % 3 == 0 ? 0.001f : 0.05f, at = static_cast<float>(k % 5);
    p = {s * p.x + 3 * at, s * p.y + 2 * at, s * p.z + 5 * at, 0};
  }
  all.push_back(clusters);
  all.push_back({"three types", uneven, 3, treeRecords(1500, uneven, {0, 1, 2})});
  all.push_back({"some types empty", uneven, 4, treeRecords(700, uneven, {1, 3})});
  all.push_back(
      {"more types than 32 bits hold", uneven, 8, treeRecords(900, uneven, {0, 2, 5, 7})});
  all.push_back({"only the last type", uneven, 8, treeRecords(50, uneven, {7})});
  TreeState rare{"one particle of a type", uneven, 2, treeRecords(300, uneven)};
  rare.particles[123].type = 1;
  all.push_back(rare);
  return all;
}

}  // namespace cellscope::test
