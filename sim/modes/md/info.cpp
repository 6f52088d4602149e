// What molecular dynamics offers to be seen and plotted.
#include "sim/modes/md/mode.h"
#include "sim/modes/md/observables.h"

namespace cellscope {
namespace {

std::vector<LayerInfo> mdLayers() {
  return {
      {"particles", "Particles", "Spheres of diameter sigma.", Primitive::points, true},
      {"velocities", "Velocities",
       "From each centre along the velocity; half a sigma long per sigma/tau.", Primitive::lines,
       false},
      {"neighbours", "Neighbours",
       "Lines from the picked particle to all within the cutoff, to their nearest images.",
       Primitive::lines, true},
      {"box", "Box", "The periodic box.", Primitive::boxes, false},
  };
}

ModeInfo makeInfo() {
  ModeInfo i;
  i.key = "md";
  i.label = "Lennard-Jones molecular dynamics, all pairs";
  i.stepName = "step";
  i.workUnit = "pair interactions";
  i.phases = {"half kick and drift", "forces", "half kick"};
  i.layers = mdLayers();
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
