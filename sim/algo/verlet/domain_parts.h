// What several domains of one system with neighbour lists give each other. Every domain has room
// for all particles and the same slots. It computes forces and moves for a range of these
// (OwnSlots); positions of others that stand in its lists come from their domains after every
// drift, and before a list is built those that it may need, or all where slots are sorted.
#pragma once
#include "sim/algo/verlet/step_kernels.h"

namespace cellscope {

// What the lists of a domain may need of others, from cells no narrower than the longest reach: the
// cells that have particles of its own,
struct MarkOwnCells {
  const ParticleRecord* built;
  CellGrid grid;
  std::uint32_t* marked;
  HOST_DEVICE void operator()(std::size_t i) const {
    std::uint32_t* const m = marked + grid.indexOf(built[i]);
    if (exec::loadGlobal(m) == 0) exec::maxGlobal(m, 1u);
  }
};
// those and the cells around them,
struct MarkCellsAround {
  CellGrid grid;
  const std::uint32_t* marked;
  std::uint32_t* near;
  HOST_DEVICE void operator()(std::size_t c) const {
    const auto cell = static_cast<std::int32_t>(c);
    const std::int32_t *n = grid.cells, x0 = cell % n[0], y0 = cell / n[0] % n[1],
                       z0 = cell / n[0] / n[1];
    const CellSpan xs = cellSpan(x0, n[0]), ys = cellSpan(y0, n[1]), zs = cellSpan(z0, n[2]);
    std::uint32_t any = 0;
    for (std::int32_t z = zs.first; z <= zs.last; ++z)
      for (std::int32_t y = ys.first; y <= ys.last; ++y)
        for (std::int32_t x = xs.first; x <= xs.last; ++x)
          any |=
              marked[grid.index(wrappedCell(x, n[0]), wrappedCell(y, n[1]), wrappedCell(z, n[2]))];
    near[c] = any;
  }
};
// and the slots of others in these.
struct FindNeeded {
  const ParticleRecord* built;
  CellGrid grid;
  const std::uint32_t* near;
  DomainBorders borders;
  OwnSlots own;
  NeededSlots* out;
  HOST_DEVICE void operator()(std::size_t k) const {
    if (own.has(k) || near[grid.indexOf(built[k])] == 0) return;
    const auto j = static_cast<std::uint32_t>(k);
    const int q = borders.of(j);
    if (j - borders.at[q] < borders.at[q + 1] - j) {
      if (exec::loadGlobal(&out->end[q]) <= j) exec::maxGlobal(&out->end[q], j + 1);
    } else if (exec::loadGlobal(&out->begin[q]) > j) {
      exec::minGlobal(&out->begin[q], j);
    }
  }
};

// Records of others, and the step of the first list that is not valid in any domain.
struct TakeRecords {
  SlotRanges slots;
  const ParticleRecord* from[SlotRanges::kMost];
  ParticleRecord* to = nullptr;
  const Stopping* others[kMostDomains - 1];
  int stops = 0;
  Stopping* stop = nullptr;

  void add(const ParticleRecord* records, const DomainBorders& b, const NeededSlots& needed,
           int q) {
    const int before = slots.ranges;
    slots.add(b, needed, q);
    for (int r = before; r < slots.ranges; ++r) from[r] = records;
  }
  std::size_t size() const { return std::max(slots.n, static_cast<std::uint32_t>(stops)); }
  HOST_DEVICE void operator()(std::size_t k) const {
    // Others may do the same with theirs meanwhile: all end with the least.
    if (k < static_cast<std::size_t>(stops))
      exec::minGlobal(&stop->step, exec::loadGlobal(&others[k]->step));
    if (k >= slots.n) return;
    const auto number = static_cast<std::uint32_t>(k);
    const std::uint32_t slot = slots.at(number);
    to[slot] = from[slots.rangeOf(number)][slot];
  }
};

// What this domain has that the list of another may need, from the cells near those of the other,
// before a list for which particles keep their slots: in two ranges, as NeededSlots.
struct FindGiven {
  const ParticleRecord* record;
  CellGrid grid;
  const std::uint32_t* near[kMostDomains];
  DomainBorders borders;
  int own;
  NeededSlots* out;  // by the domain that needs it
  HOST_DEVICE void operator()(std::size_t k) const {
    const auto j = static_cast<std::uint32_t>(k);
    const std::int32_t cell = grid.indexOf(record[k]);
    const bool first = j - borders.at[own] < borders.at[own + 1] - j;
    for (int p = 0; p < borders.domains; ++p) {
      if (p == own || near[p][cell] == 0) continue;
      if (!first) {
        if (exec::loadGlobal(&out->begin[p]) > j) exec::minGlobal(&out->begin[p], j);
      } else if (exec::loadGlobal(&out->end[p]) <= j) {
        exec::maxGlobal(&out->end[p], j + 1);
      }
    }
  }
};
struct KeepRecords {
  SlotRanges slots;
  const ParticleRecord* from;
  ParticleRecord* to;
  HOST_DEVICE void operator()(std::size_t k) const {
    const std::uint32_t i = slots.at(static_cast<std::uint32_t>(k));
    to[i] = from[i];
  }
};

// Where whole steps put the records that others need, and what they tell them.
struct OtherDomains {
  struct One {
    ParticleRecord* buffer[2];
    Stopping* stop;
    std::uint32_t end, begin;  // needed: slots before and from these on
  };
  One of[kMostDomains - 1];
  int count = 0;

#ifdef __CUDACC__
  // The record of slot i, which lies in the buffer of this domain. stopped: no list is valid at it.
  __device__ __forceinline__ void give(std::uint32_t i, const ParticleRecord* from,
                                       std::uint32_t buffer, bool stopped,
                                       std::uint64_t step) const {
    for (int q = 0; q < count; ++q) {
      if (i < of[q].end || i >= of[q].begin) of[q].buffer[buffer][i] = from[i];
      if (stopped)
        atomicMin_system(reinterpret_cast<unsigned long long*>(&of[q].stop->step),
                         static_cast<unsigned long long>(step));
    }
  }
#endif
};

}  // namespace cellscope
