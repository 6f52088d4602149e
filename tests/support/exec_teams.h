// Teams, atomics and the status word of sim/exec, on whichever exec is given.
#pragma once
#include "sim/exec/status.h"
#include "sim/exec/team.h"
#include "tests/support/exec_verbs.h"

namespace cellscope::test {

// Each team adds up its share of mixed(i) in dynamic shared memory; the last one adds up the teams.
struct SumByTeams {
  struct Shared {
    std::uint32_t arrived;
  };
  struct Private {
    std::uint64_t sum;
  };
  std::size_t n;
  int teams, threads;
  std::uint64_t* ofTeam;
  std::uint64_t* total;

  HOST_DEVICE int phases(int) const { return 3; }
  HOST_DEVICE void phase(int p, int team, int thread, Shared& s, Private& mine,
                         std::byte* dynamic) const {
    auto* const sums = reinterpret_cast<std::uint64_t*>(dynamic);
    if (p == 0) {
      if (thread == 0) s.arrived = 0;
      const std::size_t stride = static_cast<std::size_t>(teams) * threads;
      for (std::size_t i = static_cast<std::size_t>(team) * threads + thread; i < n; i += stride)
        mine.sum += mixed(i);
    } else if (p == 1) {
      sums[thread] = mine.sum;
      exec::addShared(&s.arrived, 1u);
    } else if (thread == 0) {
      std::uint64_t sum = 0;
      for (std::uint32_t t = 0; t < s.arrived; ++t) sum += sums[t];
      ofTeam[team] = sum;
    }
  }
  HOST_DEVICE int finishPhases() const { return 2; }
  HOST_DEVICE void finish(int p, int thread, Shared&, Private&, std::byte* dynamic) const {
    auto* const sums = reinterpret_cast<std::uint64_t*>(dynamic);
    if (p == 0) {
      sums[thread] = 0;
      for (int t = thread; t < teams; t += threads) sums[thread] += ofTeam[t];
    } else if (thread == 0) {
      *total += 1;  // finished once
      for (int t = 0; t < threads; ++t) *total += sums[t];
    }
  }
};

template <class Exec>
void expectLastTeam(Exec& exec, int teams, int threads) {
  const std::size_t n = 50021;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += mixed(i);
  exec::Array<std::uint64_t> ofTeam(Exec::backend, static_cast<std::size_t>(teams));
  exec::DeviceValue<std::uint64_t> total(Exec::backend, 0);
  const exec::TeamShape shape{teams, threads, sizeof(std::uint64_t) * threads};
  for (std::uint64_t round = 1; round <= 3; ++round) {
    ofTeam.zero();
    exec.teams("sum by teams", shape, SumByTeams{n, teams, threads, ofTeam.data(), total.data()});
    EXPECT_EQ(exec.read(total), round * (sum + 1)) << teams << " of " << threads;
  }
}

// Every item i of n does each operation on one cell of each kind; of floating-point numbers, sums.
template <class T>
struct AtomicOperations {
  T* cells;  // add, minimum, maximum, compare-and-swap
  HOST_DEVICE static T value(std::size_t i) {
    const auto v = static_cast<std::int32_t>(mixed(i) % 2001);
    if constexpr (std::is_unsigned_v<T>)
      return static_cast<T>(v);
    else
      return static_cast<T>(v - 1000);
  }
  HOST_DEVICE void operator()(std::size_t i) const {
    exec::addGlobal(cells, value(i));
    if constexpr (std::is_integral_v<T>) {
      exec::minGlobal(cells + 1, value(i));
      exec::maxGlobal(cells + 2, value(i));
      T seen = exec::addGlobal(cells + 3, static_cast<T>(0));  // count up by compare-and-swap
      for (;;) {
        const T before = exec::swapGlobalIf(cells + 3, seen, static_cast<T>(seen + 1));
        if (before == seen) return;
        seen = before;
      }
    }
  }
};

template <class T, class Exec>
void expectAtomics(Exec& exec) {
  const std::size_t n = 20000;
  T sum = 0, least = 5, most = 5;
  for (std::size_t i = 0; i < n; ++i) {
    const T v = AtomicOperations<T>::value(i);
    sum += v, least = std::min(least, v), most = std::max(most, v);
  }
  exec::Array<T> cells(Exec::backend, std::vector<T>{0, 5, 5, 0});
  exec.forEach("atomics", n, AtomicOperations<T>{cells.data()});
  exec.synchronize();
  std::vector<T> right = {sum, 5, 5, 0};
  if (std::is_integral_v<T>) right = {sum, least, most, static_cast<T>(n)};
  EXPECT_EQ(cells.get(), right);
}

template <class Exec>
void expectAllAtomics(Exec& exec) {
  const auto of = [&](auto zero) { expectAtomics<decltype(zero)>(exec); };
  of(std::int32_t{}), of(std::uint32_t{}), of(std::int64_t{}), of(std::uint64_t{});
  of(float{}), of(double{});
}

// Particle i reports in the step after `step` when it is a multiple of 7, in `step` for one of
// 5000.
struct ReportFaults {
  exec::StatusWord* status;
  std::uint64_t step;
  HOST_DEVICE void operator()(std::size_t i) const {
    const auto k = static_cast<std::uint32_t>(i);
    if (i % 7 == 3) exec::reportFault(status, exec::Fault::overflow, k, step + 1);
    if (i % 5000 == 4321) exec::reportFault(status, exec::Fault::lostParticle, k, step);
    if (i % 5000 == 4600) exec::reportFault(status, exec::Fault::notANumber, k, step);
  }
};

template <class Exec>
void expectStatus(Exec& exec) {
  exec::Status status(Exec::backend);
  EXPECT_FALSE(status.read(exec));
  const std::uint64_t step = (std::uint64_t{1} << 33) + 123456;
  for (int round = 0; round < 3; ++round) {
    exec.forEach("faults", 100000, ReportFaults{status.data(), step});
    status.fetch(exec);
    exec.synchronize();
    ASSERT_TRUE(status.seen());
    const exec::StatusReport r = *status.seen();
    EXPECT_EQ(r.fault, exec::Fault::notANumber);
    EXPECT_EQ(r.where, 4600u);
    EXPECT_EQ(r.stepBefore(step + 5), step);
    exec.forEach("faults", 100000, ReportFaults{status.data(), step + 1});
    EXPECT_EQ(status.read(exec)->stepBefore(step + 5), step) << "a later fault replaced the first";
    status.clear(exec);
    EXPECT_FALSE(status.read(exec));
  }
}

template <class Exec>
void expectTeams(Exec& exec) {
  for (const int teams : {1, 2, 33, 5000})
    for (const int threads : {1, 32, 96}) expectLastTeam(exec, teams, threads);
  expectAllAtomics(exec);
  expectStatus(exec);
}

}  // namespace cellscope::test
