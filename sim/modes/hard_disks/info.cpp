// Description of the hard-disk mode: colourings, layers, observables.
#include "sim/layers/list.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/observables.h"

namespace cellscope {
namespace {

std::vector<ColouringInfo> colourings() {
  return {
      {"psi6_phase", "Orientation",
       "Phase of psi6 of each disk: the orientation of the hexagon of its neighbours, on a hue "
       "wheel."},
      {"psi6", "Local order",
       "Magnitude of psi6 of each disk: 1 if its neighbours form a perfect hexagon."},
      {"density", "Local packing",
       "Local packing fraction: area of a disk divided by the area per disk around it."},
      {"neighbours", "Neighbours", "Number of neighbours; a value other than six is a defect."},
      {"cell", "Cell", "Cell of each disk, in nine repeating colours."},
      {"set", "Checkerboard set",
       "The set a, b, c, d of the cell that holds the disk (Anderson et al. 2013, eq. 1)."},
      {"plain", "Plain", "One colour for all disks."},
  };
}

std::vector<ObservableInfo> observables(const NeighbourChoice& neighbours) {
  std::vector<ObservableInfo> all;
  for (const DiskObservable& o : diskObservables()) all.push_back(o.info(neighbours));
  return all;
}

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "hard_disks";
  d.label = "Hard disks, massively parallel Monte Carlo";
  d.dimensions = {2};
  d.stepName = "sweep";
  d.workUnit = "trial moves";
  d.layers = layers::infosOf(layers::hardDiskLayers());
  d.colourings = colourings();
  d.observables = observables({});
  d.curves = {"g_contact", "g", "eos"};
  d.parameters = &ParameterSet::defaults<HardDiskParameters>;
  return d;
}

}  // namespace

const ModeDescription& HardDisksMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

std::vector<std::string> HardDisksMode::phases(const HardDiskParameters&) const {
  return {"shuffle", "first set", "second set", "third set", "fourth set", "shift"};
}

// Texts of the order parameters name the definition of neighbours.
void HardDisksMode::adjustInfo(ModeInfo& info) const {
  info.observables = observables(sampler_.neighbours());
}

}  // namespace cellscope
