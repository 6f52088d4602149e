// How many of the pairs that a list makes a force pass compute lie within the cutoff. A row is the
// list of one particle, or of a cluster of slots that share it (ListInput::cluster).
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/neighbours/list.h"

namespace cellscope {

struct ListedPairs {
  std::uint64_t computed = 0, within = 0;
};

// By row. Distances are those to the nearest image; a pair of a particle with itself, which a list
// shared by a cluster has, is computed and never within.
struct ListFill {
  ListReader list;
  const ParticleRecord* record = nullptr;  // by slot, as they are now
  RecordBox box;
  PairTable cutoffs;  // without the buffer
  std::uint32_t slots = 0, cluster = 1;

  HOST_DEVICE std::uint32_t first(std::size_t row) const {
    return static_cast<std::uint32_t>(row) * cluster;
  }
  HOST_DEVICE std::uint32_t size(std::size_t row) const {
    const std::uint32_t left = slots - first(row);
    return left < cluster ? left : cluster;
  }
  HOST_DEVICE bool within(std::uint32_t i, std::uint32_t j) const {
    const ParticleRecord p = record[i], q = record[j];
    return i != j && box.distanceSquared(p, q) < cutoffs.reachSquared(p.type, q.type);
  }
  HOST_DEVICE ListedPairs operator()(std::size_t row) const {
    const std::uint32_t count = list.count[row], begin = first(row), members = size(row);
    const std::uint32_t* const items = list.items + list.head[row];
    ListedPairs sum{static_cast<std::uint64_t>(count) * members, 0};
    for (std::uint32_t k = 0; k < count; ++k)
      for (std::uint32_t m = 0; m < members; ++m) sum.within += within(begin + m, items[k]) ? 1 : 0;
    return sum;
  }
};

struct AddListedPairs {
  HOST_DEVICE ListedPairs operator()(const ListedPairs& a, const ListedPairs& b) const {
    return {a.computed + b.computed, a.within + b.within};
  }
};

}  // namespace cellscope
