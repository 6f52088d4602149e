// Species of molecular dynamics and how unlike ones mix.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "sim/algo/neighbours/particle_record.h"
#include "sim/core/potentials/entry.h"

namespace cellscope {

// What pairs of unlike types have: the arithmetic mean of sigma, epsilon and cutoff; the geometric
// mean of epsilon (Lorentz 1881, Berthelot 1898); or values of their own.
enum class Mixing { arithmetic, lorentzBerthelot, given };

struct PairValues {
  double sigma, epsilon, cutoff;
  friend bool operator==(const PairValues&, const PairValues&) = default;
};

// What the particles of each type are. Cutoffs in units of sigma = 1, not of the sigma of the pair.
struct SpeciesTable {
  std::int32_t types = 1;
  double sigma[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};
  double epsilon[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};
  double cutoff[kMostTypes] = {2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5, 2.5};
  double mass[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};
  // Of spheres filled with Lennard-Jones particles (sim/core/potentials/colloid.h); 0: a point.
  double radius[kMostTypes] = {};
  // Parameters of the potential's own, in the order of its list.
  double own[kMostOwn][kMostTypes] = {{1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1}};
  // The same for all pairs: whole numbers of the potential's own, and how it ends where that is
  // open.
  std::int64_t whole[kMostOwn] = {12, 6};
  Truncation truncation = Truncation::plain;
  // Of unlike pairs, with Mixing::given: at(a, b), in either order.
  Mixing mixing = Mixing::arithmetic;
  PairValues given[kMostTypes * (kMostTypes - 1) / 2] = {};
  // Cutoff of a colloid with a point beyond its radius, and of two colloids, in their mean
  // diameter.
  static constexpr double kBeyondRadius = 4.0, kOfDiameter = 2.5;  // S1, section 4.2

  static int at(int a, int b) {
    const int larger = std::max(a, b), smaller = std::min(a, b);
    return larger * (larger - 1) / 2 + smaller;
  }
  bool isGiven(int a, int b) const { return a != b && mixing == Mixing::given; }
  double sigmaOf(int a, int b) const {
    return isGiven(a, b) ? given[at(a, b)].sigma : 0.5 * (sigma[a] + sigma[b]);
  }
  double epsilonOf(int a, int b) const {
    if (isGiven(a, b)) return given[at(a, b)].epsilon;
    if (a != b && mixing == Mixing::lorentzBerthelot) return std::sqrt(epsilon[a] * epsilon[b]);
    return 0.5 * (epsilon[a] + epsilon[b]);
  }
  double cutoffOf(int a, int b) const {
    if (radius[a] > 0 && radius[b] > 0) return kOfDiameter * (radius[a] + radius[b]);
    if (radius[a] + radius[b] > 0) return radius[a] + radius[b] + kBeyondRadius;
    return isGiven(a, b) ? given[at(a, b)].cutoff : 0.5 * (cutoff[a] + cutoff[b]);
  }
  // To be drawn.
  double diameter(int t) const { return radius[t] > 0 ? 2 * radius[t] : sigma[t]; }
  // One species of sigma = epsilon = 1.
  bool reduced() const { return types == 1 && sigma[0] == 1 && epsilon[0] == 1 && radius[0] == 0; }
  friend bool operator==(const SpeciesTable&, const SpeciesTable&) = default;
};

// 1 / m by type, in kernels.
struct InverseMasses {
  std::int32_t types = 1;
  double of[kMostTypes] = {1, 1, 1, 1, 1, 1, 1, 1};

  explicit InverseMasses(const SpeciesTable& s = {}) : types(s.types) {
    for (int t = 0; t < s.types; ++t) of[t] = 1.0 / s.mass[t];
  }
};

}  // namespace cellscope
