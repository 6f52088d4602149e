// Charts of molecular dynamics beside those of the sampler: the race of the methods, and distance
// checks under all of them; statistics of trees.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/modes/md/mode.h"

namespace cellscope {
namespace {

// What Howard et al. (2016) and van Meel et al. (2008) print for states like this one. The latter
// give no number for cells beside all pairs, only that cells are never slower.
std::vector<md::PublishedRatio> publishedRatios(const md::MdParameters& p) {
  if (p.what() == md::System::pure)
    return {{"stencils", "cells", 1.0,
             "Howard et al. 2016, section 4.1: indistinguishable from the standard cell list for a "
             "single component"},
            {"placeholder_cells", "all_pairs", 1.0,
             "van Meel et al. 2008, section 3.2: faster than all pairs at all sizes and densities, "
             "so at most this",
             true}};
  if (p.what() == md::System::binary && p.cutoffB < 6)
    return {{"stencils", "cells", 1.0,
             "Howard et al. 2016, section 4.1: speedup of about 1 below r_BB = 6"}};
  if (p.what() != md::System::colloids) return {};
  struct Printed {
    double diameter, fraction, speedup;
  };
  static constexpr Printed kTable1[] = {{5, 0.1, 2.1},  {5, 0.2, 2.1},  {10, 0.1, 4.1},
                                        {10, 0.2, 4.1}, {20, 0.1, 8.2}, {20, 0.2, 8.0}};
  for (const Printed& row : kTable1)
    if (p.colloidDiameter == row.diameter && std::abs(p.colloidFraction - row.fraction) < 0.01)
      return {{"tree", "stencils", row.speedup, "Howard et al. 2016, Table 1"}};
  return {};
}

}  // namespace

// One candidate after each batch of steps, while it is asked for.
void MdMode::raceTurn() {
  if (!active().race) return;
  if (!race_.begun()) race_.begin(engine_->download(), active().pair());
  if (race_.advance()) race_.end();  // the next turn begins at the state as it is then
}

// The same for the parts of the method in hand.
void MdMode::partsTurn() {
  if (!active().raceParts) return;
  if (!parts_.begun()) parts_.begin(engineFor(active()), engine_->download(), active().pair());
  if (parts_.advance()) parts_.end();
}

// Parameters have changed. otherPairs: those on which the times depend.
void MdMode::endRaces(bool otherPairs) {
  race_.end();
  parts_.end();
  if (otherPairs || !active().race) race_.forget();
  if (otherPairs || !active().raceParts) parts_.forget();
}

std::vector<Curve> MdMode::curves() const {
  std::vector<Curve> all = sampler_.curves(types_);
  const ListHistory h = engine_->history();
  const double lasting =
      h.builds > 0 ? static_cast<double>(stepsWithLists()) / static_cast<double>(h.builds) : 10.0;
  if (active().race)
    if (auto chart = race_.chart(std::max(1.0, lasting), publishedRatios(active())))
      all.push_back(std::move(*chart));
  for (Curve& chart : tuner_.charts()) all.push_back(std::move(chart));
  if (active().raceParts)
    if (auto chart = parts_.chart(md::methodChoices().at(active().method.index).label))
      all.push_back(std::move(*chart));
  if (auto chart = scene_.checksChart()) all.push_back(std::move(*chart));
  return all;
}

void MdMode::addTrees(md::MdSample& s) {
  Lent lent;
  engine_->lend(lent, false);
  const auto* const lists = lent.find<ListsLent>();
  if (!lists) return;
  double overlap = 0, parents = 0, cost = 0;
  std::int32_t depth = -1;
  for (const TreeStatistics& t : scene_.statistics(*lists, engine_->history())) {
    const auto inner = static_cast<double>(t.nodes - t.leaves);
    depth = std::max(depth, t.depth);
    overlap += inner * t.meanOverlap, parents += inner;
    cost += t.surfaceCost;
  }
  if (depth < 0) return;
  s.treeDepth = depth;
  s.treeOverlap = parents > 0 ? overlap / parents : 0.0;
  s.treeCost = cost;
}

}  // namespace cellscope
