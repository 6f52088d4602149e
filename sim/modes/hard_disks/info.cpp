// What the hard-disk mode offers to be seen and plotted.
#include "sim/layers/layers.h"
#include "sim/modes/hard_disks/mode.h"

namespace cellscope {
namespace {

// The neighbours k of a disk j in what is made of them.
std::string over(const NeighbourChoice& choice) { return " over the " + choice.label() + " k"; }

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

std::vector<ObservableInfo> observables(const NeighbourChoice& neighbours) {
  std::vector<ObservableInfo> all = {
      {"pressure", "Pressure, contact extrapolation", "P*", "k_B T / sigma^2",
       "P* = rho (1 + (pi / 2) rho g(1+)) (S3, eqs. 4 to 6)", "pressure", true},
      {"pressure_sdf", "Pressure, scaled distribution", "P*", "k_B T / sigma^2",
       "P* = rho (1 + s(0+) / 4), s(x): first overlap under compression by x (Anderson et al., "
       "2016)",
       "pressure"},
      {"psi6_global", "Global order", "|Psi6|", "",
       "|(1/N) sum_j psi6_j|, psi6_j = (1/n_j) sum_k exp(6 i theta_jk)" + over(neighbours), "psi6",
       true},
      {"psi6_local", "Local order", "<|psi6|>", "",
       "(1/N) sum_j |psi6_j|, psi6_j = (1/n_j) sum_k exp(6 i theta_jk)" + over(neighbours), "psi6",
       true},
      {"acceptance", "Acceptance", "acceptance", "",
       "accepted / attempted trial moves since the last sample", "acceptance"},
  };
  for (const std::string& set : layers::setNames())
    all.push_back({"acceptance_" + set, "Acceptance, set " + set, "a_" + set, "",
                   "accepted / attempted trial moves in cells of set " + set +
                       " (S3, eq. 1) since the last sample",
                   "acceptance by set"});
  all.push_back({"left_cell", "Moves leaving the cell", "share leaving", "",
                 "trial moves rejected because the centre would leave its cell / attempted "
                 "(S3, Algorithm 1, line 9)",
                 "leaving the cell"});
  all.push_back(
      {"pressure_paths", "Pressure, free paths", "P*", "k_B T / sigma^2",
       "P* = rho (1 + <(h1 + h2) / l along x and y> / 4): l the free stretch of a disk, h1 and h2 "
       "ahead to the disks that end it (line form of the identity of Speedy, 1980); measured while "
       "free_paths is on",
       "pressure"});
  all.push_back({"overlapping_pairs", "Overlapping pairs", "n_o", "pairs",
                 "pairs nearer than one diameter; counted while leave_cell is on, else there are "
                 "none (S3, section 2.4, point 1)",
                 "overlaps"});
  const bool cells = neighbours.rule == NeighbourRule::voronoi;
  all.push_back({"density_spread", "Spread of the local density", "s_rho", "1/sigma^2",
                 std::string("sqrt(<rho_j^2> - <rho_j>^2) over all disks j, ") +
                     (cells ? "rho_j = 1 / area of the Voronoi cell"
                            : "rho_j = (n_j + 1) / (pi r^2) for n_j " + neighbours.label()),
                 "local density", true});
  return all;
}

ModeInfo makeInfo(const NeighbourChoice& neighbours) {
  ModeInfo i;
  i.key = "hard_disks";
  i.label = "Hard disks, massively parallel Monte Carlo";
  i.dimension = 2;
  i.stepName = "sweep";
  i.workUnit = "trial moves";
  i.phases = {"shuffle", "first set", "second set", "third set", "fourth set", "shift"};
  i.layers = layers::hardDiskLayers();
  i.colourings = colourings();
  i.observables = observables(neighbours);
  return i;
}

}  // namespace

const ModeInfo& hardDisksInfo() {
  static const ModeInfo info = makeInfo({});
  return info;
}

ModeInfo hardDisksInfo(const NeighbourChoice& neighbours) { return makeInfo(neighbours); }

}  // namespace cellscope
