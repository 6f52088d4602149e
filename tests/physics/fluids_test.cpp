// Pressure and energy of a Mie fluid by molecular dynamics and by a grand-canonical chain without
// exchange, at the same number of particles, volume and temperature: no code of the two is shared
// but the law. Coexistence of vapour and liquid against the published transition-matrix results
// (NIST, SAT-TMMC; cutoff 3 with tail; fixed seeds), by ln P(N) from windows of N and by pairs of
// boxes. Beside the bounds the errors must be small enough for the comparison to mean something.
// Hard spheres on the checkerboard of eight colours and by a serial chain: the fluid beside the
// equation of state of Carnahan and Starling, the crystal beside that of Speedy, and a crystal that
// melts. Seeds are fixed; bounds: 4.5 block errors (false alarms below 1e-5) and 0.3 %, the
// accuracy of both equations and of boxes of this size. Mixtures of two types at two activities: an
// ideal one, one of two names for one type, and hard spheres beside the equation of Boublik,
// Mansoori, Carnahan, Starling and Leland (J. Chem. Phys. 54, 1523 (1971)). Seeds are fixed; bounds
// are five errors of 40 blocks, a false alarm in some 10^5 runs, and for hard spheres 0.5 %, the
// accuracy of the equation and of a box of this size.
#include <cstdio>

#include "sim/algo/observables/fluid_reference.h"
#include "sim/modes/gibbs/mode.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/md_modes.h"

namespace cellscope::test {
namespace {

struct MieAverages {
  BlockAverage energy, pressure;
};

constexpr double kTemperature = 1.5, kDensity = 0.6, kCutoff = 2.5;
constexpr int kParticles = 256;

MieAverages byDynamics(const char* truncation) {
  const auto mode = startedMd(fmt::format(
      "n={} density={} temperature={} bath_temperature={} thermostat=langevin friction=1 "
      "method=cells potential=mie mie_n=14 mie_m=7 cutoff={} truncation={} dt=0.003",
      kParticles, kDensity, kTemperature, kTemperature, kCutoff, truncation));
  mode->advance(5000);
  const auto a = averaged(*mode, {"potential", "pressure"}, 8000, 10);
  return {a[0], a[1]};
}

MieAverages byChain(Truncation truncation) {
  GcmcSettings s = chainSettings(kTemperature, 1);
  s.ratio[0] = 1, s.ratio[1] = s.ratio[2] = 0;
  s.potential = potentialNumber<MieEntry>();
  s.like.whole[0] = 14, s.like.whole[1] = 7, s.like.truncation = truncation;
  s.cutoff = kCutoff, s.maxDisplacement = 0.25;
  const Box box = cubicBox(std::cbrt(kParticles / kDensity));
  auto chain = chainOf("serial_cells", chainState(box, kParticles), s);
  chain->advance(500000);
  MieAverages a;
  for (int k = 0; k < 20000; ++k) {
    chain->advance(500);
    const GcmcSums sums = chain->sums();
    a.energy.add(sums.energy / kParticles);
    a.pressure.add(kDensity * kTemperature + sums.virial / (3 * box.volume()));
  }
  return a;
}

// Five errors of both runs together: one false alarm in 1.7 million seeds for each of the four
// values. Velocity Verlet with dt = 0.003 shifts the averages by (dt omega)^2 / 12 or so, below
// 1e-4 of either.
TEST(Mie, FluidIsTheSameByDynamicsAndByAChain) {
  struct End {
    const char* key;
    Truncation truncation;
  };
  for (const End& end :
       {End{"shifted", Truncation::energy}, End{"force_shifted", Truncation::force}}) {
    const MieAverages md = byDynamics(end.key), mc = byChain(end.truncation);
    const double energy = std::hypot(md.energy.error(), mc.energy.error());
    const double pressure = std::hypot(md.pressure.error(), mc.pressure.error());
    std::printf("%s: U/N %.5f %.5f (%.5f), P %.5f %.5f (%.5f)\n", end.key, md.energy.mean(),
                mc.energy.mean(), energy, md.pressure.mean(), mc.pressure.mean(), pressure);
    EXPECT_NEAR(md.energy.mean(), mc.energy.mean(), 5 * energy + 3e-4) << end.key;
    EXPECT_NEAR(md.pressure.mean(), mc.pressure.mean(), 5 * pressure + 3e-4) << end.key;
    EXPECT_LT(energy, 0.004) << "long enough to tell";
    EXPECT_LT(pressure, 0.02) << "long enough to tell";
  }
}

// ln P(N) from windows of N: coexistence of vapour and liquid at T = 1.2 in a box of side 8, cutoff
// 3 with tail, against the published transition-matrix result of the same box (NIST, SAT-TMMC:
// ln z = -3.0309, densities 0.1003 and 0.56329, pressure 0.07721).
//
// Bounds: six of the errors that the run itself states, with the rounding of what is published and
// the published errors of ln Pi (0.04, correlated) carried over.
TEST(GcmcCoexistence, AgreesWithThePublishedOne) {
  const std::string values =
      "length=8 density=0.3 temperature=1.2 chemical_potential=-3.637 moves_per_step=1000 "
      "replicas=48 replicas_differ_by=window replica_most=380";
  const auto mode = gcmcMode(values, 2);
  mode->advance(300 + 384);  // the first 300 steps tune the windows
  const Curve phases = curveOf(*mode, "replica_coexistence");
  ASSERT_EQ(phases.series.size(), 2u);
  const CurveSeries &found = phases.series[0], &published = phases.series[1];
  const double useful[3] = {0.004, 0.012, 0.001}, rounding[3] = {0.001, 0.003, 0.0003};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(found.y[k], published.y[k], 6 * found.error[k] + rounding[k]) << k;
    EXPECT_LT(found.error[k], useful[k]) << k;
    EXPECT_GT(found.error[k], 0) << k;
  }
  // ln P(N) as a whole: both are normalised at the same activity.
  const Curve numbers = curveOf(*mode, "replica_ln_number");
  ASSERT_EQ(numbers.series.size(), 3u);
  const CurveSeries &own = numbers.series.front(), &nist = numbers.series.back();
  ASSERT_EQ(own.y.size(), 381u);  // no window stays at one of its ends
  ASSERT_EQ(own.x.front(), 0);
  ASSERT_EQ(nist.y.size(), own.y.size());
  double furthest = 0;
  for (std::size_t n = 0; n < own.y.size(); ++n) {
    if (!std::isfinite(own.error[n])) continue;
    const double error = std::hypot(own.error[n], nist.error[n]);
    furthest = std::max(furthest, std::abs(own.y[n] - nist.y[n]) / error);
    if (n <= 330) {  // a single chain inserts seldom in the densest windows
      EXPECT_LT(own.error[n], 0.5) << n;
    }
  }
  EXPECT_LT(furthest, 5);
}

// Vapour and liquid of pairs of boxes against the published states at T = 0.9 and 1.0.
//
// Bounds: five of the errors that the run itself states, by blocks, which are too small by up to a
// third for series as short as these: 3.3 true errors, of which one of ten comparisons in some 110
// runs fails by chance. mu is -T times the logarithm of a mean b: of a relative error e in b it is
// off by T e^2 / 2 beyond what is linear in e, by 0.02 where e = 0.2. Boxes of 512 sigma^3 there
// and of 600 and 1900 here differ by less than that.
TEST(GibbsCoexistence, AgreesWithThePublishedOne) {
  GibbsMode mode({Backend::cpu, 2, 0});
  restartWith(mode,
              "first_particles=0.85 first_volume=0.28 pairs=4 temperatures=2 temperature=0.9 "
              "last_temperature=1 tune=true density=0.2");
  for (int k = 0; k < 390; ++k) {
    mode.advance(10);
    mode.sample();
  }
  test::expectHealthy(mode);
  const std::vector<gibbs::GibbsCoexistence> found = mode.coexistences();
  ASSERT_EQ(found.size(), 2u);
  for (const gibbs::GibbsCoexistence& c : found) {
    SCOPED_TRACE(c.temperature);
    EXPECT_EQ(c.pairs, 2u);
    bool published = false;
    for (const PublishedCoexistence& p : publishedCoexistences(3, true)) {
      if (std::abs(p.temperature - c.temperature) > 1e-6) continue;
      published = true;
      const auto compare = [](const gibbs::GibbsMean& ours, double there, double useful) {
        EXPECT_NEAR(ours.value, there, 5 * ours.error);
        EXPECT_LT(ours.error, useful * there);
        EXPECT_GT(ours.error, 0);
      };
      compare(c.density[0], p.liquid, 0.005);
      compare(c.density[1], p.vapour, 0.06);
      compare(c.pressure, p.pressure, 0.06);
      for (const gibbs::GibbsMean& mu : c.potential)
        EXPECT_NEAR(mu.value, p.temperature * p.lnActivity, 5 * mu.error + 0.02);
    }
    EXPECT_TRUE(published);
  }
}

constexpr double kAccuracy = 0.003;

struct Averaged {
  BlockAverage density, pressure;
};

Averaged run(const std::string& method, double length, double density, const std::string& more,
             int steps) {
  const auto mode =
      gcmcMode(fmt::format("potential=hard_spheres temperature=1 length={} density={} method={} "
                           "moves_per_step=4000 max_displacement=0.1 widom_points=1 seed=3 {}",
                           length, density, method, more));
  mode->advance(static_cast<std::uint64_t>(steps) / 5);
  const auto r = averaged(*mode, {"density", "pressure"}, steps, 1);
  expectHealthy(*mode);
  return {r[0], r[1]};
}

const std::string kClosed = "displacements=1 insertions=0 deletions=0";

void expectPressure(const Averaged& r, double reference) {
  std::printf("rho = %.5f: P = %.4f(%.4f), reference %.4f\n", r.density.mean(), r.pressure.mean(),
              r.pressure.error(), reference);
  EXPECT_NEAR(r.pressure.mean(), reference, 4.5 * r.pressure.error() + kAccuracy * reference);
  EXPECT_LT(r.pressure.error(), 0.01 * reference);
}

class HardSphereRuns : public testing::TestWithParam<const char*> {};

TEST_P(HardSphereRuns, AtAChemicalPotentialHaveTheDensityOfTheFluid) {
  const double rho = 0.6, mu = std::log(rho) + hardSphereFluid(rho).excessPotential;
  const Averaged r = run(GetParam(), 8.4, rho, fmt::format("chemical_potential={}", mu), 2000);
  std::printf("rho = %.5f(%.5f), reference %.5f\n", r.density.mean(), r.density.error(), rho);
  EXPECT_NEAR(r.density.mean(), rho, 4.5 * r.density.error() + kAccuracy * rho);
  EXPECT_LT(r.density.error(), 0.005 * rho);
}

TEST_P(HardSphereRuns, TheCrystalHasItsPressure) {
  const double rho = 864 / std::pow(9.4, 3);
  expectPressure(run(GetParam(), 9.4, rho, kClosed, 2500), hardSphereCrystalPressure(rho));
}

// Begun on a face-centred cubic lattice with vacancies, below the density of freezing.
TEST_P(HardSphereRuns, BelowFreezingACrystalMelts) {
  const double rho = 756 / std::pow(9.4, 3);
  expectPressure(run(GetParam(), 9.4, rho, kClosed, 2500), hardSphereFluid(rho).pressure);
}

INSTANTIATE_TEST_SUITE_P(List, HardSphereRuns, testing::Values("serial_cells", "checkerboard"),
                         [](const auto& i) { return std::string(i.param); });

struct Composition {
  Estimate n[2], square[2], product;  // N_A, N_B, their squares and N_A N_B
  Estimate binomial;                  // (N_B - y N)^2 - N y (1 - y): 0 for a binomial share
};

Composition compose(const char* method, const Box& box, const GcmcSettings& s, std::uint64_t moves,
                    int samples) {
  constexpr int kParts = 40;
  const auto e = makeGcmcEngine(method, exec::makeExec({.backend = Backend::cpu}),
                                {.attempts = 16, .slotsPerCell = 24});
  e->upload(emptyBox(box), makeGcmcRules(s, box));
  e->advance(moves * static_cast<std::uint64_t>(8 * samples));
  std::vector<double> sums[6];
  for (auto& of : sums) of.assign(kParts, 0);
  for (std::size_t block = 0; block < kParts; ++block)
    for (int k = 0; k < samples; ++k) {
      e->advance(moves);
      const GcmcState now = e->state();
      const double b = countOfB(now), a = now.count() - b, y = s.shareB, off = b - y * (a + b);
      const double values[6] = {a, b, a * a, b * b, a * b, off * off - (a + b) * y * (1 - y)};
      for (std::size_t i = 0; i < 6; ++i) sums[i][block] += values[i] / samples;
    }
  return {{estimate(sums[0]), estimate(sums[1])},
          {estimate(sums[2]), estimate(sums[3])},
          estimate(sums[4]),
          estimate(sums[5])};
}

GcmcSettings mixtureOf(double zA, double zB) {
  GcmcSettings s = gcmcMixture(gcmcFluid(1, zA + zB), 1, 1);
  s.shareB = zB / (zA + zB);
  return s;
}

constexpr const char* kMethods[] = {"serial_cells", "checkerboard", "in_order"};

// Independent Poisson numbers of means z V.
TEST(GcmcMixture, OfIdealGasesIsPoissonian) {
  GcmcSettings s = mixtureOf(0.2, 0.1);
  s.cutoff = 0;
  const Box box = cubicBox(5);
  const double a = 25, b = 12.5;
  for (const char* method : kMethods) {
    SCOPED_TRACE(method);
    const Composition c = compose(method, box, s, 256, 80);
    expectNear(c.n[0], a), expectNear(c.n[1], b);
    expectNear(c.square[0], a * a + a), expectNear(c.square[1], b * b + b);
    expectNear(c.product, a * b);
  }
}

// Two names for one type: the composition is a binomial share of N, and N that of one type.
TEST(GcmcMixture, OfOneTypeTwiceIsThatType) {
  const Box box = cubicBox(10.1);
  GcmcSettings s = mixtureOf(0.7 * 0.1, 0.3 * 0.1);
  s.temperature = 2;
  GcmcSettings one = gcmcFluid(2, 0.1);
  const auto alone = makeGcmcEngine("serial_cells", exec::makeExec({.backend = Backend::cpu}));
  alone->upload(emptyBox(box), makeGcmcRules(one, box));
  const Sampled right = sample(*alone, 512, 40);
  for (const char* method : kMethods) {
    SCOPED_TRACE(method);
    const Composition c = compose(method, box, s, 512, 40);
    const double n = c.n[0].mean + c.n[1].mean;
    EXPECT_NEAR(n, right.n.mean, 5 * std::hypot(c.n[0].error + c.n[1].error, right.n.error));
    EXPECT_NEAR(c.n[1].mean, 0.3 * n, 5 * (c.n[1].error + 0.3 * c.n[0].error));
    expectNear(c.binomial, 0);
  }
}

// Excess free energy of a volume, in kT, of additive hard spheres with densities rho of diameters
// d. With xi_k = pi / 6 sum rho_i d_i^k the equation of state integrates to
//   (xi_2^3 / xi_3^2 - n) ln(1 - xi_3) + [3 xi_1 xi_2 / (1 - xi_3)
//    + xi_2^3 / (xi_3 (1 - xi_3)^2)] pi / 6 ... all over pi / 6, n = xi_0.
double excessFreeEnergy(const double rho[2], const double d[2]) {
  const double sixth = std::acos(-1.0) / 6;
  double xi[4] = {};
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < 2; ++i) xi[k] += sixth * rho[i] * std::pow(d[i], k);
  const double free = 1 - xi[3], cube = xi[2] * xi[2] * xi[2];
  return ((cube / (xi[3] * xi[3]) - xi[0]) * std::log(free) + 3 * xi[1] * xi[2] / free +
          cube / (xi[3] * free * free)) /
         sixth;
}

// Activities rho_i exp(mu_i), by central differences.
void activities(const double rho[2], const double d[2], double z[2]) {
  for (int i = 0; i < 2; ++i) {
    constexpr double kStep = 1e-5;
    double more[2] = {rho[0], rho[1]}, less[2] = {rho[0], rho[1]};
    more[i] += kStep, less[i] -= kStep;
    z[i] = rho[i] * std::exp((excessFreeEnergy(more, d) - excessFreeEnergy(less, d)) / (2 * kStep));
  }
}

TEST(GcmcMixture, OfHardSpheresHasTheDensitiesOfItsEquation) {
  // One diameter: Carnahan and Starling.
  const double one[2] = {1, 1}, equal[2] = {0.2, 0.2}, eta = std::acos(-1.0) / 6 * 0.4;
  EXPECT_NEAR(excessFreeEnergy(equal, one), 0.4 * eta * (4 - 3 * eta) / std::pow(1 - eta, 2),
              1e-12);
  const Box box = cubicBox(10);
  for (const double sigmaB : {0.7, 1.3}) {
    const double d[2] = {1, sigmaB}, rho[2] = {0.2, sigmaB < 1 ? 0.25 : 0.08};
    double z[2];
    activities(rho, d, z);
    GcmcSettings s = gcmcMixture(gcmcFluid(1, z[0] + z[1]), sigmaB, 1);
    s.shareB = z[1] / (z[0] + z[1]);
    s.hard = true, s.cutoff = kContactReach;
    for (const char* method : kMethods) {
      SCOPED_TRACE(method);
      const Composition c = compose(method, box, s, 2048, 20);
      for (int i = 0; i < 2; ++i) {
        const double right = rho[i] * box.volume();
        std::printf("%s, sigma_BB = %g: N = %.2f(%.2f), reference %.2f\n", method, sigmaB,
                    c.n[i].mean, c.n[i].error, right);
        EXPECT_NEAR(c.n[i].mean, right, 5 * c.n[i].error + 0.005 * right);
        EXPECT_LT(c.n[i].error, 0.02 * right);
      }
    }
  }
}

}  // namespace
}  // namespace cellscope::test
