// Stream compaction on the CPU. Each part first counts what it will write, then writes behind the
// parts before it: results are in order for any number of threads.
#pragma once
#include <algorithm>
#include <cstddef>

#include "sim/exec/cpu_pool.h"

namespace cellscope::exec {

inline constexpr std::size_t kSelectPart = 2048;

// Counts per part to first positions; returns the total.
inline std::size_t positionsOf(std::size_t* counts, std::size_t parts) {
  std::size_t sum = 0;
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t here = counts[p];
    counts[p] = sum;
    sum += here;
  }
  return sum;
}

// see(i) for all i in [begin, end) with keep(i), in order. The indices are gathered without a
// branch first: where keep() is unpredictable, every other branch would be mispredicted.
template <class Keep, class See>
void forKept(std::size_t begin, std::size_t end, const Keep& keep, const See& see) {
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
  const std::size_t total = positionsOf(first, parts);
  pool.parts(n, kSelectPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    T* to = out + first[p];
    forKept(begin, end, keep, [&](std::size_t i) { *to++ = item(i); });
  });
  return total;
}

}  // namespace cellscope::exec
