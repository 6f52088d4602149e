// Published grand-canonical states of the Lennard-Jones fluid. Seeds are fixed; bounds: 4.5 block
// errors (false alarms below 1e-5) and the published error.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/gcmc_reference.h"
#include "sim/core/gcmc_tail.h"
#include "tests/support/gcmc_chains.h"
#include "tests/support/published_states.h"

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
  const struct {
    double temperature, density, energy, pressure;
  } all[] = {{0.9, 0.82, -5.7456, 0.824}};
  for (const auto& s : all) {
    const Box box = cubicBox(12);
    const double v = box.volume();
    GcmcSettings g = chainSettings(s.temperature, 1);
    g.ratio[0] = 1, g.ratio[1] = g.ratio[2] = 0;
    g.cutoff = 3, g.tail = true, g.maxDisplacement = 0.15;
    const auto board =
        makeGcmcEngine("checkerboard", exec::makeExec({.backend = Backend::cpu, .threads = 2}));
    board->upload(chainState(box, static_cast<int>(std::lround(s.density * v))),
                  makeGcmcRules(g, box));
    const double n = board->count(), rho = n / v;
    board->advance(2000000);
    BlockAverage u, p;
    for (int k = 0; k < 3000; ++k) {
      board->advance(2000);
      const GcmcSums sums = board->sums();
      u.add(sums.energy / n + tailEnergy(3, 3) * rho);
      p.add(rho * s.temperature + sums.virial / (3 * v) + tailPressure(3, 3) * rho * rho);
    }
    ASSERT_EQ(board->count(), n);
    std::printf("T = %g, rho = %g: u = %.4f(%.4f), p = %.4f(%.4f)\n", s.temperature, rho, u.mean(),
                u.error(), p.mean(), p.error());
    EXPECT_LT(u.error(), 0.002);
    EXPECT_NEAR(u.mean(), s.energy, 4.5 * u.error() + 0.002);
    EXPECT_NEAR(p.mean(), s.pressure, 4.5 * p.error() + 0.02);
  }
}

// Phases that coexist, and a vapour, in their published cube of side 8 (NIST): densities, energies
// per particle and, where the potential ends smoothly, pressures.
struct Phase {
  const char* name;
  Truncation truncation;
  double temperature;
  bool liquid;
  std::uint64_t moves;
};

void PrintTo(const Phase& p, std::ostream* out) { *out << p.name; }

PublishedState publishedOf(const Phase& p) {
  PublishedState found;  // the densest of several vapours
  for (const PublishedState& s : publishedGcmcStates())
    if (s.truncation == p.truncation && std::abs(s.temperature - p.temperature) < 1e-6 &&
        (s.density.value > 0.4) == p.liquid &&
        (s.name.find("saturated") == 0) == (std::string(p.name).find("saturated") == 0))
      found = s;
  EXPECT_TRUE(std::isfinite(found.density.value)) << p.name;
  return found;
}

class GcmcPhases : public testing::TestWithParam<Phase> {};

TEST_P(GcmcPhases, HaveTheirPublishedAverages) {
  const Phase& phase = GetParam();
  const PublishedState s = publishedOf(phase);
  const double volume = std::pow(s.length, 3), n = s.density.value * volume;
  State at{phase.name, s.length, s.temperature, s.lnActivity, s.cutoff, s.truncation, s.tail};
  at.particles = n, at.energy = std::isfinite(s.energy.value) ? s.energy.value * n : 0;
  at.start = static_cast<int>(std::lround(n));
  const Averages a = run(at, phase.moves);
  const double rho = a.n.mean() / volume, error = a.n.error() / volume;
  const double u = a.u.mean() / a.n.mean();
  std::printf("%s: rho = %.6f(%.6f), published %.6f; u = %.4f, published %.4f; p = %.5f(%.5f)\n",
              phase.name, rho, error, s.density.value, u, s.energy.value, a.p.mean(), a.p.error());
  // Half a digit of ln z: var N / V of it.
  const double ofLnZ = a.n.variance() / volume * s.lnActivityError;
  EXPECT_NEAR(rho, s.density.value, 4.5 * error + 2 * s.density.error + ofLnZ);
  EXPECT_LT(error, (phase.liquid ? 0.01 : 0.03) * s.density.value);
  if (std::isfinite(s.energy.value)) {
    EXPECT_NEAR(u, s.energy.value, 4.5 * a.rest.error() / a.n.mean() + 2 * s.energy.error);
  }
  if (s.truncation == Truncation::force) {
    EXPECT_NEAR(a.p.mean(), s.pressure.value, 4.5 * a.p.error() + 2 * s.pressure.error);
  }
}

INSTANTIATE_TEST_SUITE_P(
    List, GcmcPhases,
    testing::Values(Phase{"saturated_vapour", Truncation::plain, 0.85, false, 1500000},
                    Phase{"saturated_liquid", Truncation::plain, 1.00, true, 2000000},
                    Phase{"saturated_vapour_force", Truncation::force, 0.90, false, 1000000},
                    Phase{"saturated_liquid_force", Truncation::force, 0.90, true, 2000000},
                    Phase{"vapour_force", Truncation::force, 0.90, false, 1500000}),
    [](const auto& i) { return std::string(i.param.name); });

}  // namespace
}  // namespace cellscope::test
