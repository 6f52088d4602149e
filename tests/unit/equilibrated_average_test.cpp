// Averages that leave equilibration out by themselves, and whether a run is said to be
// equilibration: never without a reason, always with a good one.
#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "sim/io/container.h"
#include "sim/run/sample_history.h"

namespace cellscope {
namespace {

// Correlated noise of standard deviation 1 about `truth`, plus an approach that decays.
struct NoisyApproach {
  std::mt19937_64 random;
  double truth = 10, amplitude = 0, decay = 100, noise = 0;
  std::uint64_t n = 0;

  double operator()() {
    std::normal_distribution<double> normal;
    noise = 0.8 * noise + 0.6 * normal(random);
    return truth + noise + amplitude * std::exp(-static_cast<double>(n++) / decay);
  }
};

TEST(EquilibratedAverages, ATransientIsLeftOutAndTheTruthIsWithinTheError) {
  int outside = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EquilibratedAverages a({true});
    BlockAverage all;
    NoisyApproach s{std::mt19937_64(seed), 10, 20, 100};
    for (std::uint64_t step = 1; step <= 20000; ++step) {
      const double value = s();
      a.add(step, {value});
      all.add(value);
    }
    EXPECT_TRUE(a.equilibrated()) << seed;
    EXPECT_GE(a.leftOut(), 256u) << seed;  // 20 exp(-2.56) = 1.5 is left there
    EXPECT_LE(a.leftOut(), 10000u) << seed;
    EXPECT_GT(std::abs(all.mean() - 10), 2 * a.average(0).error()) << "the whole is biased";
    EXPECT_LT(a.average(0).error(), 0.5 * all.error());
    outside += std::abs(a.average(0).mean() - 10) > 3 * a.average(0).error();
  }
  EXPECT_LE(outside, 1);  // 0.3 % each for known errors
}

// What too few samples seemed to show is withdrawn by 400 of them and two more tests, at 484.
TEST(EquilibratedAverages, WhatDriftsOnIsNotEquilibrated) {
  for (double sign : {1.0, -1.0}) {  // falling and rising
    EquilibratedAverages a({true});
    NoisyApproach s{std::mt19937_64(3), 0, 40, 4000};
    int equilibrated = 0;
    for (std::uint64_t step = 1; step <= 4000; ++step) {
      a.add(step, {sign * s()});
      equilibrated += step > 484 && a.equilibrated();
    }
    EXPECT_EQ(equilibrated, 0) << sign;
  }
}

TEST(EquilibratedAverages, InEquilibriumLittleIsLeftOut) {
  double kept = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EquilibratedAverages a({true});
    NoisyApproach s{std::mt19937_64(seed)};
    for (std::uint64_t step = 1; step <= 4000; ++step) a.add(step, {s()});
    EXPECT_TRUE(a.equilibrated());
    kept += 1 - static_cast<double>(a.leftOut()) / 4000;
  }
  EXPECT_GT(kept / 40, 0.9);
}

// One test of 3 in 100 rejects by chance: it alone withdraws no result. If it did, these seeds
// would have 46 withdrawals.
TEST(EquilibratedAverages, AResultStandsAgainstOneTest) {
  int withdrawn = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    EquilibratedAverages a({true, true, true});
    NoisyApproach x{std::mt19937_64(seed)}, y{std::mt19937_64(100 + seed)},
        z{std::mt19937_64(200 + seed)};
    bool before = false;
    for (std::uint64_t step = 1; step <= 4000; ++step) {
      a.add(step, {x(), y(), z()});
      withdrawn += before && !a.equilibrated();
      before = a.equilibrated();
    }
  }
  EXPECT_LE(withdrawn, 12);
}

// A slow fluctuation, of 200 samples to and fro, under quick noise that passes the test of drift by
// itself: it is no result until it has been met often, and a verdict does not come and go.
TEST(EquilibratedAverages, ASlowFluctuationIsWaitedFor) {
  int verdicts = 0, early = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EquilibratedAverages a({true});
    NoisyApproach quick{std::mt19937_64(seed)};
    std::mt19937_64 random(1000 + seed);
    std::normal_distribution<double> normal;
    double slow = normal(random);
    bool before = false;
    for (std::uint64_t step = 1; step <= 30000; ++step) {
      slow = 0.99 * slow + std::sqrt(1 - 0.99 * 0.99) * normal(random);
      a.add(step, {quick() + 3 * slow});
      early += step == 1000 && a.equilibrated();
      verdicts += before != a.equilibrated();
      before = a.equilibrated();
    }
    EXPECT_TRUE(before) << seed;
  }
  // 1,000 samples are worth five independent ones.
  EXPECT_LE(early, 2);
  EXPECT_LE(verdicts, 30);
}

// A short approach biases a mean long before a test of drift can see it, so the first 32 samples
// are left out whatever the test says; all of them count where equilibration came before.
TEST(EquilibratedAverages, TheFirstSamplesBelongToNoResultUnlessRequested) {
  EquilibratedAverages a({true}), kept({true});
  kept.keepBeginning();
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    a.add(step, {0.5});
    kept.add(step, {0.5});
    EXPECT_EQ(a.leftOut(), step < 64 ? 0u : 32u);
    EXPECT_EQ(kept.leftOut(), 0u);
  }
  EXPECT_EQ(a.fromStep(), 33u);
  EXPECT_EQ(a.average(0).count(), 968u);
  kept.restart(1000);
  for (std::uint64_t step = 1001; step <= 1064; ++step) kept.add(step, {0.5});
  EXPECT_EQ(kept.leftOut(), 32u);
}

TEST(EquilibratedAverages, ObservablesThatDoNotRelaxDecideNothing) {
  EquilibratedAverages a({false, true});
  NoisyApproach fast{std::mt19937_64(1), 0, 50, 500}, slow{std::mt19937_64(2)};
  for (std::uint64_t step = 1; step <= 1000; ++step) a.add(step, {fast(), slow()});
  EXPECT_TRUE(a.equilibrated());
  EXPECT_LE(a.leftOut(), 64u);
}

TEST(EquilibratedAverages, FewSamplesAreNotEquilibratedAndUndefinedOnesAreLeftOut) {
  EquilibratedAverages a({true});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (std::uint64_t step = 1; step <= 63; ++step) a.add(step, {step % 2 ? 1.0 : nan});
  EXPECT_FALSE(a.equilibrated());
  EXPECT_EQ(a.average(0).count(), 32u);
  EXPECT_EQ(a.average(0).mean(), 1);
  a.restart(100);
  EXPECT_EQ(a.average(0).count(), 0u);
  EXPECT_EQ(a.fromStep(), 100u);
}

// A box that empties and stays empty.
TEST(EquilibratedAverages, TheWayToWhereASeriesComesToRestIsLeftOut) {
  EquilibratedAverages a({true});
  for (std::uint64_t step = 1; step <= 400; ++step)
    a.add(step, {step < 40 ? 40.0 - static_cast<double>(step) : 0.1});
  EXPECT_TRUE(a.equilibrated());
  EXPECT_EQ(a.leftOut(), 64u);
  EXPECT_NEAR(a.average(0).mean(), 0.1, 1e-12);
}

TEST(EquilibratedAverages, WhatIsConstantDoesNotHinderTheOthers) {
  EquilibratedAverages a({true, true});
  NoisyApproach s{std::mt19937_64(2)};
  for (std::uint64_t step = 1; step <= 1000; ++step) a.add(step, {s(), 0.227});
  EXPECT_TRUE(a.equilibrated());
}

TEST(ObservableSeries, AMeanOfEqualSamplesIsAResultOnlyWhereItIsConserved) {
  ObservableInfo pressure{"pressure", "", "", "", "", ""}, order = pressure, number = pressure;
  pressure.relaxes = order.relaxes = true;
  SampleHistory h({pressure, order, number, pressure, pressure});
  NoisyApproach s{std::mt19937_64(2)};
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    const double x = s(), rare = step % 200 == 7 ? 5 : 0.227;
    h.add(step, {0.227, x, 864.0, 0.0, rare});
  }
  const std::vector<ObservableSeries> all = h.series();
  for (const ObservableSeries& one : all) EXPECT_TRUE(one.equilibrated);
  EXPECT_FALSE(all[0].settled);
  EXPECT_TRUE(all[1].settled);
  EXPECT_TRUE(all[2].settled);
  EXPECT_FALSE(all[3].settled);
  EXPECT_FALSE(all[4].settled) << "few events tell no error";
}

TEST(EquilibratedAverages, GoOnFromACheckpointAsIfNothingHadHappened) {
  EquilibratedAverages a({true, false});
  NoisyApproach s{std::mt19937_64(9), 5, 10, 50}, t{std::mt19937_64(8)};
  for (std::uint64_t step = 1; step <= 777; ++step) a.add(step, {s(), t()});
  std::stringstream file;
  BinaryWriter writer(file);
  a.save(writer);
  EquilibratedAverages b({true, false});
  BinaryReader reader(file);
  b.load(reader);
  for (std::uint64_t step = 778; step <= 5000; ++step) {
    const std::vector<double> values = {s(), t()};
    a.add(step, values);
    b.add(step, values);
  }
  EXPECT_EQ(a.fromStep(), b.fromStep());
  EXPECT_EQ(a.equilibrated(), b.equilibrated());
  EXPECT_EQ(a.average(0).mean(), b.average(0).mean());
  EXPECT_EQ(a.average(1).error(), b.average(1).error());
  std::stringstream cut(file.str().substr(0, 40));
  BinaryReader early(cut);
  EXPECT_THROW(b.load(early), InputError);
}

// Values about 9 with standard deviation 1 and the correlation 0.8 from one to the next, raised at
// first by `rise`, which decays over `decay` values. An earlier epoch holds nonsense.
std::vector<ObservableSeries> history(int samples, double rise, double decay, std::uint64_t seed,
                                      bool relaxes = true) {
  ObservableInfo info{"order", "Order", "", "", "", ""};
  info.relaxes = relaxes;
  SampleHistory h({info});
  for (int k = 0; k < 300; ++k) h.add(static_cast<std::uint64_t>(k), {1000.0});
  h.startEpoch(300);
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  double x = normal(generator);
  for (int k = 0; k < samples; ++k) {
    x = 0.8 * x + 0.6 * normal(generator);
    h.add(301 + static_cast<std::uint64_t>(k), {9 + x + rise * std::exp(-k / decay)});
  }
  return h.series();
}

// Student's t with 7 degrees of freedom, whose variance is 7/5; blocks of 62 values are not quite
// independent and make it 1.48, 2000 series tell it to 0.07. One deviate in 540 is beyond kDrifts:
// 3.7 of 2000. False alarm: 5e-5 (2e6 series resampled).
TEST(Equilibration, WithoutADriftTheDeviateIsStudentsT) {
  constexpr int kRuns = 2000;
  int large = 0;
  double squares = 0;
  for (int k = 0; k < kRuns; ++k) {
    const std::vector<double> values = history(1000, 0, 1, static_cast<std::uint64_t>(k))[0].value;
    const double z = driftInErrors(std::span(values).last(1000));
    large += std::abs(z) > kDrifts;
    squares += z * z;
  }
  EXPECT_LE(large, 13);
  EXPECT_NEAR(squares / kRuns, 1.48, 0.4);
}

TEST(Equilibration, TheWayIntoEquilibriumIsSeenAndSoIsItsEnd) {
  const Equilibration under = equilibrationOf(history(200, 20, 100, 1));
  EXPECT_EQ(under.drifting, std::vector<std::string>{"Order"});
  EXPECT_FALSE(under.over);
  const Equilibration over = equilibrationOf(history(2000, 20, 100, 1));
  EXPECT_EQ(over.drifting, std::vector<std::string>{"Order"});
  EXPECT_TRUE(over.over);
  EXPECT_TRUE(equilibrationOf(history(2000, 0, 1, 1)).drifting.empty());
  EXPECT_FALSE(equilibrationOf(history(2000, 0, 1, 1)).over);
}

// First fifth 3; the last half eight blocks of +1 and -1: error (8 / 56)^(1/2), times
// (1 + 80 / 32)^(1/2) that of the difference.
TEST(Equilibration, TheDriftOfGivenValues) {
  std::vector<double> values(160, 0.0);
  std::fill_n(values.begin(), 32, 3.0);
  for (std::size_t k = 80; k < 160; ++k) values[k] = k / 10 % 2 ? 1 : -1;
  EXPECT_NEAR(driftInErrors(values), 3 * std::sqrt(2.0), 1e-12);
}

TEST(Equilibration, FewValuesDoNotShowThatTheyAreAtRest) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Equilibration short_ = equilibrationOf(history(100, 60, 5, seed));
    EXPECT_EQ(short_.drifting.size(), 1u);
    EXPECT_FALSE(short_.over);
  }
}

TEST(Equilibration, OnlyWhatRelaxesIsAskedAndOnlyWithEnoughValues) {
  EXPECT_TRUE(equilibrationOf(history(200, 20, 100, 1, false)).drifting.empty());
  EXPECT_TRUE(equilibrationOf(history(31, 20, 10, 1)).drifting.empty());
  EXPECT_EQ(driftInErrors(std::vector<double>(100, 3.0)), 0);
}

}  // namespace
}  // namespace cellscope
