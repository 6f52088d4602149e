// What the hard-disk mode offers to be seen and plotted.
#include "sim/layers/layers.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/observables.h"

namespace cellscope {
namespace {

std::vector<ColouringInfo> colourings() {
  return {
      {"psi6_phase", "Orientation",
       "Phase of psi6 of each disk: the direction of the hexagon of its neighbours, on a hue "
       "wheel."},
      {"psi6", "Local order",
       "Modulus of psi6 of each disk: 1 when its neighbours form a perfect hexagon."},
      {"density", "Local packing", "Area of a disk over the area that belongs to it."},
      {"neighbours", "Neighbours", "Number of neighbours; other than six marks a defect."},
      {"cell", "Cell", "Nine colours that repeat, so that disks of one cell belong together."},
      {"set", "Checkerboard set",
       "The set a, b, c, d of the cell that holds the disk (S3, eq. 1)."},
      {"plain", "Plain", "One colour for all disks."},
  };
}

ModeInfo makeInfo(const NeighbourChoice& neighbours) {
  ModeInfo i;
  i.key = "hard_disks";
  i.label = "Hard disks, massively parallel Monte Carlo";
  i.stepName = "sweep";
  i.workUnit = "trial moves";
  i.phases = {"shuffle", "first set", "second set", "third set", "fourth set", "shift"};
  i.layers = layers::hardDiskLayers();
  i.colourings = colourings();
  for (const DiskObservable& o : diskObservables()) i.observables.push_back(o.info(neighbours));
  return i;
}

}  // namespace

const ModeInfo& hardDisksInfo() {
  static const ModeInfo info = makeInfo({});
  return info;
}

ModeInfo hardDisksInfo(const NeighbourChoice& neighbours) { return makeInfo(neighbours); }

}  // namespace cellscope
