// The verbs on the CPU: right, the same for any number of threads, without allocations.
#include "tests/support/exec_verbs.h"
#include "sim/base/error.h"
#include "sim/exec/cpu_exec.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

TEST(ExecVerbs, Cpu) {
  for (const int threads : {1, 2, 7}) {
    SCOPED_TRACE(threads);
    exec::CpuExec exec(threads);
    expectVerbs(exec);
    expectTeams(exec);
  }
}

// A sum of floating-point numbers, whose value depends on the order of the additions.
float roundedSum(int threads) {
  exec::CpuExec exec(threads);
  exec::DeviceValue<float> sum(Backend::cpu);
  exec.reduce("sum", 300001, 0.25f, Fraction{}, AddFloats{}, sum);
  return exec.read(sum);
}

TEST(ExecVerbs, CpuRoundsAlikeForAnyNumberOfThreads) {
  for (const int threads : {2, 7}) EXPECT_EQ(roundedSum(threads), roundedSum(1)) << threads;
}

TEST(ExecVerbs, CpuAllocatesNothingOnceTheWorkspaceHasGrown) {
  const std::size_t n = 200000;
  exec::CpuExec exec(2);
  exec::DoubleBuffer<std::uint32_t> keys(Backend::cpu, n), values(Backend::cpu, n);
  exec::Array<std::uint32_t> out(Backend::cpu, n + 1);
  exec::DeviceValue<std::uint32_t> count(Backend::cpu);
  exec::DeviceValue<std::int64_t> sum(Backend::cpu);
  const auto step = [&] {
    exec.forEach("keys", n, [k = keys.data()](std::size_t i) { k[i] = mixed(i) % 5000; });
    exec.fill("values", values.data(), n, 1u);
    exec.sortByKey("sort", keys, values, n);
    exec.offsets("offsets", values.data(), out.data(), n);
    exec.select("select", n, Self{}, Chosen{3}, out.data(), count);
    exec.reduce("sum", n, std::int64_t{0}, Scattered{}, Add{}, sum);
    exec.fetch(sum);
  };
  step();
  const std::size_t workspace = exec.workspace().bytes();
  exec::forgetPeak(Backend::cpu);
  const exec::MemoryUse before = exec::memoryUse(Backend::cpu);
  for (int k = 0; k < 3; ++k) step();
  EXPECT_EQ(exec::memoryUse(Backend::cpu).peak, before.now);
  EXPECT_EQ(exec.workspace().bytes(), workspace);
}

TEST(Workspace, GrowsAndStays) {
  exec::Workspace w(Backend::cpu);
  std::byte* const first = w.get("sort", 1000);
  EXPECT_GE(w.bytes(), 1000u);
  EXPECT_EQ(w.get("scan", 1200), first);  // a quarter more than was asked for
  w.get("sort", 100000);
  EXPECT_GE(w.bytes(), 100000u);
  const std::size_t bytes = w.bytes();
  w.get("scan", 10);
  EXPECT_EQ(w.bytes(), bytes);
}

TEST(Workspace, DoesNotGrowWhileLaunchesAreRecorded) {
  exec::Workspace w(Backend::cpu);
  std::byte* const block = w.get("sort", 1000);
  w.beginRecording();
  EXPECT_EQ(w.get("sort", 900), block);
  const std::string message = messageOf<RunError>([&] { w.get("sort by cell", 5000); });
  EXPECT_NE(message.find("sort by cell"), std::string::npos) << message;
  EXPECT_NE(message.find("5000"), std::string::npos) << message;
  w.endRecording();
  std::memset(block, 42, 1000);
  EXPECT_NE(w.get("sort", 5000), block);
  EXPECT_EQ(block[999], std::byte{42});  // recorded launches still have it
}

}  // namespace
}  // namespace cellscope::test
