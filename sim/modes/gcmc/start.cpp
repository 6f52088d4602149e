#include "sim/modes/gcmc/start.h"

#include "sim/api/configuration.h"

namespace cellscope::gcmc {

GcmcState latticeState(const Box& box, std::size_t n) {
  GcmcState s;
  s.box = box;
  const bool space = box.dimension == 3;
  std::size_t side = 1;
  const auto sites = [&] { return side * side * (space ? side : 1); };
  while (sites() < n) ++side;
  const auto along = [&](std::size_t index, int axis) {
    return (static_cast<double>(index) + 0.5) * box.length[axis] / static_cast<double>(side);
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t site = i * sites() / n;
    s.point.push_back(gcmcPointAt(box, {along(site % side, 0), along(site / side % side, 1),
                                        space ? along(site / side / side, 2) : 0.0}));
  }
  s.id = firstIds(n);
  s.idBase = static_cast<ParticleId>(n);
  return s;
}

}  // namespace cellscope::gcmc
