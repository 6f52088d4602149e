// Histories of samples: bounded, with means of what has one. Columns and lists that are shared and
// not copied.
#include <sstream>

#include "tests/support/runner_tools.h"

namespace cellscope::test {
namespace {

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

TEST(SharedColumn, ACopyStaysAsItIsWhenTheOriginalGrows) {
  SharedColumn column;
  for (int i = 0; i < 40; ++i) column.push_back(i);
  const SharedColumn copy = column;
  column.push_back(40);
  EXPECT_TRUE(copy.sharesWith(column));
  EXPECT_EQ(copy.size(), 40u);
  EXPECT_EQ(copy.back(), 39);
  EXPECT_EQ(column.back(), 40);
  for (int i = 41; i < 1000; ++i) column.push_back(i);
  for (std::size_t i = 0; i < column.size(); ++i) ASSERT_EQ(column[i], static_cast<double>(i));
  for (std::size_t i = 0; i < copy.size(); ++i) ASSERT_EQ(copy[i], static_cast<double>(i));
}

TEST(SharedColumn, TwoThatGrowDoNotDisturbEachOther) {
  SharedColumn a(std::vector<double>{1, 2, 3}), b = a;
  a.push_back(4);
  b.push_back(5);
  b.push_back(6);
  a.push_back(7);
  EXPECT_EQ(std::vector<double>(a), (std::vector<double>{1, 2, 3, 4, 7}));
  EXPECT_EQ(std::vector<double>(b), (std::vector<double>{1, 2, 3, 5, 6}));
  EXPECT_FALSE(a.sharesWith(b));
}

TEST(SharedColumn, WithOneMoreValueLeavesTheOriginal) {
  SharedColumn a(std::vector<double>{1, 2});
  const SharedColumn more = a.with(9);
  a.push_back(3);
  EXPECT_EQ(std::vector<double>(more), (std::vector<double>{1, 2, 9}));
  EXPECT_EQ(std::vector<double>(a), (std::vector<double>{1, 2, 3}));
  EXPECT_TRUE(more.sharesWith(a));
}

TEST(Publications, ShareWhatHasNotChanged) {
  Runner runner({}, fakeScenario(), fakeModes);
  const auto at = [&](std::uint64_t step) {
    for (std::uint64_t s = runner.latest() ? runner.latest()->step : 0; s < step; ++s)
      runner.step();
    return await(runner, [&](const Publication& p) { return p.step == step; });
  };
  const PublicationPtr first = at(11), second = at(12), third = at(16);
  EXPECT_TRUE(first->parameters.sharesWith(second->parameters));
  EXPECT_TRUE(first->messages.sharesWith(second->messages));
  EXPECT_TRUE(first->observables.sharesWith(second->observables));  // samples at 10 and 15
  EXPECT_EQ(first->mode, second->mode);
  // One more sample: the list is another one, the numbers are not.
  EXPECT_FALSE(second->observables.sharesWith(third->observables));
  ASSERT_EQ(second->observables[0].value.size() + 1, third->observables[0].value.size());
  EXPECT_TRUE(second->observables[0].value.sharesWith(third->observables[0].value));
  EXPECT_TRUE(second->parameters.sharesWith(third->parameters));
  runner.set("size", 0.3);
  const PublicationPtr changed = await(
      runner, [&](const Publication& p) { return !p.parameters.sharesWith(third->parameters); });
  EXPECT_EQ(std::get<double>(changed->parameters[2].value), 0.3);
  EXPECT_EQ(std::get<double>(third->parameters[2].value), 0.1);
}

TEST(Publications, FollowALiveChangeOfThePhases) {
  Runner runner({}, fakeScenario(), fakeModes);
  const PublicationPtr first =
      await(runner, [](const Publication& p) { return p.mode != nullptr; });
  EXPECT_EQ(first->mode->phases.size(), 2u);
  runner.set("diagonal", true);
  const PublicationPtr then =
      await(runner, [](const Publication& p) { return p.mode->phases.size() == 3; });
  EXPECT_GT(then->mode->version, first->mode->version);
  EXPECT_EQ(std::get<bool>(then->parameters.back().value), true) << "in the same publication";
}

}  // namespace
}  // namespace cellscope::test
