// Every potential of the list: tabulated values, force = -du/dr, and how it ends at the cutoff.
// Mie's: second virial coefficients and tails of the energies that chains and dynamics use, against
// the series and quadrature; its limits.
#include <gtest/gtest.h>

#include <set>

#include "sim/algo/md/pair_law.h"
#include "sim/core/gcmc_pair.h"
#include "tests/support/nist.h"

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

struct PotentialRow {
  const char* key;
  PairOfTypes pair;
  double r, energy, force;
};
// The formulas in 40 digits; of spheres quadrature over their volume, less the value at the cutoff.
// At sigma = 1.5 and r_c = 3 as at sigma = 1 and r_c = 2, times epsilon and epsilon / sigma.
const PotentialRow kPotentialRows[] = {
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
    {"colloid", kSphereAndPoint, 6.0, -1.34665723648 + 0.0119254598777, -3.06413167257}};

// f(entry, its evaluator in double).
template <class F>
void withEvaluator(const std::string& key, const PairOfTypes& pair, const F& f) {
  visitPotentials([&](auto entry) {
    if (entry.kKey == key) f(entry, decltype(entry)::template ofTypes<double>(pair));
  });
}

TEST(Potentials, HaveTabulatedValues) {
  std::set<std::string> seen;
  for (const PotentialRow& row : kPotentialRows) {
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

struct Exponents {
  std::int64_t n, m;
};
constexpr Exponents kExponents[] = {{12, 6}, {14, 7}, {9, 6}, {50, 6}, {8, 5}, {36, 35}};

PairOfTypes mieOf(Exponents e, double cutoff, Truncation t = Truncation::plain) {
  PairOfTypes p{.cutoff = cutoff};
  p.whole[0] = e.n, p.whole[1] = e.m, p.truncation = t;
  return p;
}

// exp(-u / T) with the attraction expanded and integrated term by term:
//   B2 = -(S_d / 2 n) sum over j of Gamma((m j - d) / n) (C / T)^(j - (m j - d) / n) / j!
double seriesB2(Exponents e, int dimension, double temperature) {
  const auto n = static_cast<double>(e.n), m = static_cast<double>(e.m);
  const double c = n / (n - m) * std::pow(n / m, m / (n - m)) / temperature;
  double sum = 0;
  for (int j = 0; j < 3000; ++j) {
    const double a = (m * j - dimension) / n;
    const double sign = a < 0 && std::fmod(std::floor(a), 2) != 0 ? -1 : 1;
    sum += sign * std::exp(std::lgamma(a) + (j - a) * std::log(c) - std::lgamma(j + 1.0));
  }
  return -(dimension == 3 ? 2 : 1) * std::numbers::pi / n * sum;
}

// Simpson's rule in r^d from 0 to the cutoff, at which there are `steps` of them; what is beyond
// to first order, by the tail.
template <class U>
double quadratureB2(const U& u, int dimension, double temperature, double cutoff, double tail) {
  constexpr int kSteps = 200000;
  const double h = cutoff / kSteps, half = (dimension == 3 ? 2 : 1) * std::numbers::pi;
  double sum = 0;
  for (int k = 1; k <= kSteps; ++k) {
    const double r = h * k, weight = k == kSteps ? 1 : k % 2 ? 4 : 2;
    sum += weight * (1 - std::exp(-u(r) / temperature)) * std::pow(r, dimension - 1);
  }
  return half * sum * h / 3 + tail / temperature;
}

// Simpson's rule with h = 4e-5 is off by h^4 times the fourth derivative of the integrand, some
// (50 / 0.9)^4 exp(1 / T): below 1e-9. Beyond the cutoff of 8 the second order in u is
// S_d C^2 r_c^(d - 2 m) / (4 (2 m - d) T^2): 9e-6 for m = 5 at T = 0.9, where |B2| is above 1.
// Energies of chains are rounded to 2^-20, by up to 2^-21: times S_d r_c^d / (2 d T) below 6e-4 /
// T.
TEST(Mie, SecondVirialCoefficientIsThatOfTheSeries) {
  constexpr double kMieCutoff = 8;
  const double length[3] = {20, 20, 20};
  for (const Exponents e : kExponents)
    for (const int dimension : {2, 3})
      for (const double temperature : {0.9, 2.0, 10.0}) {
        SCOPED_TRACE(std::to_string(e.n) + "-" + std::to_string(e.m) +
                     ", T = " + std::to_string(temperature) + ", d = " + std::to_string(dimension));
        const PairOfTypes p = mieOf(e, kMieCutoff);
        const double right = seriesB2(e, dimension, temperature);
        const double tail = MieEntry::tail(p, dimension)->energy;
        const auto law = MieEntry::make<double>(p);
        const auto energy = [&](double r) {
          return r < 0.3 ? 1e6 : law.terms(r * r, 1 / r).energy;
        };
        EXPECT_NEAR(quadratureB2(energy, dimension, temperature, kMieCutoff, tail), right,
                    1e-5 * std::max(1.0, std::abs(right)));
        const GcmcPair chain = makeGcmcPair(potentialNumber<MieEntry>(), p, dimension, length);
        const auto rounded = [&](double r) {
          return double{gcmcPairEnergy(chain, static_cast<float>(r * r))};
        };
        EXPECT_NEAR(quadratureB2(rounded, dimension, temperature, kMieCutoff, tail), right,
                    6e-4 / temperature + 1e-5 * std::max(1.0, std::abs(right)));
      }
}

TEST(Mie, TailsAreTheIntegralsBeyondTheCutoff) {
  for (const Exponents e : kExponents)
    for (const int dimension : {2, 3}) {
      const PairOfTypes p = mieOf(e, 2.5);
      const auto form = MieEntry::form<double>(p);
      // With s = 1 / r, Simpson's rule; the integrand is a polynomial in s.
      constexpr int kSteps = 4000;
      const double h = 1 / p.cutoff / kSteps;
      double u = 0, w = 0;
      for (int k = 1; k <= kSteps; ++k) {
        const double s = h * k, weight = (k == kSteps ? 1 : k % 2 ? 4 : 2) * h / 3;
        const FormTerms<double> t = form(Distance<double>{1 / (s * s), s});
        u += weight * t.energy * std::pow(s, -dimension - 1);
        w += weight * t.virial * std::pow(s, -dimension - 1);
      }
      const double half = (dimension == 3 ? 2 : 1) * std::numbers::pi;
      const TailConstants tail = *MieEntry::tail(p, dimension);
      EXPECT_NEAR(tail.energy / (half * u), 1, 1e-8) << e.n << " " << e.m << " " << dimension;
      EXPECT_NEAR(tail.pressure / (half * w / dimension), 1, 1e-8) << e.n << " " << e.m;
    }
  EXPECT_FALSE(MieEntry::tail(mieOf({12, 6}, 2.5, Truncation::energy), 3));
}

TEST(Mie, Of12And6IsLennardJones) {
  for (const Truncation t : {Truncation::plain, Truncation::energy, Truncation::force}) {
    const PairOfTypes p = mieOf({12, 6}, 2.5, t);
    EXPECT_NEAR(MieEntry::prefactor(p), 4, 1e-14);
    const auto mie = MieEntry::make<double>(p);
    withPotential<double>(lennardJones(t), p, [&](const auto& lj) {
      for (double r = 0.8; r < 2.5; r += 0.01) {
        const PairTerms<double> a = mie.terms(r * r, 1 / r), b = lj.terms(r * r, 1 / r);
        EXPECT_NEAR(a.energy, b.energy, 1e-13 * std::max(1.0, std::abs(b.energy))) << r;
        EXPECT_NEAR(a.forceOverR, b.forceOverR, 1e-12 * std::max(1.0, std::abs(b.forceOverR)));
      }
    });
    EXPECT_EQ(MieEntry::smooth(p), t == Truncation::force);
    EXPECT_EQ(MieEntry::continuous(p), t != Truncation::plain);
  }
}

// A particle's own entry of a list has r = 0: its force times the difference is 0, not NaN. So is
// the energy of particles that lie on each other in a chain, and it is never accepted.
TEST(Mie, StaysFiniteAtTheCore) {
  const double length[3] = {9, 9, 9};
  const auto closest = static_cast<float>(kCoreSquared);
  for (const Exponents e : {Exponents{50, 49}, Exponents{50, 4}, Exponents{5, 4}}) {
    const PairOfTypes p = mieOf(e, 2.5);
    const PairTerms<float> t = MieEntry::make<float>(p).terms(closest, 1 / std::sqrt(closest));
    EXPECT_TRUE(std::isfinite(t.energy) && std::isfinite(t.forceOverR)) << e.n;
    EXPECT_GT(t.forceOverR, 1e3f);
    const GcmcPair chain = makeGcmcPair(potentialNumber<MieEntry>(), p, 3, length);
    for (const float r2 : {0.0f, 1e-30f, 0.01f}) {
      EXPECT_TRUE(std::isfinite(gcmcPairEnergy(chain, r2))) << e.n;
      EXPECT_GT(gcmcPairEnergy(chain, r2), 5e3f);
      EXPECT_LT(gcmcPairEnergy(chain, r2), 1e8f) << "sums of ten are exact";
      EXPECT_LT(gcmcPairVirial(chain, r2), 8.2e8f) << e.n;
    }
  }
}

TEST(Mie, RefusesExponentsInTheWrongOrder) {
  EXPECT_NE(MieEntry::refused(mieOf({6, 6}, 2.5)).find("mie_n = 6"), std::string::npos);
  EXPECT_EQ(MieEntry::refused(mieOf({7, 6}, 2.5)), "");
}

// Chains take the constants of a law from the form; those of Lennard-Jones have to stay what they
// were, to the bit, as the decisions depend on them.
TEST(ExactForms, EndWithTheConstantsOfTheFormulas) {
  const double length[3] = {9, 9, 9};
  for (double cutoff = 1; cutoff < 10; cutoff += 0.01)
    for (const Truncation t : {Truncation::plain, Truncation::energy, Truncation::force}) {
      const GcmcPair p = makeGcmcPair(lennardJones(t), {.cutoff = cutoff}, 3, length);
      const double force = t == Truncation::force ? ljForce(cutoff) : 0;
      EXPECT_EQ(p.forceAtCutoff, static_cast<float>(force)) << cutoff;
      EXPECT_EQ(p.energyOffset, t == Truncation::plain
                                    ? 0.0f
                                    : static_cast<float>(-ljEnergy(cutoff) - cutoff * force))
          << cutoff;
    }
}

}  // namespace
}  // namespace cellscope
