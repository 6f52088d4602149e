// The verbs on CUDA, one by one and replayed from graphs.
#include "sim/exec/cuda_exec.cuh"
#include "tests/support/exec_verbs.h"

namespace cellscope::test {
namespace {

class ExecVerbsCuda : public testing::Test {
 protected:
  void SetUp() override {
    if (!exec::cudaStatus().usable) GTEST_SKIP() << exec::cudaStatus().reason;
  }
};

TEST_F(ExecVerbsCuda, AsPlainLoops) {
  exec::CudaExec exec;
  expectVerbs(exec);
}

TEST_F(ExecVerbsCuda, TeamsAtomicsStatus) {
  exec::CudaExec exec;
  expectTeams(exec);
}

TEST_F(ExecVerbsCuda, SelectsFromManyItems) {
  exec::CudaExec exec;
  for (const std::size_t n : {262143ul, 262144ul, 262145ul, 8192000ul}) expectSelect(exec, n);
}

// More items than an int counts.
TEST_F(ExecVerbsCuda, CountsBeyond31Bits) {
  exec::CudaExec exec;
  const std::size_t n = (std::size_t{1} << 31) + 9;
  exec::DeviceValue<std::int64_t> sum(Backend::cuda);
  const auto count = [&] {
    exec.reduce("many", n, std::int64_t{0}, One{}, Add{}, sum);
    return exec.read(sum);
  };
  if (CUB_VERSION >= 300000)
    EXPECT_EQ(count(), static_cast<std::int64_t>(n));
  else
    EXPECT_THROW(count(), RunError);
}

struct CopyWord {
  const std::uint32_t* from;
  std::uint32_t* to;
  HOST_DEVICE void operator()(std::size_t i) const { to[i] = from[i]; }
};
struct KeepLargeWord {
  const std::uint32_t* word;
  HOST_DEVICE bool operator()(std::size_t i) const { return word[i] > 30000; }
};
struct Word {
  const std::uint32_t* word;
  HOST_DEVICE std::int64_t operator()(std::size_t i) const { return word[i]; }
};

// A step as a mode makes it: everything between the input and the fetched results is on the device.
class Step {
 public:
  explicit Step(std::size_t n)
      : n_(n),
        input(Backend::cuda, n),
        keys(Backend::cuda, n),
        values(Backend::cuda, n),
        begin(Backend::cuda, n + 1),
        large(Backend::cuda, n),
        ofTeam(Backend::cuda, 100),
        chosen(Backend::cuda),
        sum(Backend::cuda),
        total(Backend::cuda) {}

  // Keys and values are written where they were current at the first call, whatever is swapped.
  void run(exec::CudaExec& exec) {
    if (!firstKeys_) firstKeys_ = keys.data(), firstValues_ = values.data();
    if (keys.data() != firstKeys_) keys.swap();
    if (values.data() != firstValues_) values.swap();
    exec.forEach("keys", n_, CopyWord{input.data(), keys.data()});
    exec.forEach("values", n_, CopyWord{input.data(), values.data()});
    exec.sortByKey("sort", keys, values, n_, {0, 20});
    exec.offsets("offsets", input.data(), begin.data(), n_);
    exec.select("select", n_, Self{}, KeepLargeWord{input.data()}, large.data(), chosen);
    exec.reduce("sum", n_, std::int64_t{0}, Word{input.data()}, Add{}, sum);
    exec.fill("clear", total.data(), 1, std::uint64_t{0});
    exec.teams("teams", {100, 64, 64 * sizeof(std::uint64_t)},
               SumByTeams{n_, 100, 64, ofTeam.data(), total.data()});
    exec.fetch(chosen), exec.fetch(sum), exec.fetch(total);
  }

  void expect(const std::vector<std::uint32_t>& in) const {
    std::vector<std::uint32_t> sorted = in, prefix(in.size() + 1, 0), many;
    std::sort(sorted.begin(), sorted.end());
    std::inclusive_scan(in.begin(), in.end(), prefix.begin() + 1);
    for (std::size_t i = 0; i < in.size(); ++i)
      if (in[i] > 30000) many.push_back(static_cast<std::uint32_t>(i));
    EXPECT_EQ(keys.array().get(), sorted);
    EXPECT_EQ(values.array().get(), sorted);
    EXPECT_EQ(begin.get(), prefix);
    ASSERT_EQ(chosen.seen(), many.size());
    std::vector<std::uint32_t> found = large.get();
    found.resize(many.size());
    EXPECT_EQ(found, many);
    EXPECT_EQ(sum.seen(), std::accumulate(in.begin(), in.end(), std::int64_t{0}));
    std::uint64_t all = 1;
    for (std::size_t i = 0; i < in.size(); ++i) all += mixed(i);
    EXPECT_EQ(total.seen(), all);
  }

 private:
  std::size_t n_;
  std::uint32_t *firstKeys_ = nullptr, *firstValues_ = nullptr;

 public:
  exec::Array<std::uint32_t> input;
  exec::DoubleBuffer<std::uint32_t> keys, values;
  exec::Array<std::uint32_t> begin, large;
  exec::Array<std::uint64_t> ofTeam;
  exec::DeviceValue<std::uint32_t> chosen;
  exec::DeviceValue<std::int64_t> sum;
  exec::DeviceValue<std::uint64_t> total;
};

std::vector<std::uint32_t> inputs(std::size_t n, std::size_t from) {
  std::vector<std::uint32_t> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = mixed(i + from) % 65536;
  return v;
}

TEST_F(ExecVerbsCuda, ReplayedWithOtherInput) {
  for (const std::size_t n : {1000ul, 100003ul}) {
    exec::CudaExec exec;
    Step step(n);
    step.input.set(inputs(n, 0));
    step.run(exec);
    exec.synchronize();
    step.expect(inputs(n, 0));
    exec::LaunchGraph graph = exec.record([&] { step.run(exec); });
    const std::size_t workspace = exec.workspace().bytes();
    for (const std::size_t from : {1000, 5000, 77777}) {
      step.input.set(inputs(n, from));
      exec.replay("step", graph);
      exec.synchronize();
      step.expect(inputs(n, from));
    }
    EXPECT_EQ(exec.workspace().bytes(), workspace);
  }
}

TEST_F(ExecVerbsCuda, RecordedLaunchesOutliveGrowth) {
  exec::CudaExec exec;
  Step small(3000), large(500000);
  small.input.set(inputs(3000, 0));
  small.run(exec);
  exec::LaunchGraph graph = exec.record([&] { small.run(exec); });
  large.input.set(inputs(500000, 0));
  large.run(exec);
  small.input.set(inputs(3000, 99));
  exec.replay("step", graph);
  exec.synchronize();
  small.expect(inputs(3000, 99));
  large.expect(inputs(500000, 0));
}

TEST_F(ExecVerbsCuda, GrowthWhileRecordingIsAnError) {
  exec::CudaExec exec;
  Step step(200000);
  step.input.set(inputs(200000, 0));
  EXPECT_THROW(exec.record([&] { step.run(exec); }), RunError);
  step.run(exec);  // and everything works afterwards
  exec.synchronize();
  step.expect(inputs(200000, 0));
}

TEST_F(ExecVerbsCuda, SharedMemoryBeyondTheDevice) {
  exec::CudaExec exec;
  exec::Array<std::uint64_t> ofTeam(Backend::cuda, 4);
  exec::DeviceValue<std::uint64_t> total(Backend::cuda, 0);
  const SumByTeams sum{1000, 4, 32, ofTeam.data(), total.data()};
  exec.teams("large teams", {4, 32, 60 << 10}, sum);  // more than a block gets without asking
  EXPECT_GT(exec.read(total), 1u);
  EXPECT_THROW(exec.teams("too large", {4, 32, 10 << 20}, sum), RunError);
}

}  // namespace
}  // namespace cellscope::test
