// Functors of the standard cell list.
#pragma once
#include "sim/algo/neighbours/team_search.h"

namespace cellscope {

// Key: type and cell, the cell alone, or in a grid of one cell the type; value: the slot.
struct CellOfSlot {
  const ParticleRecord* particles;
  CellGrid grid;
  std::uint32_t ofType;  // cells of each type: all of the grid, or 0
  std::uint32_t *key, *slot;
  HOST_DEVICE void operator()(std::size_t i) const {
    const ParticleRecord p = particles[i];
    key[i] = p.type * ofType + static_cast<std::uint32_t>(grid.indexOf(p));
    slot[i] = static_cast<std::uint32_t>(i);
  }
};

// Records in the order of the cells (where `sorted` is not null), and where each cell begins:
// `first` has one entry more than there are cells. Index k in [0, n], the last for the cells after
// the last particle.
struct FillCells {
  const ParticleRecord* particles;
  const std::uint32_t *cell, *slot;  // sorted by cell
  ParticleRecord* sorted;
  std::uint32_t* first;
  std::uint32_t n, cells;

  HOST_DEVICE void operator()(std::size_t k) const {
    const std::uint32_t from = k == 0 ? 0 : cell[k - 1] + 1;
    const std::uint32_t to = k < n ? cell[k] : cells;
    for (std::uint32_t c = from; c <= to; ++c) first[c] = static_cast<std::uint32_t>(k);
    if (sorted && k < n) sorted[k] = particles[slot[k]];
  }
};

// f(begin, end) for the runs of sorted particles that hold the neighbours of a particle, each once.
// Cells next to each other along x are one run.
HOST_DEVICE void forRunsAround(const CellGrid& grid, const std::uint32_t* first,
                               const ParticleRecord& p, const auto& f) {
  const std::int32_t nx = grid.cells[0];
  const CellSpan xs = cellSpan(grid.along(p.x, 0), nx);
  const CellSpan ys = cellSpan(grid.along(p.y, 1), grid.cells[1]);
  const CellSpan zs = cellSpan(grid.along(p.z, 2), grid.cells[2]);
  for (std::int32_t z = zs.first; z <= zs.last; ++z)
    for (std::int32_t y = ys.first; y <= ys.last; ++y) {
      const std::int32_t row =
          grid.index(0, wrappedCell(y, grid.cells[1]), wrappedCell(z, grid.cells[2]));
      const std::int32_t lo = xs.first < 0 ? 0 : xs.first, hi = xs.last >= nx ? nx - 1 : xs.last;
      f(first[row + lo], first[row + hi + 1]);
      if (xs.first < 0) f(first[row + nx - 1], first[row + nx]);
      if (xs.last >= nx) f(first[row], first[row + 1]);
    }
}

struct CellsAround;

// The list of sorted particle k.
struct ListFromCells {
  using Around = CellsAround;

  CellGrid grid;
  const std::uint32_t* first;
  const ParticleRecord* sorted;
  const std::uint32_t* slot;  // null: the slots are in this order
  bool gathered;              // `sorted` holds the records by slot
  RecordBox box;
  PairTable table;
  ListView out;
  std::uint32_t* checks;

  HOST_DEVICE std::uint32_t slotOf(std::size_t k) const {
    return slot ? slot[k] : static_cast<std::uint32_t>(k);
  }
  HOST_DEVICE ParticleRecord at(std::size_t k) const { return sorted[gathered ? slotOf(k) : k]; }
  HOST_DEVICE CellsAround around(std::size_t k) const;  // for teams (team_search.h)

  HOST_DEVICE void operator()(std::size_t k) const {
    const ParticleRecord p = at(k);
    const std::size_t i = slotOf(k);
    const std::uint64_t head = out.head[i];
    const std::uint32_t room = out.room(i);
    std::uint32_t found = 0, checked = 0;
    forRunsAround(grid, first, p, [&](std::uint32_t begin, std::uint32_t end) {
      checked += end - begin;
      for (std::uint32_t m = begin; m < end; ++m) {
        const ParticleRecord q = at(m);
        if (!(box.distanceSquared(p, q) <= table.reachSquared(p.type, q.type)) || m == k) continue;
        if (table.reach(p.type, q.type) <= 0) continue;
        if (found < room) out.items[head + found] = slotOf(m);
        ++found;
      }
    });
    out.finish(i, p.type, found);
    if (checks) checks[i] = checked - 1;  // not with itself
  }
};

// The runs of forRunsAround() by number, around sorted particle k: two for each row of cells that
// goes across an edge of the box.
struct CellsAround {
  struct Run {
    std::uint32_t begin = 0, end = 0;
  };
  const ListFromCells& of;
  std::uint32_t k;
  ParticleRecord p;
  CellSpan x, y, z;

  HOST_DEVICE CellsAround(const ListFromCells& list, std::size_t number)
      : of(list),
        k(static_cast<std::uint32_t>(number)),
        p(list.at(number)),
        x(cellSpan(list.grid.along(p.x, 0), list.grid.cells[0])),
        y(cellSpan(list.grid.along(p.y, 1), list.grid.cells[1])),
        z(cellSpan(list.grid.along(p.z, 2), list.grid.cells[2])) {}

  HOST_DEVICE std::uint32_t slot() const { return of.slotOf(k); }
  HOST_DEVICE std::uint32_t type() const { return p.type; }
  HOST_DEVICE std::uint32_t perRow() const {
    return x.first < 0 || x.last >= of.grid.cells[0] ? 2u : 1u;
  }
  HOST_DEVICE std::uint32_t rows() const {
    return static_cast<std::uint32_t>(y.last - y.first + 1);
  }
  HOST_DEVICE std::uint32_t runs() const {
    return perRow() * rows() * static_cast<std::uint32_t>(z.last - z.first + 1);
  }
  HOST_DEVICE Run run(std::uint32_t number) const {
    const CellGrid& g = of.grid;
    const std::uint32_t line = number / perRow();
    const auto cy = y.first + static_cast<std::int32_t>(line % rows());
    const auto cz = z.first + static_cast<std::int32_t>(line / rows());
    const std::int32_t row = g.index(0, wrappedCell(cy, g.cells[1]), wrappedCell(cz, g.cells[2]));
    const std::int32_t nx = g.cells[0];
    std::int32_t a = x.first < 0 ? 0 : x.first, b = x.last >= nx ? nx - 1 : x.last;
    if (number % perRow() == 1) a = b = x.first < 0 ? nx - 1 : 0;  // across the edge
    return {of.first[row + a], of.first[row + b + 1]};
  }
  HOST_DEVICE SeenCandidate look(const Run&, std::uint32_t m) const {
    if (m == k) return {};
    const ParticleRecord q = of.at(m);
    const bool near = of.box.distanceSquared(p, q) <= of.table.reachSquared(p.type, q.type) &&
                      of.table.reach(p.type, q.type) > 0;
    return {near, true, of.slotOf(m)};
  }
  HOST_DEVICE void read(const Run&, std::uint32_t m, ReadOnly& to) const {
    const ParticleRecord q = of.at(m);
    to.take(q.x, q.y, q.z);
  }
};
HOST_DEVICE CellsAround ListFromCells::around(std::size_t k) const { return {*this, k}; }

// ListFromCells without distances: all particles around are read.
struct WalkCells {
  ListFromCells of;

  HOST_DEVICE void operator()(std::size_t k) const {
    const ParticleRecord p = of.at(k);
    ReadOnly read;
    forRunsAround(of.grid, of.first, p, [&](std::uint32_t begin, std::uint32_t end) {
      for (std::uint32_t m = begin; m < end; ++m) {
        const ParticleRecord q = of.at(m);
        read.take(q.x, q.y, q.z);
      }
    });
    read.end();
  }
};

}  // namespace cellscope
