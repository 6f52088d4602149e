// Integrated Lennard-Jones potentials against values computed by direct integration over spheres.
#include <gtest/gtest.h>

#include "sim/algo/md/pair_law.h"

namespace cellscope {
namespace {

struct Row {
  double radius1, radius2, r, energy, force;
};
// Quadrature of 4 (d^-12 - d^-6) over one and over two spheres of density 1, and its derivative.
constexpr Row kRows[] = {{5, 0, 5.5, 113.880948633, 2245.99327779},
                         {5, 0, 5.7, 0.979666394047, 55.119755501},
                         {5, 0, 6.0, -1.34665723648, -3.06413167257},
                         {5, 0, 7.0, -0.151134171995, -0.263404405497},
                         {2.5, 2.5, 5.5, -2.60241192875, 38.5735461071},
                         {2.5, 2.5, 5.6, -3.90489591861, -0.672742954465},
                         {2.5, 2.5, 6.0, -1.93205248314, -3.72562578012},
                         {2.5, 2.5, 10.0, -0.0262174597844, -0.018276847556},
                         {5, 5, 10.5, -10.2165848226, 76.6757806195},
                         {5, 5, 10.6, -12.4865156642, -6.17106874191},
                         {5, 5, 11.0, -6.7954987982, -10.7331380186},
                         {5, 5, 15.0, -0.226576417037, -0.124770572992}};
// Energies alone, of unequal spheres too.
constexpr Row kEnergies[] = {{5, 2.5, 8.2, -5.848633197137, 0},
                             {2.5, 0, 3.5, -1.02254128682662, 0},
                             {10, 0, 11, -1.55852448852238, 0}};
// Energies at the cutoffs of the paper.
constexpr Row kEnds[] = {{5, 0, 9.0, -0.0119254598777, -0.0114987918091},
                         {2.5, 2.5, 12.5, -0.005821142142, -0.003055619139},
                         {5, 5, 25.0, -0.005821145869, -0.001527811743}};

template <class Real>
PairTerms<Real> raw(const Row& row, double cutoff) {
  ColloidPair<Real> pair = makeColloidPair<Real>(row.radius1, row.radius2, cutoff);
  pair.energyOffset = 0;
  return pair.terms(static_cast<Real>(row.r * row.r), static_cast<Real>(1.0 / row.r));
}

TEST(ColloidPair, AgreesWithIntegrationOverTheSpheres) {
  for (const Row& row : kRows) {
    const PairTerms<double> t = raw<double>(row, 30);
    EXPECT_NEAR(t.energy, row.energy, 2e-10 * std::abs(row.energy)) << row.radius1 << " " << row.r;
    EXPECT_NEAR(t.forceOverR * row.r, row.force, 2e-10 * std::abs(row.force)) << row.r;
  }
  for (const Row& row : kEnergies)
    EXPECT_NEAR(raw<double>(row, 30).energy, row.energy, 1e-11 * std::abs(row.energy)) << row.r;
}

// Of the well in float: forces lose some digits near contact, where r - a_1 - a_2 is small.
TEST(ColloidPair, IsGoodToFourDigitsInSinglePrecision) {
  for (const Row& row : kRows) {
    const PairTerms<float> t = raw<float>(row, 30);
    EXPECT_NEAR(t.energy, row.energy, 2e-4 * std::max(1.0, std::abs(row.energy))) << row.r;
    EXPECT_NEAR(t.forceOverR * row.r, row.force, 2e-4 * std::max(1.0, std::abs(row.force)));
  }
}

TEST(ColloidPair, EndsAtZeroAtTheCutoffAndSaysHowItsForceJumps) {
  for (const Row& row : kEnds) {
    EXPECT_NEAR(raw<double>(row, row.r).energy, row.energy, 1e-9);
    const PairTerms<double> t =
        makeColloidPair<double>(row.radius1, row.radius2, row.r).terms(row.r * row.r, 1 / row.r);
    EXPECT_NEAR(t.energy, 0, 1e-15);
    EXPECT_NEAR(t.forceOverR * row.r, row.force, 1e-11);
  }
}

// Where spheres overlap the force is finite and repulsive.
TEST(ColloidPair, OverlapsAreDrivenApart) {
  for (const double second : {0.0, 5.0}) {
    const ColloidPair<float> pair = makeColloidPair<float>(5, second, 30);
    for (const double r : {0.5, 4.0, 5.0 + second}) {
      const PairTerms<float> t = pair.terms(static_cast<float>(r * r), static_cast<float>(1 / r));
      EXPECT_TRUE(std::isfinite(t.forceOverR) && std::isfinite(t.energy)) << r;
      EXPECT_GT(t.forceOverR, 1e3f) << r;
    }
  }
}

// Of unlike species too. That forces are slopes is tested for each potential (potentials_test.cpp).
TEST(PairLaws, EndWhereTheirPairsOfTypesDo) {
  SpeciesTable s{.types = 2};
  s.sigma[1] = 1.3, s.epsilon[1] = 0.7, s.cutoff[1] = 3.1;
  for (const bool spheres : {false, true}) {
    if (spheres) s.sigma[1] = s.epsilon[1] = 1, s.radius[1] = 2.5;
    for (int potential = 0; potential < kPotentials; ++potential) {
      const std::string key = potentialKeys()[static_cast<std::size_t>(potential)];
      if (spheres && key != "colloid") continue;
      withLaw<double>(potential, s, [&](const auto& law) {
        for (const int a : {0, 1})
          for (const int b : {0, 1})
            EXPECT_NEAR(std::sqrt(law.of(a, b).cutoffSquared), pairCutoff(potential, s, a, b),
                        1e-12)
                << key << " " << a << b;
      });
    }
  }
}

}  // namespace
}  // namespace cellscope
