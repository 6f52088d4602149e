// What can be seen of the builder of neighbour lists over linear bounding volume hierarchies (S1,
// Algorithms 2 and 3).
#pragma once
#include <cstddef>

#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/builder.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/exec/memory.h"

namespace cellscope {

// How good a tree is: depth, overlap of siblings, surface-area cost. Sums over the nodes of one
// tree.
struct TreeSums {
  std::int64_t nodes = 0, leaves = 0, leafDepth = 0;
  std::int32_t deepest = 0;
  std::int64_t particles = 0;
  double innerSurface = 0, leafSurface = 0;  // of leaves times their particles
  double overlap = 0;                        // of siblings, over the volume of their parent
  std::int64_t parents = 0;                  // with a volume
};
struct AddTreeSums {
  HOST_DEVICE TreeSums operator()(const TreeSums& a, const TreeSums& b) const {
    return {a.nodes + b.nodes,
            a.leaves + b.leaves,
            a.leafDepth + b.leafDepth,
            a.deepest > b.deepest ? a.deepest : b.deepest,
            a.particles + b.particles,
            a.innerSurface + b.innerSurface,
            a.leafSurface + b.leafSurface,
            a.overlap + b.overlap,
            a.parents + b.parents};
  }
};

// Surface and volume in 3D, perimeter and area in 2D.
struct BoxMeasure {
  double surface, volume;
};
HOST_DEVICE BoxMeasure measured(double x, double y, double z, int dimension) {
  x = x > 0 ? x : 0, y = y > 0 ? y : 0, z = z > 0 ? z : 0;
  if (dimension == 2) return {2 * (x + y), x * y};
  return {2 * (x * y + y * z + z * x), x * y * z};
}
HOST_DEVICE BoxMeasure measured(const TreeNode& n, int dimension) {
  return measured(static_cast<double>(n.high.x) - n.low.x, static_cast<double>(n.high.y) - n.low.y,
                  static_cast<double>(n.high.z) - n.low.z, dimension);
}

struct TreeSumsOf {
  TreesView trees;
  std::int32_t firstNode;

  HOST_DEVICE double sharedVolume(const TreeNode& a, const TreeNode& b) const {
    const auto along = [](float al, float ah, float bl, float bh) {
      return static_cast<double>(ah < bh ? ah : bh) - static_cast<double>(al > bl ? al : bl);
    };
    return measured(along(a.low.x, a.high.x, b.low.x, b.high.x),
                    along(a.low.y, a.high.y, b.low.y, b.high.y),
                    along(a.low.z, a.high.z, b.low.z, b.high.z), trees.dimension)
        .volume;
  }
  HOST_DEVICE TreeSums operator()(std::size_t i) const {
    const std::int32_t at = firstNode + static_cast<std::int32_t>(i);
    const TreeNode n = trees.node[at];
    const BoxMeasure m = measured(n, trees.dimension);
    TreeSums s;
    s.nodes = 1;
    s.deepest = depthOf(trees.parent, at);
    if (n.isLeaf()) {
      s.leaves = 1;
      s.leafDepth = s.deepest;
      s.particles = leafRange(n.high.link).count;
      s.leafSurface = m.surface * static_cast<double>(s.particles);
      return s;
    }
    s.innerSurface = m.surface;
    if (m.volume > 0) {
      const TreeNode left = trees.node[n.leftChild()];
      s.overlap = sharedVolume(left, trees.node[left.rope()]) / m.volume;
      s.parents = 1;
    }
    return s;
  }
};

struct TreeStatistics {
  std::int64_t nodes = 0, leaves = 0;
  std::int32_t depth = 0;  // of the deepest leaf
  double meanDepth = 0;    // of the leaves
  double meanOverlap = 0;  // volume that two siblings share over that of their parent
  // Nodes and particles that a query by a ray or a point meets: sum over internal nodes of their
  // surface plus that over leaves of surface times particles, over the surface of the root.
  double surfaceCost = 0;
};

// Of one tree; waits.
template <class Exec>
TreeStatistics treeStatistics(Exec& exec, const TreesView& trees, const TreePart& part) {
  if (part.leaves == 0) return {};
  exec::DeviceValue<TreeSums> sums(Exec::backend);
  exec.reduce("tree statistics", static_cast<std::size_t>(part.nodes()), TreeSums{},
              TreeSumsOf{trees, part.root()}, AddTreeSums{}, sums);
  const TreeSums s = exec.read(sums);
  const TreeNode root = exec::onHost(Exec::backend, trees.node + part.root(), 1)[0];
  const double surface = measured(root, trees.dimension).surface;
  const auto over = [](double a, double b) { return b > 0 ? a / b : 0.0; };
  return {s.nodes,
          s.leaves,
          s.deepest,
          over(static_cast<double>(s.leafDepth), static_cast<double>(s.leaves)),
          over(s.overlap, static_cast<double>(s.parents)),
          over(s.innerSurface + s.leafSurface, surface)};
}

// Parts of a build: codes along the Z-order curve; the particles in their order; who is whose
// child; boxes of the leaves, then level by level of the inner nodes up to the root, whose box
// comes with the ropes; the walks of all queries.
enum class TreeBuildPart { codes, sort, hierarchy, boxes, search };
inline constexpr int kTreeParts = 5;

class BuiltTrees {
 public:
  virtual ~BuiltTrees() = default;
  // The trees of the last build, in the memory of the backend.
  virtual TreesView view() const = 0;
  // Whether the last lists came from boxes of 32 children (TreesView::tile) instead: then these
  // trees are made, over the same order, for whoever asks for them.
  virtual bool searchedByTiles() const = 0;
  virtual const TreeLayout& layout() const = 0;
  // While a build is under way in parts: inner nodes of less depth have no boxes yet. 0: all have.
  virtual std::int32_t grownTo() const = 0;
  virtual std::int32_t deepest() const = 0;  // leaf, of the last build in parts
  virtual std::int32_t depth() = 0;          // of the deepest leaf of the trees as they are; waits
  // Records the query that the last build made for a slot (RecordQuery, sim/algo/lbvh/query.h).
  // Does not wait.
  virtual void walk(std::uint32_t slot, const RecordWriter& writer) = 0;
  virtual std::vector<TreeStatistics> statistics() = 0;  // of each type; waits
};

}  // namespace cellscope
