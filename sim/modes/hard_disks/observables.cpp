#include "sim/modes/hard_disks/observables.h"

#include "sim/layers/layers.h"
#include "sim/layers/list.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope {

namespace {

std::string psi6OfADisk(const NeighbourChoice& neighbours) {
  return "psi6_j = (1/n_j) sum_k exp(6 i theta_jk) over the " + neighbours.label() + " k";
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole ? static_cast<double>(part) / static_cast<double>(whole) : std::nan("");
}

std::string densityOfADisk(const NeighbourChoice& neighbours) {
  return neighbours.rule == NeighbourRule::voronoi
             ? "rho_j = 1 / area of the Voronoi cell"
             : "rho_j = (n_j + 1) / (pi r^2) for n_j " + neighbours.label();
}

template <std::size_t set>
DiskObservable acceptanceOfSet() {
  const std::string& name = layers::setNames()[set];
  return {{"acceptance_" + name, "Acceptance, set " + name, "a_" + name, "",
           "accepted / attempted trial moves in cells of set " + name +
               " (Anderson et al. 2013, eq. 1) since the last sample",
           "acceptance by set"},
          [](const DiskSample& s) { return share(s.moves.accepted[set], s.moves.attempted[set]); }};
}

std::vector<ObservableInfo> observables(const NeighbourChoice& neighbours) {
  std::vector<ObservableInfo> all = infosOf(diskObservables());
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const auto more = diskObservables()[k].ofNeighbours) all[k].equation += more(neighbours);
  return all;
}

}  // namespace

const std::vector<DiskObservable>& diskObservables() {
  static const std::vector<DiskObservable> all = {
      {{"pressure", "Pressure, contact extrapolation", "P*", "k_B T / sigma^2",
        "P* = rho (1 + (pi / 2) rho g(1+)) (Anderson et al. 2013, eqs. 4 to 6); g(1+) is "
        "extrapolated from few pairs per sample: single samples may be negative; use the "
        "average",
        "pressure", true},
       [](const DiskSample& s) { return s.pressure; },
       true},
      {{"pressure_sdf", "Pressure, scaled distribution", "P*", "k_B T / sigma^2",
        "P* = rho (1 + s(0+) / 4), s(x): first overlap under compression by x (Anderson et "
        "al., 2016); single samples of the extrapolated s(0+) may be negative; use the "
        "average",
        "pressure"},
       [](const DiskSample& s) { return s.pressureScaled; },
       true},
      {{"psi6_global", "Global order", "|Psi6|", "", "|(1/N) sum_j psi6_j|, ", "psi6", true},
       [](const DiskSample& s) { return std::abs(s.order.psi6); },
       false,
       psi6OfADisk},
      {{"psi6_local", "Local order", "<|psi6|>", "", "(1/N) sum_j |psi6_j|, ", "psi6", true},
       [](const DiskSample& s) { return s.order.meanModulus; },
       false,
       psi6OfADisk},
      {{"acceptance", "Acceptance", "acceptance", "",
        "accepted / attempted trial moves since the last sample", "acceptance"},
       [](const DiskSample& s) {
         return share(sumOf(s.moves.accepted), sumOf(s.moves.attempted));
       }},
      acceptanceOfSet<0>(),
      acceptanceOfSet<1>(),
      acceptanceOfSet<2>(),
      acceptanceOfSet<3>(),
      {{"left_cell", "Moves rejected at cell faces", "fraction rejected", "",
        "trial moves rejected because the centre leaves the cell / attempted (Anderson "
        "et al. 2013, Algorithm 1, line 9)",
        "leaving the cell"},
       [](const DiskSample& s) {
         return share(sumOf(s.moves.leftCell), sumOf(s.moves.attempted));
       }},
      {{"pressure_paths", "Pressure, free paths", "P*", "k_B T / sigma^2",
        "P* = rho (1 + (<(h1 + h2) / l>_x + <(h1 + h2) / l>_y) / 4): means along x and "
        "along y are added; l is the length of a disk's free path, h1 and h2 are its "
        "distances along the axis to the disks at both ends (line form of the identity "
        "of Speedy, 1980); measured while free_paths is on",
        "pressure"},
       [](const DiskSample& s) { return s.pressurePaths; },
       true},
      {{"overlapping_pairs", "Overlapping pairs", "n_o", "pairs",
        "pairs closer than one diameter: none, unless an experiment makes them (leave_cell, "
        "shift_bits or stale_halo; Anderson et al. 2013, section 2.4, point 1, and section "
        "3.2)",
        "overlaps", false, true, true},
       [](const DiskSample& s) { return s.overlappingPairs; }},
      {{"density_spread", "Spread of the local density", "s_rho", "sigma^-2",
        "sqrt(<rho_j^2> - <rho_j>^2) over all disks j, ", "local density", true},
       [](const DiskSample& s) { return s.order.densitySpread; },
       false,
       densityOfADisk},
      {{"lost_disks", "Lost disks", "n_lost", "disks",
        "N minus the number of disks: 0, unless the experiment shift_bits rounds the "
        "shift of cells (Anderson et al. 2013, section 3.2)",
        "lost disks", false, true, true},
       [](const DiskSample& s) { return s.lostDisks; }},
  };
  return all;
}

const ModeDescription& HardDisksMode::describe() {
  static const ModeDescription description = [] {
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
    d.inDomains = true;
    d.together = 64;  // sim/algo/mpmc/side_by_side.cuh
    return d;
  }();
  return description;
}

// Texts of the order parameters name the definition of neighbours.
void HardDisksMode::adjustInfo(ModeInfo& info) const {
  info.observables = observables(sampler_.neighbours());
  // A mean over a run that loses disks is one of no state.
  if (active().experiments().roundsShift())
    for (ObservableInfo& o : info.observables) o.grows = true;
}

}  // namespace cellscope
