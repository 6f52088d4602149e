// Launches and times of the last stretch of a run, from totals since its start.
#include "sim/run/runner.h"

#include <gtest/gtest.h>

namespace cellscope {
namespace {

TEST(KernelMeter, TellsWhatHappenedSinceTheLastLook) {
  KernelMeter meter;
  EXPECT_TRUE(meter.due(5));
  meter.update({{"sweep", 1000, 10, 500}, {"pack", 7, 7, 70}, {"old", 3, 3, 1}}, 5);
  EXPECT_EQ(meter.use().seconds, 0);
  EXPECT_FALSE(meter.due(5.5));
  ASSERT_TRUE(meter.due(7));
  // "pack" from two places
  meter.update({{"pack", 8, 8, 80},
                {"sweep", 3000, 30, 1500},
                {"pack", 2, 1, 20},
                {"old", 3, 3, 1},
                {"new", 1, 0, 0}},
               7);
  const KernelUse& use = meter.use();
  EXPECT_DOUBLE_EQ(use.seconds, 2);
  ASSERT_EQ(use.kernels.size(), 3u);
  EXPECT_EQ(use.kernels[0].name, "sweep");
  EXPECT_EQ(use.kernels[0].launches, 2000u);
  EXPECT_EQ(use.kernels[0].timed, 20u);
  EXPECT_DOUBLE_EQ(use.kernels[0].milliseconds, 1000);
  EXPECT_EQ(use.kernels[1].name, "pack");
  EXPECT_EQ(use.kernels[1].launches, 3u);
  EXPECT_EQ(use.kernels[1].timed, 2u);
  EXPECT_DOUBLE_EQ(use.kernels[1].milliseconds, 30);
  EXPECT_EQ(use.kernels[2].name, "new");
  EXPECT_DOUBLE_EQ(use.secondsIn(), 1.03);
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[0]), 0.5);
  EXPECT_DOUBLE_EQ(use.shareOfKernels(use.kernels[0]), 1000.0 / 1030);
  EXPECT_DOUBLE_EQ(use.shareOutside(), 1 - 0.515);
}

TEST(KernelMeter, SharesNeverSumToMoreThanOne) {
  KernelMeter meter;
  meter.update({}, 0);
  meter.update({{"a", 10, 1, 900}, {"b", 10, 1, 300}}, 1);
  const KernelUse& use = meter.use();
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[0]), 0.75);
  EXPECT_DOUBLE_EQ(use.shareOfTime(use.kernels[1]), 0.25);
  EXPECT_EQ(use.shareOutside(), 0);
}

TEST(KernelMeter, AnotherStateAndAPauseBeginAnew) {
  KernelMeter meter;
  meter.update({{"a", 10, 10, 100}}, 0);
  meter.update({{"a", 20, 20, 200}}, 1);
  const auto unchanged = [&] {
    return meter.use().seconds == 1 && meter.use().kernels.at(0).launches == 10;
  };
  EXPECT_TRUE(unchanged());
  meter.update({{"a", 5, 5, 50}}, 2);  // an engine that was made meanwhile
  EXPECT_TRUE(unchanged());
  meter.interrupt();
  EXPECT_TRUE(meter.due(2.1));
  meter.update({{"a", 50, 50, 500}}, 60);
  EXPECT_TRUE(unchanged());
  meter.update({{"a", 53, 53, 530}}, 61.5);
  EXPECT_EQ(meter.use().seconds, 1.5);
  EXPECT_EQ(meter.use().kernels.at(0).launches, 3u);
  meter.forget();
  EXPECT_EQ(meter.use().seconds, 0);
  EXPECT_TRUE(meter.use().kernels.empty());
}

}  // namespace
}  // namespace cellscope
