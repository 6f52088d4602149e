// The parallel work of the checkerboard: turns, binning into the shifted grid, sums, and what its
// domains exchange.
#pragma once
#include "sim/algo/gcmc/board.h"
#include "sim/algo/gcmc/flight.h"
#include "sim/algo/gcmc/step.h"
#include "sim/base/backend.h"
#include "sim/exec/layout.h"

namespace cellscope {

// What chains whose particles lie by cell store: the checkerboard, twice, and moves in flight.

// Entries per cell come in as many as a vector has lanes, at most.
constexpr std::uint32_t gcmcWholeVectors(std::uint32_t entries) { return (entries + 15) / 16 * 16; }
// For this number in the fullest cell: room for two turns of insertions.
constexpr std::uint32_t gcmcBoardEntries(std::uint32_t fullest, std::uint32_t attempts) {
  return gcmcWholeVectors(fullest + fullest / 4 + 2 * attempts);
}

// The particles of a state by cell, on the host, in the order of their slots. cellOf(point);
// room(n): entries of a cell where the fullest has n.
struct GcmcPlaced {
  std::vector<std::uint32_t> filled, word;
  std::vector<ParticleId> id;
  std::uint32_t capacity;

  GcmcPlaced(const GcmcState& s, std::size_t cells, const auto& cellOf, const auto& room)
      : filled(cells, 0) {
    std::vector<std::uint32_t> home;
    home.reserve(s.point.size());
    for (const GcmcPoint& p : s.point) filled[home.emplace_back(cellOf(p))]++;
    capacity = room(*std::max_element(filled.begin(), filled.end()));
    word.resize(3 * cells * capacity), id.resize(cells * capacity);
    std::fill(filled.begin(), filled.end(), 0);
    const GcmcStoredCells to{filled.data(), word.data(), id.data(), capacity};
    for (std::size_t i = 0; i < s.point.size(); ++i) to.add(home[i], s.point[i], s.id[i]);
  }
};

struct GcmcBoardArrays {
  exec::Array<std::uint32_t> filled, word;
  exec::Array<ParticleId> id;
  static exec::Layout<GcmcBoardArrays> layout(std::size_t cells, std::size_t entries) {
    return {{"particles in each cell", &GcmcBoardArrays::filled, cells},
            {"positions", &GcmcBoardArrays::word, 3 * entries},
            {"ids", &GcmcBoardArrays::id, entries}};
  }
  GcmcStoredCells view(std::uint32_t capacity) const {
    return {filled.data(), word.data(), id.data(), capacity};
  }
  void set(const GcmcPlaced& p) { filled.set(p.filled), word.set(p.word), id.set(p.id); }
};

struct GcmcFlightCells {
  GcmcBoardArrays cells;
  exec::Array<std::uint32_t> edge;
  exec::Array<std::uint64_t> first;
  static exec::Layout<GcmcFlightCells> layout(std::size_t cells, std::size_t entries,
                                              std::size_t edges) {
    return {{"cells", &GcmcFlightCells::cells, GcmcBoardArrays::layout(cells, entries)},
            {"edges of cells", &GcmcFlightCells::edge, edges},
            {"moves of and into each cell", &GcmcFlightCells::first, 2 * cells}};
  }
};

struct GcmcFlightArrays {
  exec::Array<GcmcFlight> flight;
  exec::Array<GcmcTaken> taken;
  exec::Array<std::uint8_t> accepted;
  exec::Array<std::uint64_t> mark;
  exec::Array<std::uint32_t> nextKnown, nextPossible, looks, changes, moved;
  static exec::Layout<GcmcFlightArrays> layout(std::size_t turn, std::size_t most) {
    return {{"moves of a turn", &GcmcFlightArrays::flight, turn},
            {"what moves do", &GcmcFlightArrays::taken, most},
            {"which are accepted", &GcmcFlightArrays::accepted, most},
            {"why moves decide again", &GcmcFlightArrays::mark, most},
            {"lists of moves", &GcmcFlightArrays::nextKnown, most},
            {"lists of displacements", &GcmcFlightArrays::nextPossible, kBoxCells * most},
            {"moves that decide", &GcmcFlightArrays::looks, most},
            {"moves that decide otherwise", &GcmcFlightArrays::changes, most},
            {"moves that end elsewhere", &GcmcFlightArrays::moved, most}};
  }
};

inline namespace GCMC_TYPES {

// Before a turn, by one thread: its colour, and a normal deviate for the tail correction.
struct GcmcBoardBegin {
  GcmcBoard b;
  bool ends = false;  // the turn before, too
  HOST_DEVICE void operator()(std::size_t) const {
    GcmcBoardHead& h = *b.head;
    if (b.idle()) return;
    if (ends) {
      h.endTurn();
      if (b.idle()) return;
    }
    if (h.coloured != b.sweep() + 1)
      h.colours = gcmcBoardColours(b, b.sweep()), h.coloured = b.sweep() + 1;
    h.colour = static_cast<int>(h.colours >> 4 * b.turnOfSweep() & 15u);
    const bool frozen = b.experiment == GcmcBoardExperiment::frozenNumber;
    if (frozen && h.any != 0 && b.turnOfSweep() != 0) return;  // as in the last turn
    h.y = 0, h.fugacity = 1;
    const double a = -b.rules.beta * b.rules.tail;
    if (!(a > 0)) return;
    const Random4 r =
        draw(b.rules.key, RngPurpose::gcmcMove, h.turn, b.rules.chain, kBoardTailBlock);
    std::uint32_t n = b.domains == 1 ? h.n : 0;
    if (b.domains > 1)
      for (std::uint32_t k = 0; k < b.domains; ++k) n += b.news[k].n;
    h.y = 2.0 * a * n + (frozen ? 0.0 : sqrt(2.0 * a) * normalDeviate(r));
    h.fugacity = exp(h.y);
  }
};

struct GcmcBoardEndTurn {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t) const {
    if (!b.idle()) b.head->endTurn();
  }
};

// Whether the grid is to be shifted before the next turn: at the beginning of a sweep.
HOST_DEVICE bool gcmcBoardShifts(const GcmcBoard& b) { return !b.idle() && b.turnOfSweep() == 0; }
HOST_DEVICE void gcmcBoardShift(const GcmcBoard& b, std::uint32_t* shift) {
  const Random4 r =
      draw(b.rules.key, RngPurpose::gcmcMove, b.sweep(), b.rules.chain, kBoardShiftBlock);
  const bool moves = b.experiment != GcmcBoardExperiment::fixedGrid;
  for (int k = 0; k < 3; ++k) shift[k] = moves && k < b.rules.dimension ? r.w[k] : 0;
  shift[0] &= ~b.typeBit;
}

// The layers of this domain after the shift.
HOST_DEVICE GcmcBoardLayers gcmcBoardNewLayers(const GcmcBoard& b) {
  std::uint32_t shift[3] = {0, 0, 0};
  if (b.domains > 1) gcmcBoardShift(b, shift);
  return gcmcBoardLayers(b, shift);
}
// Of launches over cells of this domain, whatever the shift, and `more` layers.
HOST_DEVICE std::size_t gcmcBoardMostCells(const GcmcBoard& b, int more) {
  if (b.domains == 1) return b.cube.allCells();
  return (b.cube.count[b.axis()] / b.domains + 2 + more) * b.layer();
}

// Empties cell i of the spare cells; draws the shift.
struct GcmcBoardClear {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    const GcmcBoardLayers own = gcmcBoardNewLayers(b);
    if (i < own.count * b.layer()) b.spare.filled[gcmcBoardOwnCell(b, i)] = 0;
    if (i == 0) b.head->most = 0, gcmcBoardShift(b, b.head->next);
  }
};

// Threads for each cell where a launch goes over entries.
inline constexpr std::size_t kBoardLanes = 16;

// Entries i % kBoardLanes and so on of cell i / kBoardLanes go to their cells in the grid of the
// next sweep, in any order there. Those of a domain come from its layers and one more at either
// side: its borders move by less than a layer.
struct GcmcBoardBin {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    const auto cell = static_cast<std::uint32_t>(i / kBoardLanes);
    if (b.domains > 1) {
      const GcmcBoardLayers old = gcmcBoardLayers(b, b.head->shift);
      if (cell >= (old.count + 2) * b.layer()) return;
    }
    for (auto k = static_cast<std::uint32_t>(i % kBoardLanes); k < b.held.filled[cell];
         k += kBoardLanes)
      bin(cell, k);
  }

 private:
  HOST_DEVICE void bin(std::uint32_t cell, std::uint32_t k) const {
    const std::uint32_t* const shift = b.head->next;
    const GcmcPoint p = b.held.point(cell, k);
    const GcmcPoint q{(p.x - shift[0]) & ~b.typeBit, p.y - shift[1], p.z - shift[2]};
    std::uint32_t home = b.cube.cellOf(q);
    if (b.experiment == GcmcBoardExperiment::inexactCells && otherHome(q) != home) return;
    if (b.domains > 1) {
      const GcmcBoardLayers own = gcmcBoardLayers(b, shift);
      const int all = b.cube.count[b.axis()];
      const int layer = (static_cast<int>(home / b.layer()) - own.first + all) % all;
      if (layer >= own.count) return;
      home = static_cast<std::uint32_t>(gcmcBoardOwnCell(b, layer * b.layer() + home % b.layer()));
    }
    const std::uint32_t place = exec::addGlobal(b.spare.filled + home, 1);
    if (place >= b.held.capacity) return;
    b.spare.put(home, place, p);
    b.spare.idOf(home, place) = b.held.idOf(cell, k);
  }
  // By edges that are a little off.
  HOST_DEVICE std::uint32_t otherHome(GcmcPoint q) const {
    std::uint32_t* const word[3] = {&q.x, &q.y, &q.z};
    for (int k = 0; k < b.rules.dimension; ++k)
      *word[k] += ~0u / (static_cast<std::uint32_t>(b.cube.count[k]) * kGcmcInexact);
    return b.cube.cellOf(q);
  }
};

// The fullest of the new cells i * kCells and so on.
struct GcmcBoardFullest {
  static constexpr std::size_t kCells = 64;
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    std::uint32_t most = 0;
    const GcmcBoardLayers own = gcmcBoardNewLayers(b);
    for (std::size_t c = i * kCells; c < (i + 1) * kCells && c < own.count * b.layer(); ++c) {
      const std::uint32_t n = b.spare.filled[gcmcBoardOwnCell(b, c)];
      most = n > most ? n : most;
    }
    exec::maxGlobal(&b.head->most, most);
  }
};

// Takes the new grid over when every cell has room for a turn of insertions; else stops.
struct GcmcBoardTake {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t) const {
    if (!gcmcBoardShifts(b)) return;
    GcmcBoardHead& h = *b.head;
    if (b.domains > 1)
      for (std::uint32_t k = 0; k < b.domains; ++k)
        h.most = b.news[k].most > h.most ? b.news[k].most : h.most;
    if (h.most + static_cast<std::uint32_t>(b.attempts) > b.held.capacity)
      h.stopped = 1;
    else
      for (int k = 0; k < 3; ++k) h.shift[k] = h.next[k];
    // Counted again, as some may be lost.
    if (h.stopped == 0 && b.experiment == GcmcBoardExperiment::inexactCells) h.n = 0;
  }
};

// The new cells back in the order of ids: the order of threads leaves no trace.
struct GcmcBoardOrder {
  GcmcBoard b;
  HOST_DEVICE void operator()(std::size_t i) const {
    if (!gcmcBoardShifts(b)) return;
    const GcmcBoardLayers own = gcmcBoardNewLayers(b);
    if (i / kBoardLanes >= own.count * b.layer()) return;
    const auto cell = static_cast<std::uint32_t>(gcmcBoardOwnCell(b, i / kBoardLanes));
    const auto first = static_cast<std::uint32_t>(i % kBoardLanes);
    const std::uint32_t n = b.spare.filled[cell];
    if (first == 0) {
      b.held.filled[cell] = n;
      if (b.experiment == GcmcBoardExperiment::inexactCells) exec::addGlobal(&b.head->n, n);
    }
    for (std::uint32_t k = first; k < n && k < b.held.capacity; k += kBoardLanes) {
      const ParticleId id = b.spare.idOf(cell, k);
      std::uint32_t before = 0;
      for (std::uint32_t j = 0; j < n; ++j) before += b.spare.idOf(cell, j) < id ? 1 : 0;
      b.held.put(cell, before, b.spare.point(cell, k));
      b.held.idOf(cell, before) = id;
    }
  }
};

// The two halves of a shift; between them, domains tell each other how full their cells are.
void gcmcBoardBinAll(auto& exec, const GcmcBoard& b) {
  constexpr std::size_t kMany = GcmcBoardFullest::kCells;
  const std::size_t cells = gcmcBoardMostCells(b, 0);
  exec.forEach("shift the grid", cells, GcmcBoardClear{b});
  exec.forEach("shift the grid", gcmcBoardMostCells(b, 2) * kBoardLanes, GcmcBoardBin{b}, 1 << 14);
  exec.forEach("shift the grid", (cells + kMany - 1) / kMany, GcmcBoardFullest{b});
}
void gcmcBoardTakeAll(auto& exec, const GcmcBoard& b) {
  exec.forEach("shift the grid", 1, GcmcBoardTake{b});
  exec.forEach("shift the grid", gcmcBoardMostCells(b, 0) * kBoardLanes, GcmcBoardOrder{b},
               1 << 14);
}

// Energy and virial of cell i: pairs of its particles with those of lower (cell, entry) around it.
struct GcmcBoardSums {
  GcmcBoard b;
  HOST_DEVICE GcmcSums operator()(std::size_t i) const {
    GcmcSums sums;
    const GcmcStoredCells& c = b.held;
    const auto own = static_cast<std::uint32_t>(i);
    for (std::uint32_t k = 0; k < c.filled[own]; ++k) {
      const GcmcPoint p = c.point(own, k);
      const GcmcPoint inGrid = b.fromGrid(p);
      for (int j = 0; j < b.cube.cells(); ++j) {
        const std::uint32_t cell = gcmcCubeCell(b.cube, inGrid, j).cell;
        if (cell > own) continue;
        const std::uint32_t end = cell == own ? k : c.filled[cell];
        for (std::uint32_t e = 0; e < end; ++e)
          gcmcAddPair(b.rules.pair, p, c.point(cell, e), sums);
      }
    }
    return sums;
  }
};

// Entry i to its place in a row of all particles; first: of each cell.
struct GcmcBoardRow {
  GcmcBoard b;
  const std::uint32_t* first;
  GcmcPoint* point;
  ParticleId* id;
  HOST_DEVICE void operator()(std::size_t i) const {
    const auto cell = static_cast<std::uint32_t>(i / b.held.capacity);
    const auto k = static_cast<std::uint32_t>(i % b.held.capacity);
    if (k >= b.held.filled[cell]) return;
    point[first[cell] + k] = b.held.point(cell, k);
    id[first[cell] + k] = b.held.id[i];
  }
};

// Of one more particle at each point.
struct GcmcBoardEnergyAt {
  GcmcBoard b;
  const GcmcPoint* point;
  double* energy;
  HOST_DEVICE void operator()(std::size_t i) const {
    const GcmcPoint p = point[i];
    double u = 0;
    for (int j = 0; j < b.cube.cells(); ++j) {
      const std::uint32_t cell = gcmcCubeCell(b.cube, b.fromGrid(p), j).cell;
      for (std::uint32_t e = 0; e < b.held.filled[cell]; ++e)
        u += gcmcPairAt(b.rules.pair, p, b.held.point(cell, e));
    }
    energy[i] = u;
  }
};

}  // namespace GCMC_TYPES

// --- What domains exchange (board_domains.h). ---

// Before an exchange (out): the outermost layers of a domain to the boxes of those beside it, and
// its news to all. After it: what lies in its own boxes to the layers around it.
struct GcmcBoardPass {
  GcmcBoard b;
  GcmcStoredCells box[2];  // of, or from, the domain before and after
  bool out;
  GcmcBoardNews* const* news;  // where the domains of this process expect it; null: none
  std::size_t here;            // domains of this process
  HOST_DEVICE std::size_t each() const { return b.layer() * b.held.capacity; }
  HOST_DEVICE void operator()(std::size_t i) const {
    if (news != nullptr && i < here) news[i][b.domain] = {b.head->n, b.head->most};
    if (i >= 2 * each() || box[0].filled == nullptr) return;
    const std::size_t side = i / each(), entry = i % each();
    const GcmcBoardLayers own = gcmcBoardLayers(b, b.head->shift);
    const int layer = side == 0 ? (out ? 1 : 0) : own.count + (out ? 0 : 1);  // in memory
    const auto inBox = static_cast<std::uint32_t>(entry / b.held.capacity);
    const auto onBoard = static_cast<std::uint32_t>(layer * b.layer() + inBox);
    const auto k = static_cast<std::uint32_t>(entry % b.held.capacity);
    if (out)
      copy(b.held, onBoard, box[side], inBox, k);
    else
      copy(box[side], inBox, b.held, onBoard, k);
  }

 private:
  HOST_DEVICE void copy(const GcmcStoredCells& from, std::uint32_t cell, const GcmcStoredCells& to,
                        std::uint32_t at, std::uint32_t k) const {
    const std::uint32_t n = from.filled[cell];
    if (k == 0) to.filled[at] = n;
    if (k >= n) return;
    to.put(at, k, from.point(cell, k));
    to.idOf(at, k) = from.idOf(cell, k);
  }
};

// What process 0 calls, for the others.
struct GcmcBoardCall {
  enum Kind { begin, scatter, turns, gather, end } kind;
  std::uint32_t number = 0;  // of the domains
  ExecConfig config{};
  bool mixed = false;  // GcmcOptions::mixed
  GcmcBoard board{};
  GcmcBoardHead head{};
  std::uint64_t count = 0;
};
// The domains of a process other than 0.
class GcmcBoardPart {
 public:
  virtual ~GcmcBoardPart() = default;
  virtual void obey(const GcmcBoardCall& call) = 0;
};

}  // namespace cellscope
