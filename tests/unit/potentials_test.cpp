// Every potential of the list: tabulated values, force = -du/dr, and how it ends at the cutoff.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "sim/algo/md/pair_law.h"
#include "sim/core/potentials.h"

namespace cellscope {
namespace {

constexpr PairOfTypes kPoints{};  // sigma = epsilon = 1, r_c = 2.5
constexpr PairOfTypes kWeak{.ownA = {0.5, 1}, .ownB = {0.7, 1}};
constexpr PairOfTypes kSpheres{.cutoff = 12.5, .radiusA = 2.5, .radiusB = 2.5};
constexpr PairOfTypes kSphereAndPoint{.cutoff = 9, .radiusA = 5};
constexpr PairOfTypes kForceShifted{.whole = {14, 7}, .truncation = Truncation::force};
constexpr PairOfTypes kShifted{.whole = {9, 6}, .truncation = Truncation::energy};
constexpr PairOfTypes kSteep{.whole = {50, 49}};
constexpr PairOfTypes kUnlike{.sigma = 1.5, .epsilon = 0.7, .cutoff = 3.0};

struct Row {
  const char* key;
  PairOfTypes pair;
  double r, energy, force;
};
// The formulas in 40 digits; of spheres quadrature over their volume, less the value at the cutoff.
// At sigma = 1.5 and r_c = 3 as at sigma = 1 and r_c = 2, times epsilon and epsilon / sigma.
const Row kRows[] = {
    {"truncated", kPoints, 0.9, 6.63611895325292, 138.659623994277},
    {"truncated", kPoints, 1.2, -0.890965287583076, -2.21169334222308},
    {"truncated", kPoints, 2.4, -0.0208215955593359, -0.0517801689403695},
    {"truncated", kUnlike, 1.8, 0.7 * -0.890965287583076, 0.7 / 1.5 * -2.21169334222308},
    {"shifted", kPoints, 0.9, 6.65243584438892, 138.659623994277},
    {"shifted", kPoints, 2.4, -0.0045047044233359, -0.0517801689403695},
    {"shifted", kUnlike, 1.8, 0.7 * (-0.890965287583076 + 0.0615234375),
     0.7 / 1.5 * -2.21169334222308},
    {"force_shifted", kPoints, 0.9, 6.7148350083134, 138.69862347173},
    {"force_shifted", kPoints, 1.2, -0.823949075758436, -2.17269386477028},
    {"force_shifted", kPoints, 2.4, -0.000604756678055905, -0.0127806914875695},
    {"wca", kPoints, 0.9, 7.63611895325292, 138.659623994277},
    {"wca", kPoints, 1.0, 1, 24},
    {"wca", kPoints, 1.1, 0.0166275506263175, 1.58809538982406},
    {"scaled_attraction", kWeak, 0.9, 9.65656452144319, 158.730839174639},
    {"scaled_attraction", kWeak, 1.2, -0.345365233758461, 0.467490471219994},
    {"scaled_attraction", kWeak, 2.4, -0.0026858550063263, -0.0308490453978455},
    {"scaled_attraction", kPoints, 2.4, -0.0045047044233359, -0.0517801689403695},
    {"mie", kForceShifted, 0.9, 9.157769156791471, 206.9610871779415},
    {"mie", kForceShifted, 1.2, -0.7744605274670434, -2.858908746603753},
    {"mie", kForceShifted, 2.4, -0.0003304285736470237, -0.007036256410616937},
    {"mie", kShifted, 0.95, 1.55339880036434, 43.46869350186857},
    {"mie", kShifted, 1.7, -0.1968487083770523, -0.6856493959094536},
    {"mie", kSteep, 0.98, 7.389558752388882, 746.4962413127544},
    {"mie", kSteep, 1.1, -0.114619375395469, -4.063777854930266},
    {"mie", kUnlike, 1.8, 0.7 * -0.890965287583076, 0.7 / 1.5 * -2.21169334222308},
    {"colloid", kPoints, 0.9, 6.65243584438892, 138.659623994277},
    {"colloid", kSpheres, 6.0, -1.93205248314 + 0.005821142142, -3.72562578012},
    {"colloid", kSphereAndPoint, 6.0, -1.34665723648 + 0.0119254598777, -3.06413167257},
};

// f(entry, its evaluator in double).
template <class F>
void withEvaluator(const std::string& key, const PairOfTypes& pair, const F& f) {
  visitPotentials([&](auto entry) {
    if (entry.kKey == key) f(entry, decltype(entry)::template ofTypes<double>(pair));
  });
}

TEST(Potentials, HaveTabulatedValues) {
  std::set<std::string> seen;
  for (const Row& row : kRows) {
    withEvaluator(row.key, row.pair, [&](auto, const auto& u) {
      seen.insert(row.key);
      const PairTerms<double> t = u.terms(row.r * row.r, 1 / row.r);
      EXPECT_NEAR(t.energy, row.energy, 2e-10 * std::max(1.0, std::abs(row.energy))) << row.key;
      EXPECT_NEAR(t.forceOverR * row.r, row.force, 2e-10 * std::max(1.0, std::abs(row.force)))
          << row.key << " " << row.r;
    });
  }
  for (const std::string& key : potentialKeys()) EXPECT_TRUE(seen.count(key)) << key << " has none";
}

TEST(Potentials, OfReducedUnitsAreThoseOfTheirTypes) {
  for (const PairOfTypes& pair : {kPoints, kWeak})
    visitPotentials([&](auto entry) {
      const auto reduced = decltype(entry)::template make<double>(pair);
      const auto typed = decltype(entry)::template ofTypes<double>(pair);
      for (const double r : {0.8, 1.1, 1.9}) {
        EXPECT_NEAR(reduced.terms(r * r, 1 / r).energy, typed.terms(r * r, 1 / r).energy, 1e-12)
            << entry.kKey;
        EXPECT_NEAR(reduced.terms(r * r, 1 / r).forceOverR, typed.terms(r * r, 1 / r).forceOverR,
                    1e-11)
            << entry.kKey;
      }
    });
}

TEST(Potentials, HaveForcesThatAreSlopes) {
  for (const PairOfTypes& pair :
       {kPoints, kWeak, kUnlike, kSpheres, kSphereAndPoint, kForceShifted, kShifted, kSteep})
    visitPotentials([&](auto entry) {
      if (pair.radiusA > 0 && entry.kScales) return;  // of points
      if (pair.sigma != 1 && !entry.kScales) return;
      const auto u = decltype(entry)::template ofTypes<double>(pair);
      const double end = entry.end(pair), close = pair.radiusA + pair.radiusB + 0.85 * pair.sigma;
      const auto energy = [&](double r) { return u.terms(r * r, 1 / r).energy; };
      for (double r = close; r < end - 0.01; r += 0.03 * (end - close)) {
        constexpr double kH = 1e-4;  // differences of fourth order
        const double slope =
            (8 * (energy(r + kH) - energy(r - kH)) - (energy(r + 2 * kH) - energy(r - 2 * kH))) /
            (12 * kH);
        const double force = u.terms(r * r, 1 / r).forceOverR * r;
        EXPECT_NEAR(force, -slope, 1e-8 * std::max(1.0, std::abs(force))) << entry.kKey << " " << r;
      }
    });
}

TEST(Potentials, EndAsTheyDeclare) {
  for (const PairOfTypes& pair : {kPoints, kWeak, kUnlike, kForceShifted, kShifted})
    visitPotentials([&](auto entry) {
      if (pair.sigma != 1 && !entry.kScales) return;
      const auto u = decltype(entry)::template ofTypes<double>(pair);
      const double end = entry.end(pair), r2 = end * end;
      EXPECT_NEAR(u.cutoffSquared, r2, 1e-12) << entry.kKey;
      const PairTerms<double> t = u.terms(r2, 1 / end);
      EXPECT_EQ(std::abs(t.energy) < 1e-14, entry.continuous(pair)) << entry.kKey << t.energy;
      EXPECT_EQ(std::abs(t.forceOverR) < 1e-13, entry.smooth(pair)) << entry.kKey << t.forceOverR;
    });
}

TEST(Potentials, DeclareWhatIsTheirOwn) {
  visitPotentials([&](auto entry) {
    const auto check = [&](const auto& list) {
      EXPECT_LE(list.size(), static_cast<std::size_t>(kMostOwn)) << entry.kKey;
      for (const auto& o : list) {
        EXPECT_TRUE(o.min < o.max && o.min <= o.fallback && o.fallback <= o.max) << o.key;
        EXPECT_FALSE(std::string(o.help).empty() || std::string(o.equation).empty()) << o.key;
      }
    };
    check(entry.kOwn);
    check(entry.kWhole);
  });
}

// The code of each law is in one file, where the law arrives as it was made.
TEST(LawFiles, HaveEachLawOnce) {
  SpeciesTable two;
  two.types = 2, two.sigma[1] = 0.9;
  for (int potential = 0; potential < kPotentials; ++potential)
    for (const SpeciesTable& species : {SpeciesTable{}, two})
      withLaw<float>(potential, species, [&](const auto& law) {
        const AnyLaw any = anyLaw(potential, species.types, law);
        EXPECT_EQ(any.byTypes, species.types > 1);
        int files = 0, laws = 0;
        withLawFile(any, [&](auto file) {
          ++files;
          EXPECT_LE(file(), potential);
        });
        withAnyLaw(any, [&](const auto& found) {
          ++laws;
          EXPECT_EQ(static_cast<const void*>(&found), any.law);
          EXPECT_EQ(found.of(0, 0).cutoffSquared, law.of(0, 0).cutoffSquared);
        });
        EXPECT_TRUE(files == 1 && laws == 1)
            << potentialKeys()[static_cast<std::size_t>(potential)];
      });
  constexpr int wca = potentialNumber<WcaEntry>(), shifted = potentialNumber<ShiftedEntry>();
  EXPECT_EQ((firstAlike<wca, true>()), shifted) << "a class of another potential";
}

}  // namespace
}  // namespace cellscope
