// Vectorised searches and forces of neighbour lists: every instruction set that this processor has.
#include <gtest/gtest.h>

#include <cmath>

#include "sim/algo/neighbours/run_search_simd.h"
#include "sim/algo/verlet/list_rows_simd.h"
#include "sim/base/error.h"
#include "sim/core/lennard_jones.h"
#include "sim/exec/instruction_sets.h"
#include "tests/support/list_states.h"

namespace cellscope {
namespace {

// Runs of every length up to three vectors of sixteen, from every kind of place: the same
// neighbours, in the same order, as by RecordBox::distanceSquared().
TEST(ListSimd, SearchesFindWhatOneAfterTheOtherFinds) {
  const Box box = cubicBox(7);
  const std::vector<ParticleRecord> all = test::scatteredRecords(200, box, 61);
  const RecordBox rounded(box);
  const float reach = 2.3f;
  for (const std::string& set : exec::instructionSets()) {
    const RunSearchFunction search = runSearchFor(set);
    for (std::uint32_t length = 0; length <= 50; ++length) {
      const std::uint32_t k = 3 * length, begin = 7 + length;
      std::vector<std::uint32_t> found(64, 0), right;
      RunTally tally{k, found.data(), 64, 0};
      search({all.data(), nullptr, rounded, reach * reach}, begin, begin + length, tally);
      for (std::uint32_t m = begin; m < begin + length; ++m)
        if (m != k && rounded.distanceSquared(all[k], all[m]) <= reach * reach) right.push_back(m);
      found.resize(tally.found);
      ASSERT_EQ(found, right) << set << " " << length;
    }
  }
  EXPECT_THROW(runSearchFor("none"), InputError);
}

// What has no room is counted and not written.
TEST(ListSimd, SearchesKeepToTheirRoom) {
  const std::vector<ParticleRecord> all(40, ParticleRecord{1, 1, 1, 0});
  for (const std::string& set : exec::instructionSets()) {
    std::vector<std::uint32_t> items(12, 77);
    RunTally tally{5, items.data(), 10, 0};
    runSearchFor(set)({all.data(), nullptr, RecordBox(cubicBox(9)), 1.0f}, 0, 40, tally);
    EXPECT_EQ(tally.found, 39u) << set;
    EXPECT_EQ(items[9], 10u) << set;
    EXPECT_TRUE(items[10] == 77 && items[11] == 77) << set;
  }
}

// Rows of every length: forces, energies and virials to 1e-5 of the sums of their magnitudes, those
// of what is taken off at the cutoff with them.
TEST(ListSimd, RowsAreThoseOfDoublePrecision) {
  const Box box = cubicBox(7);
  const std::vector<ParticleRecord> all = test::scatteredRecords(120, box, 62);
  const RecordBox rounded(box);
  const LennardJones<double, Truncation::force> pair =
      makeLennardJones<double, Truncation::force>(2.5);
  const PairCoefficients c{
      static_cast<int>(Truncation::force), static_cast<float>(pair.cutoffSquared),
      static_cast<float>(pair.energyOffset), static_cast<float>(pair.forceAtCutoff)};
  // Row i has i neighbours, none closer than 0.9.
  std::vector<std::uint64_t> head{0};
  std::vector<std::uint32_t> count, items;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    std::uint32_t listed = 0;
    for (std::uint32_t j = 0; j < all.size() && listed < i % 50; ++j)
      if (j != i && rounded.distanceSquared(all[i], all[j]) > 0.81f) items.push_back(j), ++listed;
    count.push_back(listed);
    head.push_back(items.size());
  }
  for (const std::string& set : exec::instructionSets()) {
    std::vector<Vec4> force(all.size());
    std::vector<Vec2> terms(all.size());
    listRowsFor(set)({all.data(),
                      {{head.data()}, count.data(), items.data()},
                      rounded,
                      force.data(),
                      terms.data()},
                     c, 0, all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      double f = 0, u = 0, w = 0, fAll = 1e-3, uAll = 1e-3, wAll = 1e-3;
      for (std::uint64_t k = head[i]; k < head[i + 1]; ++k) {
        const ParticleRecord q = all[items[k]];
        const double dx = rounded.difference(all[i].x, q.x, 0);
        const double dy = rounded.difference(all[i].y, q.y, 1);
        const double dz = rounded.difference(all[i].z, q.z, 2);
        const double r2 = dx * dx + dy * dy + dz * dz;
        if (r2 >= pair.cutoffSquared) continue;
        const PairTerms<double> t = pair.terms(r2, 1 / std::sqrt(r2));
        f += t.forceOverR * dx, fAll += std::abs(t.forceOverR * dx) + 0.1;
        u += 0.5 * t.energy, uAll += std::abs(t.energy) + 1;
        w += 0.5 * t.forceOverR * r2, wAll += std::abs(t.forceOverR * r2);
      }
      ASSERT_NEAR(force[i].x, f, 1e-5 * fAll) << set << " " << i;
      ASSERT_NEAR(terms[i].x, u, 1e-5 * uAll) << set << " " << i;
      ASSERT_NEAR(terms[i].y, w, 1e-5 * wAll) << set << " " << i;
    }
  }
}

}  // namespace
}  // namespace cellscope
