// All-pairs forces: published energies, overlaps, sums. By brute force, and with every instruction
// set: tests/backend/all_pairs_backend_test.cpp.
#include <cstring>

#include "tests/support/lennard_jones.h"
#include "tests/support/list_engines.h"
#include "tests/support/nist.h"

namespace cellscope::test {
namespace {

MdState nistState(int number) {
  const NistConfiguration c = nistConfiguration(number);
  return {c.box, c.position, std::vector<Vec3d>(c.position.size(), Vec3d{0, 0, 0})};
}

PairScale scaleOfRow(const NistRow& row) {
  PairScale all;
  for (const PairScale& one :
       bruteForce(nistState(row.configuration), {potentialOf(row.potential), row.cutoff}).scale)
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
      const PairScale scale = scaleOfRow(row);
      EXPECT_NEAR(t.potential, row.energy, kFloatTerms * scale.energy);
      EXPECT_NEAR(t.virial, row.virial, kFloatTerms * scale.virial + pairVirial);
    }
}

// Two particles at distance r along a skew direction that crosses the boundary.
MdState pairState(double r) {
  constexpr double length = 12;
  const double u[3] = {0.36, 0.48, 0.8};  // unit vector
  MdState s{cubicBox(length), {{0.1, 11.9, 6.0}}, {{0, 0, 0}, {0, 0, 0}}};
  const Vec3d a = s.position[0];
  s.position.push_back({wrapped(a.x - r * u[0], length), wrapped(a.y + r * u[1], length),
                        wrapped(a.z + r * u[2], length)});
  return s;
}

// FEASST's unit value: force-shifted, r_c = 3, r = 2.5.
TEST(AllPairs, APairHasItsPublishedEnergy) {
  auto engine = makeAllPairs(exec::makeExec({Backend::cpu, 1}));
  forcesOf(*engine, pairState(2.5),
           {potentialOf("force_shifted"), 3.0, 32, PairKernel::teamsDouble});
  EXPECT_NEAR(engine->totals().potential, -0.005365534353215080, 1e-15);
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

bool sameSums(const std::vector<PairSums>& a, const std::vector<PairSums>& b) {
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
      EXPECT_TRUE(sameSums(first, sums)) << threads;
    }
  }
}

}  // namespace
}  // namespace cellscope::test
