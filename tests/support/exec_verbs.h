// The verbs of sim/exec against plain loops, on whichever exec is given.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/base/host_device.h"
#include "sim/exec/memory.h"

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

}  // namespace cellscope::test
