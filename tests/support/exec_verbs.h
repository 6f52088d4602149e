// The verbs, teams, atomics and the status word of sim/exec against plain loops, on whichever exec
// is given.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/base/host_device.h"
#include "sim/exec/memory.h"
#include "sim/exec/status.h"
#include "sim/exec/team.h"

namespace cellscope::test {

// Around the blocks, chunks and parts of both backends.
inline const std::vector<std::size_t> kSizes{0,     1,     2,     31,    255,   256,   257,
                                             4095,  4096,  4097,  8191,  8192,  8193,  8224,
                                             16384, 16385, 32768, 32769, 65537, 100003};

// The same scattered number for an index on every machine.
HOST_DEVICE std::uint32_t mixed(std::size_t i) {
  std::uint32_t h = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
  h ^= h >> 15, h *= 2246822519u, h ^= h >> 13;
  return h;
}

struct Scattered {
  HOST_DEVICE std::int64_t operator()(std::size_t i) const { return mixed(i) % 10007; }
};
struct One {
  HOST_DEVICE std::int64_t operator()(std::size_t) const { return 1; }
};
struct Add {
  HOST_DEVICE std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a + b; }
};
struct Larger {
  HOST_DEVICE std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return a > b ? a : b;
  }
};
struct AddFloats {
  HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};
struct Fraction {
  HOST_DEVICE float operator()(std::size_t i) const {
    return 1e-6f * static_cast<float>(mixed(i) % 1000000);
  }
};
struct Self {
  HOST_DEVICE std::uint32_t operator()(std::size_t i) const {
    return static_cast<std::uint32_t>(i);
  }
};
// One in `every`, at random; all for 1, none for 0.
struct Chosen {
  std::uint32_t every;
  HOST_DEVICE bool operator()(std::size_t i) const { return every > 0 && mixed(i) % every == 0; }
};

inline std::vector<std::int64_t> scattered(std::size_t n) {
  std::vector<std::int64_t> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = Scattered{}(i);
  return v;
}

template <class Exec>
void expectReduce(Exec& exec, std::size_t n) {
  const std::vector<std::int64_t> v = scattered(n);
  exec::DeviceValue<std::int64_t> out(Exec::backend, -77);
  exec.reduce("sum", n, std::int64_t{5}, Scattered{}, Add{}, out);
  EXPECT_EQ(exec.read(out), std::accumulate(v.begin(), v.end(), std::int64_t{5})) << n;
  exec.reduce("largest", n, std::int64_t{-1}, Scattered{}, Larger{}, out);
  exec.fetch(out);
  exec.synchronize();
  EXPECT_EQ(out.seen(), n ? *std::max_element(v.begin(), v.end()) : -1) << n;
}

template <class Exec>
void expectScan(Exec& exec, std::size_t n) {
  const std::vector<std::int64_t> v = scattered(n);
  std::vector<std::int64_t> before(n + 1, 0), room = v;
  std::inclusive_scan(v.begin(), v.end(), before.begin() + 1);
  room.push_back(-1);
  exec::Array<std::int64_t> in(Exec::backend, room), out(Exec::backend, n + 1);
  exec.offsets("offsets", in.data(), out.data(), n);
  exec.synchronize();
  EXPECT_EQ(out.get(), before) << n;
  exec.offsets("offsets in place", in.data(), in.data(), n);
  exec.synchronize();
  EXPECT_EQ(in.get(), before) << n;
}

// Keys differ in all bits; `distinct` > 0: this number of different keys only. Equal keys, and keys
// that are equal in the range of bits, keep their order.
template <class Key, class Exec>
void expectSort(Exec& exec, std::size_t n, exec::BitRange bits, std::uint32_t distinct = 0) {
  std::vector<Key> keys(n);
  std::vector<std::uint32_t> values(n), order(n);
  for (std::size_t i = 0; i < n; ++i) {
    const Key one = mixed(i), other = mixed(i + 1000003);
    keys[i] = distinct ? one % distinct : static_cast<Key>(one ^ (other << (sizeof(Key) * 4)));
    values[i] = mixed(i + 5);
  }
  const int width = bits.end - bits.begin;
  const Key all = static_cast<Key>(~Key{0});
  const Key mask = width >= static_cast<int>(8 * sizeof(Key))
                       ? all
                       : static_cast<Key>(((Key{1} << width) - 1) << bits.begin);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return (keys[a] & mask) < (keys[b] & mask);
  });
  exec::DoubleBuffer<Key> k(Exec::backend, n);
  exec::DoubleBuffer<std::uint32_t> v(Exec::backend, n);
  k.array().set(keys);
  v.array().set(values);
  exec.sortByKey("sort", k, v, n, bits);
  exec.synchronize();
  const std::vector<Key> sortedKeys = k.array().get();
  const std::vector<std::uint32_t> sortedValues = v.array().get();
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(sortedKeys[i], keys[order[i]]) << i << " of " << n;
    ASSERT_EQ(sortedValues[i], values[order[i]]) << i << " of " << n;
  }
}

template <class Exec>
void expectSorts(Exec& exec, std::size_t n) {
  using K32 = std::uint32_t;
  using K64 = std::uint64_t;
  expectSort<K32>(exec, n, exec::kAllBits<K32>);
  for (const exec::BitRange bits :
       {exec::BitRange{0, 1}, exec::BitRange{3, 20}, exec::BitRange{31, 32}, exec::BitRange{5, 5}})
    expectSort<K32>(exec, n, bits);
  expectSort<K64>(exec, n, exec::kAllBits<K64>);
  expectSort<K64>(exec, n, {2, 38});
  expectSort<K32>(exec, n, exec::kAllBits<K32>, 1);
  expectSort<K32>(exec, n, exec::kAllBits<K32>, 3);
}

template <class Exec>
void expectSelect(Exec& exec, std::size_t n) {
  for (const std::uint32_t every : {0u, 1u, 2u, 97u}) {
    const Chosen keep{every};
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < n; ++i)
      if (keep(i)) expected.push_back(Self{}(i));
    exec::Array<std::uint32_t> out(Exec::backend, n);
    exec::DeviceValue<std::uint32_t> count(Exec::backend, 99u);
    exec.select("select", n, Self{}, keep, out.data(), count);
    ASSERT_EQ(exec.read(count), expected.size()) << n;
    std::vector<std::uint32_t> found = out.get();
    found.resize(expected.size());
    EXPECT_EQ(found, expected) << n;
  }
}

template <class Exec>
void expectVerbs(Exec& exec) {
  for (const std::size_t n : kSizes) {
    expectReduce(exec, n);
    expectScan(exec, n);
    expectSorts(exec, n);
    expectSelect(exec, n);
  }
}

// --- Teams, atomics and the status word. ---

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
