// All-pairs forces against published energies, analytic forces and the generic tiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/forces_simd.h"
#include "sim/algo/all_pairs/images.h"
#include "sim/algo/md/engine.h"
#include "sim/algo/md/pair_law.h"
#include "sim/base/error.h"
#include "sim/core/potentials.h"
#include "sim/exec/machine.h"
#include "sim/modes/md/start.h"
#include "tests/support/lennard_jones.h"
#include "tests/support/list_engines.h"
#include "tests/support/nist.h"

namespace cellscope {
namespace {

using test::BruteForce;
using test::deviation;
using test::forcesOf;
using test::kNist;
using test::NistRow;
using test::potentialOf;
using test::shakenLiquid;

MdState nistState(int number) {
  const test::NistConfiguration c = test::nistConfiguration(number);
  return {c.box, c.position, std::vector<Vec3d>(c.position.size(), Vec3d{0, 0, 0})};
}

test::PairScale scaleOf(const NistRow& row) {
  test::PairScale all;
  for (const test::PairScale& one :
       test::bruteForce(nistState(row.configuration), {potentialOf(row.potential), row.cutoff})
           .scale)
    all.energy += one.energy, all.virial += one.virial;
  return all;
}

// In floats a pair of the teams may fall on the other side of r_c. Where the potential or its force
// jumps there, one such pair is allowed for.
TEST(AllPairs, NistEnergiesAndVirials) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  for (const PairKernel kernel : {PairKernel::teamsDouble, PairKernel::tuned, PairKernel::teams})
    for (const NistRow& row : kNist) {
      SCOPED_TRACE(fmt::format("{} {} {}", static_cast<int>(kernel), row.potential, row.cutoff));
      forcesOf(*engine, nistState(row.configuration),
               {potentialOf(row.potential), row.cutoff, 64, kernel});
      const MdTotals t = engine->totals();
      if (kernel == PairKernel::teamsDouble) {
        EXPECT_NEAR(t.potential / row.energy, 1, 1e-9);
        EXPECT_NEAR(t.virial / row.virial, 1, 1e-9);
        continue;
      }
      const bool jumps =
          kernel == PairKernel::teams && std::string(row.potential) != "force_shifted";
      const double pairVirial = jumps ? std::abs(row.cutoff * ljForce(row.cutoff)) : 0;
      const test::PairScale scale = scaleOf(row);
      EXPECT_NEAR(t.potential, row.energy, test::kFloatTerms * scale.energy);
      EXPECT_NEAR(t.virial, row.virial, test::kFloatTerms * scale.virial + pairVirial);
    }
}

// Two particles at distance r along a skew direction that crosses the boundary.
MdState pairState(double r, double length = 12) {
  const double u[3] = {0.36, 0.48, 0.8};  // unit vector
  MdState s{cubicBox(length), {{0.1, 11.9, 6.0}}, {{0, 0, 0}, {0, 0, 0}}};
  const Vec3d a = s.position[0];
  s.position.push_back({wrapped(a.x - r * u[0], length), wrapped(a.y + r * u[1], length),
                        wrapped(a.z + r * u[2], length)});
  return s;
}

double pairEnergy(MdEngine& engine, double r) {
  engine.upload(pairState(r));
  engine.forces();
  return engine.totals().potential;
}

// -u'(r) of each potential by definition, and by differences of the energy: every potential of the
// list on every kernel.
TEST(AllPairs, ForceOfAPairIsTheSlopeOfItsEnergy) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  const std::vector<std::string> keys = potentialKeys();
  for (std::size_t p = 0; p < keys.size(); ++p)
    for (double r : {0.8, 0.95, 1.1224620483093730, 1.5, 2.2, 2.49}) {
      const double end = pairEnd(static_cast<int>(p), {});
      if (std::abs(r - end) < 1e-3) continue;  // no slope across the end
      engine->setPair({static_cast<int>(p), 2.5, 64, PairKernel::teamsDouble});
      const double h = 1e-5;
      const double slope = (pairEnergy(*engine, r - h) - pairEnergy(*engine, r + h)) / (2 * h);
      const double definition =
          r < end ? ljForce(r) - (keys[p] == "force_shifted" ? ljForce(2.5) : 0.0) : 0.0;
      EXPECT_NEAR(slope, definition, 1e-6 * std::max(1.0, std::abs(definition))) << keys[p] << r;
      for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
        const std::vector<PairSums> s =
            forcesOf(*engine, pairState(r), {static_cast<int>(p), 2.5, 64, kernel});
        const double tolerance = kernel == PairKernel::teamsDouble ? 1e-11 : 3e-5;
        const double scale = tolerance * std::max(1.0, std::abs(definition));
        // The second particle lies along (-0.36, 0.48, 0.8) from the first.
        EXPECT_NEAR(s[1].fx, -0.36 * definition, scale) << keys[p] << r;
        EXPECT_NEAR(s[1].fy, 0.48 * definition, scale);
        EXPECT_NEAR(s[1].fz, 0.8 * definition, scale);
        EXPECT_EQ(s[0].fx, -s[1].fx);  // Newton's third law, bit for bit
        EXPECT_EQ(s[0].fy, -s[1].fy);
        EXPECT_EQ(s[0].fz, -s[1].fz);
      }
    }
}

TEST(AllPairs, PotentialsEndAtTheCutoff) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  const std::vector<std::string> keys = potentialKeys();
  for (std::size_t p = 0; p < keys.size(); ++p)
    for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
      engine->setPair({static_cast<int>(p), 2.5, 32, kernel});
      EXPECT_EQ(pairEnergy(*engine, 2.50001), 0.0) << keys[p];
      const bool jumps = keys[p] == "truncated" || keys[p] == "mie";  // of 12 and 6, cut
      const double inside = jumps ? ljEnergy(2.5) : 0.0;
      EXPECT_NEAR(pairEnergy(*engine, 2.49999), inside, 1e-6) << keys[p];
    }
  // FEASST's unit value: force-shifted, r_c = 3, r = 2.5.
  engine->setPair({potentialOf("force_shifted"), 3.0, 32, PairKernel::teamsDouble});
  EXPECT_NEAR(pairEnergy(*engine, 2.5), -0.005365534353215080, 1e-15);
}

TEST(AllPairs, OverlapsStayFinite) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned})
    for (double r : {1e-6, 1e-4, 1e-3, 0.01, 0.1}) {
      for (const PairSums& s : forcesOf(*engine, pairState(r), {0, 2.5, 64, kernel})) {
        EXPECT_TRUE(std::isfinite(s.fx) && std::isfinite(s.energy) && std::isfinite(s.virial)) << r;
        EXPECT_GT(s.energy, 1e10);
      }
    }
}

TEST(AllPairs, SumOfTheForcesVanishes) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 2}));
  const MdState s = shakenLiquid(2000);
  for (PairKernel kernel : {PairKernel::teamsDouble, PairKernel::teams, PairKernel::tuned}) {
    const auto sums = forcesOf(*engine, s, {0, 2.5, 64, kernel});
    double square = 0;
    for (const PairSums& f : sums) square += f.fx * f.fx + f.fy * f.fy + f.fz * f.fz;
    const MdTotals t = engine->totals();
    const double bound = kernel == PairKernel::teamsDouble ? 1e-10 : 1e-5 * std::sqrt(square);
    EXPECT_LT(std::sqrt(t.fx * t.fx + t.fy * t.fy + t.fz * t.fz), bound);
  }
}

bool identical(const std::vector<PairSums>& a, const std::vector<PairSums>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(a[0])) == 0;
}

TEST(AllPairs, ThreadsDoNotChangeABit) {
  const MdState s = shakenLiquid(1001);
  for (PairKernel kernel : {PairKernel::teams, PairKernel::tuned}) {
    std::vector<PairSums> first;
    for (int threads : {1, 2, 3, 8}) {
      auto engine = makeAllPairs(exec::makeExec({Backend::cpu, threads}));
      const auto sums = forcesOf(*engine, s, {0, 2.5, 64, kernel});
      if (threads == 1) first = sums;
      EXPECT_TRUE(identical(first, sums)) << threads;
    }
  }
}

// Particles of these numbers in this order, with room behind the last for a vector.
struct RowPlaces {
  std::vector<std::int32_t> x, y, z;
  RowPlaces(const MdState& s, const std::vector<std::uint32_t>& number) {
    for (const std::uint32_t i : number) {
      const LatticePosition at = latticePosition(s.position[i], latticeSteps(s.box));
      x.push_back(at.x), y.push_back(at.y), z.push_back(at.z);
    }
    for (auto* a : {&x, &y, &z}) a->resize(a->size() + 16);
  }
};

// Every instruction set that this processor has, rows called directly: of one species, and of two
// that lie one after the other, in numbers that fill no vector.
TEST(AllPairs, InstructionSetsAgree) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  for (const bool two : {false, true}) {
    MdState s = shakenLiquid(333);
    PairSettings p{0, 2.5, 64, PairKernel::teamsDouble};
    if (two) {
      p.species.types = 2;
      p.species.sigma[1] = 0.85, p.species.epsilon[1] = 0.6, p.species.cutoff[1] = 2.1;
      for (std::uint32_t i = 0; i < 333; ++i) s.type.push_back(i % 3 == 1 ? 1 : 0);
    }
    std::vector<std::uint32_t> number(333);
    std::iota(number.begin(), number.end(), 0u);
    if (two)
      std::stable_partition(number.begin(), number.end(),
                            [&](std::uint32_t i) { return s.type[i] == 0; });
    const RowPlaces at(s, number);
    const PairRows rows{{at.x.data(), at.y.data(), at.z.data(), number.size(), latticeUnit(s.box)},
                        two ? number.data() : nullptr,
                        {0, two ? 222u : 333u, 333}};
    for (p.potential = 0; p.potential < (two ? kPotentials : 1); ++p.potential) {
      const BruteForce oracle{forcesOf(*engine, s, p), test::bruteForce(s, p).scale};
      withLaw<float>(p.potential, p.species, [&](const auto& law) {
        for (const std::string& name : exec::instructionSets()) {
          std::vector<PairSums> sums(number.size());
          PairRowsFunction& sum = pairRowsFor(name);
          sum(rows, anyLaw(p.potential, p.species.types, law), 0, 100, sums.data());
          sum(rows, anyLaw(p.potential, p.species.types, law), 100, number.size(), sums.data());
          EXPECT_LT(deviation(sums, oracle), test::kFloatTerms)
              << name << " " << p.species.types << " " << p.potential;
        }
      });
    }
  }
  EXPECT_THROW(pairRowsFor("none"), InputError);
}

}  // namespace
}  // namespace cellscope
