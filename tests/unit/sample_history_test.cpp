// Histories of samples: bounded, with means of what has one.
#include "sim/run/sample_history.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/support/message_of.h"

namespace cellscope {
namespace {

using test::messageOf;

TEST(SampleHistory, StaysBoundedAndKeepsTheNewest) {
  SampleHistory h({{.id = "a"}});
  for (std::uint64_t i = 1; i <= 100000; ++i) h.add(i, {static_cast<double>(i)});
  const ObservableSeries s = h.series()[0];
  EXPECT_LE(s.step.size(), SampleHistory::kPoints + 1);
  EXPECT_GE(s.step.size(), SampleHistory::kPoints / 2);
  EXPECT_EQ(s.step.front(), 1);
  EXPECT_EQ(s.step.back(), 100000);
  EXPECT_EQ(s.samples, 100000u);
  EXPECT_NEAR(s.currentMean, 50000.5, 1e-6);
  for (std::size_t i = 0; i < s.step.size(); ++i) EXPECT_EQ(s.step[i], s.value[i]);
  for (std::size_t i = 1; i + 1 < s.step.size(); ++i)
    EXPECT_EQ(s.step[i] - s.step[i - 1], s.step[1] - s.step[0]);
}

// At step 0, until the first sample: plots have a point, averages do not.
TEST(SampleHistory, TheStartIsAPointThatNoAverageContains) {
  SampleHistory h({{.id = "a"}, {.id = "b", .grows = true}, {.id = "c"}});
  h.showStart({1, 2, std::nan("")});
  h.showStart({5, 6, std::nan("")});  // after an edit
  std::vector<ObservableSeries> all = h.series();
  for (const std::size_t i : {0u, 1u}) {
    ASSERT_EQ(all[i].step.size(), 1u);
    EXPECT_EQ(all[i].step[0], 0);
    EXPECT_EQ(all[i].value[0], i == 0 ? 5 : 6);
    EXPECT_EQ(all[i].samples, 0u);
  }
  EXPECT_TRUE(std::isnan(all[0].mean[0]));
  EXPECT_TRUE(all[2].step.empty());
  for (std::uint64_t i = 1; i <= 10; ++i) h.add(i, {1, 1, 1});
  all = h.series();
  EXPECT_EQ(all[0].step.size(), 11u);
  EXPECT_EQ(all[0].samples, 10u);
  EXPECT_EQ(all[0].equilibratedMean, 1);
}

// A mean square displacement has no mean: its value now, without an error.
TEST(SampleHistory, WhatGrowsHasItsValueAndNoMean) {
  SampleHistory h({{.id = "a"}, {.id = "b", .grows = true}});
  EXPECT_FALSE(h.series()[1].settled);
  for (std::uint64_t i = 1; i <= 100; ++i) {
    const auto x = static_cast<double>(i);
    h.add(i, {x, x});
  }
  const ObservableSeries mean = h.series()[0], now = h.series()[1];
  EXPECT_NE(mean.equilibratedMean, 100);
  for (const double value : {now.equilibratedMean, now.currentMean, now.mean[99]})
    EXPECT_EQ(value, 100);
  for (const double error : {now.equilibratedError, now.currentError, now.error[99]})
    EXPECT_EQ(error, 0);
  EXPECT_TRUE(now.settled);
  EXPECT_EQ(now.mean[49], 50);
}

// Such as one over all trial moves: no result while the state still changes.
TEST(SampleHistory, AMeanByItselfWaitsForEquilibrium) {
  SampleHistory h({{.id = "a", .relaxes = true}, {.id = "b", .grows = true, .isMean = true}});
  std::uint32_t noise = 1;
  for (std::uint64_t i = 1; i <= 1500; ++i) {
    noise = 1664525 * noise + 1013904223;
    h.add(i, {1e-10 * noise, 2});
    if (i == 20) {
      EXPECT_FALSE(h.series()[1].settled);
    }
  }
  ASSERT_TRUE(h.series()[0].equilibrated);
  EXPECT_TRUE(h.series()[1].settled);
}

// The curve of means is that of the averages as they are known to begin now.
TEST(SampleHistory, MeansAreDrawnFromWhereTheAveragesBegin) {
  SampleHistory h({{.id = "a", .relaxes = true}});
  std::uint32_t noise = 1;
  for (std::uint64_t i = 1; i <= 1500; ++i) {
    noise = 1664525 * noise + 1013904223;
    h.add(i, {1 + 1e-10 * noise + 20 * std::exp(-static_cast<double>(i) / 30)});
  }
  const ObservableSeries s = h.series()[0];
  EXPECT_GT(s.equilibratedFrom, 60u);
  double sum = 0, count = 0;
  for (std::size_t i = 0; i < s.step.size(); ++i) {
    if (s.step[i] < static_cast<double>(s.equilibratedFrom)) {
      EXPECT_TRUE(std::isnan(s.mean[i])) << i;
      continue;
    }
    sum += s.value[i], count += 1;
    EXPECT_NEAR(s.mean[i], sum / count, 1e-9) << i;
  }
  EXPECT_NEAR(s.mean.back(), s.equilibratedMean, 1e-9);
}

// As over a ramp: the value now, until averages begin at its end.
TEST(SampleHistory, WhatFollowsARampHasAMeanFromItsEndOn) {
  ObservableInfo info{.id = "a", .grows = true};
  SampleHistory h({info});
  for (std::uint64_t i = 1; i <= 10; ++i) h.add(i, {100.0 + static_cast<double>(i)});
  EXPECT_EQ(h.series()[0].currentMean, 110);
  EXPECT_FALSE(h.takeWords({info}));
  info.grows = false, info.unit = "k_B T";
  EXPECT_TRUE(h.takeWords({info}));
  EXPECT_EQ(h.series()[0].info.unit, "k_B T");
  h.startEpoch(10);
  h.add(11, {1.0}), h.add(12, {3.0});
  EXPECT_EQ(h.series()[0].currentMean, 2);
  EXPECT_FALSE(h.series()[0].info.grows);
}

TEST(SampleHistory, OlderCheckpointsLackTheLastObservables) {
  SampleHistory older({{.id = "a", .relaxes = true}}),
      newer({{.id = "a", .relaxes = true}, {.id = "b"}});
  for (std::uint64_t i = 1; i <= 100; ++i) older.add(i, {static_cast<double>(i)});
  std::stringstream file;
  older.save(file);
  newer.load(file);
  const std::vector<ObservableSeries> found = newer.series();
  EXPECT_EQ(found[0].value, older.series()[0].value);
  EXPECT_EQ(found[0].currentMean, 50.5);
  EXPECT_EQ(found[1].samples, 0u);
  newer.add(101, {1, 7});
  EXPECT_EQ(newer.series()[1].currentMean, 7);
  std::stringstream more;
  newer.save(more);
  EXPECT_THROW(older.load(more), InputError);
}

}  // namespace
}  // namespace cellscope
