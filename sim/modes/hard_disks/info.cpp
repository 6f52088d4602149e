// Description of the hard-disk mode: layers, observables.
#include "sim/layers/list.h"
#include "sim/modes/hard_disks/mode.h"
#include "sim/modes/hard_disks/observables.h"

namespace cellscope {
namespace {

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
  d.colourings = layers::DiskColourings::infos();
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
