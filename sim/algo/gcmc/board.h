// Checkerboard grand-canonical Monte Carlo: the cells of one colour at once make a fixed number of
// attempts each, with the other cells fixed; then the next colour, and after all of them the grid
// is shifted at random.
//
// Active cells are at least the cutoff apart, so that the weight of what they hold factorises given
// all that is outside, and moves within the cells leave it invariant. In a cell of volume v with
// n particles:
//   displacement  min(1, exp(-dU / T)), rejected when it would leave the cell
//   insertion     min(1, z v / (n + 1) exp(-dU / T)) at a uniform point of the cell
//   deletion      min(1, n / (z v) exp(-dU / T)) of one of the n
// The number of attempts and the shares of their kinds are the same for every cell, empty ones
// included.
//
// Tail correction: U_tail = c N^2 / V, c < 0, couples all cells. With a = |c| / (V T) and
// y ~ Normal(2 a N, 2 a) drawn again before every colour, exp(a N^2) is the integral of
// exp(y N - y^2 / (4 a)) over y: given y, the cells are independent at ln z + y, without tail.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// Wrong on purpose: each breaks one condition of the proof.
enum class GcmcBoardExperiment {
  none,
  attemptsByCount,  // 1 + n attempts in a cell that holds n when its turn comes
  skipEmpty,        // none in an empty cell
  retry,            // a displacement that would leave the cell is drawn again
  fixedGrid,        // the grid is never shifted
  narrowCells,      // cells of half the cutoff: active ones interact, and neighbours are missed
  frozenNumber,     // the tail correction with N as it was before the sweep: y = 2 a N
  arrayOrder,       // attempt k of a turn takes entry k % n, not one of the n at random
  staleCount,       // n of the acceptance as it was before the turn
  rejectFull,       // insertions into a cell of kGcmcFullDensity are rejected
  inexactCells      // two expressions decide who is in a cell: some are in none, and are lost
};

// Least width of narrow cells in cutoffs.
inline constexpr double kGcmcNarrow = 0.5;
// Particles per volume that a cell has room for where full ones reject.
inline constexpr double kGcmcFullDensity = 0.3;
// By how much of a cell the edges of two inexact expressions differ.
inline constexpr std::uint32_t kGcmcInexact = 128;  // one part in this number

// What changes from colour to colour.
struct GcmcBoardHead {
  std::uint64_t turn = 0;  // colours done since move 0; colour `turn % colours` in its sweep
  std::uint64_t end = 0;   // turns below it are asked for
  std::uint32_t n = 0;
  std::uint32_t stopped = 0;  // a cell might run out of room: nothing happens until it has grown
  std::uint32_t most = 0;     // particles in the fullest cell as of the last binning
  int colour = 0;             // of this turn
  std::uint32_t any = 0;      // a turn has been made on this grid
  std::uint32_t shift[3] = {0, 0, 0};  // of the grid: cell 0 begins at this word
  std::uint32_t next[3] = {0, 0, 0};   // while it is shifted: from the next sweep on
  std::uint32_t colours = 0;           // of the turns of a sweep, four bits each
  std::uint64_t coloured = 0;          // that sweep, plus 1
  double y = 0, fugacity = 1;          // of the tail correction, and exp(y)
  GcmcCounters counters;
  HOST_DEVICE void endTurn() { ++turn, any = 1; }
};

// What domains tell each other at every exchange.
struct GcmcBoardNews {
  std::uint32_t n = 0;     // particles that have come in this domain (modulo 2^32)
  std::uint32_t most = 0;  // particles in its fullest new cell
};

struct GcmcBoard {
  GcmcRules rules;
  GcmcCube cube;  // an even number of cells along each axis, at least four
  int attempts;
  GcmcBoardExperiment experiment;
  ParticleId idBase;
  const std::uint32_t* edge;  // as GcmcGrid::edge
  GcmcBoardHead* head;
  GcmcStoredCells held, spare;  // the particles, and room to order them in
  // Of several domains, which advance a part of the board each: the last news of all of them.
  std::uint32_t domain = 0, domains = 1;
  const GcmcBoardNews* news = nullptr;
  // kGcmcTypeBit in a mixture: shift and edges along x are even, so that a place holds the words of
  // both types in one cell. A type never takes a particle out of its cell, and a cell has as much
  // room for either. Else 0.
  std::uint32_t typeBit = 0;

  HOST_DEVICE int axis() const { return rules.dimension - 1; }  // that is cut into domains
  HOST_DEVICE std::size_t layer() const { return cube.allCells() / cube.count[axis()]; }  // cells
  HOST_DEVICE int colours() const { return 1 << rules.dimension; }
  HOST_DEVICE std::uint64_t sweep() const { return head->turn >> rules.dimension; }
  HOST_DEVICE int turnOfSweep() const { return static_cast<int>(head->turn) & (colours() - 1); }
  HOST_DEVICE std::size_t active() const { return cube.allCells() / colours(); }  // cells
  HOST_DEVICE std::uint64_t movesOfTurn() const { return active() * attempts; }
  // Relative to the grid and without the type: decides the cell.
  HOST_DEVICE GcmcPoint fromGrid(GcmcPoint p) const {
    return {(p.x - head->shift[0]) & ~typeBit, p.y - head->shift[1], p.z - head->shift[2]};
  }
  HOST_DEVICE bool idle() const { return (head->stopped != 0) | (head->turn >= head->end); }
};

// Random numbers of turns and sweeps: blocks of the stream of moves that no move draws.
inline constexpr std::uint32_t kBoardShiftBlock = 2, kBoardOrderBlock = 3, kBoardTailBlock = 4,
                               kBoardRetryBlock = 5;

// The colours of a sweep at random, four bits each.
HOST_DEVICE std::uint32_t gcmcBoardColours(const GcmcBoard& b, std::uint64_t sweep) {
  std::uint32_t order = 0x76543210u;
  for (std::uint32_t i = static_cast<std::uint32_t>(b.colours()) - 1; i > 0; --i) {
    const Random4 r =
        draw(b.rules.key, RngPurpose::gcmcMove, sweep, b.rules.chain, kBoardOrderBlock + (i << 8));
    const std::uint32_t j = scaleWord(r.w[0], i + 1);
    const std::uint32_t differs = (order >> 4 * i ^ order >> 4 * j) & 15u;
    order ^= differs << 4 * i | differs << 4 * j;
  }
  return order;
}

// A part of the board: layers of cells across the last axis, cyclic. Each domain has the same part
// of the box all the time, in whole cells: from the one that contains its border on.
struct GcmcBoardLayers {
  int first, count;
};
HOST_DEVICE GcmcBoardLayers gcmcBoardLayers(const GcmcBoard& b, const std::uint32_t* shift) {
  const int axis = b.axis(), all = b.cube.count[axis];
  if (b.domains == 1) return {0, all};
  const auto at = [&](std::uint32_t domain) {
    const auto border =
        static_cast<std::uint32_t>(((std::uint64_t{domain} << 32) + b.domains - 1) / b.domains);
    return b.cube.along(border - shift[axis], axis);
  };
  const int first = at(b.domain), count = at(b.domain + 1) - first;
  return {first, count > 0 ? count : count + all};
}
// The layers that a domain has in memory, one after another: the one before its own, these, and the
// one after them. One domain alone has all layers, from layer 0 on.
HOST_DEVICE int gcmcBoardFirstHeld(const GcmcBoard& b, const GcmcBoardLayers& own) {
  return b.domains == 1 ? 0 : own.first - 1;
}
// Room for them, whatever the shift.
HOST_DEVICE int gcmcBoardMostHeld(const GcmcBoard& b) {
  const int all = b.cube.count[b.axis()];
  return b.domains == 1 ? all : all / static_cast<int>(b.domains) + 3;
}
// In memory: cell i of the domain's own.
HOST_DEVICE std::size_t gcmcBoardOwnCell(const GcmcBoard& b, std::size_t i) {
  return b.domains == 1 ? i : b.layer() + i;
}
// In memory, of which `first` is the first layer: the cell at these places along the axes.
HOST_DEVICE std::uint32_t gcmcBoardNumber(const GcmcBoard& b, const int at[3], int first) {
  const bool solid = b.rules.dimension == 3;
  const int all = b.cube.count[b.axis()];
  int layer = (solid ? at[2] : at[1]) - first;
  if (layer < 0) layer += all;
  if (layer >= all) layer -= all;
  return b.cube.number(at[0], solid ? at[1] : layer, solid ? layer : at[2]);
}

// Active cell `index` of a colour.
struct GcmcBoardPlace {
  int at[3];
  std::uint32_t cell;  // in memory, of which this is the first layer:
  int first;
};
HOST_DEVICE GcmcBoardPlace gcmcBoardPlace(const GcmcBoard& b, int colour, std::size_t index) {
  GcmcBoardPlace p;
  auto rest = static_cast<std::uint32_t>(index);
  for (int k = 0; k < 3; ++k) {
    if (k >= b.rules.dimension) {
      p.at[k] = 0;
      continue;
    }
    const auto half = static_cast<std::uint32_t>(b.cube.count[k] / 2);
    const std::uint32_t quotient = k == b.axis() ? 0 : rest / half;
    p.at[k] = static_cast<int>(2 * (rest - quotient * half)) + (colour >> k & 1);
    rest = quotient;
  }
  p.first = b.domains == 1 ? 0 : gcmcBoardFirstHeld(b, gcmcBoardLayers(b, b.head->shift));
  p.cell = gcmcBoardNumber(b, p.at, p.first);
  return p;
}

// The active cells of this domain, cyclic as well.
struct GcmcBoardShare {
  std::size_t first, count, all;
  HOST_DEVICE std::size_t at(std::size_t i) const {
    return first + i < all ? first + i : first + i - all;
  }
};
HOST_DEVICE GcmcBoardShare gcmcBoardShare(const GcmcBoard& b) {
  if (b.domains == 1) return {0, b.active(), b.active()};
  const GcmcBoardLayers own = gcmcBoardLayers(b, b.head->shift);
  const int all = b.cube.count[b.axis()];
  const int skipped = (own.first ^ b.head->colour >> b.axis()) & 1;
  const std::size_t each = b.active() / (all / 2);
  return {(own.first + skipped) % all / 2 * each, (own.count - skipped + 1) / 2 * each, b.active()};
}

// Neighbour `index` of an active cell, x fastest; the middle one is the cell itself.
HOST_DEVICE int gcmcBoardNeighbours(const GcmcBoard& b) { return b.rules.dimension == 3 ? 27 : 9; }
HOST_DEVICE std::uint32_t gcmcBoardNeighbour(const GcmcBoard& b, const GcmcBoardPlace& place,
                                             int index) {
  int at[3];
  for (int k = 0; k < 3; ++k) {
    at[k] = place.at[k];
    if (k >= b.rules.dimension) continue;
    at[k] += index % 3 - 1;
    index /= 3;
    if (at[k] < 0) at[k] += b.cube.count[k];
    if (at[k] >= b.cube.count[k]) at[k] -= b.cube.count[k];
  }
  return gcmcBoardNumber(b, at, place.first);
}

// Whether nothing can happen in an active cell: it is empty, and nothing is ever inserted. Its
// attempts count, and what is around it need not be gathered.
HOST_DEVICE bool gcmcBoardRests(const GcmcBoard& b, const GcmcBoardPlace& place) {
  return b.rules.displacementBelow == 1ull << 32 && b.held.filled[place.cell] == 0 &&
         b.experiment == GcmcBoardExperiment::none;
}

// First word and number of words of an active cell along each axis, relative to the grid.
struct GcmcBoardSpan {
  std::uint32_t first[3], width[3];
};
HOST_DEVICE GcmcBoardSpan gcmcBoardSpan(const GcmcBoard& b, const GcmcBoardPlace& place) {
  GcmcBoardSpan s{};
  const std::uint32_t* edge = b.edge;
  for (int k = 0; k < 3; ++k) {
    if (k >= b.rules.dimension) continue;
    s.first[k] = edge[place.at[k]];
    s.width[k] = edge[place.at[k] + 1] - s.first[k];
    edge += b.cube.count[k] + 1;
  }
  return s;
}

// Attempts and acceptances.
struct GcmcBoardTally {
  std::uint32_t attempted[kGcmcKinds] = {}, accepted[kGcmcKinds] = {};
  HOST_DEVICE void addTo(GcmcBoardHead& head) const {
    const auto of = [&](GcmcKind kind) { return accepted[static_cast<int>(kind)]; };
    exec::addGlobal(&head.n, of(GcmcKind::insertion) - of(GcmcKind::deletion));  // modulo 2^32
    for (int k = 0; k < kGcmcKinds; ++k) {
      exec::addGlobal(&head.counters.attempted[k], std::uint64_t{attempted[k]});
      exec::addGlobal(&head.counters.accepted[k], std::uint64_t{accepted[k]});
    }
  }
};

inline constexpr std::uint32_t kGcmcBoardNobody = ~0u;

}  // namespace cellscope
