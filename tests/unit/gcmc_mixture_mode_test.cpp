// Mixtures of two types in the grand-canonical mode: input, observables, files, checkpoints. What
// the engines sample is judged in tests/physics/gcmc_mixture_test.cpp.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/replica_run.h"
#include "tests/support/gcmc_modes.h"
#include "tests/support/gcmc_samples.h"
#include "tests/support/gcmc_states.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kBinary =
    "system=binary tail=false cutoff=2.5 length=7 sigma_b=0.8 epsilon_b=0.6 moves_per_step=200";

std::string refusalOfMixture(const std::string& more) {
  return messageOf<InputError>([&] { gcmcMode(kBinary + " " + more); });
}

std::size_t countB(const Mode& mode) {
  const Configuration c = mode.configuration();
  return static_cast<std::size_t>(std::count(c.types.begin(), c.types.end(), 1u));
}

TEST(GcmcMixtureMode, RefusalsNameKeyValueAndWayOut) {
  EXPECT_THAT(refusalOfMixture("tail=true"),
              AllOf(HasSubstr("tail = true"), HasSubstr("tail = false")));
  EXPECT_THAT(refusalOfMixture("potential=hard_spheres"),
              AllOf(HasSubstr("potential = hard_spheres"), HasSubstr("system = pure")));
  EXPECT_THAT(refusalOfMixture("mixing=given epsilon_ab=1"),
              AllOf(HasSubstr("sigma_ab = 0"), HasSubstr("0.5 to 2")));
  EXPECT_THAT(refusalOfMixture("mixing=given sigma_ab=1"),
              AllOf(HasSubstr("epsilon_ab = 0"), HasSubstr("0.05 to")));
  EXPECT_THAT(refusalOfMixture("share_b=1.5"), AllOf(HasSubstr("share_b"), HasSubstr("1.5")));
  // The cutoff of the largest pair, 2.5 * 2, in a box of 7.
  EXPECT_THAT(refusalOfMixture("sigma_b=2"), AllOf(HasSubstr("cutoff"), HasSubstr("half")));
  EXPECT_EQ(refusalOfMixture("share_b=1"), "");
}

// Kernels of GPUs are those of two types.
TEST(GcmcMixtureMode, TakesTheMethodsOfOneType) {
  gcmc::GcmcParameters pure, p;
  ParameterSet set = ParameterSet::of(p);
  assign(set, kBinary);
  gcmc::checkParameters(p, {Backend::cuda, 1, 0});
  for (const Backend where : {Backend::cpu, Backend::cuda})
    EXPECT_EQ(&gcmc::methodOf(p, where), &gcmc::methodOf(pure, where));
  EXPECT_TRUE(gcmc::optionsOf(p).mixed);
  EXPECT_FALSE(gcmc::optionsOf(pure).mixed);
}

TEST(GcmcMixtureMode, NumbersOfBothTypesAddUp) {
  for (const char* method : {"serial_cells", "speculative"}) {
    SCOPED_TRACE(method);
    auto mode = gcmcMode(kBinary + " method=" + method);
    mode->advance(20);
    const double a = sampled(*mode, "number_a"), b = sampled(*mode, "number_b");
    EXPECT_GT(a, 0);
    EXPECT_GT(b, 0);
    EXPECT_EQ(a + b, sampled(*mode, "particles"));
    EXPECT_EQ(b / (a + b), sampled(*mode, "fraction_b"));
    EXPECT_EQ(b, static_cast<double>(countB(*mode)));
    mode->advance(1);
    EXPECT_GT(sampled(*mode, "acceptance_exchange"), 0);
    expectHealthy(*mode);
  }
  auto pure = gcmcMode();
  pure->advance(1);
  for (const char* id : {"number_a", "number_b", "fraction_b", "acceptance_exchange"})
    EXPECT_TRUE(std::isnan(sampled(*pure, id))) << id;
}

// Without pair energies every exchange is accepted, and B has its part of the reservoir, exactly:
// N_B is Poissonian of mean y z V = 0.25 * 0.2 * 343 = 17.15. Five errors of 40 blocks.
TEST(GcmcMixtureMode, AnIdealMixtureHasTheCompositionOfItsReservoir) {
  auto mode = gcmcMode(kBinary + " potential=ideal_gas share_b=0.25 density=0.2 activity=0.2");
  mode->advance(50);
  std::vector<double> blocks;
  for (int block = 0; block < 40; ++block) {
    double sum = 0;
    for (int k = 0; k < 50; ++k) {
      mode->advance(2);
      sum += sampled(*mode, "number_b") / 50;
    }
    blocks.push_back(sum);
  }
  expectNear(estimate(blocks), 0.25 * 0.2 * 343);
  mode->advance(2);
  EXPECT_EQ(sampled(*mode, "acceptance_exchange"), 1);
}

// The line of the reservoir, in the semi-grand ensemble too.
TEST(GcmcMixtureMode, TheActivityFractionIsAReference) {
  for (const double insertions : {0.35, 0.0}) {
    auto mode = gcmcMode(kBinary + fmt::format(" displacements={} insertions={} deletions={}",
                                               1 - 2 * insertions, insertions, insertions));
    const std::vector<ReferenceValue> all = mode->references();
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].observable, "fraction_b");
    EXPECT_EQ(all[0].value, 0.5);
    const std::size_t n = mode->particleCount();
    mode->advance(20);
    EXPECT_EQ(mode->particleCount() == n, insertions == 0);
    EXPECT_GT(sampled(*mode, "acceptance_exchange"), 0);
  }
}

TEST(GcmcMixtureMode, CheckpointsResumeBitForBit) {
  for (const char* method : {"serial_cells", "checkerboard", "in_order"}) {
    SCOPED_TRACE(method);
    const std::string settings = fmt::format("{} method={} length=12 replicas=2", kBinary, method);
    auto straight = gcmcMode(settings), mode = gcmcMode(settings), other = gcmcMode(settings);
    straight->advance(6), mode->advance(4);
    expectResumes(*mode, *other, 2);
    EXPECT_EQ(saved(*other), saved(*straight));
  }
}

// Without pair energies N_B of a replica is Poissonian of mean y z V, whatever its potential: 5
// standard deviations of 400 independent samples.
TEST(GcmcMixtureMode, ReplicasHaveTheirOwnActivities) {
  gcmc::GcmcParameters p;
  ParameterSet set = ParameterSet::of(p);
  assign(set, kBinary + " potential=ideal_gas");
  p.shareB = 0.25, p.length = 5, p.density = 0.1;
  p.replicas = 2, p.replicaFrom = -2, p.replicaTo = -1;
  gcmc::ReplicaRun run(exec::makeExec({.backend = Backend::cpu, .threads = 1}));
  run.start(p);
  for (std::size_t k = 0; k < 2; ++k) {
    const std::uint32_t b = countOfB(run.chain(k).state());
    EXPECT_GT(b, 0u);
    EXPECT_LT(b, run.chain(k).count());
  }
  double sum[2] = {};
  constexpr int kSamples = 400;
  for (int s = 0; s < kSamples; ++s) {
    run.advance(p, 1000);  // some 20 moves for each particle
    for (std::size_t k = 0; k < 2; ++k) sum[k] += countOfB(run.chain(k).state());
  }
  for (std::size_t k = 0; k < 2; ++k) {
    const double mean = 0.25 * gcmc::parametersOf(p, k).activity * 125;
    EXPECT_NEAR(sum[k] / kSamples, mean, 5 * std::sqrt(mean / kSamples)) << k;
  }
}

TEST(GcmcMixtureMode, FilesKeepTheTypes) {
  auto mode = gcmcMode(kBinary);
  mode->advance(10);
  const Configuration c = mode->configuration();
  ASSERT_EQ(c.species.size(), 2u);
  EXPECT_EQ(c.species[0].name, "A");
  EXPECT_EQ(c.species[1].diameter, 0.8);
  auto other = gcmcMode(kBinary + " seed=5");
  other->adopt(c);
  EXPECT_EQ(other->configuration().types, c.types);
  // Of one type, and of other names.
  EXPECT_THAT(messageOf<InputError>([&] { gcmcMode()->adopt(c); }), HasSubstr("system = binary"));
  Configuration renamed = c;
  renamed.species[1].name = "Kr";
  EXPECT_THAT(messageOf<InputError>([&] { other->adopt(renamed); }),
              AllOf(HasSubstr("'Kr'"), HasSubstr("'A' and 'B'")));
}

}  // namespace
}  // namespace cellscope::test
