// Which layers exist: those of each mode, in the order of chips and keys, the particles first; and
// the kernels that fill them.
#pragma once
#include "sim/layers/box.h"
#include "sim/layers/cell_shift.h"
#include "sim/layers/cells.h"
#include "sim/layers/disks.h"
#include "sim/layers/gcmc_moves.h"
#include "sim/layers/moves.h"
#include "sim/layers/packed.h"
#include "sim/layers/particles.h"
#include "sim/layers/picked_moves.h"

namespace cellscope::layers {

inline const LayerList& hardDiskLayers() {
  static const DisksLayer disks;
  static const CellsLayer cells(
      "The cells of the checkerboard grid, coloured by the number of disk centres in each. The "
      "grid moves by the cell shift after every sweep; the disks do not.");
  static const SetsLayer sets;
  static const ActiveSetLayer active;
  static const CellShiftLayer shift;
  static const StencilLayer stencil;
  static const TestedLayer tested;
  static const TrialsLayer trials;
  static const MovesLayer moves;
  static const LayerList all = {&disks,   &cells,  &sets,   &active, &shift,
                                &stencil, &tested, &trials, &moves};
  return all;
}

inline const LayerList& mdLayers() {
  static const ParticlesLayer particles("Spheres of diameter sigma.");
  static const VelocitiesLayer velocities;
  static const NeighboursLayer neighbours;
  static const BoxLayer box;
  static const LayerList all = {&particles, &velocities, &neighbours, &box};
  return all;
}

inline const LayerList& gcmcLayers() {
  static const ParticlesLayer particles("Spheres or disks of diameter sigma.");
  static const CellsLayer cells(
      "The cells that the method looks through, at least as wide as the cutoff, coloured by the "
      "number of particles in each.");
  static const GcmcMovesLayer moves;
  static const BoxLayer box;
  static const LayerList all = {&particles, &cells, &moves, &box};
  return all;
}

template <class... Kernels>
struct KernelList {};
using LayerKernels = KernelList<PackCellBoxes,  //
                                PackDisks,      //
                                PackCellBytes,  //
                                PackParticles,  //
                                PackArrows>;

}  // namespace cellscope::layers
