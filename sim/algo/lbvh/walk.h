// The walk of one query through the trees as it really went: a second instance of the query with a
// watch that records.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "sim/algo/lbvh/query.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/base/host_device.h"

namespace cellscope {

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
