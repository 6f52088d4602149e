// What molecular dynamics offers to be seen and plotted: words, phases, charts beside those of the
// sampler, statistics of trees.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "md";
  d.label = "Lennard-Jones molecular dynamics";
  d.dimensions = {2, 3};
  d.workUnit = "pair interactions";
  d.layers = layers::infosOf(layers::mdLayers());
  d.colourings = layers::MdColourings::infos();
  for (const md::MdObservable& o : md::mdObservables()) d.observables.push_back(o.info);
  d.curves = {"g_r", "speeds", "method_race", "part_race", "tuning", "tuning_lanes", "checks"};
  d.parameters = &ParameterSet::defaults<md::MdParameters>;
  return d;
}

}  // namespace

const ModeDescription& MdMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

void MdMode::adjustInfo(ModeInfo& info) const {
  info.dimension = box_.dimension;
  info.workUnit = active().by().workUnit;
  for (LayerInfo& layer : info.layers)
    for (LayerOption& option : layer.options)
      if (layer.key == info.layers.front().key && option.kind == LayerOption::Kind::types)
        option.names = types_.names;  // files and descriptions have A and B
  // One species: nothing to choose from.
  if (active().species().types == 1)
    for (LayerInfo& layer : info.layers)
      std::erase_if(layer.options, [](const LayerOption& option) {
        return option.kind == LayerOption::Kind::types;
      });
}

std::vector<std::string> MdMode::phases(const md::MdParameters& p) const {
  std::vector<std::string> all = p.by().phases(listKept_ && nextPhase() > 0);
  all.insert(all.begin(), p.barostatOn() ? "volume, half kick, drift" : "half kick and drift");
  all.emplace_back("half kick");
  if (!listGoesOn_ || &p.by() != &active().by()) return all;
  Lent lent;
  engine_->lend(lent, false);
  if (const auto* const lists = lent.find<ListsLent>())
    all.at(static_cast<std::size_t>(nextPhase())) = lists->builder->partWords();
  return all;
}

std::vector<Curve> MdMode::curves() const {
  std::vector<Curve> all = sampler_.curves(types_);
  const ListHistory h = engine_->history();
  const double lasting =
      h.builds > 0 ? static_cast<double>(stepsWithLists()) / static_cast<double>(h.builds) : 10.0;
  for (Curve& chart : races_.charts(active(), std::max(1.0, lasting)))
    all.push_back(std::move(chart));
  for (Curve& chart : tuner_.charts()) all.push_back(std::move(chart));
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
