// Stream compaction, histogram and run lengths on the CPU. Each part first counts what it will
// write, then writes behind the parts before it: results are in order for any number of threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/exec/atomic.h"
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

// Adds the i in [begin, end) to counts[bin(i)], and those outside [0, bins) to counts[bins]. Bins
// are found some items ahead: what a count writes might be what the next bin is read from.
template <class Bin>
void countBins(std::size_t begin, std::size_t end, const Bin& bin, std::uint32_t* counts,
               std::uint32_t bins) {
  const Bin own = bin;
  const auto at = [&](std::size_t i) { return std::min(static_cast<std::uint32_t>(own(i)), bins); };
  constexpr std::size_t kAhead = 8;
  std::size_t i = begin;
  for (; i + kAhead <= end; i += kAhead) {
    std::uint32_t next[kAhead];
    for (std::size_t k = 0; k < kAhead; ++k) next[k] = at(i + k);
    for (std::size_t k = 0; k < kAhead; ++k) ++counts[next[k]];
  }
  for (; i < end; ++i) ++counts[at(i)];
}

// counts[b] = number of i in [0, n) with bin(i) == b, b in [0, bins). Other bins are not counted.
template <class Bin>
void histogramOnCpu(CpuPool& pool, const char* name, std::size_t n, const Bin& bin,
                    std::uint32_t* counts, std::size_t bins) {
  constexpr std::size_t kPart = 1 << 14;
  std::fill_n(counts, bins, 0u);
  const std::size_t crew = n <= kPart ? 1 : static_cast<std::size_t>(pool.threads());
  const auto inRange = [&](std::int32_t b) { return b >= 0 && static_cast<std::size_t>(b) < bins; };
  if (bins * crew > n && crew == 1) {
    for (std::size_t i = 0; i < n; ++i)
      if (const std::int32_t b = bin(i); inRange(b)) ++counts[b];
    return;
  }
  if (bins * crew > n) {  // adding up copies of the bins would take longer
    pool.ranges(n, kPart, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        if (const std::int32_t b = bin(i); inRange(b)) addGlobal(counts + b, 1u);
    });
    return;
  }
  const std::size_t stride = Carver::room<std::uint32_t>(bins + 1) / sizeof(std::uint32_t);
  std::byte* const block = pool.workspace().get(name, Carver::room<std::uint32_t>(crew * stride));
  std::uint32_t* const own = Carver(block).take<std::uint32_t>(crew * stride);
  std::fill_n(own, crew * stride, 0u);
  pool.ranges(n, kPart, [&](std::size_t begin, std::size_t end) {
    const std::size_t thread = crew == 1 ? 0 : pool.threadIndex();
    countBins(begin, end, bin, own + thread * stride, static_cast<std::uint32_t>(bins));
  });
  for (std::size_t c = 0; c < crew; ++c)
    for (std::size_t b = 0; b < bins; ++b) counts[b] += own[c * stride + b];
}

// Runs of equal keys that begin in [begin, end): to unique and lengths, from `run` on; the last one
// ends at `next`, where a later part's first run begins. Returns the number after the last run.
template <class Key>
std::size_t writeRuns(const Key* keys, std::size_t begin, std::size_t end, std::size_t next,
                      std::size_t run, Key* unique, std::uint32_t* lengths) {
  std::size_t head = end;
  const auto see = [&](std::size_t i) {
    if (head != end) lengths[run++] = static_cast<std::uint32_t>(i - head);
    unique[run] = keys[i];
    head = i;
  };
  if (begin == 0 && end > 0) see(0);
  forKept(
      std::max<std::size_t>(begin, 1), end, [&](std::size_t i) { return keys[i] != keys[i - 1]; },
      see);
  if (head != end) lengths[run++] = static_cast<std::uint32_t>(next - head);
  return run;
}

// Keys and lengths of the runs of equal keys, in order; returns how many runs there are.
template <class Key>
std::size_t runLengthsOnCpu(CpuPool& pool, const char* name, const Key* keys, std::size_t n,
                            Key* unique, std::uint32_t* lengths) {
  constexpr std::size_t kSerial = 1 << 15;  // comparing keys takes less time than sharing them out
  if (pool.threads() == 1 || n <= kSerial) return writeRuns(keys, 0, n, n, 0, unique, lengths);
  const std::size_t parts = (n + kSelectPart - 1) / kSelectPart;
  Carver carver(pool.workspace().get(name, 2 * Carver::room<std::size_t>(parts)));
  std::size_t *const run = carver.take<std::size_t>(parts), *const head =
                                                                carver.take<std::size_t>(parts);
  pool.parts(n, kSelectPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    const auto begins = [&](std::size_t i) { return i == 0 || keys[i] != keys[i - 1]; };
    std::size_t count = begin == 0 ? 1 : 0, earliest = begin;
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i)
      count += keys[i] != keys[i - 1] ? 1 : 0;
    while (earliest < end && !begins(earliest)) ++earliest;
    run[p] = count, head[p] = earliest < end ? earliest : n;
  });
  const std::size_t runs = positionsOf(run, parts);
  for (std::size_t p = parts, after = n; p-- > 0;) {  // to the first head of a later part
    const std::size_t own = head[p];
    head[p] = after;
    if (own != n) after = own;
  }
  pool.parts(n, kSelectPart, [&](std::size_t p, std::size_t begin, std::size_t end) {
    writeRuns(keys, begin, end, head[p], run[p], unique, lengths);
  });
  return runs;
}

}  // namespace cellscope::exec
