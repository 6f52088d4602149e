// Distance checks of the same query under all methods.
#include <numeric>

#include "sim/algo/neighbours/built_list.h"
#include "sim/algo/neighbours/methods.h"
#include "sim/modes/md/list_scene.h"

namespace cellscope::md {

void ListScene::countChecks(const ListsLent& lent, const ListHistory& history,
                            const PickedSlot& picked, std::uint32_t number, bool anew) {
  const std::size_t n = lent.input.n;
  if (checked_.number == number && (checked_.builds == history.builds || !anew)) return;
  checked_ = {};
  if (n > kMostCounted) return;
  std::vector<ParticleRecord> particles(n);
  exec::copy(Backend::cpu, particles.data(), exec_->where(), lent.input.particles,
             n * sizeof(ParticleRecord));
  checked_.method.push_back("all pairs");
  checked_.ofPicked.push_back(static_cast<double>(n - 1));
  checked_.mean.push_back(static_cast<double>(n - 1));
  for (const ListMethod& m : listMethods()) {
    const BuiltList built = buildList(exec_, m, particles, lent.input.box, lent.input.table);
    checked_.method.emplace_back(m.label);
    checked_.ofPicked.push_back(built.checks[picked.slot]);
    checked_.mean.push_back(std::accumulate(built.checks.begin(), built.checks.end(), 0.0) /
                            static_cast<double>(n));
  }
  checked_.listed = static_cast<double>(picked.neighbours.size());
  checked_.builds = history.builds, checked_.number = number;
}

std::optional<Curve> ListScene::checksChart() const {
  if (checked_.method.empty()) return {};
  Curve c;
  c.id = "checks";
  c.label = "Distance checks by method";
  c.x.label = "method";
  c.x.scale = AxisScale::named;
  c.x.names = checked_.method;
  c.y.label = "distances checked for one list";
  c.y.scale = AxisScale::logarithmic;
  c.equation =
      "counted by the kernels themselves, at the positions of the last list build (Howard et al. "
      "2016, section 2)";
  CurveSeries picked{"picked particle", "", {}, checked_.ofPicked},
      mean{"mean of all particles", "", {}, checked_.mean}, least{"in its list", "", {}, {}};
  for (std::size_t k = 0; k < checked_.method.size(); ++k) {
    for (CurveSeries* s : {&picked, &mean, &least}) s->x.push_back(static_cast<double>(k));
    least.y.push_back(checked_.listed);
  }
  picked.kind = mean.kind = SeriesKind::bars;
  least.kind = SeriesKind::points;
  c.series = {std::move(picked), std::move(mean), std::move(least)};
  return c;
}

}  // namespace cellscope::md
