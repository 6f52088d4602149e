// Hard disks while everything about them is changed, often and at any moment: never an overlap.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "sim/run/session.h"
#include "tests/support/hard_disks.h"

namespace cellscope::test {
namespace {

std::uint64_t overlapsOf(Mode& mode) { return std::stoull(detailOf(mode, "overlaps")); }

// A slider dragged to and fro: the next packing long before the last one is reached.
TEST(Changes, OfThePackingInQuickSuccessionNeverOverlap) {
  for (const char* n : {"64", "120", "500"}) {
    const auto mode = started({{"n", n}, {"packing", "0.5"}});
    std::mt19937 random(7);
    for (int i = 0; i < 300; ++i) {
      const double packing = std::uniform_real_distribution(0.05, 0.72)(random);
      change(*mode, "packing", std::to_string(packing));
      for (auto steps = random() % 4; steps > 0; --steps) {
        mode->advance(1);
        ASSERT_EQ(overlapsOf(*mode), 0u) << n << " " << i;
      }
      ASSERT_EQ(overlapsOf(*mode), 0u) << n << " " << i;
    }
    while (mode->preparation()) mode->advance(1);
    expectHealthy(*mode);
  }
}

// By amounts of the size of rounding, where growing and shrinking meet.
TEST(Changes, OfThePackingByHairsNeverOverlap) {
  const auto mode = started({{"n", "256"}, {"packing", "0.7"}});
  std::mt19937 random(11);
  for (int i = 0; i < 400; ++i) {
    const double packing = 0.7 + std::uniform_real_distribution(-5e-6, 5e-6)(random);
    change(*mode, fmt::format("packing={}", packing));
    while (mode->preparation()) mode->advance(1);
    mode->advance(1);
    ASSERT_EQ(overlapsOf(*mode), 0u) << i;
    ASSERT_NEAR(packingOf(*mode), packing, 1e-6);
  }
}

// Whatever is changed, in whatever order, with undo, reset, phases and checkpoints in between.
// Overlaps of leave_cell are parted before anything else is done once it is off again.
TEST(Changes, OfEverythingInAnyOrderKeepTheStateSound) {
  std::mt19937 random(3);
  for (const std::int64_t n : {30, 200, 1000}) {
    const auto session = std::make_unique<Session>(
        scenarioWith("hard_disks", fmt::format("n={} packing=0.6 n_M=24", n)),
        ExecConfig{Backend::cpu, 1, 0});
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
        const bool leaving = session->experiments().size() > 0;
        ASSERT_TRUE(leaving || overlapsOf(mode) == 0) << n << " " << i;
      }
    }
  }
}

// In this box cells have the five slots of leave_cell anyway, so that the grid to go to is the
// grid that there is: the overlaps must go all the same.
TEST(Changes, BackToTheSameBoxStillPartOverlaps) {
  const auto mode = started({{"n", "30"}, {"packing", "0.66"}, {"n_M", "64"}});
  change(*mode, "leave_cell", "true");
  for (int i = 0; i < 20000 && overlapsOf(*mode) == 0; ++i) mode->advance(1);
  ASSERT_GT(overlapsOf(*mode), 0u);
  change(*mode, "leave_cell", "false");
  change(*mode, "packing", "0.65");
  change(*mode, "packing", "0.66");
  while (mode->preparation()) mode->advance(1);
  mode->advance(1);
  expectHealthy(*mode);
}

}  // namespace
}  // namespace cellscope::test
