#include "sim/modes/md/observables.h"

#include <algorithm>
#include <cmath>

namespace cellscope::md {
namespace {

double kinetic(const MdSample& s) { return s.totals.kinetic / s.particles; }

double potential(const MdSample& s) { return s.totals.potential / s.particles; }

double pressure(const MdSample& s) {
  return (2.0 * s.thermalKinetic() + s.totals.virial) / (3.0 * s.volume);
}

double drift(const MdSample& s) {
  return (s.energy() - s.startEnergy) / std::max(std::abs(s.startEnergy), 1e-12);
}

double momentum(const MdSample& s) {
  const MdTotals& t = s.totals;
  return std::sqrt(t.px * t.px + t.py * t.py + t.pz * t.pz);
}

}  // namespace

const std::vector<MdObservable>& mdObservables() {
  static const std::vector<MdObservable> all = {
      {{"temperature", "Temperature", "T*", "epsilon/k_B",
        "T = 2 K' / (3 N - 3), K' = K - |p|^2 / (2 N): without the drift of the centre of mass",
        "temperature", true},
       [](const MdSample& s) { return s.temperature(); }},
      {{"kinetic", "Kinetic energy per particle", "K/N", "epsilon",
        "K = sum_i v_i^2 / 2, the drift of the centre of mass included", "energy"},
       kinetic},
      {{"potential", "Potential energy per particle", "U/N", "epsilon",
        "U = sum over pairs of u(r_ij) (van Meel et al. 2008, eqs. 2 and 3)", "energy", true},
       potential},
      {{"total", "Total energy per particle", "E/N", "epsilon", "E = K + U", "energy"},
       [](const MdSample& s) { return s.energy(); }},
      {{"pressure", "Pressure", "P*", "epsilon/sigma^3",
        "P = (2 K' + W) / (3 V), K' = K - |p|^2 / (2 N), W = sum over pairs of r_ij . f_ij; no "
        "tail "
        "correction",
        "pressure", true},
       pressure},
      {{"drift", "Relative energy change", "(E - E_0)/|E_0|", "",
        "E_0: total energy at the start, or when potential or cutoff were changed last", "drift"},
       drift},
      {{"momentum", "Total momentum", "|p|", "m sigma/tau",
        "p = sum_i v_i; conserved, and zero unless a loaded configuration drifts", "momentum"},
       momentum},
      {{"neighbours", "Neighbours per particle", "n_list", "",
        "mean length of the neighbour lists: partners within r_c + r_buffer when the list was "
        "built; undefined without lists",
        "neighbours"},
       [](const MdSample& s) { return s.neighbours; }},
      {{"builds", "List builds per step", "n_build", "",
        "neighbour lists built since the start, over the number of steps; undefined without lists",
        "builds"},
       [](const MdSample& s) { return s.builds; }},
      {{"dangerous", "Dangerous builds", "n_danger", "",
        "lists built in the step after another one: particles move further than half the buffer in "
        "one step",
        "builds"},
       [](const MdSample& s) { return s.dangerous; }},
  };
  return all;
}

}  // namespace cellscope::md
