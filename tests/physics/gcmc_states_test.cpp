// Published grand-canonical states of the Lennard-Jones fluid. Seeds are fixed; bounds: 4.5 block
// errors (false alarms below 1e-5) and the published error.
#include "tests/support/gcmc_states.h"
#include "sim/algo/observables/block_average.h"

namespace cellscope::test {
namespace {

struct State {
  const char* name;
  double side, temperature, lnZ, cutoff;
  Truncation truncation;
  bool tail;
  double particles, particlesError, energy, energyError, pressure, pressureError;
  int start;
};

void PrintTo(const State& s, std::ostream* out) { *out << s.name; }

struct Averages {
  BlockAverage n, u, p;
  BlockAverage rest;  // U less the published energy per particle times N
};

Averages run(const State& at, std::uint64_t moves) {
  GcmcSettings s = chainSettings(at.temperature, std::exp(at.lnZ));
  s.cutoff = at.cutoff;
  s.tail = at.tail;
  s.potential = lennardJones(at.truncation);
  s.maxDisplacement = 0.2;
  const Box box = cubicBox(at.side);
  const double v = box.volume();
  auto chain = chainOf("serial_cells", chainState(box, at.start), s);
  chain->advance(moves / 10);
  Averages a;
  for (std::uint64_t k = 0; k < moves / 1000; ++k) {
    chain->advance(1000);
    const double n = chain->count(), rho = n / v;
    const GcmcSums sums = chain->sums();
    EXPECT_EQ(sums.energy, chain->energy());
    a.n.add(n);
    const double u = sums.energy + (at.tail ? tailEnergy(3, at.cutoff) * n * n / v : 0);
    a.u.add(u), a.rest.add(u - at.energy / at.particles * n);
    a.p.add(rho * at.temperature + sums.virial / (3 * v) +
            (at.tail ? tailPressure(3, at.cutoff) * rho * rho : 0));
  }
  return a;
}

class GcmcStates : public testing::TestWithParam<State> {};

TEST_P(GcmcStates, HaveTheirPublishedAverages) {
  const State& s = GetParam();
  const Averages a = run(s, 10000000);
  RecordProperty("particles", std::to_string(a.n.mean()));
  std::printf("%s: <N> = %.2f(%.2f), <U> = %.1f(%.1f), p = %.4f(%.4f)\n", s.name, a.n.mean(),
              a.n.error(), a.u.mean(), a.u.error(), a.p.mean(), a.p.error());
  EXPECT_NEAR(a.n.mean(), s.particles, 4.5 * a.n.error() + s.particlesError);
  EXPECT_NEAR(a.u.mean(), s.energy, 4.5 * a.u.error() + s.energyError);
  EXPECT_NEAR(a.p.mean(), s.pressure, 4.5 * a.p.error() + s.pressureError);
  EXPECT_LT(a.n.error(), 0.01 * s.particles);
}

// NIST: T ln Xi / V as pressure, and 0.15 % and 0.25 % as errors of <N> and <U>. Others: an
// independent serial program, unpublished, with its one-sigma errors times three.
INSTANTIATE_TEST_SUITE_P(
    List, GcmcStates,
    testing::Values(State{"nist_liquid", 8, 1.2, -2.5, 3, Truncation::plain, true, 345.13, 0.52,
                          -1584.56, 4, 0.4852, 0.01, 345},
                    State{"nist_supercritical", 8, 1.5, -1.568214, 3, Truncation::plain, true,
                          310.42, 0.47, -1241.62, 3.1, 0.8090, 0.008, 310},
                    State{"cut_hot", 10, 2.0, -2.0, 2.5, Truncation::plain, false, 177.67, 0.21,
                          -190.35, 0.6, 0.33010, 0.0004, 178}),
    [](const auto& i) { return std::string(i.param.name); });

// Beads at constant number on a checkerboard (Anderson et al. 2013, section 5.2): the canonical
// averages of NIST, N = 500, cut at 3 with the tail. Their digits and the dependence on N: 0.002 of
// an energy and 0.02 of a pressure.
TEST(GcmcBeads, HaveTheCanonicalAverages) {
  const double temperature = 0.9, density = 0.82, energy = -5.7456, pressure = 0.824;
  const Box box = cubicBox(12);
  const double v = box.volume();
  GcmcSettings g = chainSettings(temperature, 1);
  g.ratio[0] = 1, g.ratio[1] = g.ratio[2] = 0;
  g.cutoff = 3, g.tail = true, g.maxDisplacement = 0.15;
  const auto board =
      makeGcmcEngine("checkerboard", exec::makeExec({.backend = Backend::cpu, .threads = 2}));
  board->upload(chainState(box, static_cast<int>(std::lround(density * v))), makeGcmcRules(g, box));
  const double n = board->count(), rho = n / v;
  board->advance(2000000);
  BlockAverage u, p;
  for (int k = 0; k < 3000; ++k) {
    board->advance(2000);
    const GcmcSums sums = board->sums();
    u.add(sums.energy / n + tailEnergy(3, 3) * rho);
    p.add(rho * temperature + sums.virial / (3 * v) + tailPressure(3, 3) * rho * rho);
  }
  ASSERT_EQ(board->count(), n);
  std::printf("T = %g, rho = %g: u = %.4f(%.4f), p = %.4f(%.4f)\n", temperature, rho, u.mean(),
              u.error(), p.mean(), p.error());
  EXPECT_LT(u.error(), 0.002);
  EXPECT_NEAR(u.mean(), energy, 4.5 * u.error() + 0.002);
  EXPECT_NEAR(p.mean(), pressure, 4.5 * p.error() + 0.02);
}

// Phases that coexist, and a vapour, in their published cube of side 8 (NIST): densities, energies
// per particle and, where the potential ends smoothly, pressures. Errors: as published or half of
// the last digit, whichever is larger.
struct Phase {
  const char* name;
  Truncation truncation;  // plain: with the tail
  double cutoff, temperature, lnZ, lnZError, density, densityError;
  double energy, energyError, pressure, pressureError;  // NaN: not compared
  std::uint64_t moves;
};

void PrintTo(const Phase& p, std::ostream* out) { *out << p.name; }

class GcmcPhases : public testing::TestWithParam<Phase> {};

TEST_P(GcmcPhases, HaveTheirPublishedAverages) {
  const Phase& s = GetParam();
  constexpr double kSide = 8, kVolume = kSide * kSide * kSide;
  const double n = s.density * kVolume;
  const bool tail = s.truncation == Truncation::plain;
  State at{s.name, kSide, s.temperature, s.lnZ, s.cutoff, s.truncation, tail};
  at.particles = n, at.energy = std::isfinite(s.energy) ? s.energy * n : 0;
  at.start = static_cast<int>(std::lround(n));
  const Averages a = run(at, s.moves);
  const double rho = a.n.mean() / kVolume, error = a.n.error() / kVolume;
  const double u = a.u.mean() / a.n.mean();
  std::printf("%s: rho = %.6f(%.6f), published %.6f; u = %.4f, published %.4f; p = %.5f(%.5f)\n",
              s.name, rho, error, s.density, u, s.energy, a.p.mean(), a.p.error());
  // Half a digit of ln z: var N / V of it.
  const double ofLnZ = a.n.variance() / kVolume * s.lnZError;
  EXPECT_NEAR(rho, s.density, 4.5 * error + 2 * s.densityError + ofLnZ);
  EXPECT_LT(error, (s.density > 0.4 ? 0.01 : 0.03) * s.density);
  if (std::isfinite(s.energy)) {
    EXPECT_NEAR(u, s.energy, 4.5 * a.rest.error() / a.n.mean() + 2 * s.energyError);
  }
  if (std::isfinite(s.pressure)) {
    EXPECT_NEAR(a.p.mean(), s.pressure, 4.5 * a.p.error() + 2 * s.pressureError);
  }
}

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

// NIST Standard Reference Simulation: SAT-TMMC of the potential cut at 3 and force-shifted at 3;
// a vapour isotherm by TMMC, force-shifted at 2.5, whose numbers are right to 2e-4 of their values.
INSTANTIATE_TEST_SUITE_P(
    List, GcmcPhases,
    testing::Values(Phase{"saturated_vapour", Truncation::plain, 3, 0.85, -4.7788, 5e-5, 0.0096404,
                          5e-8, -0.10193, 5e-6, kNone, kNone, 1500000},
                    Phase{"saturated_liquid", Truncation::plain, 3, 1.00, -3.8345, 5e-5, 0.70094,
                          5e-6, -4.8953, 5e-5, kNone, kNone, 2000000},
                    Phase{"saturated_vapour_force", Truncation::force, 3, 0.90, -3.549, 5e-4,
                          0.04502, 1.1e-5, -0.3959, 1.4e-4, 0.03147, 5e-6, 1000000},
                    Phase{"saturated_liquid_force", Truncation::force, 3, 0.90, -3.549, 5e-4,
                          0.6632, 5e-5, -4.001, 5e-4, 0.03147, 5e-6, 2000000},
                    Phase{"vapour_force", Truncation::force, 2.5, 0.90, -5.65393, 5e-6, 0.00360697,
                          7.21394e-7, kNone, kNone, 0.00319849, 6.39698e-7, 1500000}),
    [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace cellscope::test
