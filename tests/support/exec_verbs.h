// The verbs of sim/exec against plain loops, on whichever executor is given.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/base/host_device.h"
#include "sim/exec/memory.h"

namespace cellscope::test {

// 7919 is a prime: the values of n consecutive indices come in no order.
struct Scattered {
  HOST_DEVICE std::int64_t operator()(std::size_t i) const {
    return static_cast<std::int64_t>(i * 7919 % 10007);
  }
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

inline std::vector<std::int64_t> scattered(std::size_t n) {
  std::vector<std::int64_t> v(n);
  for (std::size_t i = 0; i < n; ++i) v[i] = Scattered{}(i);
  return v;
}

template <class Exec>
void expectReduce(Exec& exec, std::size_t n) {
  const std::vector<std::int64_t> v = scattered(n);
  const std::int64_t sum = std::accumulate(v.begin(), v.end(), std::int64_t{5});
  EXPECT_EQ(exec.reduce("sum", n, std::int64_t{5}, Scattered{}, Add{}), sum) << n;
  const std::int64_t most = n ? *std::max_element(v.begin(), v.end()) : -1;
  EXPECT_EQ(exec.reduce("largest", n, std::int64_t{-1}, Scattered{}, Larger{}), most) << n;
}

template <class Exec>
void expectScan(Exec& exec, std::size_t n) {
  const std::vector<std::int64_t> v = scattered(n);
  std::vector<std::int64_t> sums(n);
  std::exclusive_scan(v.begin(), v.end(), sums.begin(), std::int64_t{0});
  exec::Array<std::int64_t> in(Exec::backend, v), out(Exec::backend, n);
  const std::int64_t total = n ? sums.back() + v.back() : 0;
  EXPECT_EQ(exec.exclusiveScan("scan", in.data(), out.data(), n), total) << n;
  EXPECT_EQ(out.get(), sums) << n;
  EXPECT_EQ(exec.exclusiveScan("scan in place", in.data(), in.data(), n), total) << n;
  EXPECT_EQ(in.get(), sums) << n;
}

// Equal keys keep their order.
template <class Exec>
void expectSort(Exec& exec, std::size_t n) {
  std::vector<std::uint32_t> keys(n), values(n);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs(n);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i] = static_cast<std::uint32_t>(i * 2654435761u) >> 20;
    values[i] = static_cast<std::uint32_t>(i);
    pairs[i] = {keys[i], values[i]};
  }
  std::sort(pairs.begin(), pairs.end());
  exec::Array<std::uint32_t> k(Exec::backend, keys), v(Exec::backend, values);
  exec.sortByKey("sort", k.data(), v.data(), n);
  keys = k.get(), values = v.get();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(std::pair(keys[i], values[i]), pairs[i]) << i;
}

template <class Exec>
void expectVerbs(Exec& exec) {
  for (std::size_t n : {0, 1, 2, 4095, 4097, 100003}) {
    expectReduce(exec, n);
    expectScan(exec, n);
    expectSort(exec, n);
  }
}

}  // namespace cellscope::test
