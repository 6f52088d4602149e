// Neighbours of one particle from the trees of all types (S1, Algorithm 2).
#pragma once
#include <cmath>

#include "sim/algo/lbvh/tree.h"
#include "sim/algo/neighbours/particle_record.h"
#include "sim/algo/recorder/recorder.h"

namespace cellscope {

// An axis-aligned box, both ends included.
struct QueryBox {
  Vec3 low, high;

  HOST_DEVICE bool overlaps(const TreeNode& n) const {
    return n.low.x <= high.x && n.high.x >= low.x && n.low.y <= high.y && n.high.y >= low.y &&
           n.low.z <= high.z && n.high.z >= low.z;
  }
};

// Visits the nodes of one tree that the box overlaps, along the ropes (S1, section 3.3), beginning
// at `root` (kNoNode: no tree). leaf(range of sorted particles); watch.node(node, overlapped).
HOST_DEVICE void walkTree(const TreeNode* nodes, std::int32_t root, const QueryBox& box,
                          const auto& leaf, auto& watch) {
  for (std::int32_t at = root; at != kNoNode;) {
    const TreeNode n = nodes[at];
    const bool overlapped = box.overlaps(n);
    watch.node(at, overlapped);
    if (overlapped && !n.isLeaf()) {
      at = n.leftChild();
      continue;
    }
    if (overlapped) leaf(leafRange(n.high.link));
    at = n.rope();
  }
}

// A translation of the query by whole boxes along each axis.
struct TreeImage {
  std::int32_t x, y, z;  // -1, 0 or 1
};
// 0 to 26; 13 is the box itself.
HOST_DEVICE std::int32_t imageNumber(TreeImage v) {
  return (v.z + 1) * 9 + (v.y + 1) * 3 + v.x + 1;
}

// Translations along an axis for which a query reaches into the box.
struct ImageSpan {
  std::int32_t first, last;
  HOST_DEVICE bool holds(std::int32_t v) const { return first <= v && v <= last; }
};
HOST_DEVICE ImageSpan imageSpan(float centre, float reach, float length) {
  return {centre + reach >= length ? -1 : 0, centre - reach <= 0 ? 1 : 0};
}

// Does nothing: the watch of the fast kernels.
struct NoWatch {
  HOST_DEVICE void tree(std::uint32_t, ImageSpan, ImageSpan, ImageSpan) {}
  HOST_DEVICE void image(std::uint32_t, TreeImage, const QueryBox&) {}
  HOST_DEVICE void node(std::int32_t, bool) {}
  HOST_DEVICE void check(std::uint32_t, float, bool) {}
};

// Adds up distance checks.
struct CountChecks : NoWatch {
  std::uint32_t checks = 0;
  HOST_DEVICE void check(std::uint32_t, float, bool) { ++checks; }
};

// Leaves are found, and their particles left alone.
struct WalkOnly : NoWatch {
  ReadOnly read;
  // Times an odd number: of the range itself a compiler knows that its bits are not all ones.
  HOST_DEVICE void leaf(LeafRange range) { read.take((range.first + range.count) * 2654435761u); }
};

// The trees with what a query needs to know.
struct TreeQueries {
  TreesView trees;
  PairTable table;
  RecordBox box;

  // add(slot) for every particle within the reach of `mine` (in `slot`) but itself; nearest images
  // only, each once.
  template <class Add, class Watch>
  HOST_DEVICE void visit(const ParticleRecord& mine, std::uint32_t slot, const Add& add,
                         Watch& watch) const {
    for (std::uint32_t t = 0; t < trees.types; ++t) {
      const float reach = table.reach(mine.type, t);
      if (trees.part[t].leaves > 0 && reach > 0) visitTree(mine, slot, t, reach, add, watch);
    }
  }

  // Whether two images of one particle may be within reach of another.
  bool imagesMeet() const { return reachesTwice(widened(table.longest())); }

  // Where the boxes are a little larger than the sphere: rounding must not lose a pair.
  HOST_DEVICE float widened(float reach) const {
    const float xy = box.length[0] > box.length[1] ? box.length[0] : box.length[1];
    return reach + 1e-6f * (reach + (xy > box.length[2] ? xy : box.length[2]));
  }

 private:
  // Whether two images of one particle may be within reach: only then images are compared.
  HOST_DEVICE bool reachesTwice(float wide) const {
    return 2 * wide >= box.length[0] || 2 * wide >= box.length[1] ||
           (box.dimension == 3 && 2 * wide >= box.length[2]);
  }

  HOST_DEVICE void visitTree(const ParticleRecord& mine, std::uint32_t slot, std::uint32_t t,
                             float reach, const auto& add, auto& watch) const {
    const float wide = widened(reach);
    const ImageSpan x = imageSpan(mine.x, wide, box.length[0]),
                    y = imageSpan(mine.y, wide, box.length[1]),
                    z = box.dimension == 3 ? imageSpan(mine.z, wide, box.length[2])
                                           : ImageSpan{0, 0};
    watch.tree(t, x, y, z);
    for (std::int32_t vz = z.first; vz <= z.last; ++vz)
      for (std::int32_t vy = y.first; vy <= y.last; ++vy)
        for (std::int32_t vx = x.first; vx <= x.last; ++vx)
          visitImage(mine, slot, t, {vx, vy, vz}, wide, add, watch);
  }

  HOST_DEVICE void visitImage(const ParticleRecord& mine, std::uint32_t slot, std::uint32_t t,
                              TreeImage v, float wide, const auto& add, auto& watch) const {
    const Vec3 shift{static_cast<float>(v.x) * box.length[0],
                     static_cast<float>(v.y) * box.length[1],
                     static_cast<float>(v.z) * box.length[2]};
    const Vec3 centre{mine.x + shift.x, mine.y + shift.y, mine.z + shift.z};
    const QueryBox query{{centre.x - wide, centre.y - wide, centre.z - wide},
                         {centre.x + wide, centre.y + wide, centre.z + wide}};
    const float most = table.reachSquared(mine.type, t);
    const bool twice = reachesTwice(wide);
    const auto leaf = [&](LeafRange range) {
      if constexpr (requires { watch.leaf(range); }) {
        watch.leaf(range);
      } else {
        for (std::uint32_t k = range.first; k < range.first + range.count; ++k) {
          const TreeParticle other = trees.particle[k];
          if (other.slot == slot) continue;
          const float dx = mine.x - other.x + shift.x, dy = mine.y - other.y + shift.y;
          const float dz = mine.z - other.z + shift.z;
          const float d2 = dx * dx + dy * dy + dz * dz;
          const bool near = d2 <= most && (!twice || nearest(mine, other, v));
          watch.check(other.slot, d2, near);
          if (near) add(other.slot);
        }
      }
    };
    watch.image(t, v, query);
    walkTree(trees.node, trees.part[t].root(), query, leaf, watch);
  }

  // Whether v is the translation of the nearest image, as RecordBox::difference() takes it.
  HOST_DEVICE bool nearest(const ParticleRecord& a, const TreeParticle& b, TreeImage v) const {
    return nearestAlong(a.x - b.x, box.length[0]) == v.x &&
           nearestAlong(a.y - b.y, box.length[1]) == v.y &&
           (box.dimension == 2 || nearestAlong(a.z - b.z, box.length[2]) == v.z);
  }
  HOST_DEVICE static std::int32_t nearestAlong(float d, float length) {
    const float half = 0.5f * length;
    return d > half ? -1 : (d < -half ? 1 : 0);
  }
};

// The walk of one query through the trees as it really went: a second instance of the query with a
// watch that records.
//
// Phases of the records. stage: the type of the tree; group: imageNumber(); order: from 0 in each
// image. Images come with the first record of their group.
//   image  subject: the slot that asks. outcome: 1 when it was walked, 0 when the query does not
//          reach into the box from there. number: low x, y, z, high x, y, z of the translated query
//          (of a walked one).
//   node   subject: the node. outcome: TreeNodeOutcome. number: low x, y, z, high x, y, z.
//   check  subject: the slot that asks, object: the slot checked. outcome: 1 for a neighbour.
//          number: distance.
enum class TreeRecord : std::uint16_t { image, node, check };
enum class TreeNodeOutcome : std::uint16_t { pruned, opened, leaf };

class WalkWatch {
 public:
  HOST_DEVICE WalkWatch(const TreesView& trees, RecordWriter writer, std::uint32_t slot)
      : trees_(trees), writer_(writer), slot_(slot) {}

  HOST_DEVICE void tree(std::uint32_t type, ImageSpan x, ImageSpan y, ImageSpan z) {
    type_ = type;
    const std::int32_t deep = trees_.dimension == 3 ? 1 : 0;
    for (std::int32_t vz = -deep; vz <= deep; ++vz)
      for (std::int32_t vy = -1; vy <= 1; ++vy)
        for (std::int32_t vx = -1; vx <= 1; ++vx)
          if (!x.holds(vx) || !y.holds(vy) || !z.holds(vz)) begin({vx, vy, vz}, 0, {});
  }
  HOST_DEVICE void image(std::uint32_t, TreeImage v, const QueryBox& box) { begin(v, 1, box); }
  HOST_DEVICE void node(std::int32_t number, bool overlapped) {
    const TreeNode n = trees_.node[number];
    Record r = next(TreeRecord::node);
    r.subject = static_cast<std::uint64_t>(number);
    r.outcome = static_cast<std::uint16_t>(!overlapped  ? TreeNodeOutcome::pruned
                                           : n.isLeaf() ? TreeNodeOutcome::leaf
                                                        : TreeNodeOutcome::opened);
    setBox(r, {{n.low.x, n.low.y, n.low.z}, {n.high.x, n.high.y, n.high.z}});
    writer_.write(r);
  }
  HOST_DEVICE void check(std::uint32_t other, float distanceSquared, bool near) {
    Record r = next(TreeRecord::check);
    r.subject = slot_;
    r.object = other;
    r.outcome = near ? 1 : 0;
    r.number[0] = sqrtf(distanceSquared);
    writer_.write(r);
  }

 private:
  HOST_DEVICE Record next(TreeRecord phase) {
    return {.stage = type_,
            .group = static_cast<std::uint32_t>(image_),
            .order = order_++,
            .phase = static_cast<std::uint16_t>(phase)};
  }
  HOST_DEVICE void begin(TreeImage v, std::uint16_t walked, const QueryBox& box) {
    image_ = imageNumber(v);
    order_ = 0;
    Record r = next(TreeRecord::image);
    r.subject = slot_;
    r.outcome = walked;
    setBox(r, box);
    writer_.write(r);
  }
  HOST_DEVICE static void setBox(Record& r, const QueryBox& b) {
    r.number[0] = b.low.x, r.number[1] = b.low.y, r.number[2] = b.low.z;
    r.number[3] = b.high.x, r.number[4] = b.high.y, r.number[5] = b.high.z;
  }

  TreesView trees_;
  RecordWriter writer_;
  std::uint32_t slot_, type_ = 0, order_ = 0;
  std::int32_t image_ = 0;
};

// The query of one slot, as ListFromTrees made it; called for all sorted particles.
struct RecordQuery {
  TreeQueries queries;
  std::uint32_t slot;
  RecordWriter writer;

  HOST_DEVICE void operator()(std::size_t i) const {
    const TreeParticle p = queries.trees.particle[i];
    if (p.slot != slot) return;
    const std::uint32_t type = typeOfSorted(queries.trees.part, static_cast<std::uint32_t>(i));
    WalkWatch watch(queries.trees, writer, slot);
    queries.visit(
        {p.x, p.y, p.z, type}, slot, [](std::uint32_t) {}, watch);
  }
};

}  // namespace cellscope
