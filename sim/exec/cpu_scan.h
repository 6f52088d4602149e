// Reduction and scan on the CPU. Sums are formed in chunks of a fixed size which are then added in
// order, so that results do not depend on the number of threads, rounding included.
#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>

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

// The part [begin, end) of a scan, where `base` is the sum of what lies before it. Returns the sum
// up to `end`. Sums that round are counted from `begin` and then added to `base`, so that they
// depend on the chunks alone; whole numbers are added one after the other, which takes half the
// time.
template <class T>
T scanChunk(const T* in, T* out, std::size_t begin, std::size_t end, T base) {
  constexpr bool kExact = std::is_integral_v<T>;
  T sum = kExact ? base : T{};
  for (std::size_t i = begin; i < end; ++i) {
    const T value = in[i];
    out[i] = kExact ? sum : base + sum;
    sum = sum + value;
  }
  return kExact ? sum : base + sum;
}

inline constexpr std::size_t kScanChunk = 8192;  // of the result's definition where sums round

// Chunks to scan side by side, 0 where one thread does all: for few items, waking others costs
// more.
inline std::size_t scanChunks(std::size_t n, int threads) {
  constexpr std::size_t kSerial = 1 << 15;
  return threads == 1 || n <= kSerial ? 0 : (n + kScanChunk - 1) / kScanChunk;
}
template <class T>
std::size_t scanScratchOnCpu(std::size_t n, int threads) {
  return Carver::room<T>(scanChunks(n, threads));
}

// out[i] = sum of in[0..i); returns the total. In place is allowed.
template <class T>
T scanOnCpu(CpuPool& pool, const char* name, const T* in, T* out, std::size_t n) {
  constexpr std::size_t kChunk = kScanChunk;
  T total{};
  const std::size_t chunks = scanChunks(n, pool.threads());
  if (chunks == 0) {
    for (std::size_t b = 0; b < n; b += kChunk)
      total = scanChunk(in, out, b, std::min(n, b + kChunk), total);
    return total;
  }
  std::byte* const block = pool.workspace().get(name, scanScratchOnCpu<T>(n, pool.threads()));
  T* const base = Carver(block).take<T>(chunks);
  pool.parts(n, kChunk, [&](std::size_t c, std::size_t begin, std::size_t end) {
    T sum{};
    for (std::size_t i = begin; i < end; ++i) sum = sum + in[i];
    base[c] = sum;
  });
  for (std::size_t c = 0; c < chunks; ++c) {
    const T sum = base[c];
    base[c] = total;
    total = total + sum;
  }
  pool.parts(n, kChunk, [&](std::size_t c, std::size_t begin, std::size_t end) {
    scanChunk(in, out, begin, end, base[c]);
  });
  return total;
}

}  // namespace cellscope::exec
