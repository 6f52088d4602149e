// Tables of a state: those that every mode has alike, and which there are.
#include <fmt/format.h>

#include "sim/base/digits.h"
#include "sim/run/inspector.h"
#include "sim/run/selection.h"

namespace cellscope {
namespace {

Table neighbourTable(Mode& mode, ParticleId id) {
  const int dimension = asked(mode).boxNow().dimension;
  if (!asked(mode).placesOf({id})[0]) throw InputError(noSuchParticle(mode, id));
  Table t{{{"id", "Of the other particle"},
           {"distance", "To its nearest image, sigma"},
           {"image", "Boxes between it and that image; empty: it lies in the box itself"},
           {"cell", "Of the method, where it is now; empty: the method has no cells"},
           {"listed", "In the list of the particle; MISSING: it should be; far: beyond the cutoff"},
           {"energy", "Of the pair, epsilon"}},
          {},
          "nothing is within the cutoff or in the list"};
  for (const NeighbourRow& n : neighbourRows(mode, id)) {
    TableRow row;
    row.pick = n.id;
    row.wrong = n.within && n.listed && !*n.listed;
    const char* const listed = !n.listed               ? ""
                               : *n.listed != n.within ? *n.listed ? "yes, far" : "MISSING"
                               : *n.listed             ? "yes"
                                                       : "no";
    row.cells = {wholeCell(n.id), {fmt::format("{:.4f}", n.distance), n.distance},
                 {n.image, 0},    {n.cell ? inWords(*n.cell, dimension) : "", 0},
                 {listed, 0},     n.energy ? numberCell(*n.energy, 4) : TableCell{}};
    t.rows.push_back(std::move(row));
  }
  if (!t.rows.empty()) t.note.clear();
  return t;
}

// As many particles as lie in each cell now.
std::vector<int> countsOf(Mode& mode, const CellGridPlace& grid, const Box& box) {
  std::vector<int> counts(static_cast<std::size_t>(grid.cells[0]) *
                          static_cast<std::size_t>(grid.cells[1]) *
                          static_cast<std::size_t>(grid.cells[2]));
  const Configuration all = mode.configuration();
  for (std::size_t k = 0; k < all.size(); ++k) {
    const GridCell c = cellAt(
        grid, box, {all.positions[3 * k], all.positions[3 * k + 1], all.positions[3 * k + 2]});
    ++counts[static_cast<std::size_t>((c.at[2] * grid.cells[1] + c.at[1]) * grid.cells[0] +
                                      c.at[0])];
  }
  return counts;
}

Table cellTable(Mode& mode) {
  Table t{{{"cell", "Its number along each axis"},
           {"count", "Particles in it now"},
           {"capacity", "Particles that it has room for; empty: as many as there are"},
           {"overflow", "Particles beyond that"}},
          {},
          ""};
  const auto grid = asked(mode).cellGrid();
  if (!grid) return {{}, {}, "the method has no cells now"};
  const Box box = asked(mode).boxNow();
  const int room = asked(mode).cellCapacity();
  const std::vector<int> counts = countsOf(mode, *grid, box);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const int number = static_cast<int>(k), nx = grid->cells[0], ny = grid->cells[1];
    const GridCell cell{{number % nx, number / nx % ny, number / nx / ny}};
    TableRow row;
    row.place = inWords(cell, box.dimension);
    row.wrong = room > 0 && counts[k] > room;
    row.cells = {{row.place, static_cast<double>(k)},
                 wholeCell(counts[k]),
                 room > 0 ? wholeCell(room) : TableCell{},
                 room > 0 ? wholeCell(std::max(0, counts[k] - room)) : TableCell{}};
    t.rows.push_back(std::move(row));
  }
  return t;
}

}  // namespace

Table tableOf(Mode& mode, const std::string& name) {
  Words words(name);
  const std::string what = words.take("the name of a table: " + std::string(kTables));
  if (what == "neighbours") {
    const ParticleId id = words.id();
    words.requireEnd(kTables);
    return neighbourTable(mode, id);
  }
  words.requireEnd(kTables);
  if (what == "cells") return cellTable(mode);
  if (what == "nodes") return asked(mode).treeNodes();
  if (what == "moves") return asked(mode).lastMoves();
  throw InputError(fmt::format("'{}' is no table; allowed: {}", what, kTables));
}

}  // namespace cellscope
