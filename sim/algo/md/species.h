// Species of molecular dynamics and how unlike ones mix.
#pragma once
#include <cstdint>

#include "sim/algo/neighbours/pair_table.h"

namespace cellscope {

// What the particles of each type are. Pairs of unlike types have the arithmetic mean of sigma,
// epsilon and cutoff. Cutoffs in units of sigma = 1, not of the sigma of the pair.
struct SpeciesTable {
  std::int32_t types = 1;
  double sigma[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};
  double epsilon[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};
  double cutoff[kMostTypes] = {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5};

  static double mixed(const double (&of)[kMostTypes], int a, int b) {
    return 0.5 * (of[a] + of[b]);
  }
  bool reduced() const { return types == 1 && sigma[0] == 1 && epsilon[0] == 1; }
  friend bool operator==(const SpeciesTable&, const SpeciesTable&) = default;
};

}  // namespace cellscope
