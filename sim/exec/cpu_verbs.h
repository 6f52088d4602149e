// Reduction and scan on the CPU. Sums are formed in chunks of a fixed size which are then added in
// order, so that results do not depend on the number of threads, rounding included.
#pragma once
#include <numeric>

#include "sim/exec/cpu_pool.h"

namespace cellscope::exec {

// op over init and f(i), i in [0, n). Chunks of `chunk` indices.
template <class T, class F, class Op>
T reduceOnCpu(CpuPool& pool, const char* name, std::size_t n, const T& init, const F& f,
              const Op& op, std::size_t chunk) {
  const std::size_t chunks = (n + chunk - 1) / chunk;
  T* const partial = Carver(pool.workspace().get(name, Carver::room<T>(chunks))).take<T>(chunks);
  pool.parts(n, chunk, [&](std::size_t c, std::size_t begin, std::size_t end) {
    T sum = f(begin);
    for (std::size_t i = begin + 1; i < end; ++i) sum = op(sum, f(i));
    partial[c] = sum;
  });
  T result = init;
  for (std::size_t c = 0; c < chunks; ++c) result = op(result, partial[c]);
  return result;
}

// Sums before each of [begin, end), from `sum` on; returns the sum up to `end`.
template <class T>
T scanPart(const T* in, T* out, std::size_t begin, std::size_t end, T sum) {
  for (std::size_t i = begin; i < end; ++i) {
    const T value = in[i];
    out[i] = sum;
    sum += value;
  }
  return sum;
}

inline constexpr std::size_t kScanPart = 8192;
// Parts to scan side by side, 0 where one thread does all: for few items, waking others costs more.
inline std::size_t scanParts(std::size_t n, int threads) {
  return threads == 1 || n <= 4 * kScanPart ? 0 : (n + kScanPart - 1) / kScanPart;
}

// out[i] = sum of in[0..i); returns the total. In place is allowed.
template <class T>
T scanOnCpu(CpuPool& pool, const char* name, const T* in, T* out, std::size_t n) {
  static_assert(std::is_integral_v<T>);  // its sums do not round: parts do not matter
  const std::size_t parts = scanParts(n, pool.threads());
  if (parts == 0) return scanPart(in, out, 0, n, T{});
  T* const base = Carver(pool.workspace().get(name, Carver::room<T>(parts))).take<T>(parts);
  pool.parts(n, kScanPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    base[p] = std::accumulate(in + begin, in + end, T{});
  });
  const T total = scanPart(base, base, 0, parts, T{});
  pool.parts(n, kScanPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    scanPart(in, out, begin, end, base[p]);
  });
  return total;
}

// Stream compaction on the CPU. Each part first counts what it will write, then writes behind the
// parts before it: results are in order for any number of threads.

inline constexpr std::size_t kSelectPart = 2048;

// see(i) for all i in [begin, end) with keep(i), in order. The indices are gathered without a
// branch first: where keep() is unpredictable, every other branch would be mispredicted.
void forKept(std::size_t begin, std::size_t end, const auto& keep, const auto& see) {
  constexpr std::size_t kAtATime = 512;
  std::size_t kept[kAtATime];
  for (std::size_t i = begin; i < end;) {
    const std::size_t stop = std::min(end, i + kAtATime);
    std::size_t count = 0;
    for (; i < stop; ++i) {
      kept[count] = i;
      count += keep(i) ? 1 : 0;
    }
    for (std::size_t k = 0; k < count; ++k) see(kept[k]);
  }
}

// item(i) of all i with keep(i), in order, to out; returns how many.
template <class Item, class Keep, class T>
std::size_t selectOnCpu(CpuPool& pool, const char* name, std::size_t n, const Item& item,
                        const Keep& keep, T* out) {
  if (pool.threads() == 1 || n <= kSelectPart) {
    T* to = out;
    forKept(0, n, keep, [&](std::size_t i) { *to++ = item(i); });
    return static_cast<std::size_t>(to - out);
  }
  const std::size_t parts = (n + kSelectPart - 1) / kSelectPart;
  std::byte* const block = pool.workspace().get(name, Carver::room<std::size_t>(parts));
  std::size_t* const first = Carver(block).take<std::size_t>(parts);
  pool.parts(n, kSelectPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    std::size_t count = 0;
    for (std::size_t i = begin; i < end; ++i) count += keep(i) ? 1 : 0;
    first[p] = count;
  });
  const std::size_t total = scanPart(first, first, 0, parts, std::size_t{0});
  pool.parts(n, kSelectPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    T* to = out + first[p];
    forKept(begin, end, keep, [&](std::size_t i) { *to++ = item(i); });
  });
  return total;
}

// Stable radix sort on the CPU, from the lowest digit up. The result of a stable sort is unique, so
// it does not depend on the number of threads.

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
    pool.parts(parts_, 1, [&](std::size_t p, std::size_t, std::size_t) { count(keys, p); });
    if (!place()) return false;
    pool.parts(parts_, 1, [&](std::size_t p, std::size_t, std::size_t) {
      move(keys, values, keysOut, valuesOut, p);
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
