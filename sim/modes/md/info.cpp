// What molecular dynamics offers to be seen and plotted.
#include "sim/modes/md/mode.h"

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

std::vector<ObservableInfo> mdObservables() {
  return {
      {"temperature", "Temperature", "T*", "epsilon/k_B",
       "T = 2 K / (3 (N - 1)), from the kinetic "
       "energy with the total momentum held at zero",
       "temperature", true},
      {"kinetic", "Kinetic energy per particle", "K/N", "epsilon", "K = sum_i v_i^2 / 2", "energy"},
      {"potential", "Potential energy per particle", "U/N", "epsilon",
       "U = sum over pairs of u(r_ij) (S2, eqs. 2 and 3)", "energy", true},
      {"total", "Total energy per particle", "E/N", "epsilon", "E = K + U", "energy"},
      {"pressure", "Pressure", "P*", "epsilon/sigma^3",
       "P = (2 K + W) / (3 V), W = sum over pairs of r_ij . f_ij; no tail correction", "pressure",
       true},
      {"drift", "Relative energy change", "(E - E_0)/|E_0|", "",
       "E_0: total energy at the start, or when potential or cutoff were changed last", "drift"},
      {"momentum", "Total momentum", "|p|", "m sigma/tau", "p = sum_i v_i; zero at the start",
       "momentum"},
  };
}

ModeInfo makeInfo() {
  ModeInfo i;
  i.key = "md";
  i.label = "Lennard-Jones molecular dynamics, all pairs";
  i.dimension = 3;
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
  i.observables = mdObservables();
  return i;
}

}  // namespace

const ModeInfo& mdInfo() {
  static const ModeInfo info = makeInfo();
  return info;
}

}  // namespace cellscope
