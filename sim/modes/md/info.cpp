// What molecular dynamics offers to be seen and plotted.
#include <fmt/format.h>

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
  if (!active().allPairs()) info.workUnit = "particle steps";
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
  const bool kept = listKept_ && nextPhase() > 0;
  const auto part = [&](const char* name) { return kept ? fmt::format("no {}", name) : name; };
  const char* const check = "check displacement: list kept";
  const char* const first = p.barostatOn() ? "volume, half kick, drift" : "half kick and drift";
  if (p.lists() &&
      std::string(listMethods()[static_cast<std::size_t>(p.pair().method)].key) == "tree")
    return {first,
            kept ? check : "check displacement, take slots in order",
            part("codes"),
            part("sort"),
            part("hierarchy"),
            kept          ? "no boxes"
            : listGoesOn_ ? scene_.growth(*engine_)
                          : "boxes, level by level, and ropes",
            part("search"),
            "forces",
            "half kick"};
  if (p.lists() && p.clusters())
    return {first, kept ? check : "check displacement, take slots along columns",
            kept ? "no new list" : "lists of the clusters", "forces", "half kick"};
  if (p.lists())
    return {first, kept ? check : "check displacement, take slots in order",
            kept ? "no new list" : "neighbour list", "forces", "half kick"};
  if (p.placeholders())
    return {first, "refresh of the cells, where it is due", "forces and update of the cells",
            "half kick"};
  return {first, "forces", "half kick"};
}

}  // namespace cellscope
