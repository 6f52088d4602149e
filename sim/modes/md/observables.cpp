#include "sim/modes/md/observables.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cellscope::md {
namespace {

double kinetic(const MdSample& s) { return s.totals.kinetic / s.particles; }

double potential(const MdSample& s) { return s.totals.potential / s.particles + s.tailEnergy; }

double conserved(const MdSample& s) {
  return std::isnan(s.startEnergy) ? s.startEnergy : s.conserved();
}

double drift(const MdSample& s) {
  return (s.conserved() - s.startEnergy) / std::max(std::abs(s.startEnergy), 1e-12);
}

double driftRate(const MdSample& s) {
  return s.sinceStart > 0 ? (s.conserved() - s.startEnergy) / s.sinceStart
                          : std::numeric_limits<double>::quiet_NaN();
}

double momentum(const MdSample& s) {
  const MdSums& t = s.totals;
  return std::sqrt(t.px * t.px + t.py * t.py + t.pz * t.pz);
}

}  // namespace

const std::vector<MdObservable>& mdObservables() {
  static const std::vector<MdObservable> all = {
      {{"temperature", "Temperature", "T*", "epsilon/k_B",
        "T = 2 K' / (d (N - 1)) in d dimensions, K' = K - |p|^2 / (2 M): without the drift of the "
        "centre of mass. With the Langevin thermostat K is that between the random kick and the "
        "last half kick of the step, where BAOAB has the temperature of the bath; at the end of "
        "the "
        "step it is low by a factor of 1 - dt^2 <omega^2> / 4 (Leimkuhler and Matthews, J. Chem. "
        "Phys. 138, 174102, 2013)",
        "temperature", true},
       [](const MdSample& s) { return s.temperature(); }},
      {{"kinetic", "Kinetic energy per particle", "K/N", "epsilon",
        "K = sum_i m_i v_i^2 / 2, the drift of the centre of mass included; with the Langevin "
        "thermostat within the step, as in the temperature",
        "energy"},
       kinetic},
      {{"potential", "Potential energy per particle", "U/N", "epsilon",
        "U = sum over pairs of u(r_ij) (van Meel et al. 2008, eqs. 2 and 3), with the tail "
        "correction where it is on",
        "energy", true},
       potential},
      {{"total", "Total energy per particle", "E/N", "epsilon", "E = K + U", "energy"},
       [](const MdSample& s) { return s.energy(); }},
      {{"pressure", "Pressure", "P*", "epsilon/sigma^d",
        "P = (2 K' + W) / (d V), K' = K - |p|^2 / (2 M), W = sum over pairs of r_ij . f_ij, with "
        "the tail correction where it is on; V is the area in the plane",
        "pressure", true},
       [](const MdSample& s) { return s.pressure(); }},
      {{"drift", "Relative energy change", "(E - E_0)/|E_0|", "",
        "E_0: total energy at the start, or when the pair law or the thermostat was changed last; "
        "with velocity rescaling of E less the heat that came from the bath, and less the work "
        "that "
        "changes of the volume did; undefined with friction and noise",
        "drift", false, false, true},
       drift},
      {{"drift_rate", "Energy drift per particle", "d(E/N)/dt", "epsilon/tau",
        "(E - E_0) / (N t), t the time since E_0 was taken; as the relative change", "drift_rate",
        false, false, true},
       driftRate},
      {{"conserved", "Conserved energy per particle", "E~/N", "epsilon",
        "E, less the heat taken from the bath by velocity rescaling (Bussi et al. 2007, eq. 15) "
        "and "
        "the work done by changes of the volume; undefined with friction and noise",
        "conserved"},
       conserved},
      {{"msd", "Mean square displacement", "<|dr|^2>", "sigma^2",
        "<|r_i(t) - r_i(0)|^2> through the faces of the box, since the start or since averages "
        "were reset; 2 d D t for long times t. Where the volume changes, r_i(0) is scaled with it",
        "msd", false, false, true},
       [](const MdSample& s) { return s.msd; }},
      {{"momentum", "Total momentum", "|p|", "m sigma/tau",
        "p = sum_i m_i v_i; conserved, and zero unless a loaded configuration drifts", "momentum"},
       momentum},
      {{"neighbours", "Neighbours per particle", "n_list", "",
        "mean length of the neighbour lists: partners within r_c + r_buffer when the list was "
        "built; undefined without lists",
        "neighbours"},
       [](const MdSample& s) { return s.neighbours; }},
      {{"builds", "List builds per step", "n_build", "",
        "neighbour lists built over steps made, since the start or the last change from all pairs; "
        "undefined without lists",
        "builds", false, false, true},
       [](const MdSample& s) { return s.builds; }},
      {{"dangerous", "Dangerous builds", "n_danger", "",
        "lists built in the step after another one: particles move further than half the buffer in "
        "one step",
        "builds", false, true, true},
       [](const MdSample& s) { return s.dangerous; }},
      {{"list_fill", "Pairs within the cutoff", "n_in/n_pairs", "",
        "share of the pairs computed in a force pass whose distance is within the cutoff: lists "
        "hold what is within the buffer as well, and those that a cluster shares what is near one "
        "of its particles only. Measured in the first sample and then in the first one at least "
        "100 "
        "steps after the last measurement, in at most 32768 lists at equal distances in memory: it "
        "takes the time of up to six steps, which in every sample would cost more than a tenth of "
        "a run. Samples between have no value (nan), and the averages are those of the others. "
        "Undefined without lists",
        "list fill"},
       [](const MdSample& s) { return s.listFill; }},
      {{"tree_depth", "Depth of the tree", "d_tree", "",
        "edges from the root to the deepest leaf, of the trees of the last list build; measured "
        "with the curves, not in every sample; undefined without trees. With the fast search of a "
        "GPU these trees are made to be measured, and lists come from boxes of 32 children",
        "tree depth"},
       [](const MdSample& s) { return s.treeDepth; }},
      {{"tree_overlap", "Overlap of siblings", "V_shared/V_parent", "",
        "volume that the boxes of two siblings share, over that of their parent, mean over the "
        "internal nodes of the trees; 0 would be a perfect partition; of the trees that depth is "
        "of",
        "tree overlap"},
       [](const MdSample& s) { return s.treeOverlap; }},
      {{"tree_cost", "Surface-area cost of the tree", "C_SA", "",
        "(sum over internal nodes of their surface + sum over leaves of surface times particles) / "
        "surface of the root: nodes and particles that a random ray meets (MacDonald and Booth, "
        "Visual Comput. 6, 153, 1990); sum over the trees, those that depth is of",
        "tree cost"},
       [](const MdSample& s) { return s.treeCost; }},
      {{"density", "Density", "rho*", "1/sigma^d",
        "rho = N / V, all particles; V is the area in the plane. Constant without a barostat",
        "density"},
       [](const MdSample& s) { return s.density(); }},
  };
  return all;
}

}  // namespace cellscope::md
