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
HOST_DEVICE ListedPairs operator+(const ListedPairs& a, const ListedPairs& b) {
  return {a.computed + b.computed, a.within + b.within};
}

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
  HOST_DEVICE ListedPairs operator()(std::size_t row) const { return part(row, 0, 1); }
  // Of entries from, from + step, ... of a row.
  HOST_DEVICE ListedPairs part(std::size_t row, std::uint32_t from, std::uint32_t step) const {
    const std::uint32_t count = list.count[row], begin = first(row), members = size(row);
    const std::uint32_t* const items = list.items + list.head[row];
    ListedPairs sum;
    for (std::uint32_t k = from; k < count; k += step) {
      sum.computed += members;
      for (std::uint32_t m = 0; m < members; ++m) sum.within += within(begin + m, items[k]) ? 1 : 0;
    }
    return sum;
  }
};

// Of rows at equal distances, no more than kMostRows of them: a measurement while a run goes on
// must not take as long as a force pass. A row is shared by kParts, as its partners are far apart
// in memory.
struct ListFillOfSome {
  static constexpr std::size_t kMostRows = 32768, kParts = 16;
  ListFill of;
  std::size_t stride;

  ListFillOfSome(const ListFill& fill, std::size_t rows)
      : of(fill), stride((rows + kMostRows - 1) / kMostRows) {}
  std::size_t parts(std::size_t rows) const { return (rows + stride - 1) / stride * kParts; }
  HOST_DEVICE ListedPairs operator()(std::size_t k) const {
    return of.part(k / kParts * stride, static_cast<std::uint32_t>(k % kParts), kParts);
  }
};

}  // namespace cellscope
