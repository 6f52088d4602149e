// Mixtures of two types at two activities: an ideal one, one of two names for one type, and hard
// spheres beside the equation of Boublik, Mansoori, Carnahan, Starling and Leland (J. Chem. Phys.
// 54, 1523 (1971)). Seeds are fixed; bounds are five errors of 40 blocks, a false alarm in some
// 10^5 runs, and for hard spheres 0.5 %, the accuracy of the equation and of a box of this size.
#include <cstdio>

#include "tests/support/gcmc_samples.h"

namespace cellscope::test {
namespace {

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
