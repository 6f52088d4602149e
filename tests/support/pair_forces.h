// Forces, energies and virials of the engines in tests, and the errors that rounding may make in
// them.
#pragma once
#include "sim/algo/md/engine.h"

namespace cellscope::test {

inline std::vector<PairSums> forcesOf(MdEngine& engine, const MdState& s, PairSettings settings) {
  engine.setPair(settings);
  engine.upload(s);
  engine.forces();
  return engine.pairSums();
}

// What rounding errors of PairSums are relative to. Contributions of pairs cancel in a sum, and the
// terms of a potential within a contribution c; a relative error of the distance r changes c by
// r dc/dr. So: the sum of |c| + |r dc/dr| over all partners.
struct PairScale {
  double force = 0, energy = 0, virial = 0;
  // A partner at the distance r; share of its energy and virial.
  template <class Pair>
  void add(const Pair& pair, double r, double share = 0.5);
};

// What PairSums should be.
struct BruteForce {
  std::vector<PairSums> sums;
  std::vector<PairScale> scale;
};
// By definition, in double, from positions and box as records hold them.
BruteForce bruteForce(const MdState& s, const PairSettings& settings);

// Largest difference of any force, energy, virial or of their totals, each over its scale; NaN when
// any is.
double deviation(const std::vector<PairSums>& got, const BruteForce& right);
// Of energy and virial of the whole system.
double deviation(const MdTotals& got, const BruteForce& right);

// Single precision: each of some sixteen operations in a row, from positions to sums, rounds by up
// to 2^-24.
inline constexpr double kFloatTerms = 16.0 / (1 << 24);
// Where float coordinates are subtracted across the boundary: each is rounded to L 2^-24, relative
// to distances of at least 0.7.
inline double floatPositions(const Box& box) {
  return kFloatTerms +
         2 / 0.7 * std::max({box.length[0], box.length[1], box.length[2]}) / (1 << 24);
}

template <class Pair>
void PairScale::add(const Pair& pair, double r, double share) {
  constexpr double kStep = 1e-4;
  const auto terms = [&](double d) {
    const PairTerms<double> t = pair.terms(d * d, 1 / d);
    return std::array{t.forceOverR * d, share * t.energy, share * t.forceOverR * d * d};
  };
  const auto low = terms(r * (1 - kStep)), mid = terms(r), high = terms(r * (1 + kStep));
  double* const sums[] = {&force, &energy, &virial};
  for (std::size_t k = 0; k < 3; ++k)
    *sums[k] += std::abs(mid[k]) + std::abs(high[k] - low[k]) / (2 * kStep);
}

}  // namespace cellscope::test
