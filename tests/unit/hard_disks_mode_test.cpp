// The hard-disk mode while it runs: packing changes, tuner, checkpoints, phases; and while
// everything about it is changed, often and at any moment: never an overlap.
#include <fmt/format.h>

#include <random>

#include "sim/algo/observables/hard_disk_reference.h"
#include "sim/run/session.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

TEST(Compression, ReachesTheTransitionFromARandomStart) {
  for (const char* n : {"1024", "4096"}) {
    const auto mode = started(fmt::format("n={} packing=0.72", n));
    EXPECT_NEAR(packingOf(*mode), 0.72, 1e-6);
    expectHealthy(*mode);
  }
}

TEST(Compression, ChangesThePackingWhileRunningWithoutAnOverlap) {
  const auto mode = started("n=256 packing=0.5");
  mode->advance(10);
  for (const char* target : {"0.71", "0.3", "0.65", "0.6500001", "0.02", "0.5"}) {
    change(*mode, std::string("packing=") + target);
    const std::uint64_t before = mode->step();
    int stages = 0;
    double progress = 0;
    while (mode->preparation()) {
      EXPECT_GE(mode->preparation()->progress, progress - 1e-9);
      progress = mode->preparation()->progress;
      mode->advance(1);
      expectHealthy(*mode);
      ASSERT_LT(++stages, 5000) << target;
    }
    EXPECT_EQ(mode->step(), before + static_cast<std::uint64_t>(stages));
    EXPECT_NEAR(packingOf(*mode), std::stod(target), 1e-6);
    mode->advance(3);
    expectHealthy(*mode);
  }
}

// Four disks so thin that they hardly meet: g(r) = 1 as in an ideal gas, and not 1 - 1/N = 0.75.
// 2000 counts of 12 ordered pairs each find some 5000 of them between 2 and 5 sigma, with an error
// of sqrt(2 / 5000) = 0.02; excluded area adds 0.01. Off by 0.1 at 4.5 standard errors: one seed in
// 10^5.
TEST(PairDistribution, OfAnIdealGasIsOne) {
  const auto mode = started("n=4 packing=0.01 r_max=5");
  for (int k = 0; k < 16000; ++k) mode->advance(16), mode->sample();
  double sum = 0, weight = 0;
  const CurveSeries g = curveOf(*mode, "g").series.at(0);
  for (std::size_t b = 0; b < g.x.size(); ++b)
    if (const double r = g.x[b]; r > 2 && r < 5) sum += r * g.y[b], weight += r;
  ASSERT_GT(weight, 0);
  EXPECT_NEAR(sum / weight, 1, 0.1);
}

TEST(Compression, KeepsTheDensestStateItCanReachAndSaysSo) {
  const auto mode = started("n=64 packing=0.6");
  change(*mode, "packing=0.9");
  expectRefusal([&] { mode->advance(100000); }, {"jammed at 0.8"});
  EXPECT_FALSE(mode->preparation());
  expectHealthy(*mode);
  EXPECT_NEAR(valueIn(*mode, "packing"), packingOf(*mode), 1e-9);
  mode->advance(10);
  expectHealthy(*mode);
}

TEST(Compression, RefusesABoxThatIsTooSmallAndGoesOn) {
  const auto mode = started("n=16 packing=0.5");
  EXPECT_THROW(change(*mode, "packing=0.9"), InputError);
  EXPECT_EQ(valueIn(*mode, "packing"), 0.5);
  mode->advance(5);
  expectHealthy(*mode);
}

TEST(Tuner, ReachesTheTargetAndFreezes) {
  for (const char* target : {"0.2", "0.5"}) {
    const auto mode = started(fmt::format("n=400 packing=0.6 target_acceptance={}", target));
    change(*mode, "tune=true");
    int chunks = 0;
    while (mode->preparation() && chunks++ < 1000) mode->advance(37);
    EXPECT_FALSE(valueIn<bool>(*mode, "tune"));
    const double d = valueIn(*mode, "d");
    mode->resetAverages();
    mode->advance(1000);
    EXPECT_EQ(valueIn(*mode, "d"), d) << "frozen";
    // 1000 sweeps make 1e6 moves: noise below 0.001.
    EXPECT_NEAR(sampled(*mode, "acceptance"), std::stod(target), 0.02);
  }
}

TEST(Tuner, DoesNotDependOnHowTheRunIsCut) {
  const auto a = started("n=100 packing=0.6 tune=true"), b = started("n=100 packing=0.6 tune=true");
  a->advance(20000);
  for (int i = 0; i < 200; ++i) b->advance(100);
  EXPECT_EQ(saved(*a), saved(*b));
}

std::uint64_t overlapsIn(Mode& mode) { return std::stoull(detailOf(mode, "overlaps")); }

void makeOverlaps(HardDisksMode& mode) {
  settle(mode, "packing=0.66");
  change(mode, "n_M=48 leave_cell=true");
  while (overlapsIn(mode) < 5) mode.advance(10);
}

// Overlaps are an effect of the experiment, not a fault; without it they go before sampling.
TEST(LeaveCell, OverlapsAreExplainedAndPartedAfterwards) {
  const auto mode = started("n=200 packing=0.55");
  makeOverlaps(*mode);
  for (const SelfCheck& c : mode->selfChecks()) {
    EXPECT_EQ(c.ok, c.label != "overlaps") << c.label << ": " << c.detail;
    EXPECT_EQ(c.onPurpose, c.label == "overlaps");
  }
  EXPECT_GE(sampled(*mode, "overlapping_pairs"), 5);
  for (const std::string packing : {"0.68", "0.5"}) {  // the box may change meanwhile
    settle(*mode, "packing=" + packing);
    EXPECT_NEAR(packingOf(*mode), std::stod(packing), 1e-5);
    makeOverlaps(*mode);
  }
  change(*mode, "leave_cell=false");
  ASSERT_TRUE(mode->preparation());
  settle(*mode);
  expectHealthy(*mode);
  EXPECT_NEAR(packingOf(*mode), 0.66, 1e-5);
  mode->advance(50);
  expectHealthy(*mode);
  EXPECT_EQ(sampled(*mode, "overlapping_pairs"), 0);
}

std::int64_t disksIn(HardDisksMode& mode) {
  return static_cast<std::int64_t>(mode.configuration().ids.size());
}

// Lost disks are an effect of the experiment, found by the self-check, which names it; once shifts
// are exact again the run goes on with those that are left.
TEST(RoundedShift, LostDisksAreExplainedAndAcceptedAfterwards) {
  const auto mode = started("n=2000 packing=0.5 shift_bits=12");
  while (disksIn(*mode) > 1990) mode->advance(10);
  mode->resetAverages();
  expectWords(detailOf(*mode, "disks"),
              {"lost by cell shifts that round coordinates (shift_bits)"});
  for (const SelfCheck& c : mode->selfChecks()) {
    EXPECT_TRUE(c.ok || c.onPurpose) << c.label << ": " << c.detail;
    EXPECT_FALSE(c.ok && c.label == "disks");
  }
  EXPECT_EQ(sampled(*mode, "lost_disks"), static_cast<double>(2000 - disksIn(*mode)));
  const double length = mode->configuration().box.length[0];
  const auto grows = [](const ObservableInfo& o) { return o.grows; };
  EXPECT_TRUE(std::ranges::all_of(mode->info().observables, grows)) << "no mean while it drifts";
  const auto now = static_cast<std::uint64_t>(disksIn(*mode));
  const double packing = static_cast<double>(now) * M_PI / 4 / (length * length);
  ASSERT_FALSE(mode->references().empty());
  for (const ReferenceValue& r : mode->references())  // of the disks that are left
    EXPECT_NEAR(r.value, hardDiskFluid(packing, now).finite, 1e-4);
  change(*mode, "shift_bits=22");
  EXPECT_FALSE(std::ranges::all_of(mode->info().observables, grows));
  settle(*mode);
  const std::int64_t left = disksIn(*mode);
  EXPECT_LT(left, 2000);
  EXPECT_EQ(valueIn<std::int64_t>(*mode, "n"), left);
  EXPECT_NEAR(packingOf(*mode), static_cast<double>(left) * M_PI / 4 / (length * length), 1e-5);
  expectHealthy(*mode);
  mode->advance(200);
  EXPECT_EQ(disksIn(*mode), left);
  expectHealthy(*mode);
}

TEST(RoundedShift, IsTakenBackWithANewPacking) {
  const auto mode = started("n=500 packing=0.5 shift_bits=12");
  while (disksIn(*mode) == 500) mode->advance(10);
  settle(*mode, "shift_bits=22 packing=0.6");
  EXPECT_NEAR(packingOf(*mode), 0.6, 1e-5);
  expectHealthy(*mode);
}

void advancePhases(Mode& mode, int phases) {
  for (int k = 0; k < phases; ++k) mode.advancePhase();
}

// Cut a run anywhere - between steps, inside a sweep, while compressing, while tuning - and it goes
// on as if nothing had happened.
TEST(Checkpoint, ResumesBitForBitFromAnywhere) {
  struct Case {
    const char* name;
    void (*prepare)(HardDisksMode&);
    std::string more = "";
  };
  const std::string rectangle = "n=400 packing=0.65 aspect_y=1.5";
  const Case cases[] = {
      {"between steps", [](auto& m) { m.advance(5), m.sample(); }},
      {"inside a sweep", [](auto& m) { m.advance(2), advancePhases(m, 3); }},
      {"after the shuffle", [](auto& m) { m.advancePhase(); }},
      {"compressing", [](auto& m) { change(m, "packing=0.7"), m.advance(4); }},
      {"expanding", [](auto& m) { change(m, "packing=0.2"), m.advance(4); }},
      {"tuning", [](auto& m) { change(m, "tune=true"), m.advance(30); }},
      {"tuning for long", [](auto& m) { change(m, "tune=true"), m.advance(700); }},
      {"with experiments",
       [](auto& m) { change(m, "leave_cell=true no_set_shuffle=true"), m.advance(9); }},
      {"with stale halos", [](auto& m) { change(m, "d=0.4 stale_halo=true"), m.advance(9); }},
      {"marks of moves, inside a sweep",
       [](auto& m) {
         change(m, "leave_cell=true move_once=true d=0.4");
         m.advance(2), advancePhases(m, 3);
       }},
      {"with disks lost",
       [](auto& m) {
         change(m, "shift_bits=12"), m.advancePhase();
         while (disksIn(m) == 200) m.advance(10);
         advancePhases(m, 2);
       }},
      {"overlapping", [](auto& m) { makeOverlaps(m); }},
      {"parting overlaps",
       [](auto& m) {
         makeOverlaps(m), change(m, "leave_cell=false");
         EXPECT_TRUE(m.preparation());
       }},
      {"in a rectangle", [](auto& m) { m.advance(11), m.advancePhase(), m.advance(1); }, rectangle},
      {"in a rectangle, compressing",
       [](auto& m) { m.advance(12), change(m, "packing=0.68"), m.advance(1); }, rectangle}};
  for (const Case& c : cases) {
    const auto mode = started("n=200 packing=0.55 seed=9 " + c.more);
    c.prepare(*mode);
    std::istringstream state(saved(*mode));
    const auto resumed = started("n=64 packing=0.2", 2);
    resumed->load(state);
    EXPECT_EQ(saved(*resumed), saved(*mode)) << c.name;
    EXPECT_EQ(resumed->nextPhase(), mode->nextPhase()) << c.name;
    for (int i = 0; i < 3; ++i) {
      mode->advance(40), resumed->advance(40);
      mode->sample(), resumed->sample();
    }
    EXPECT_EQ(saved(*resumed), saved(*mode)) << c.name;
  }
}

// Any single damaged byte is refused with a reason or gives a state that passes every check.
TEST(Checkpoint, DamageNeverGivesAnInvalidState) {
  const auto mode = started("n=40 packing=0.5");
  mode->advance(3), mode->sample();
  const std::string good = saved(*mode);
  int refused = 0;
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x41);
    std::istringstream in(bad);
    try {
      mode->load(in);
      for (const SelfCheck& c : mode->selfChecks()) {
        const bool ok = c.ok || c.label == "move counters" || c.label == "packing";
        EXPECT_TRUE(ok) << i << " " << c.label;
      }
    } catch (const InputError& e) {
      ++refused;
      EXPECT_GT(std::string(e.what()).size(), 15u) << i;
    }
  }
  EXPECT_GT(refused, 20);
}

TEST(Phases, EqualAWholeSweepBitForBit) {
  const auto a = started("n=150 packing=0.6"), b = started("n=150 packing=0.6", 2);
  a->advance(6);
  advancePhases(*b, 36);
  EXPECT_EQ(saved(*a), saved(*b));
  advancePhases(*b, 2);
  b->advance(1), a->advance(1);
  EXPECT_EQ(saved(*a), saved(*b));
}

// A slider dragged to and fro: the next packing long before the last one is reached.
TEST(Changes, OfThePackingInQuickSuccessionNeverOverlap) {
  for (const char* n : {"64", "120", "500"}) {
    const auto mode = started(fmt::format("n={} packing=0.5", n));
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
      const double packing = std::uniform_real_distribution(0.05, 0.72)(random);
      change(*mode, "packing=" + std::to_string(packing));
      for (auto steps = random() % 4; steps > 0; --steps) {
        mode->advance(1);
        ASSERT_EQ(overlapsIn(*mode), 0u) << n << " " << i;
      }
      ASSERT_EQ(overlapsIn(*mode), 0u) << n << " " << i;
    }
    settle(*mode);
    expectHealthy(*mode);
  }
}

// By amounts of the size of rounding, where growing and shrinking meet.
TEST(Changes, OfThePackingByHairsNeverOverlap) {
  const auto mode = started("n=256 packing=0.7");
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const double packing = 0.7 + std::uniform_real_distribution(-5e-6, 5e-6)(random);
    settle(*mode, fmt::format("packing={}", packing));
    mode->advance(1);
    ASSERT_EQ(overlapsIn(*mode), 0u) << i;
    ASSERT_NEAR(packingOf(*mode), packing, 1e-6);
  }
}

// Whatever is changed, in whatever order, with undo, reset, phases and checkpoints in between.
// Overlaps of leave_cell are parted before anything else is done once it is off again.
TEST(Changes, OfEverythingInAnyOrderKeepTheStateSound) {
  std::mt19937 random(3);
  for (const std::int64_t n : {30, 200, 1000}) {
    const auto session = std::make_unique<Session>(
        scenarioWith("hard_disks", fmt::format("n={} packing=0.6 n_M=24", n)), kOneThread);
    const auto real = [&](double lo, double hi) {
      return ParameterValue(std::uniform_real_distribution(lo, hi)(random));
    };
    const auto either = [&] { return ParameterValue(random() % 2 == 0); };
    const auto setPacking = [&] { session->set("packing", real(0.1, 0.68)); };
    const std::vector<std::function<void()>> acts = {
        setPacking,
        setPacking,
        setPacking,
        [&] { session->set("leave_cell", either()); },
        [&] { session->set("d", real(0.01, 0.5)); },
        [&] { session->set("tune", either()); },
        [&] { session->set("no_cell_shift", either()); },
        [&] { session->set("n_M", std::int64_t{1 + static_cast<std::int64_t>(random() % 60)}); },
        [&] { session->undo(); },
        [&] { session->advancePhase(); },
        [&] { session->set("packing", session->mode().parameters().at("packing").get()); },
        [&] { session->set("move_once", either()); },
        [&] { session->set("shift_bits", std::int64_t{random() % 2 == 0 ? 12 : 22}); }};
    for (int i = 0; i < 250; ++i) {
      acts[random() % acts.size()]();
      session->advance(random() % 30);
      Mode& mode = session->mode();
      for (const SelfCheck& c : mode.selfChecks())
        ASSERT_TRUE(c.ok || c.onPurpose) << n << " " << i << " " << c.label << ": " << c.detail;
      if (!mode.preparation()) {
        ASSERT_TRUE(session->experiments().size() > 0 || overlapsIn(mode) == 0) << n << " " << i;
      }
    }
  }
}

// In this box cells have the five slots of leave_cell anyway, so that the grid to go to is the
// grid that there is: the overlaps must go all the same.
TEST(Changes, BackToTheSameBoxStillPartOverlaps) {
  const auto mode = started("n=30 packing=0.66 n_M=64");
  change(*mode, "leave_cell=true");
  for (int i = 0; i < 20000 && overlapsIn(*mode) == 0; ++i) mode->advance(1);
  ASSERT_GT(overlapsIn(*mode), 0u);
  change(*mode, "leave_cell=false");
  change(*mode, "packing=0.65");
  settle(*mode, "packing=0.66");
  mode->advance(1);
  expectHealthy(*mode);
}

}  // namespace
}  // namespace cellscope::test
