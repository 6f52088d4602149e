// Forces, energies and virials of the engines in tests, and the errors that rounding may make in
// them.
#pragma once
#include <gtest/gtest.h>

#include "sim/algo/all_pairs/tile_forces.h"
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
  void add(const Pair& pair, double r, double share = 0.5) {
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
};

// What PairSums should be.
struct BruteForce {
  std::vector<PairSums> sums;
  std::vector<PairScale> scale;
};
// By definition, in double, from positions and box as records hold them.
inline BruteForce bruteForce(const MdState& s, const PairSettings& settings) {
  const std::size_t n = s.position.size();
  BruteForce all{std::vector<PairSums>(n, PairSums{0, 0, 0, 0, 0}), std::vector<PairScale>(n)};
  SpeciesTable species = settings.species;
  if (species.types == 1) species.cutoff[0] = settings.cutoff;
  const RecordBox rounded(s.box);
  Box box = s.box;
  for (int a = 0; a < box.dimension; ++a) box.length[a] = rounded.length[a];
  std::vector<ParticleRecord> seen;
  for (std::size_t i = 0; i < n; ++i)
    seen.push_back(rounded.record(s.position[i], s.type.empty() ? 0u : s.type[i]));
  withLaw<double>(settings.potential, species, [&](const auto& law) {
    for (std::size_t i = 0; i < n; ++i) {
      RunningSums<double> sums;
      const ParticleRecord& a = seen[i];
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        const ParticleRecord& b = seen[j];
        const auto& pair = law.of(a.type, b.type);
        const Vec3d d = box.minimumImage({double{a.x} - b.x, double{a.y} - b.y, double{a.z} - b.z});
        const double r2 = d.x * d.x + d.y * d.y + d.z * d.z;
        if (!(r2 < pair.cutoffSquared)) continue;
        sums.add(pair, d.x, d.y, d.z, r2);
        all.scale[i].add(pair, std::sqrt(std::max(r2, double{kCoreSquared})));
      }
      all.sums[i] = {sums.fx, sums.fy, sums.fz, 0.5 * sums.energy, 0.5 * sums.virial};
    }
  });
  return all;
}

// The larger of `worst` and |error| / scale, NaN if either is.
inline double largerShare(double worst, double error, double scale) {
  const double share = error == 0 ? 0 : std::abs(error) / scale;
  return share > worst || std::isnan(share) ? share : worst;
}

// Of energy and virial of the whole system, each difference over its scale; NaN when any is.
inline double deviation(const MdTotals& got, const BruteForce& right) {
  double energy = 0, virial = 0;
  PairScale scale;
  for (std::size_t i = 0; i < right.sums.size(); ++i) {
    energy += right.sums[i].energy, virial += right.sums[i].virial;
    scale.energy += right.scale[i].energy, scale.virial += right.scale[i].virial;
  }
  return largerShare(largerShare(0, got.potential - energy, scale.energy), got.virial - virial,
                     scale.virial);
}
// The largest of any force, energy, virial or of their totals.
inline double deviation(const std::vector<PairSums>& got, const BruteForce& right) {
  EXPECT_EQ(got.size(), right.sums.size());
  if (got.size() != right.sums.size()) return std::numeric_limits<double>::quiet_NaN();
  double worst = 0;
  MdTotals total{};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const PairSums &a = got[i], &b = right.sums[i];
    const PairScale& scale = right.scale[i];
    for (const double error : {a.fx - b.fx, a.fy - b.fy, a.fz - b.fz})
      worst = largerShare(worst, error, scale.force);
    worst = largerShare(worst, a.energy - b.energy, scale.energy);
    worst = largerShare(worst, a.virial - b.virial, scale.virial);
    total.potential += a.energy, total.virial += a.virial;
  }
  const double all = deviation(total, right);
  return all > worst || std::isnan(all) ? all : worst;
}

// Single precision: each of some sixteen operations in a row, from positions to sums, rounds by up
// to 2^-24.
inline constexpr double kFloatTerms = 16.0 / (1 << 24);
// Where float coordinates are subtracted across the boundary: each is rounded to L 2^-24, relative
// to distances of at least 0.7.
inline double floatPositions(const Box& box) {
  return kFloatTerms +
         2 / 0.7 * std::max({box.length[0], box.length[1], box.length[2]}) / (1 << 24);
}

}  // namespace cellscope::test
