// Functors of the stencilled cell list (S1, Algorithm 1).
//
// ListAsPrinted is the algorithm as it is printed. For the others particles are sorted by type,
// then by cell, so that the test of line 10 is made once per type of a cell instead of once per
// particle, what it skips is not read at all, and the particles of one type in cells next to each
// other along x lie next to each other.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/algo/neighbours/team_search.h"

namespace cellscope {

// Stencils of a cell list (S1, section 2.1): for each type of particle the cells that may hold
// neighbours, nearest first, with the least distance that a particle in them may have.
//
// All cells within `reach` of a cell, each once in the periodic grid, by distance, then by
// position. None where reach is 0.
std::vector<StencilCell> stencilWithin(const Box& box, const CellGrid& grid, double reach);

// The longest distance between points of a particle's own cell and of each of these, sigma, to the
// nearest image (S1, section 4.1); no less.
std::vector<float> longestDistances(const Box& box, const CellGrid& grid,
                                    const std::vector<StencilCell>& cells);

// The stencils of all types one after the other: those of type t are [first[t], first[t + 1]).
struct Stencils {
  std::vector<StencilCell> cells;
  std::uint32_t first[kMostTypes + 1] = {};
};
Stencils stencilsOf(const Box& box, const CellGrid& grid, const PairTable& table);
// The cells of one stencil, and those around it that are too far away to belong to it, up to where
// it ends along the axes; the nearest first.
std::vector<StencilCell> stencilAndCorners(const Stencils& all, std::uint32_t type, const Box& box,
                                           const CellGrid& grid);

// The cells in the memory of a backend.
struct StencilCellsView {
  CellGrid grid;
  std::uint32_t types = 1;                       // 1 as well where all types lie in one row
  const std::uint32_t* first = nullptr;          // of (type, cell), with one entry more
  const ParticleRecord* sorted = nullptr;        // by type and cell
  const std::uint32_t* slot = nullptr;           // of each sorted particle
  const StencilCell* stencil = nullptr;          // of all types
  std::uint32_t stencilOf[kMostTypes + 1] = {};  // start of the stencil of each type

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
  HOST_DEVICE void forRuns(const ParticleRecord& p, const auto& f) const {
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

struct StencilAround;

// The list of one particle as S1 prints it: the particles of all types in one cell list, and the
// test of line 10 for each of them.
struct ListAsPrinted {
  using Around = StencilAround;

  StencilCellsView cells;
  const float* farthest;            // of each cell of the stencils; null: distances are checked
  const ParticleRecord* particles;  // by slot
  const std::uint32_t* order;       // slots by type (S1, section 3.1); null: one type
  RecordBox box;
  PairTable table;
  ListView out;
  std::uint32_t* checks;

  HOST_DEVICE StencilAround around(std::size_t k) const;
  HOST_DEVICE void operator()(std::size_t k) const;
};

// The cells of the stencil of particle number k.
struct StencilAround {
  struct Run {
    std::uint32_t begin = 0, end = 0;
    float least = 0, most = 0;  // distances between points of the two cells
  };
  const ListAsPrinted& of;
  std::uint32_t i;
  ParticleRecord p;

  HOST_DEVICE StencilAround(const ListAsPrinted& list, std::size_t k)
      : of(list),
        i(list.order ? list.order[k] : static_cast<std::uint32_t>(k)),
        p(list.particles[i]) {}

  HOST_DEVICE std::uint32_t slot() const { return i; }
  HOST_DEVICE std::uint32_t type() const { return p.type; }
  HOST_DEVICE std::uint32_t runs() const {
    return of.cells.stencilOf[p.type + 1] - of.cells.stencilOf[p.type];
  }
  HOST_DEVICE Run run(std::uint32_t number) const {
    const std::uint32_t s = of.cells.stencilOf[p.type] + number;
    const StencilCell at = of.cells.stencil[s];                       // line 5
    const auto c = static_cast<std::size_t>(of.cells.cellAt(p, at));  // 6
    constexpr float kNever = 3e38f;
    return {of.cells.first[c], of.cells.first[c + 1], at.distance,  // 7
            of.farthest ? of.farthest[s] : kNever};
  }
  HOST_DEVICE bool skips(const Run& r, std::uint32_t type) const {
    const float reach = of.table.reach(p.type, type);  // 9
    return r.least > reach || !(reach > 0);            // 10
  }
  HOST_DEVICE SeenCandidate look(const Run& r, std::uint32_t m) const {
    const std::uint32_t type = of.cells.sorted[m].type;
    if (skips(r, type)) return {};
    const std::uint32_t j = of.cells.slot[m];
    if (j == i) return {};
    if (r.most <= of.table.reach(p.type, type)) return {true, false, j};
    const float r2 = of.box.distanceSquared(p, of.cells.sorted[m]);
    return {r2 <= of.table.reachSquared(p.type, type), true, j};  // 12
  }
  HOST_DEVICE void read(const Run& r, std::uint32_t m, ReadOnly& to) const {
    const std::uint32_t type = of.cells.sorted[m].type;
    if (skips(r, type) || r.most <= of.table.reach(p.type, type)) return;
    const ParticleRecord q = of.cells.sorted[m];
    to.take(q.x, q.y, q.z);
  }
};
HOST_DEVICE StencilAround ListAsPrinted::around(std::size_t k) const { return {*this, k}; }
HOST_DEVICE void ListAsPrinted::operator()(std::size_t k) const {
  searchAlone(around(k), out, checks);
}

// ListFromStencils without distances: all particles of the cells and types that it searches.
struct WalkStencilRuns {
  ListFromStencils of;

  HOST_DEVICE void operator()(std::size_t k) const {
    const ParticleRecord p = of.cells.sorted[k];
    ReadOnly read;
    of.forRuns(p, [&](std::uint32_t run, std::uint32_t) {
      for (std::uint32_t m = of.cells.first[run]; m < of.cells.first[run + 1]; ++m) {
        const ParticleRecord q = of.cells.sorted[m];
        read.take(q.x, q.y, q.z);
      }
    });
    read.end();
  }
};

}  // namespace cellscope
