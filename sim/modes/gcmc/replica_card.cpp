#include "sim/modes/gcmc/replica_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/digits.h"
#include "sim/layers/layers.h"

namespace cellscope::gcmc {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

void addReplica(Rows& rows, std::size_t k, const ReplicaRun& replicas, const GcmcParameters& p) {
  const GcmcParameters own = parametersOf(p, k);
  const std::uint32_t n = replicas.chain(k).count();
  rows.push_back({"replica", fmt::format("{} of {}", k + 1, replicas.size())});
  if (kindOf(p) == ReplicaKind::window) {
    const ReplicaWindow w = windowOf(p, k);
    rows.push_back({"window of N", fmt::format("{} to {}", w.least, w.most)});
  } else {
    rows.push_back({"chemical potential", fmt::format("{:.6g} epsilon", own.mu)});
  }
  rows.push_back({"temperature", fmt::format("{:.4g} epsilon/k_B", own.temperature)});
  if (kindOf(p) == ReplicaKind::seed) rows.push_back({"seed", fmt::format("{}", own.seed)});
  rows.push_back({"N", fmt::format("{}", n)});
  rows.push_back({"density now", fmt::format("{} sigma^-{}", significant(n / p.box().volume(), 3),
                                             p.dimensions())});
  if (const auto mean = replicas.meanDensity(p, k))
    rows.push_back({mean->settled || kindOf(p) == ReplicaKind::window
                        ? "mean density"
                        : "mean density, equilibrating",
                    textWithError(mean->value, mean->error)});
}

}  // namespace

std::string labelOfReplica(const GcmcParameters& p, std::size_t k, std::uint32_t n, bool longer) {
  std::string name;
  switch (kindOf(p)) {
    case ReplicaKind::potential:
      name = fmt::format("{}{:.2f}", longer ? "mu " : "", placeOf(p, k));
      break;
    case ReplicaKind::temperature:
      name = fmt::format("{}{:.2f}", longer ? "T " : "", placeOf(p, k));
      break;
    case ReplicaKind::seed:
      name = fmt::format("{}{}", longer ? "seed " : "", parametersOf(p, k).seed);
      break;
    case ReplicaKind::window:
      return longer ? fmt::format("{}..{}  N {}", windowOf(p, k).least, windowOf(p, k).most, n)
                    : fmt::format("N {}", n);
  }
  return longer ? fmt::format("{}  N {}", name, n) : name;
}

std::vector<PointInstance> cardOfReplica(PickedParticle& card, const ReplicaPick& pick,
                                         const ReplicaRun& replicas, const GcmcParameters& p,
                                         Vec3d corner) {
  card.id = pick.id();
  const Box box = p.box();
  Vec3d at{corner.x + 0.5 * box.length[0], corner.y + 0.5 * box.length[1],
           box.dimension == 3 ? corner.z + 0.5 * box.length[2] : 0};
  const auto place = [&] {
    card.position[0] = static_cast<float>(at.x), card.position[1] = static_cast<float>(at.y);
    card.position[2] = static_cast<float>(at.z);
  };
  place();
  card.rows = {{"", fmt::format("Replica {}", pick.replica + 1)}};
  addReplica(card.rows, pick.replica, replicas, p);
  if (pick.own < 0) return {};
  const GcmcState s = replicas.chain(pick.replica).state();
  const auto found = std::find(s.id.begin(), s.id.end(), pick.own);
  if (found == s.id.end()) {
    card.rows.push_back({"picked particle", fmt::format("{}, deleted since", pick.own)});
    return {};
  }
  const auto slot = static_cast<std::size_t>(found - s.id.begin());
  const Vec3d r = gcmcPosition(s.box, s.point[slot]);
  at = {corner.x + r.x, corner.y + r.y, corner.z + r.z};
  place();
  card.rows.front().second = fmt::format("Particle {} of replica {}", pick.own, pick.replica + 1);
  card.rows.push_back({"position", placeText(r, s.box.dimension) + " sigma"});
  card.rows.push_back({"slot", fmt::format("{} of {}", slot, s.point.size())});
  card.rows.push_back({"came", pick.own >= s.idBase
                                   ? fmt::format("inserted by move {}", pick.own - s.idBase)
                                   : "there from the start"});
  return {{card.position[0], card.position[1], card.position[2], 1,
           static_cast<float>(layers::TestedPart::picked), 0, 0}};
}

}  // namespace cellscope::gcmc
