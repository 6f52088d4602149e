// What the performance panel shows, on either backend: launches are those that ran, whether they
// were made one by one, replayed or inside one resident kernel; their times fit into the time that
// passed. The CUDA half is skipped without a GPU.
// The verbs on the CPU: right, the same for any number of threads, without allocations.
#include "sim/base/error.h"
#include "sim/exec/cpu_exec.h"
#include "sim/modes/md/mode.h"
#include "tests/support/backend_test.h"
#include "tests/support/disk_states.h"
#include "tests/support/exec_verbs.h"
#include "tests/support/hard_disks.h"
#include "tests/support/message_of.h"

namespace cellscope::test {
namespace {

using Clock = std::chrono::steady_clock;
using Times = std::map<std::string, KernelTime>;

Times byName(const std::vector<KernelTime>& all) {
  Times times;
  for (const KernelTime& t : all) {
    KernelTime& sum = times[t.name];
    sum.launches += t.launches;
    sum.timed += t.timed;
    sum.milliseconds += t.milliseconds;
  }
  return times;
}

std::uint64_t launches(const Times& times, const std::string& name) {
  const auto found = times.find(name);
  return found == times.end() ? 0 : found->second.launches;
}

double sum(const Times& times) {
  double all = 0;
  for (const auto& [name, t] : times) all += t.milliseconds;
  return all;
}

// Milliseconds that `work` takes, over and over, for at least `wanted` of them.
template <class Work>
double during(double wanted, const Work& work) {
  const auto begin = Clock::now();
  double ms = 0;
  while (ms < wanted) {
    work();
    ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  }
  return ms;
}

class KernelTimes : public BackendTest {
 protected:
  static bool onGpu() { return GetParam() == Backend::cuda; }

  // After some second of work: a kernel that was launched often has a time, and together they fit
  // into the time that passed (on a GPU they are estimates, of what leaves it idle for a part of
  // the time).
  void expectTimes(const Times& times, double passed, std::uint64_t often) const {
    for (const auto& [name, t] : times) {
      EXPECT_GT(t.launches, 0u) << name;
      if (onGpu() && t.launches < often) continue;
      EXPECT_GT(t.milliseconds, 0) << name;
      EXPECT_GT(t.timed, 0u) << name;
      if (onGpu())
        EXPECT_LE(t.timed, t.launches) << name;
      else
        EXPECT_EQ(t.timed, t.launches) << name;
    }
    EXPECT_LE(sum(times), passed);
  }
};

TEST_P(KernelTimes, AllSweepsAreCounted) {
  for (const MpmcMappingInfo& mapping : kMpmcMappings)
    for (const int nMoves : {4, 6}) {
      const auto exec = exec::makeExec(config());
      const auto engine = makeMpmcEngine(exec);
      engine->upload(someDisks(4096, 0.698, 31));
      engine->setMapping(mapping);
      MpmcParameters p{.nMoves = nMoves};
      std::uint64_t step = 0;
      for (const std::uint64_t sweeps : {10, 1, 200, 10, 0, 99, 1300}) {
        engine->sweeps(p, step, sweeps);
        step += sweeps;
        const Times times = byName(exec->profile().read());
        const std::uint64_t resident = launches(times, "resident sweeps");
        EXPECT_EQ(launches(times, "trial moves"), 4 * (step - resident));
        EXPECT_EQ(launches(times, "cell shift"), step - resident);
        if (!onGpu() || nMoves != 4 || !mapping.tiles) {
          EXPECT_EQ(resident, 0u) << mapping.key;
        }
      }
    }
}

TEST_P(KernelTimes, PhasesAreCounted) {
  const auto exec = exec::makeExec(config());
  const auto engine = makeMpmcEngine(exec);
  engine->upload(someDisks(1000, 0.6, 31));
  for (int sweep = 0; sweep < 3; ++sweep) {
    for (int set = 0; set < 4; ++set) engine->subSweep({}, 0, set);
    engine->shift({1, 0.125f});
    engine->check();
  }
  const Times times = byName(exec->profile().read());
  EXPECT_EQ(launches(times, "trial moves"), 12u);
  EXPECT_EQ(launches(times, "cell shift"), 3u);
  EXPECT_EQ(launches(times, "overlap check"), 3u);
}

// The kernels of long stretches of sweeps account for the time that these take, neither much less
// nor more. Two timings of a GPU may differ by some per cent.
TEST_P(KernelTimes, KernelsTakeTheTimeOfTheSweeps) {
  for (const MpmcMappingInfo& mapping : kMpmcMappings)
    for (const int disks : {16384, 200000}) {
      const auto exec = exec::makeExec(config());
      const auto engine = makeMpmcEngine(exec);
      engine->upload(someDisks(disks, 0.698, 31));
      engine->setMapping(mapping);
      const std::uint64_t sweeps = onGpu() ? 512 : 64;
      std::uint64_t step = 0;
      const auto work = [&] {
        engine->sweeps({}, step, sweeps);
        step += sweeps;
      };
      during(500, work);
      const double before = sum(byName(exec->profile().read())), passed = during(500, work);
      const Times times = byName(exec->profile().read());
      expectTimes(times, 1e9, 100);
      const double share = (sum(times) - before) / passed;
      EXPECT_GT(share, 0.7) << disks;
      EXPECT_LT(share, onGpu() ? 1.05 : 1.0) << disks;
    }
}

TEST_P(KernelTimes, SamplingAndPackingOfDisksAreThere) {
  const auto mode = startedOn(config(), "n=10000 packing=0.6 start=square");
  const ViewRequest view{{layers::kDisks, layers::kCells}, "psi6_phase", -1};
  const double before = sum(byName(mode->kernelTimes()));  // the set-up
  std::uint64_t rounds = 0;
  const double passed = during(1500, [&] {
    mode->advance(5);
    mode->sample();
    mode->frame(view);
    ++rounds;
  });
  const Times times = byName(mode->kernelTimes());
  EXPECT_EQ(launches(times, "contact histograms"), rounds);
  EXPECT_EQ(launches(times, "pack disks"), rounds);
  EXPECT_EQ(launches(times, "pack occupancy"), rounds);
  EXPECT_GE(launches(times, "bond order"), rounds);
  EXPECT_EQ(launches(times, "cell shift") + launches(times, "resident sweeps"), 5 * rounds);
  expectTimes(times, before + passed, rounds);
}

TEST_P(KernelTimes, StepsOfMolecularDynamicsAreCounted) {
  MdMode mode(config());
  mode.restart();
  const auto steps = [&] { return launches(byName(mode.kernelTimes()), "half kick and drift"); };
  mode.advance(10);
  EXPECT_EQ(steps(), 10u);
  const Times before = byName(mode.kernelTimes());
  EXPECT_EQ(launches(before, "half kick"), 10u);
  EXPECT_EQ(launches(before, "all-pairs forces"), 11u);  // those of the first state as well
  std::uint64_t rounds = 0;
  const double passed = during(1500, [&] {
    mode.advance(7);
    mode.sample();
    mode.frame({{"particles"}, "", -1});
    ++rounds;
  });
  Times times = byName(mode.kernelTimes());
  EXPECT_EQ(launches(times, "half kick and drift"), mode.step());
  EXPECT_EQ(launches(times, "half kick"), mode.step());
  EXPECT_EQ(launches(times, "all-pairs forces"), mode.step() + 1);
  EXPECT_EQ(launches(times, "pack particles"), rounds);
  std::erase_if(times, [&](const auto& entry) {  // only part of the set-up
    const auto old = before.find(entry.first);
    return old != before.end() && old->second.launches == entry.second.launches;
  });
  for (auto& [name, t] : times) {
    const auto old = before.find(name);
    if (old != before.end()) t.milliseconds -= old->second.milliseconds;
  }
  expectTimes(times, passed, rounds);
}

INSTANTIATE_TEST_SUITE_P(Each, KernelTimes, kBackends, nameOfBackend);

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
  expectRefusal<RunError>([&] { w.get("sort by cell", 5000); }, {"sort by cell", "5000"});
  w.endRecording();
  std::memset(block, 42, 1000);
  EXPECT_NE(w.get("sort", 5000), block);
  EXPECT_EQ(block[999], std::byte{42});  // recorded launches still have it
}

}  // namespace
}  // namespace cellscope::test
