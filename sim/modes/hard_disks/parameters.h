// Parameters of the hard-disk mode, declared once. Reduced units: sigma = 1, k_B T = 1.
// S3 = Anderson et al., J. Comput. Phys. 254, 27 (2013).
#pragma once
#include <fmt/format.h>

#include "sim/algo/mpmc/disk_cells.h"
#include "sim/algo/mpmc/engine.h"
#include "sim/api/parameter.h"
#include "sim/core/checkerboard.h"

namespace cellscope {

// What a change of a parameter touches.
struct DiskTouch {
  enum : std::uint32_t {
    averages = 1,   // start over
    box = 2,        // size of the box
    sampler = 4,    // bins, fit, neighbours
    leaving = 8,    // whether disks may overlap or get lost
    mapping = 16,   // how cells are handed to threads
    moveSize = 32,  // set by hand
    tuning = 64     // search for the move size
  };
};

enum class DiskStart : std::int64_t { square = 0, hexagonal = 1, random = 2, coexistence = 3 };
inline std::vector<ChoiceInfo> mappingChoices() {
  std::vector<ChoiceInfo> keys = {{"auto", "automatic"}};
  for (const MpmcMappingInfo& m : kMpmcMappings) keys.emplace_back(m.key);
  return keys;
}

inline std::string mappingHelp() {
  return fmt::format(
      "Mapping of cells to GPU threads: {}. auto times the mappings and uses the fastest. Results "
      "do not depend on it; the CPU has a single mapping.",
      fmt::join(each(kMpmcMappings, &MpmcMappingInfo::words), "; "));
}

struct HardDiskParameters : MpmcExperiments {
  static constexpr std::int64_t kSmallestN = 4;
  static constexpr std::int64_t kLargestN = 4'000'000'000;  // ids have 32 bits
  static constexpr double kSmallestPacking = 0.001;
  static constexpr double kLargestPacking = 0.9068;                   // below pi / (2 sqrt 3)
  static constexpr double kSmallestMove = 0.001, kLargestMove = 0.5;  // of d, sigma

  std::int64_t n = 4096;
  double packing = 0.7, aspectY = 1;
  Choice start{static_cast<std::int64_t>(DiskStart::random)};
  std::int64_t seed = 1;
  double d = 0.16;
  std::int64_t nMoves = 4;
  bool tune = false;
  double targetAcceptance = 0.4;
  Choice mapping{0};  // auto, then those of kMpmcMappings
  double binWidth = 1e-4;
  double fitRange = 0.02;
  std::int64_t fitDegree = 5;
  bool freePaths = false;
  double rMax = 4;
  Choice neighbours{0};  // NeighbourRule
  double neighbourRadius = 1.5;

  // Throws InputError where the ratio of the sides is none of whole numbers.
  GridShape shape() const { return shapeOfAspect(aspectY, 1e-3, "aspect_y"); }
  GridInfo grid() const { return chooseGrid(n, packing, shape()).grid; }
  DiskStart startKind() const { return static_cast<DiskStart>(start.index); }
  const MpmcMappingInfo* chosenMapping() const {  // null: auto
    if (mapping.index == 0) return nullptr;
    return &kMpmcMappings[static_cast<std::size_t>(mapping.index - 1)];
  }
  const MpmcExperiments& experiments() const { return *this; }

  void visit(auto& v) {
    visitState(v);
    visitMoves(v);
    visitSampling(v.with({.touches = DiskTouch::sampler | DiskTouch::averages}));
    visitExperiments(v.with({.touches = DiskTouch::averages, .experiment = true}));
  }

 private:
  void visitState(auto& v) {
    v({"n", "Disks", "State", "N", "disks"},
      {static_cast<double>(kSmallestN), static_cast<double>(kLargestN), 64, 262144, kLogScale},
      {.help = "Number of disks. A larger number allows larger structures and reduces "
               "fluctuations, but sweeps take longer and equilibration needs more of them.",
       .equation = "rho = N / (L_x L_y) (Anderson et al. 2013, section 4)",
       .effect = Effect::restart},
      n);
    v({"packing", "Packing fraction", "State", "phi"},
      {kSmallestPacking, kLargestPacking, 0.65, 0.76},
      {.help = "Fraction of the box area covered by disks. A larger value compresses the box: "
               "liquid below 0.700, hexatic near 0.716, solid above 0.720. A change during the run "
               "compresses or expands in small stages, each of which ends without overlaps.",
       .equation = "phi = rho pi (sigma / 2)^2 (Anderson et al. 2013, section 4)",
       .effect = Effect::rebuild,
       .touches = DiskTouch::box | DiskTouch::averages,
       .prepares = true},
      packing);
    v({"aspect_y", "Side y over x", "State", "L_y/L_x"}, {0.05, 20, 0.25, 4, kLogScale},
      {.help = "Side of the box along y over that along x, at the same area: a fraction of whole "
               "numbers up to 20, such as 2, 0.75 or 0.6667, as cells are squares. Larger: a "
               "longer, narrower box. It stays when the packing changes.",
       .equation = "L_x = sqrt(A / a_y), L_y = a_y L_x",
       .effect = Effect::restart,
       .later = true},
      aspectY);
    v({"start", "Initial state", "State"},
      {.choices = {{"square", "square lattice"},
                   {"hexagonal", "triangular lattice"},
                   {"random", "random"},
                   {"coexistence", "two phases"}},
       .help = "Initial positions. square lattice: up to packing 0.785. triangular lattice: "
               "slightly strained to fit the box. random: inserted at random at low density and "
               "quickly compressed, without order. two phases: a lattice in contact with "
               "compressed liquid, in the fractions of the lever rule between 0.700 and 0.716, so "
               "that no phase needs to nucleate.",
       .equation = "Anderson et al. 2013, section 4: random at low density, quickly compressed. "
                   "Two phases: Bernard and Krauth, Phys. Rev. Lett. 107, 155704 (2011)",
       .effect = Effect::restart},
      start);
    v({"seed", "Seed", "State"}, {0, 9007199254740992.0},
      {.help = "Seed of all random numbers. The same seed gives the same run on every machine, a "
               "different one an independent run.",
       .equation = "Philox 4x32-10, key = hash(seed)",
       .effect = Effect::restart},
      seed);
  }

  void visitMoves(auto& v) {
    v({"d", "Maximum displacement", "Moves", "d", "sigma"},
      {kSmallestMove, kLargestMove, 0.02, kLargestMove, kLogScale},
      {.help = "Radius of the circle in which trial displacements are uniformly distributed. "
               "Larger moves diffuse faster, but more of them are rejected because they overlap or "
               "leave the cell.",
       .equation = "Anderson et al. 2013, Algorithm 2, line 12; section 3.3: 0.16 was best there "
                   "(N = 512^2)",
       .touches = DiskTouch::moveSize | DiskTouch::averages},
      d);
    v({"n_M", "Moves per cell", "Moves", "n_M", "trial moves"}, {1, 64, 1, 16},
      {.help = "Number of trial moves in every cell of the active set. A larger value means more "
               "moves per sweep before the cells are shifted; beyond about 8 the disks of a cell "
               "only rattle between frozen neighbours.",
       .equation =
           "Anderson et al. 2013, Algorithm 1, line 6; section 3.3: 4 was best there (N = 512^2)",
       .touches = DiskTouch::mapping | DiskTouch::tuning | DiskTouch::averages},
      nMoves);
    v({"tune", "Tune displacement", "Moves"},
      {.help = "Adjusts the maximum displacement to reach the target acceptance. The search then "
               "stops, d is frozen, and averages start over: d is never tuned during sampling, as "
               "that would violate detailed balance.",
       .equation = "d <- d times a factor that increases with measured / target acceptance",
       .touches = DiskTouch::tuning | DiskTouch::averages},
      tune);
    v({"target_acceptance", "Target acceptance", "Moves"}, {0.05, 0.95, 0.2, 0.6},
      {.help = "Fraction of accepted trial moves that the tuner aims at. A larger value gives "
               "smaller displacements. Used only while tuning.",
       .equation = "acceptance = accepted / attempted trial moves",
       .touches = DiskTouch::tuning | DiskTouch::averages},
      targetAcceptance);
    v({"mapping", "Thread mapping", "Moves"},
      {.choices = mappingChoices(),
       .help = mappingHelp(),
       .equation = "Anderson et al. 2013, Algorithm 2 and section 5.2",
       .touches = DiskTouch::mapping,
       .gpuOnly = true},
      mapping);
  }

  void visitSampling(auto v) {
    v({"dr", "Bin width", "Pressure", "delta r", "sigma"}, {1e-5, 1e-2, 2e-5, 1e-3, kLogScale},
      {.help = "Bin width of pair distances near contact. A larger value reduces noise but blurs "
               "the slope on which the extrapolated pressure depends.",
       .equation = "Anderson et al. 2013, eqs. (5) and (6)"},
      binWidth);
    v({"c", "Fit range", "Pressure", "c", "sigma"}, {5e-3, 0.2, 0.01, 0.1, kLogScale},
      {.help = "The fit uses distances up to 1 + c. A larger range has less noise but more "
               "systematic error.",
       .equation = "Anderson et al. 2013, section 4: polynomial over (sigma, sigma + c]"},
      fitRange);
    v({"degree", "Fit degree", "Pressure"}, {1, 8, 2, 7},
      {.help = "Degree of the polynomial extrapolated to contact. A larger degree has less "
               "systematic error but more noise.",
       .equation = "Anderson et al. 2013, section 4: degree 5; P* from eq. (4)"},
      fitDegree);
    v({"free_paths", "Pressure from free paths", "Pressure"},
      {.help = "Also measures the pressure from the free path of each disk along x and y: needs no "
               "fit and has a third of the noise, but takes more time per sample.",
       .equation = "Z = 1 + <(h1 + h2) / l along x and y> / 4 (line form of Speedy 1980)"},
      freePaths);
    v({"r_max", "g(r) range", "Pressure", "r_max", "sigma"}, {1.5, 10, 2, 8},
      {.help = "Largest distance of the plotted pair distribution function, limited to half the "
               "box. A larger value shows more shells but takes more time per sample.",
       .equation = "g(r), Anderson et al. 2013, eq. (5)"},
      rMax);
    v({"neighbours", "Neighbours", "Order"},
      {.choices = {{"voronoi", "Voronoi cells"}, {"radius", "within a radius"}},
       .help = "Definition of neighbours for psi6, the number of neighbours and the local density. "
               "Voronoi cells: disks whose cells share an edge. within a radius: disks closer than "
               "the neighbour radius, faster to compute.",
       .equation = "psi6_j = (1 / n_j) sum_k exp(6 i theta_jk) over the neighbours k of j"},
      neighbours);
    v({"neighbour_radius", "Neighbour radius", "Order", "", "sigma"}, {1.05, 1.95, 1.2, 1.8},
      {.help = "Largest distance of a neighbour if neighbours are defined by a radius; the first "
               "minimum of g(r) of the dense liquid is near 1.5. A larger value counts more disks.",
       .equation = "r_jk < radius",
       .actsWith = {"neighbours", {"radius"}}},
      neighbourRadius);
  }

  void visitExperiments(auto v);
};

// Ways to break the moves on purpose.
void HardDiskParameters::visitExperiments(auto v) {
  v({"no_particle_shuffle", "No particle shuffle", "Experiments"},
    {.help = "Breaks the sampling on purpose: the disks of a cell are moved in storage order, "
             "which depends on past states. Pressures near the transition are wrong.",
     .equation = "Anderson et al. 2013, section 2.4, point 2, and Table 1"},
    noParticleShuffle);
  v({"no_set_shuffle", "No set shuffle", "Experiments"},
    {.help = "The four sets are always updated in the order a, b, c, d: detailed balance is "
             "violated, but results stay correct within errors.",
     .equation = "Anderson et al. 2013, section 2.4, point 3, and Table 1"},
    noSetShuffle);
  v({"leave_cell", "Disks may leave their cell", "Experiments"},
    {.help = "Breaks the sampling on purpose: a disk may leave its cell by up to w - 1, the range "
             "of the overlap test. The reverse move is impossible until the next shift, and two "
             "cells may move disks into the same gap: this gives overlaps, bonds aligned with the "
             "cells and too low a pressure. More moves per cell increase the error.",
     .equation = "Anderson et al. 2013, section 2.4, point 1: Algorithm 2 without line 25",
     .touches = DiskTouch::leaving | DiskTouch::mapping},
    leaveCell);
  v({"no_cell_shift", "No cell shift", "Experiments"},
    {.help = "Breaks the sampling on purpose: the cells are never shifted, so that no disk can "
             "ever leave its cell.",
     .equation = "Anderson et al. 2013, section 2.2; Algorithm 1, lines 15 to 17"},
    noCellShift);
  v({"move_once", "Each disk moves once", "Experiments"},
    {.help = "Breaks the sampling on purpose where disks may leave their cell: every disk is tried "
             "exactly once in a sweep, wherever it goes, instead of n_M trials in every cell. That "
             "seems to make up for leaving, but a move out of the middle of an update has no "
             "reverse: the pressure is slightly wrong, the more so the larger the moves. Where "
             "disks stay in their cells it is correct.",
     .equation = "Anderson et al. 2013, section 2.4: each particle moves exactly once per sweep",
     .touches = DiskTouch::mapping},
    moveOnce);
  v({"shift_bits", "Digits of a shift", "Experiments", "", "binary digits"},
    {12, kCoordinateBits, 12, kCoordinateBits},
    {.help = "Breaks the sampling on purpose below 22, which are all digits of a coordinate: a "
             "disk that enters a cell with a shift is first translated, which keeps only this "
             "number of binary digits after the point, and then tested. Close to the edge both "
             "cells refuse it, and it is lost. Larger: fewer are lost.",
     .equation = "Anderson et al. 2013, section 3.2, on Algorithm 4, line 20: several hundred of "
                 "1024^2 disks lost in 10^6 sweeps",
     .touches = DiskTouch::leaving | DiskTouch::mapping},
    shiftBits);
  v({"stale_halo", "Stale halo", "Experiments"},
    {.help = "Breaks the sampling on purpose: domains exchange the rows of cells beside a seam "
             "once a sweep, and not after each of its four sub-sweeps. Disks on both sides of a "
             "seam are tested against places that others have left and come to overlap. A run of "
             "one domain is cut into two. Not together with disks that leave their cell.",
     .equation = "Anderson et al. 2013, section 2.2: a cell of the active set is tested against "
                 "cells as they are, not as they were",
     .touches = DiskTouch::leaving | DiskTouch::mapping},
    staleHalo);
}

}  // namespace cellscope
