// What molecular dynamics offers to be seen and plotted.
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "md";
  d.label = "Lennard-Jones molecular dynamics";
  d.dimensions = {3};
  d.workUnit = "pair interactions";
  d.layers = layers::infosOf(layers::mdLayers());
  d.colourings = {
      {"speed", "Speed", "Speed of each particle."},
      {"energy", "Potential energy", "Half the energy of all pairs that a particle is part of."},
      {"tile", "Tile",
       "The block of n_B threads that holds the particle (van Meel et al. 2008, figure 2); with "
       "lists: n_B particles "
       "in "
       "a row in memory, along a space-filling curve."},
      {"plain", "Plain", "One colour for all particles."},
  };
  for (const md::MdObservable& o : md::mdObservables()) d.observables.push_back(o.info);
  d.curves = {"g_r", "speeds"};
  d.parameters = &ParameterSet::defaults<md::MdParameters>;
  return d;
}

}  // namespace

const ModeDescription& MdMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

void MdMode::adjustInfo(ModeInfo& info) const {
  if (active().lists()) info.workUnit = "particle steps";
}

std::vector<std::string> MdMode::phases(const md::MdParameters& p) const {
  if (p.lists()) return {"half kick and drift", "neighbour list", "forces", "half kick"};
  return {"half kick and drift", "forces", "half kick"};
}

}  // namespace cellscope
