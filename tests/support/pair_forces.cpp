#include "tests/support/pair_forces.h"

#include <gtest/gtest.h>

#include "sim/algo/all_pairs/tile_forces.h"

namespace cellscope::test {
namespace {

// The larger of `worst` and |error| / scale, NaN if either is.
double larger(double worst, double error, double scale) {
  const double share = error == 0 ? 0 : std::abs(error) / scale;
  return share > worst || std::isnan(share) ? share : worst;
}

}  // namespace

BruteForce bruteForce(const MdState& s, const PairSettings& settings) {
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

double deviation(const std::vector<PairSums>& got, const BruteForce& right) {
  EXPECT_EQ(got.size(), right.sums.size());
  if (got.size() != right.sums.size()) return std::numeric_limits<double>::quiet_NaN();
  double worst = 0;
  MdTotals total{};
  for (std::size_t i = 0; i < got.size(); ++i) {
    const PairSums &a = got[i], &b = right.sums[i];
    const PairScale& scale = right.scale[i];
    for (const double error : {a.fx - b.fx, a.fy - b.fy, a.fz - b.fz})
      worst = larger(worst, error, scale.force);
    worst = larger(worst, a.energy - b.energy, scale.energy);
    worst = larger(worst, a.virial - b.virial, scale.virial);
    total.potential += a.energy, total.virial += a.virial;
  }
  const double all = deviation(total, right);
  return all > worst || std::isnan(all) ? all : worst;
}

double deviation(const MdTotals& got, const BruteForce& right) {
  double energy = 0, virial = 0;
  PairScale scale;
  for (std::size_t i = 0; i < right.sums.size(); ++i) {
    energy += right.sums[i].energy, virial += right.sums[i].virial;
    scale.energy += right.scale[i].energy, scale.virial += right.scale[i].virial;
  }
  return larger(larger(0, got.potential - energy, scale.energy), got.virial - virial, scale.virial);
}

}  // namespace cellscope::test
