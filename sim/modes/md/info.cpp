// What molecular dynamics offers to be seen and plotted.
#include "sim/layers/list.h"
#include "sim/modes/md/mode.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

ModeInfo makeInfo() {
  ModeInfo i;
  i.key = "md";
  i.label = "Lennard-Jones molecular dynamics, all pairs";
  i.dimension = 3;
  i.stepName = "step";
  i.workUnit = "pair interactions";
  i.phases = {"half kick and drift", "forces", "half kick"};
  i.layers = layers::infosOf(layers::mdLayers());
  i.colourings = {
      {"speed", "Speed", "Modulus of the velocity of each particle."},
      {"energy", "Potential energy", "Half the energy of all pairs that a particle is part of."},
      {"tile", "Tile", "The block of n_B threads that holds the particle (S2, figure 2)."},
      {"plain", "Plain", "One colour for all particles."},
  };
  for (const md::MdObservable& o : md::mdObservables()) i.observables.push_back(o.info);
  return i;
}

}  // namespace

const ModeInfo& mdInfo() {
  static const ModeInfo info = makeInfo();
  return info;
}

}  // namespace cellscope
