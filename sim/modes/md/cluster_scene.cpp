// The cluster of the picked particle, and the list that its particles share.
#include <fmt/format.h>

#include <algorithm>

#include "sim/modes/md/list_scene.h"

namespace cellscope::md {
namespace {

// Of how many particles of the cluster a particle is within the cutoff now. slot: its own; a
// particle is no partner of itself.
std::uint32_t membersWithin(const PickedSlot& picked, const ListsLent& lent,
                            const ParticleRecord& q, std::uint32_t slot) {
  const RecordBox box(lent.input.box);
  std::uint32_t within = 0, member = picked.firstOfCluster;
  for (const ParticleRecord& p : picked.cluster)
    within +=
        member++ != slot && box.distanceSquared(p, q) < lent.cutoffs.reachSquared(p.type, q.type)
            ? 1
            : 0;
  return within;
}

// Around the centres, as images next to the picked particle.
BoxInstance boxOf(const PickedSlot& picked, const ListsLent& lent) {
  const RecordBox box(lent.input.box);
  const auto part = static_cast<float>(layers::ClusterPart::own);
  const ParticleRecord& own = picked.now;
  BoxInstance b{{own.x, own.y, own.z}, {own.x, own.y, own.z}, part, 0, 0};
  for (const ParticleRecord& p : picked.cluster) {
    const float d[3] = {box.difference(p.x, own.x, 0), box.difference(p.y, own.y, 1),
                        box.dimension == 3 ? box.difference(p.z, own.z, 2) : 0.0f};
    const float from[3] = {own.x, own.y, own.z};
    for (int a = 0; a < 3; ++a) {
      b.lo[a] = std::min(b.lo[a], from[a] + d[a]);
      b.hi[a] = std::max(b.hi[a], from[a] + d[a]);
    }
  }
  return b;
}

}  // namespace

layers::PickedCluster pickedCluster(const PickedSlot* picked, const ListsLent& lent,
                                    const SpeciesTable& species) {
  layers::PickedCluster c;
  c.size = lent.input.cluster;
  if (!picked) {
    c.reason = "no particle is picked: click one";
    return c;
  }
  c.boxes = {boxOf(*picked, lent)};
  for (std::size_t k = 0; k < picked->neighbours.size(); ++k) {
    const ParticleRecord& q = picked->at[k];
    const std::uint32_t within = membersWithin(*picked, lent, q, picked->neighbours[k]);
    const auto diameter = static_cast<float>(species.diameter(static_cast<int>(q.type)));
    c.partners.push_back({q.x, q.y, q.z, diameter, static_cast<float>(within), 0,
                          static_cast<std::uint16_t>(q.type)});
  }
  return c;
}

CardRows clusterRows(const PickedSlot& picked, const ListsLent& lent) {
  if (lent.input.cluster <= 1) return {};
  const std::size_t size = picked.cluster.size();
  CardRows rows{{"cluster", fmt::format("slots {} to {}", picked.firstOfCluster,
                                        picked.firstOfCluster + size - 1)}};
  if (lent.partsDone >= 0) return rows;
  // The particle itself stands in the list that it shares.
  const std::size_t listed = picked.neighbours.size() + 1, computed = listed * size;
  std::size_t within = membersWithin(picked, lent, picked.now, picked.slot);
  for (std::size_t k = 0; k < picked.neighbours.size(); ++k)
    within += membersWithin(picked, lent, picked.at[k], picked.neighbours[k]);
  rows.push_back({"list of the cluster", fmt::format("{} particles", listed)});
  rows.push_back({"pairs of the cluster",
                  fmt::format("{} computed, {} within the cutoff ({:.0f} %)", computed, within,
                              100.0 * static_cast<double>(within) /
                                  static_cast<double>(std::max<std::size_t>(computed, 1)))});
  return rows;
}

}  // namespace cellscope::md
