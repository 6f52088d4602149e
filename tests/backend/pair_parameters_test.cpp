// Pair parameters of unlike particles that are no means: forces and energies of every engine
// against brute force and against the formula, and the mode.
#include "tests/support/backend_test.h"
#include "tests/support/list_engines.h"
#include "tests/support/md_modes.h"
#include "tests/support/message_of.h"
#include "tests/support/sampled.h"

namespace cellscope::test {
namespace {

BACKEND_TESTS(PairParameters);

// Kob and Andersen (1995): sigma 1, 0.8, 0.88, epsilon 1, 1.5, 0.5, cutoffs 2.5 sigma.
PairSettings kobAndersen() {
  PairSettings p;
  p.potential = 2;
  EXPECT_EQ(potentialKeys().at(2), "shifted");
  p.species.types = 2;
  p.species.sigma[1] = 0.88, p.species.epsilon[1] = 0.5, p.species.cutoff[1] = 2.2;
  p.species.mixing = Mixing::given;
  p.species.given[SpeciesTable::at(0, 1)] = {0.8, 1.5, 2.0};
  return p;
}

// u(r) = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) - u(r_c), by definition.
struct Law {
  double sigma, epsilon, cutoff;
  double plain(double r) const {
    return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
  }
  double energy(double r) const { return r < cutoff ? plain(r) - plain(cutoff) : 0; }
  double force(double r) const {
    if (r >= cutoff) return 0;
    return 24 * epsilon / r * (2 * std::pow(sigma / r, 12) - std::pow(sigma / r, 6));
  }
};

TEST_P(PairParameters, TwoParticlesFollowTheFormula) {
  const Law laws[] = {{1, 1, 2.5}, {0.8, 1.5, 2.0}, {0.88, 0.5, 2.2}};
  for (NamedEngine& e : everyEngine(exec()))
    for (int kind = 0; kind < 3; ++kind)
      for (const double r : {0.9, 1.1, 1.6, 1.99, 2.1, 2.3, 2.6}) {
        PairSettings p = kobAndersen();
        p.method = e.method;
        MdState s;
        s.box = cubicBox(16);
        s.position = {{1, 2, 3}, {1 + r, 2, 3}}, s.velocity = {{0, 0, 0}, {0, 0, 0}};
        s.type = {static_cast<std::uint8_t>(kind == 2), static_cast<std::uint8_t>(kind > 0)};
        const std::vector<PairSums> sums = forcesOf(*e.engine, s, p);
        const double scale = 1 + std::abs(laws[kind].force(r));
        EXPECT_NEAR(sums[0].fx, -laws[kind].force(r), 2e-5 * scale) << e.name << ' ' << r;
        EXPECT_NEAR(sums[1].fx, laws[kind].force(r), 2e-5 * scale) << e.name << ' ' << r;
        EXPECT_NEAR(2 * sums[0].energy, laws[kind].energy(r), 2e-5 * scale) << e.name << ' ' << r;
      }
}

TEST_P(PairParameters, LiquidsAgreeWithBruteForce) {
  for (NamedEngine& e : everyEngine(exec()))
    for (const Mixing mixing : {Mixing::given, Mixing::lorentzBerthelot, Mixing::arithmetic}) {
      MdState s = shakenLiquid(864, 0.9);
      PairSettings p = kobAndersen();
      mix(s, p);
      p = kobAndersen();
      p.species.mixing = mixing, p.method = e.method;
      EXPECT_LT(deviation(forcesOf(*e.engine, s, p), bruteForce(s, p)), kFloatTerms) << e.name;
    }
}

std::unique_ptr<MdMode> unlikeMixture(const ExecConfig& config) {
  return startedMd(config,
                   "system=binary method=cells potential=shifted n=600 fraction_b=0.2 "
                   "cutoff_b=2.2 sigma_b=0.88 epsilon_b=0.5");
}

// Depth, diameter and cutoff between A and B act on a run, which goes on; the energy stays what it
// should be.
TEST_P(PairParameters, AreSetWhileItRuns) {
  const auto m = unlikeMixture(config());
  m->advance(20);
  const std::vector<double> positions = m->configuration().positions;
  const double arithmetic = sampled(*m, "potential");
  change(*m, "mixing=given sigma_ab=0.94 epsilon_ab=0.75 cutoff_ab=2.35");
  EXPECT_EQ(m->configuration().positions, positions);
  EXPECT_NEAR(sampled(*m, "potential"), arithmetic, 1e-6) << "these are the means";
  for (const char* setting : {"sigma_ab=0.8", "epsilon_ab=1.5", "cutoff_ab=2"}) {
    const double before = sampled(*m, "potential");
    change(*m, setting);
    EXPECT_GT(std::abs(sampled(*m, "potential") - before), 1e-3) << setting;
  }
  m->advance(50);
  const SelfCheck forces = checkOf(*m, "forces");
  EXPECT_TRUE(forces.ok) << forces.detail;
}

// The run goes on with the parameters that it had.
TEST_P(PairParameters, MissingOnesAreRefused) {
  const auto m = unlikeMixture(config());
  const auto refusal = [&](const std::string& settings) {
    return messageOf<InputError>([&] { change(*m, settings); });
  };
  const std::string two = refusal("mixing=given epsilon_ab=1.5");
  for (const char* part : {"missing pair parameters", "sigma_ab and cutoff_ab are 0",
                           "mixing = arithmetic or lorentz_berthelot"})
    EXPECT_TRUE(contains(two, part)) << two;
  EXPECT_FALSE(contains(two, "epsilon_ab")) << two;
  const std::string given = "mixing=given sigma_ab=0.8 epsilon_ab=1.5 cutoff_ab=";
  const std::string small = refusal(given + "0.3");
  EXPECT_TRUE(contains(small, "cutoff_ab = 0.3 is too small; use at least 0.5")) << small;
  change(*m, given + "2");
  m->advance(5);
}

}  // namespace
}  // namespace cellscope::test
