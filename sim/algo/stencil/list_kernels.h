// Functors of the stencilled cell list (S1, Algorithm 1).
//
// ListAsPrinted is the algorithm as it is printed. For the others particles are sorted by type,
// then by cell, so that the test of line 10 is made once per type of a cell instead of once per
// particle, what it skips is not read at all, and the particles of one type in cells next to each
// other along x lie next to each other.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/neighbours/cell_grid.h"
#include "sim/algo/neighbours/list.h"
#include "sim/algo/neighbours/read_only.h"
#include "sim/algo/stencil/stencil.h"
#include "sim/base/host_device.h"

namespace cellscope {

// Key: type and cell, or the cell alone; value: the slot.
struct TypeAndCellOfSlot {
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

// Key: the type; value: the slot.
struct TypeOfSlot {
  const ParticleRecord* particles;
  std::uint32_t *type, *slot;
  HOST_DEVICE void operator()(std::size_t i) const {
    type[i] = particles[i].type;
    slot[i] = static_cast<std::uint32_t>(i);
  }
};

// The cells in the memory of a backend.
struct StencilCellsView {
  CellGrid grid;
  std::uint32_t types = 1;                       // 1 as well where all types lie in one row
  const std::uint32_t* first = nullptr;          // of (type, cell), with one entry more
  const ParticleRecord* sorted = nullptr;        // by type and cell
  const std::uint32_t* slot = nullptr;           // of each sorted particle
  const StencilCell* stencil = nullptr;          // of all types
  std::uint32_t stencilOf[kMostTypes + 1] = {};  // where that of a type begins

  // The cell that lies at an offset from that of p.
  HOST_DEVICE std::int32_t cellAt(const ParticleRecord& p, const StencilCell& s) const {
    return grid.index(wrappedCell(grid.along(p.x, 0) + s.x, grid.cells[0]),
                      wrappedCell(grid.along(p.y, 1) + s.y, grid.cells[1]),
                      wrappedCell(grid.along(p.z, 2) + s.z, grid.cells[2]));
  }
};

// The list of one particle, in sorted order, so that threads of a warp have one stencil (S1,
// section 3.1).
struct ListFromStencils {
  StencilCellsView cells;
  RecordBox box;
  PairTable table;
  ListView out;
  std::uint32_t* checks;

  struct Tally {
    std::uint32_t *items, room, found = 0, checked = 0;
  };

  HOST_DEVICE void searchRun(const ParticleRecord& p, std::uint32_t i, std::uint32_t run,
                             float most, Tally& tally) const {
    const std::uint32_t end = cells.first[run + 1];
    for (std::uint32_t m = cells.first[run]; m < end; ++m) {
      const std::uint32_t j = cells.slot[m];
      if (j == i) continue;
      ++tally.checked;
      if (!(box.distanceSquared(p, cells.sorted[m]) <= most)) continue;
      if (tally.found < tally.room) tally.items[tally.found] = j;
      ++tally.found;
    }
  }

  // f(run, type) for the runs of sorted particles, each of one type, that may be within reach of p.
  template <class F>
  HOST_DEVICE void forRuns(const ParticleRecord& p, const F& f) const {
    for (std::uint32_t s = cells.stencilOf[p.type]; s < cells.stencilOf[p.type + 1]; ++s) {
      const StencilCell at = cells.stencil[s];
      const auto cell = static_cast<std::uint32_t>(cells.cellAt(p, at));
      const auto all = static_cast<std::uint32_t>(cells.grid.count());
      for (std::uint32_t t = 0; t < cells.types; ++t) {
        const float reach = table.reach(p.type, t);
        if (at.distance <= reach && reach > 0) f(t * all + cell, t);
      }
    }
  }

  HOST_DEVICE void operator()(std::size_t k) const {
    const std::uint32_t i = cells.slot[k];
    const ParticleRecord p = cells.sorted[k];
    Tally tally{out.items + out.head[i], out.room(i)};
    forRuns(p, [&](std::uint32_t run, std::uint32_t t) {
      searchRun(p, i, run, table.reachSquared(p.type, t), tally);
    });
    out.finish(i, p.type, tally.found);
    if (checks) checks[i] = tally.checked;
  }
};

// The list of one particle as S1 prints it: the particles of all types in one cell list, and the
// test of line 10 for each of them.
struct ListAsPrinted {
  StencilCellsView cells;
  const ParticleRecord* particles;  // by slot
  const std::uint32_t* order;       // slots by type (S1, section 3.1); null: one type
  RecordBox box;
  PairTable table;
  ListView out;
  std::uint32_t* checks;

  HOST_DEVICE void operator()(std::size_t k) const {
    const std::uint32_t i = order ? order[k] : static_cast<std::uint32_t>(k);
    const ParticleRecord p = particles[i];
    std::uint32_t* const items = out.items + out.head[i];
    const std::uint32_t room = out.room(i);
    std::uint32_t found = 0, checked = 0;
    for (std::uint32_t s = cells.stencilOf[p.type]; s < cells.stencilOf[p.type + 1]; ++s) {
      const StencilCell at = cells.stencil[s];                               // line 5
      const auto c = static_cast<std::uint32_t>(cells.cellAt(p, at));        // 6
      for (std::uint32_t m = cells.first[c]; m < cells.first[c + 1]; ++m) {  // 8
        const std::uint32_t type = cells.sorted[m].type;
        const float reach = table.reach(p.type, type);      // 9
        if (at.distance > reach || !(reach > 0)) continue;  // 10
        const std::uint32_t j = cells.slot[m];
        if (j == i) continue;
        ++checked;
        if (!(box.distanceSquared(p, cells.sorted[m]) <= table.reachSquared(p.type, type)))
          continue;  // 12
        if (found < room) items[found] = j;
        ++found;
      }
    }
    out.finish(i, p.type, found);
    if (checks) checks[i] = checked;
  }
};

// ListFromStencils without distances: all particles of the cells and types that it searches.
struct WalkStencilRuns {
  ListFromStencils of;
  std::uint32_t* unread;

  HOST_DEVICE void operator()(std::size_t k) const {
    const ParticleRecord p = of.cells.sorted[k];
    ReadOnly read;
    of.forRuns(p, [&](std::uint32_t run, std::uint32_t) {
      for (std::uint32_t m = of.cells.first[run]; m < of.cells.first[run + 1]; ++m) {
        const ParticleRecord q = of.cells.sorted[m];
        read.take(q.x, q.y, q.z);
      }
    });
    read.end(unread);
  }
};

// ListAsPrinted without distances: the types of all particles of the stencil are read, and the
// positions of those that line 10 does not skip.
struct WalkStencils {
  ListAsPrinted of;
  std::uint32_t* unread;

  HOST_DEVICE void operator()(std::size_t k) const {
    const StencilCellsView& cells = of.cells;
    const ParticleRecord p = of.particles[of.order ? of.order[k] : k];
    ReadOnly read;
    for (std::uint32_t s = cells.stencilOf[p.type]; s < cells.stencilOf[p.type + 1]; ++s) {
      const StencilCell at = cells.stencil[s];
      const auto c = static_cast<std::uint32_t>(cells.cellAt(p, at));
      for (std::uint32_t m = cells.first[c]; m < cells.first[c + 1]; ++m) {
        if (at.distance > of.table.reach(p.type, cells.sorted[m].type)) continue;
        const ParticleRecord q = cells.sorted[m];
        read.take(q.x, q.y, q.z);
      }
    }
    read.end(unread);
  }
};

}  // namespace cellscope
