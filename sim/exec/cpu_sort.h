// Stable radix sort on the CPU, from the lowest digit up. The result of a stable sort is unique, so
// it does not depend on the number of threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/exec/cpu_pool.h"
#include "sim/exec/double_buffer.h"

namespace cellscope::exec {

// One pass sorts by digits of `bits` bits from `shift` up. The items are cut into parts; each
// counts its digits, then moves its items behind those of smaller digits and of earlier parts.
template <class Key, class Value>
class RadixPass {
 public:
  static constexpr int kMostBits = 8;

  RadixPass(std::size_t n, std::size_t parts, std::size_t* counts)
      : n_(n), parts_(parts), counts_(counts) {}
  static std::size_t countsOf(std::size_t parts) { return parts << kMostBits; }

  // Whether anything was moved: not where all keys have the same digit.
  bool run(CpuPool& pool, const Key* keys, const Value* values, Key* keysOut, Value* valuesOut,
           int shift, int bits) {
    shift_ = shift, digits_ = std::size_t{1} << bits;
    pool.ranges(parts_, 1, [&](std::size_t b, std::size_t e) {
      for (std::size_t p = b; p < e; ++p) count(keys, p);
    });
    if (!place()) return false;
    pool.ranges(parts_, 1, [&](std::size_t b, std::size_t e) {
      for (std::size_t p = b; p < e; ++p) move(keys, values, keysOut, valuesOut, p);
    });
    return true;
  }

 private:
  std::size_t first(std::size_t part) const { return n_ * part / parts_; }
  std::size_t digit(Key key) const {
    return static_cast<std::size_t>(key >> shift_) & (digits_ - 1);
  }
  std::size_t* countsOfPart(std::size_t part) const { return counts_ + part * digits_; }

  void count(const Key* keys, std::size_t part) const {
    std::size_t* const counts = countsOfPart(part);
    std::fill_n(counts, digits_, std::size_t{0});
    for (std::size_t i = first(part), end = first(part + 1); i < end; ++i) ++counts[digit(keys[i])];
  }

  // Counts to first positions.
  bool place() const {
    std::size_t sum = 0;
    for (std::size_t d = 0; d < digits_; ++d) {
      const std::size_t before = sum;
      for (std::size_t p = 0; p < parts_; ++p) {
        std::size_t& c = countsOfPart(p)[d];
        const std::size_t here = c;
        c = sum;
        sum += here;
      }
      if (sum - before == n_) return false;
    }
    return true;
  }

  void move(const Key* keys, const Value* values, Key* keysOut, Value* valuesOut,
            std::size_t part) const {
    std::size_t* const at = countsOfPart(part);
    for (std::size_t i = first(part), end = first(part + 1); i < end; ++i) {
      const Key key = keys[i];
      const std::size_t to = at[digit(key)]++;
      keysOut[to] = key;
      valuesOut[to] = values[i];
    }
  }

  std::size_t n_, parts_;
  std::size_t* counts_;
  int shift_ = 0;
  std::size_t digits_ = 0;
};

template <class Key, class Value>
void sortOnCpu(CpuPool& pool, const char* name, DoubleBuffer<Key>& keys,
               DoubleBuffer<Value>& values, std::size_t n, BitRange bits) {
  using Pass = RadixPass<Key, Value>;
  constexpr std::size_t kPart = 1 << 14;
  const int width = bits.end - bits.begin;
  if (n < 2 || width <= 0) return;
  const std::size_t parts = pool.partsOf(n, kPart);
  const std::size_t room = Pass::countsOf(parts);
  std::byte* const block = pool.workspace().get(name, Carver::room<std::size_t>(room));
  Pass pass(n, parts, Carver(block).take<std::size_t>(room));
  const int passes = (width + Pass::kMostBits - 1) / Pass::kMostBits;
  for (int k = 0; k < passes; ++k) {
    const int begin = width * k / passes, end = width * (k + 1) / passes;
    if (!pass.run(pool, keys.data(), values.data(), keys.spare(), values.spare(),
                  bits.begin + begin, end - begin))
      continue;
    keys.swap();
    values.swap();
  }
}

}  // namespace cellscope::exec
