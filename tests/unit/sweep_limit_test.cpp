// The limit that hard-disk benchmarks are compared with.
#include "app/bench/bench.h"

#include <gmock/gmock.h>

namespace cellscope::bench {
namespace {

using testing::HasSubstr;

TEST(SweepLimit, IsTheTighterOfArithmeticAndMemory) {
  exec::DeviceLimits d{.instructionRate = 5.95e13};
  const auto [arithmetic, unknown] = sweepLimit(1e6, 2, d);
  EXPECT_NEAR(arithmetic, 1e12, 2e10);
  EXPECT_THAT(unknown, HasSubstr("16 B per disk and sweep (speed of the memory not known)"));

  d.bytesPerSecond = 4e12;  // 2 moves a disk, 16 B: 5e11 moves per second
  const auto [memory, both] = sweepLimit(1e6, 2, d);
  EXPECT_DOUBLE_EQ(memory, 5e11);
  EXPECT_THAT(both, HasSubstr("instructions per trial move (1"));
  EXPECT_THAT(both, HasSubstr("16 B per disk and sweep (5e+11/s)"));
  EXPECT_DOUBLE_EQ(sweepLimit(1e6, 1, d).first, 2.5e11);
  EXPECT_DOUBLE_EQ(sweepLimit(1e6, 8, d).first, arithmetic);
}

// Memory is no limit to what stays in the cache: 12 B a disk.
TEST(SweepLimit, MemoryDoesNotCountWhereTheCacheIsEnough) {
  exec::DeviceLimits d{.instructionRate = 5.95e13, .bytesPerSecond = 1e12, .cacheBytes = 12e6};
  EXPECT_GT(sweepLimit(1e6, 2, d).first, 9e11);
  EXPECT_THAT(sweepLimit(1e6, 2, d).second, HasSubstr("fits the cache"));
  EXPECT_DOUBLE_EQ(sweepLimit(1e6 + 1, 2, d).first, 1.25e11);
}

}  // namespace
}  // namespace cellscope::bench
