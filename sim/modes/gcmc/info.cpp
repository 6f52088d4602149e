// What grand-canonical Monte Carlo offers to be seen and plotted.
#include "sim/layers/list.h"
#include "sim/modes/gcmc/mode.h"

namespace cellscope {
namespace {

ModeDescription makeDescription() {
  ModeDescription d;
  d.key = "gcmc";
  d.label = "Lennard-Jones fluid at constant chemical potential";
  d.stepName = "step";
  d.dimensions = {2, 3};
  d.workUnit = "trial moves";
  d.layers = layers::infosOf(layers::gcmcLayers());
  d.colourings = layers::GcmcColourings::infos();
  for (const gcmc::GcmcObservable& o : gcmc::gcmcObservables()) d.observables.push_back(o.info);
  d.curves = {"number",
              "ln_number",
              "isotherm",
              "excess_potential",
              "replica_isotherm",
              "replica_energy",
              "replica_ln_number",
              "replica_coexistence",
              "method_race",
              "rounds_per_batch",
              "decided_after_round",
              "speculation"};
  d.parameters = &ParameterSet::defaults<gcmc::GcmcParameters>;
  return d;
}

}  // namespace

const ModeDescription& GcmcMode::describe() {
  static const ModeDescription description = makeDescription();
  return description;
}

}  // namespace cellscope
