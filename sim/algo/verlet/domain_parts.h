// What several domains of one system with neighbour lists give each other. Every domain has room
// for all particles and the same slots. It computes forces and moves for a range of these
// (OwnSlots); positions of others that stand in its lists come from their domains after every
// drift, and those of all before a list is built.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/neighbours/list.h"
#include "sim/algo/verlet/step_kernels.h"

namespace cellscope {

// Finds what the lists of a domain need of others; kParts indices share a list, so that its entries
// are read next to each other.
struct FindNeeded {
  static constexpr std::size_t kParts = 8;
  ListReader list;
  DomainBorders borders;
  OwnSlots own;
  NeededSlots* out;

  HOST_DEVICE void operator()(std::size_t k) const {
    const std::size_t i = own.begin + k / kParts;
    const std::uint32_t count = list.count[i];
    const std::uint32_t* const items = list.items + list.head[i];
    for (std::uint32_t m = static_cast<std::uint32_t>(k % kParts); m < count; m += kParts) {
      const std::uint32_t j = items[m];
      if (own.has(j)) continue;
      const int q = borders.of(j);
      const std::uint32_t first = borders.at[q], last = borders.at[q + 1];
      if (j - first < last - j) {
        if (exec::loadGlobal(&out->end[q]) <= j) exec::maxGlobal(&out->end[q], j + 1);
      } else if (exec::loadGlobal(&out->begin[q]) > j) {
        exec::minGlobal(&out->begin[q], j);
      }
    }
  }
};

// Records of slots [begin, end) of another domain; before: how many come first.
struct RecordRange {
  const ParticleRecord* from;
  std::uint32_t begin, end, before;
};
// Ranges of records, and the step of the first list that is not valid in any domain.
struct TakeRecords {
  static constexpr int kMost = 2 * (kMostDomains - 1);
  RecordRange range[kMost];
  int ranges = 0;
  std::uint32_t records = 0;
  ParticleRecord* to = nullptr;
  const Stopping* others[kMostDomains - 1];
  int stops = 0;
  Stopping* stop = nullptr;

  void add(const ParticleRecord* from, std::uint32_t begin, std::uint32_t end) {
    if (begin >= end) return;
    range[ranges++] = {from, begin, end, records};
    records += end - begin;
  }
  std::size_t size() const {
    return records > static_cast<std::uint32_t>(stops) ? records : static_cast<std::size_t>(stops);
  }
  HOST_DEVICE void operator()(std::size_t k) const {
    // Others may do the same with theirs meanwhile: all end with the least.
    if (k < static_cast<std::size_t>(stops))
      exec::minGlobal(&stop->step, exec::loadGlobal(&others[k]->step));
    if (k >= records) return;
    int r = ranges - 1;
    while (k < range[r].before) --r;
    const auto slot = range[r].begin + (static_cast<std::uint32_t>(k) - range[r].before);
    to[slot] = range[r].from[slot];
  }
};

}  // namespace cellscope
