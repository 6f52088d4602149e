#include "sim/algo/recorder/recorder.h"

#include <gtest/gtest.h>

#include <set>

#include "sim/exec/cpu_exec.h"

namespace cellscope {
namespace {

Record numbered(std::uint32_t group, std::uint32_t order) {
  Record r;
  r.subject = 1000ull * group + order;
  r.group = group;
  r.order = order;
  r.number[5] = 0.5f;
  return r;
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

}  // namespace
}  // namespace cellscope
