// Layers of the bounding volume hierarchies of a neighbour-list builder: their boxes and ropes as
// they lie in its memory.
#pragma once
#include "sim/algo/lbvh/built_trees.h"
#include "sim/algo/lbvh/tree.h"
#include "sim/layers/particles.h"

namespace cellscope::layers {

inline constexpr int kDeepestLevel = 40;

// Nodes of some depths (the root has 0) and of some trees, those of the types of particles.
struct TreeSelection {
  TreesView trees;
  std::int32_t lowest = 0, highest = 32767;
  std::uint32_t types = ~0u;
  std::int32_t grownTo = 0;  // inner nodes of less depth have no boxes yet

  HOST_DEVICE std::uint32_t typeOf(std::int32_t node) const {
    std::uint32_t t = 0;
    while (node >= trees.part[t].firstNode + trees.part[t].nodes()) ++t;
    return t;
  }
  HOST_DEVICE std::int32_t depth(std::size_t node) const {
    return depthOf(trees.parent, static_cast<std::int32_t>(node));
  }
  HOST_DEVICE bool shows(std::size_t node) const {
    const std::uint32_t t = typeOf(static_cast<std::int32_t>(node));
    if (t < 32 && (types & (1u << t)) == 0) return false;
    const std::int32_t d = depth(node);
    if (d < grownTo && !isLeaf(node, t)) return false;
    return d >= lowest && d <= highest;
  }
  HOST_DEVICE bool isLeaf(std::size_t node, std::uint32_t type) const {
    const TreePart& tree = trees.part[type];
    return static_cast<std::int32_t>(node) >= tree.leafNode(0);
  }
  // Whether boxes of its children are shown as well.
  HOST_DEVICE bool holds(std::size_t node) const {
    return !isLeaf(node, typeOf(static_cast<std::int32_t>(node))) && depth(node) < highest;
  }
  bool leavesOut() const { return lowest > 0 || highest < 32767 || types != ~0u || grownTo > 0; }
};

// What kernels over the nodes of trees have in common: an instance for each node that is shown.
struct PackNodes {
  static constexpr int kGrain = 2048;

  TreeSelection of;

  std::size_t items() const { return static_cast<std::size_t>(of.trees.nodes); }
  bool leavesOut() const { return true; }
  HOST_DEVICE std::int32_t depth(std::size_t node) const { return of.depth(node); }
  HOST_DEVICE std::uint16_t type(std::size_t node) const {
    return static_cast<std::uint16_t>(of.typeOf(static_cast<std::int32_t>(node)));
  }
};

// Value and level: the depth.
struct PackTreeBoxes : PackNodes {
  static constexpr const char* kName = "pack tree boxes";

  bool leavesOut() const { return of.leavesOut(); }
  HOST_DEVICE bool shows(std::size_t node) const { return of.shows(node); }
  HOST_DEVICE BoxInstance instance(std::size_t node) const {
    const TreeNode n = of.trees.node[node];
    const std::int32_t d = depth(node);
    return {{n.low.x, n.low.y, n.low.z},
            {n.high.x, n.high.y, n.high.z},
            static_cast<float>(d),
            static_cast<std::int16_t>(d),
            static_cast<std::uint16_t>(type(node) | (of.holds(node) ? kHoldsBoxes : 0))};
  }
};

// The boxes of the tree of fixed shape that the fast search of a GPU goes through: around 32768
// particles (depth 0), 1024 and 32. Value and level: the depth.
struct PackTileBoxes {
  static constexpr const char* kName = "pack boxes of 32 children";
  static constexpr int kGrain = 2048;
  static constexpr std::int32_t kDepth = kTileLevels - 1;  // of the smallest

  TreeSelection of;

  struct Place {
    std::uint32_t type;
    std::int32_t depth;
  };
  std::size_t items() const { return of.trees.tiles; }
  bool leavesOut() const { return of.leavesOut(); }
  HOST_DEVICE Place place(std::size_t tile) const {
    const auto number = static_cast<std::uint32_t>(tile);
    for (std::uint32_t t = 0;; ++t)
      for (int level = 0; level < kTileLevels; ++level) {
        const TreePart& tree = of.trees.part[t];
        if (number - tree.firstTile[level] < tree.tiles[level]) return {t, kDepth - level};
      }
  }
  HOST_DEVICE bool shows(std::size_t tile) const {
    const Place at = place(tile);
    return (of.types >> at.type & 1u) != 0 && at.depth >= of.lowest && at.depth <= of.highest;
  }
  HOST_DEVICE BoxInstance instance(std::size_t tile) const {
    const TileBounds& b = of.trees.tile[tile];
    const Place at = place(tile);
    const bool holds = at.depth < kDepth && at.depth < of.highest;
    return {{b.low[0], b.low[1], b.low[2]},
            {b.high[0], b.high[1], b.high[2]},
            static_cast<float>(at.depth),
            static_cast<std::int16_t>(at.depth),
            static_cast<std::uint16_t>(at.type | (holds ? kHoldsBoxes : 0u))};
  }
};

// Values of ropes.
enum class RopeKind { sibling, further };

// An arrow from the middle of each node to that of the node where a walk goes on when this one is
// not overlapped, or a leaf; none where the walk ends there. Level: depth of the node.
struct PackTreeRopes : PackNodes {
  static constexpr const char* kName = "pack tree ropes";

  HOST_DEVICE bool shows(std::size_t node) const {
    return of.trees.node[node].rope() != kNoNode && of.shows(node);
  }
  HOST_DEVICE LineInstance instance(std::size_t node) const {
    const TreeNode n = of.trees.node[node], to = of.trees.node[n.rope()];
    const bool sibling = of.trees.parent[node] == of.trees.parent[n.rope()];
    return {{0.5f * (n.low.x + n.high.x), 0.5f * (n.low.y + n.high.y), 0.5f * (n.low.z + n.high.z)},
            {0.5f * (to.low.x + to.high.x), 0.5f * (to.low.y + to.high.y),
             0.5f * (to.low.z + to.high.z)},
            static_cast<float>(sibling ? RopeKind::sibling : RopeKind::further),
            static_cast<std::int16_t>(depth(node)),
            type(node)};
  }
};

// From each node to its parent, before there are boxes: an inner node lies at one end of the leaves
// that it covers, at the leaf of its own number (Karras 2012). Value and level: the depth.
struct PackHierarchy : PackNodes {
  static constexpr const char* kName = "pack the hierarchy";

  HOST_DEVICE bool shows(std::size_t node) const {
    return of.trees.parent[node] != kNoNode && of.shows(node);
  }
  HOST_DEVICE const TreeParticle& at(std::int32_t node, std::uint32_t t) const {
    const TreePart& tree = of.trees.part[t];
    const std::int32_t inner = static_cast<std::int32_t>(tree.leaves) - 1;
    const std::int32_t number = node - tree.firstNode;
    const auto leaf = static_cast<std::uint32_t>(number < inner ? number : number - inner);
    return of.trees.particle[tree.particlesOf(leaf, of.trees.perLeaf).first];
  }
  HOST_DEVICE LineInstance instance(std::size_t node) const {
    const std::uint16_t t = type(node);
    const TreeParticle& a = at(static_cast<std::int32_t>(node), t);
    const TreeParticle& b = at(of.trees.parent[node], t);
    const std::int32_t d = depth(node);
    return {
        {a.x, a.y, a.z}, {b.x, b.y, b.z}, static_cast<float>(d), static_cast<std::int16_t>(d), t};
  }
};

inline LayerOption depthOption() {
  return levelsOption("Depth",
                      "Nodes of these depths are shown. The root has depth 0; leaves hold as many "
                      "particles as asked for (particles_per_leaf), four by default. The slider "
                      "ends at the deepest leaf that there is.",
                      0, kDeepestLevel, {}, 4);
}

// From the least to the largest of the depths that are shown.
inline ColourScale depthScale(const char* title, std::int32_t depth, const TreeSelection& shown) {
  const std::int32_t last = std::max(1, std::min(depth, shown.highest));
  const std::int32_t first = std::clamp(shown.lowest, 0, last - 1);
  return counting(title, "", static_cast<float>(first), static_cast<float>(last));
}
inline ColourScale depthScale(const Structures& from, const TreeSelection& shown) {
  return depthScale(
      from.trees->byTiles ? "depth in the tree of search = paper" : "depth in the tree",
      from.trees->depth, shown);
}

// As the look of the layer asks.
inline TreeSelection selected(const Structures& from, const std::string& layer) {
  TreeSelection s{from.trees->view};
  s.grownTo = from.trees->grownTo;
  const auto look = from.looks.find(layer);
  if (look == from.looks.end()) return s;
  s.lowest = look->second.lowest, s.highest = look->second.highest, s.types = look->second.types;
  return s;
}

inline constexpr const char* kNoBoxes =
    "the hierarchy is made, its boxes come in the next phases (layer Hierarchy)";

// A layer of the nodes of trees.
class TreeLayer : public Layer {
 protected:
  TreeLayer(const char* key, const char* label, const char* help, Primitive primitive)
      : Layer(key, label, help, primitive, false, LayerGroup::trees, bit(Need::trees),
              {opacityOption(), depthOption(),
               LayerOption{.kind = LayerOption::Kind::types,
                           .label = "Trees",
                           .help = "Trees of these species are shown: there is one for each.",
                           .names = {"first", "second"}}}) {}
  // depth: of the trees; none: the reason shown if the kernel keeps no node.
  void pack(const auto& kernel, ColourScale scale, std::int32_t depth, const std::string& none,
            Canvas& to) const {
    LayerData layer = packedLayer(info(), to.packer->pack(kernel), std::move(scale));
    layer.lastLevel = depth;
    if (layer.count == 0) layer.reason = none;
    to.add(std::move(layer));
  }
};

struct TreeBoxesLayer final : TreeLayer {
  TreeBoxesLayer()
      : TreeLayer(kTree, "Tree boxes",
                  "The bounding boxes of the hierarchy from which the neighbour lists were built "
                  "last. Howard et al. 2016, section 3.2: around the centres of up to four "
                  "particles (particles_per_leaf) at the leaves, and of all particles at the root. "
                  "With the fast search of a GPU: around 32, 1024 and 32768 particles that follow "
                  "each other along the Z-order curve, without a root. Coloured by depth. "
                  "Right-click: which depths are shown.",
                  Primitive::boxes) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.trees) return to.add(nothing(info(), from.noTrees));
    if (!from.trees->boxes) return to.add(nothing(info(), kNoBoxes));
    const TreeSelection of = selected(from, info().key);
    if (from.trees->byTiles)
      return pack(
          PackTileBoxes{of},
          depthScale("depth: boxes of 32768, 1024, 32 particles", PackTileBoxes::kDepth, of),
          PackTileBoxes::kDepth, "boxes have depths 0 to 2", to);
    pack(PackTreeBoxes{{of}}, depthScale(from, of), from.trees->depth,
         "the tree has " + std::to_string(from.trees->depth) + " levels below the root", to);
  }
};

struct HierarchyLayer final : TreeLayer {
  HierarchyLayer()
      : TreeLayer(
            kHierarchy, "Hierarchy",
            "Parent links: from each node of the tree to its parent, coloured by depth. There are "
            "no boxes yet when the hierarchy is made; an inner node is drawn at the leaf of its "
            "own number, which is one end of the leaves that it covers (Karras 2012; Howard et al. "
            "2016, Algorithm 3, line 10). With the fast search of a GPU lists come from other "
            "boxes (layer Tree boxes), and this tree is made to be seen. Right-click: which depths "
            "are shown; move the upper end to see the tree grow.",
            Primitive::lines) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.trees) return to.add(nothing(info(), from.noTrees));
    TreeSelection of = selected(from, info().key);
    of.grownTo = 0;  // all of it is there before the first box
    pack(PackHierarchy{{of}}, depthScale(from, of), from.trees->depth,
         "no node of these depths has a parent", to);
  }
};

struct TreeRopesLayer final : TreeLayer {
  TreeRopesLayer()
      : TreeLayer(kRopes, "Ropes",
                  "From each node of the hierarchy to the node where a walk goes on when this one "
                  "is not overlapped, or is a leaf: that is all a walk needs to know (Howard et "
                  "al. 2016, section 3.3, figure 5). Without an arrow: the walk ends there. The "
                  "fast search of a GPU needs no ropes: there they are made to be seen. "
                  "Right-click: the depths of the nodes at which arrows begin.",
                  Primitive::lines) {}
  void draw(const Structures& from, Canvas& to) const override {
    if (!from.trees) return to.add(nothing(info(), from.noTrees));
    if (!from.trees->boxes) return to.add(nothing(info(), kNoBoxes));
    if (from.trees->grownTo > 0)
      return to.add(nothing(info(), "the ropes come with the box of the root"));
    pack(PackTreeRopes{{selected(from, info().key)}},
         categories(from.trees->byTiles ? "ropes of search = paper" : "ropes",
                    {"to the sibling", "further, to the next branch"}, {Mark::arrow, Mark::arrow}),
         from.trees->depth, "no rope begins at these depths", to);
  }
};

}  // namespace cellscope::layers
