// Random numbers: the published known answers of Philox 4x32-10 (Random123, kat_vectors) reach the
// caller through draw(), with the key whole or as round keys; the leap-frog generator against the C
// library. Records of what kernels do, in order; values that are tuned until they are on target.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "sim/algo/md/bath.h"
#include "sim/algo/race/tuner.h"
#include "sim/algo/recorder/recorder.h"
#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

struct KnownAnswer {
  std::array<std::uint32_t, 4> counter;
  RngKey key;
  std::array<std::uint32_t, 4> words;
};

const KnownAnswer kAnswers[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};

TEST(Rng, KnownAnswers) {
  for (const KnownAnswer& a : kAnswers) {
    // The counter holds id, block, the step's low word, and purpose with the step's high bits.
    const auto purpose = static_cast<RngPurpose>(a.counter[3] >> 24);
    const std::uint64_t step = std::uint64_t{a.counter[3] & 0xffffffu} << 32 | a.counter[2];
    const Random4 whole = draw(a.key, purpose, step, a.counter[0], a.counter[1]);
    const Random4 rounds = draw(roundKeys(a.key), purpose, step, a.counter[0], a.counter[1]);
    for (int i = 0; i < 4; ++i) {
      EXPECT_EQ(whole.w[i], a.words[i]);
      EXPECT_EQ(rounds.w[i], a.words[i]);
    }
  }
}

TEST(Rand48, LeapsAreThePublishedOnes) {
  EXPECT_EQ(rand48Leap(2).a, 0xbb20b4600a69u);
  EXPECT_EQ(rand48Leap(2).c, 0x0040942de6bau);
  EXPECT_EQ(rand48Leap(6144).a, 0x85efae376001u);  // van Meel et al. 2008
  EXPECT_EQ(rand48Leap(6144).c, 0xd4aad0115800u);
  EXPECT_EQ(rand48Leap(1000000).a, 0x84c8b05ab101u);
  EXPECT_EQ(rand48Leap(1000000).c, 0x879086b10040u);
  EXPECT_EQ(rand48Leap(0).of(77), 77u);
  EXPECT_EQ(rand48Seed(12345), 0x00003039330eu);
}

TEST(Rand48, StreamsMakeTheSequenceOfTheLibrary) {
  const exec::Shared shared = exec::makeExec({Backend::cpu, 2});
  auto& cpu = exec::as<exec::CpuExec>(shared);
  for (const long seed : {0L, 42L, 12345L, -1L})
    for (const std::size_t streams : {std::size_t{1}, std::size_t{192}, std::size_t{6144}}) {
      constexpr std::size_t kCount = 20000;
      std::vector<std::uint32_t> out(kCount);
      cpu.forEach("rand48", streams,
                  Rand48Streams{rand48Seed(static_cast<std::uint64_t>(seed)), streams, kCount,
                                out.data(), rand48Leap(streams)});
      srand48(seed);
      for (std::size_t k = 0; k < kCount; ++k)
        ASSERT_EQ(out[k], static_cast<std::uint32_t>(lrand48()))
            << seed << " " << streams << " " << k;
    }
}

// Every particle takes its four numbers from the sequence, in the order of particles and steps:
// drawn serially by the library, they give the same velocities.
TEST(Rand48, NoiseIsTheSerialSequence) {
  BathSettings s{true, 1.3, 2.0, 99};
  s.rand48 = true, s.particles = 7;
  srand48(99);
  for (std::uint64_t step = 0; step < 5; ++step) {
    const Bath bath = Bath::of(s, 0.01, step);
    for (std::uint32_t i = 0; i < 7; ++i) {
      double u[4];
      for (double& x : u) x = drand48();
      const Vec3d v = bath.kicked({0.1, 0.2, 0.3}, step, i, false);
      const double r1 = bath.noise * std::sqrt(-2 * std::log(u[0]));
      const double r2 = bath.noise * std::sqrt(-2 * std::log(u[1]));
      EXPECT_NEAR(v.x, bath.keep * 0.1 + r1 * std::cos(2 * M_PI * u[2]), 1e-9);
      EXPECT_NEAR(v.y, bath.keep * 0.2 + r1 * std::sin(2 * M_PI * u[2]), 1e-9);
      EXPECT_NEAR(v.z, bath.keep * 0.3 + r2 * std::cos(2 * M_PI * u[3]), 1e-9);
    }
  }
}

Record numbered(std::uint32_t group, std::uint32_t order) {
  return {.subject = 1000ull * group + order,
          .group = group,
          .order = order,
          .number = {0, 0, 0, 0, 0, 0.5f}};
}

TEST(Recorder, WithoutRoomItIsOff) {
  const Recorder none;
  EXPECT_FALSE(none.writer().on());
  EXPECT_TRUE(none.read().records.empty());
  EXPECT_EQ(none.bytes(), 0u);
  EXPECT_TRUE(Recorder(Backend::cpu, 1).writer().on());
}

// Written by many threads in any order, read in the order of what was done.
TEST(Recorder, RecordsAreReadInOrder) {
  Recorder recorder(Backend::cpu, 10000);
  const RecordWriter to = recorder.writer();
  exec::CpuExec exec(4);
  exec.forEach(
      "write", 100,
      [&](std::size_t i) {
        for (std::uint32_t k = 0; k < 100; ++k)
          to.write(numbered(static_cast<std::uint32_t>(99 - i), k));
      },
      1);
  const Recorded all = recorder.read();
  EXPECT_EQ(all.lost, 0u);
  ASSERT_EQ(all.records.size(), 10000u);
  for (std::uint32_t i = 0; i < 10000; ++i) {
    EXPECT_EQ(all.records[i].group, i / 100);
    EXPECT_EQ(all.records[i].order, i % 100);
    EXPECT_EQ(all.records[i].subject, 1000ull * (i / 100) + i % 100);
    EXPECT_EQ(all.records[i].object, kNoObject);
    EXPECT_EQ(all.records[i].number[5], 0.5f);
  }
}

TEST(Recorder, StageComesBeforeGroupAndGroupBeforeOrder) {
  Recorder recorder(Backend::cpu, 8);
  for (const auto& [stage, group, order] :
       {std::tuple{1u, 0u, 0u}, {0u, 1u, 0u}, {0u, 0u, 1u}, {0u, 0u, 0u}}) {
    Record r = numbered(group, order);
    r.stage = stage;
    recorder.writer().write(r);
  }
  const auto records = recorder.read().records;
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(records[i].stage, i == 3 ? 1u : 0u);
    EXPECT_EQ(records[i].group, i == 2 ? 1u : 0u);
    EXPECT_EQ(records[i].order, i == 1 ? 1u : 0u);
  }
}

// What does not fit is counted and not written anywhere.
TEST(Recorder, OverflowIsCounted) {
  Recorder recorder(Backend::cpu, 100);
  const RecordWriter to = recorder.writer();
  exec::CpuExec exec(4);
  exec.forEach(
      "write", 1000, [&](std::size_t i) { to.write(numbered(0, static_cast<std::uint32_t>(i))); },
      10);
  const Recorded all = recorder.read();
  EXPECT_EQ(all.lost, 900u);
  ASSERT_EQ(all.records.size(), 100u);
  std::set<std::uint32_t> orders;
  for (const Record& r : all.records) orders.insert(r.order);
  EXPECT_EQ(orders.size(), 100u) << "whole records, each once";
  recorder.reset();
  EXPECT_TRUE(recorder.read().records.empty());
  EXPECT_EQ(recorder.read().lost, 0u);
  to.write(numbered(3, 4));
  EXPECT_EQ(recorder.read().records.at(0).group, 3u);
}

constexpr TunerRange kMoves{0.001, 0.5};

// Acceptance as given, of 200000 moves a round; 0.4 is the target.
TEST(Tuner, RoundsOnTargetMustFollowEachOther) {
  TargetTuner tuner(kMoves);
  tuner.begin(0.4, 1000);
  EXPECT_EQ(tuner.state.roundSteps, 200u);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_GT(tuner.evaluate(0.2, 100000, 200000), 0.2);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_TRUE(tuner.state.active);
  EXPECT_EQ(tuner.evaluate(0.2, 80000, 200000), 0.2);
  EXPECT_FALSE(tuner.state.active);
}

TEST(Tuner, EndsWithoutReachingTheTarget) {
  TargetTuner tuner(kMoves);
  tuner.begin(0.4, 1000);
  std::int64_t rounds = 0;
  for (; tuner.state.active && rounds < 100; ++rounds)
    tuner.evaluate(0.2, rounds % 2 ? 60000 : 100000, 200000);
  EXPECT_EQ(rounds, TargetTuner::kRounds);
  tuner.begin(0.4, 1000);
  EXPECT_EQ(tuner.evaluate(kMoves.largest, 199999, 200000), kMoves.largest);
  EXPECT_FALSE(tuner.state.active);
}

// Acceptances that fall in other ways than the exponential that the search assumes.
TEST(Tuner, ConvergesOnTheTarget) {
  double (*const forms[])(double) = {[](double d) { return std::exp(-6 * d); },
                                     [](double d) { return std::exp(-30 * d * d); },
                                     [](double d) { return 1 / (1 + 20 * d); }};
  for (const double start : {0.001, 0.05, 0.5})
    for (const double target : {0.2, 0.4, 0.7})
      for (const auto& acceptance : forms) {
        TargetTuner tuner(kMoves);
        tuner.begin(target, 100000);
        double d = start;
        while (tuner.state.active) {
          EXPECT_FALSE(tuner.roundOver());
          tuner.stepsDone(tuner.state.stepsLeft);
          EXPECT_TRUE(tuner.roundOver());
          d = tuner.evaluate(d, static_cast<std::uint64_t>(acceptance(d) * 200000), 200000);
        }
        EXPECT_LT(tuner.state.rounds, 30);
        EXPECT_NEAR(acceptance(d), target, 0.01) << start << " " << &acceptance - forms;
        EXPECT_FALSE(tuner.roundOver());
      }
}

double tuned(MinimumTuner& tuner, TunerRange range, const auto& cost) {
  tuner.begin(range);
  int measured = 0;
  while (tuner.state.active) {
    EXPECT_GE(tuner.value(), range.smallest);
    EXPECT_LE(tuner.value(), range.largest);
    tuner.add(cost(tuner.value()));
    EXPECT_LT(++measured, 200);
  }
  EXPECT_EQ(tuner.progress(), 1);
  EXPECT_EQ(tuner.value(), tuner.state.best) << "frozen";
  return tuner.value();
}

// The cost of a neighbour list: rebuilding gets rarer with the buffer, and pairs more.
TEST(Tuner, FindsTheSmallestCost) {
  MinimumTuner tuner(0.05);
  const auto cost = [](double b) { return 1 / b + 10 * std::pow(1 + b, 3); };
  const double best = tuned(tuner, {0.01, 2}, cost);
  // 1 / b^2 = 30 (1 + b)^2: b (1 + b) = 1 / sqrt(30)
  EXPECT_NEAR(best, 0.157, 0.157 * 0.05);
  EXPECT_NEAR(tuner.state.bestCost, cost(best), 1e-2);
  EXPECT_EQ(tuner.samples().size(), 2 * static_cast<std::size_t>(tuner.state.rounds));
}

TEST(Tuner, FindsAMinimumAtEitherEndOfTheRange) {
  MinimumTuner tuner(0.05);
  EXPECT_NEAR(tuned(tuner, {0.1, 10}, [](double v) { return v; }), 0.1, 0.005);
  EXPECT_NEAR(tuned(tuner, {0.1, 10}, [](double v) { return -v; }), 10, 0.5);
}

// Noise of 3 %, one measurement in seven interrupted, and a machine that slows down meanwhile.
TEST(Tuner, NoiseOutliersAndDriftMoveTheMinimumLittle) {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(1, 0.03);
  MinimumTuner tuner(0.1);
  int calls = 0;
  const double best = tuned(tuner, {0.01, 2}, [&](double b) {
    const double drift = 1 + 0.002 * calls, outlier = ++calls % 7 == 0 ? 5 : 1;
    const double x = std::log(b / 0.2);
    return (1 + x * x) * noise(random) * drift * outlier;
  });
  EXPECT_GT(best, 0.2 / 1.5);
  EXPECT_LT(best, 0.2 * 1.5);
}

// The state is all that a checkpoint needs.
TEST(Tuner, GoesOnFromItsState) {
  const auto cost = [](double b) { return 1 / b + b; };
  MinimumTuner whole(0.05), cut(0.05);
  whole.begin({0.1, 20});
  cut.begin({0.1, 20});
  while (whole.state.active) {
    whole.add(cost(whole.value()));
    MinimumTuner resumed(0.05);
    resumed.state = cut.state;
    resumed.add(cost(resumed.value()));
    cut.state = resumed.state;
    EXPECT_EQ(whole.value(), cut.value());
  }
  EXPECT_FALSE(cut.state.active);
}

TEST(Tuner, ProgressNeverFalls) {
  MinimumTuner tuner;
  EXPECT_EQ(tuner.progress(), 0);
  tuner.begin({0.1, 10});
  double before = 0;
  while (tuner.state.active) {
    EXPECT_GE(tuner.progress(), before - 1e-12);
    before = tuner.progress();
    EXPECT_LT(before, 1);
    tuner.add(1);
  }
  EXPECT_EQ(tuner.progress(), 1);
}

TEST(Tuner, ValuesCanBeTypedAgain) {
  EXPECT_DOUBLE_EQ(roundedValue(0.123456), 0.1235);
  EXPECT_DOUBLE_EQ(roundedValue(98765), 98770);
}

}  // namespace
}  // namespace cellscope
