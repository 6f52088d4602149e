// Moves in flight: the chain of slot_chain.h, many moves at a time, with the decisions of the
// serial run.
//
// The idea is that of optimistic simulation (Jefferson 1985, virtual time). A batch of moves draws
// its random numbers, a function of the number of the move alone. In the first round each decides
// with the configuration before the batch. What a move has decided counts for later ones: in every
// further round those decide again that an earlier one concerns whose decision has changed, as it
// touches a cell of theirs or a point within the cutoff of one. When none is left, every move has
// decided with exactly what it would see in the serial order: the first move does so after one
// round, the second after two, and most at once, as most moves are rejected. Energies are those in
// the configuration before the batch and the terms of the earlier moves that are accepted: sums are
// exact. Then all that are accepted are carried out, cell by cell.
#pragma once
#include "sim/algo/gcmc/slot_chain.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// What a move does as later ones see it: what it had decided by the end of the last round.
struct GcmcTaken {
  GcmcPoint from, to;
  std::uint32_t own, target;  // cells of the two
  std::uint32_t slot;
  GcmcKind kind;
  ParticleId id;

  HOST_DEVICE bool leaves(std::uint32_t cell) const {
    return kind != GcmcKind::insertion && own == cell;
  }
  HOST_DEVICE bool enters(std::uint32_t cell) const {
    return kind != GcmcKind::deletion && target == cell;
  }
  friend bool operator==(const GcmcTaken&, const GcmcTaken&) = default;
};

enum class GcmcFlightStage : std::uint32_t { between, inFlight };

// What changes from round to round.
struct GcmcFlightHead {
  std::uint64_t move = 0;  // number of the first move of the batch
  std::uint64_t end = 0;   // moves below it are asked for
  std::uint32_t n = 0;
  std::uint32_t stopped =
      0;  // a cell was full in the last turn: nothing happens until it has grown
  GcmcFlightStage stage = GcmcFlightStage::between;
  std::uint32_t batch = 1;               // its number: marks lists that are of this batch
  std::uint32_t size = 0;                // moves in it
  std::uint32_t round = 0;               // rounds done
  std::uint32_t looks[3] = {0, 0, 0};    // moves that decide in round r: looks[r % 3]
  std::uint32_t changes[3] = {0, 0, 0};  // those of them that do otherwise than before, likewise
  std::uint32_t moved[3] = {0, 0, 0};    // those that end in another cell than before, likewise
  std::uint32_t fullInTurn = 0;
  GcmcSlotFactors factors;
  double energy = 0;
  GcmcCounters counters;  // of moves that were not empty draws
  GcmcFlightCounts counts;
};

// A move as it has decided.
HOST_DEVICE GcmcTaken gcmcTakenBy(const GcmcFlight& f) {
  return {f.from, f.to, f.cell[0], f.cell[1], f.slot, static_cast<GcmcKind>(f.kind), f.id};
}

inline constexpr std::uint32_t kBoxCells = 8;  // where displacements from one cell can end

struct GcmcFlights {
  GcmcSlotCells p;
  float self[2];  // pair energy of a particle of type A, B with itself
  GcmcFlightHead* head;
  GcmcFlight* flight;  // of the moves of the turn
  // Of the moves of the batch. accepted: not 0 if the move is, as `taken` has it. mark: the round
  // in which it decides again << 32 | 1 + index in the turn of the latest move that makes it.
  GcmcTaken* taken;
  std::uint8_t* accepted;
  std::uint64_t* mark;
  // Moves by cell, as lists: `known` those that draw the cell or insert into it, `possible` those
  // whose displacement ends or has ended in another one. first: number of the batch and entry, two
  // for each cell; next: by entry, ~0 at the end. An entry is a move of the batch, in `possible`
  // kBoxCells times that and more.
  std::uint64_t* first;
  std::uint32_t *nextKnown, *nextPossible;
  std::uint32_t* looks;    // moves that decide in this round
  std::uint32_t* changes;  // those that have done otherwise than before
  std::uint32_t* moved;    // those that may have to enter the list of another cell
  std::uint32_t most;      // moves of a batch
  std::uint64_t turn;      // moves of a turn, a power of two
  bool ahead;              // on the CPU: one after another, looked at ahead by all threads
  bool ignore;             // wrong on purpose: all moves of a batch see the state before it

  HOST_DEVICE std::uint64_t base() const { return head->move & (turn - 1); }
  HOST_DEVICE GcmcFlight& at(std::uint32_t move) const { return flight[base() + move]; }
  HOST_DEVICE bool begins() const {
    return head->stage == GcmcFlightStage::between && head->stopped == 0 && head->move < head->end;
  }
  HOST_DEVICE std::uint32_t sizeOfNext() const {
    const std::uint64_t left = turn - base();
    return left < most ? static_cast<std::uint32_t>(left) : most;
  }
};

// --- Lists ---

inline constexpr std::uint32_t kNoEntry = ~0u;
enum : std::uint32_t { kKnown = 0, kPossible = 1 };  // first[2 cell + which]

HOST_DEVICE std::uint32_t gcmcFirstOf(const GcmcFlights& g, std::uint32_t cell,
                                      std::uint32_t which) {
  const std::uint64_t word = g.first[2 * std::size_t{cell} + which];
  const std::uint32_t batch = g.head->batch;
  return word >> 32 == batch ? static_cast<std::uint32_t>(word) : kNoEntry;
}
// In front of those of this batch; lists of earlier ones are forgotten.
HOST_DEVICE void gcmcPush(const GcmcFlights& g, std::uint32_t cell, std::uint32_t which,
                          std::uint32_t entry) {
  const std::uint32_t batch = g.head->batch;
  std::uint64_t* const first = g.first + 2 * std::size_t{cell} + which;
  std::uint32_t* const next = which == kKnown ? g.nextKnown : g.nextPossible;
  const std::uint64_t mine = std::uint64_t{batch} << 32 | entry;
  std::uint64_t seen = exec::maxGlobal(first, 0);
  for (;;) {
    next[entry] = seen >> 32 == batch ? static_cast<std::uint32_t>(seen) : kNoEntry;
    const std::uint64_t before = exec::swapGlobalIf(first, seen, mine);
    if (before == seen) return;
    seen = before;
  }
}

// The next place of a list; on a GPU one addition for all threads of a warp that ask together.
HOST_DEVICE std::uint32_t gcmcTakeEntry(std::uint32_t* taken) {
#ifdef __CUDA_ARCH__
  const unsigned asking = __activemask(), lane = threadIdx.x % 32;
  const int first = __ffs(static_cast<int>(asking)) - 1;
  std::uint32_t place = 0;
  if (static_cast<int>(lane) == first)
    place = exec::addGlobal(taken, static_cast<std::uint32_t>(__popc(asking)));
  return __shfl_sync(asking, place, first) +
         static_cast<std::uint32_t>(__popc(asking & ((1u << lane) - 1)));
#else
  return exec::addGlobal(taken, 1);
#endif
}

// f(t, move) for the accepted moves that touch a cell and lie between two of the batch, both left
// out; known, possible: first entries of the lists of the cell.
HOST_DEVICE void gcmcForTaken(const GcmcFlights& g, std::uint32_t cell, std::uint32_t known,
                              std::uint32_t possible, std::int64_t after, std::int64_t before,
                              const auto& f) {
  const auto counts = [&](std::uint32_t move) {
    return move > after && move < before && g.accepted[move] != 0;
  };
  for (std::uint32_t e = known; e != kNoEntry; e = g.nextKnown[e])
    if (counts(e)) f(g.taken[e], e);
  for (std::uint32_t e = possible; e != kNoEntry; e = g.nextPossible[e]) {
    const std::uint32_t move = e / kBoxCells;
    if (!counts(move)) continue;
    const GcmcTaken& t = g.taken[move];
    if (t.target == cell && t.own != cell) f(t, move);
  }
}
HOST_DEVICE void gcmcForTaken(const GcmcFlights& g, std::uint32_t cell, std::int64_t after,
                              std::int64_t before, const auto& f) {
  gcmcForTaken(g, cell, gcmcFirstOf(g, cell, kKnown), gcmcFirstOf(g, cell, kPossible), after,
               before, f);
}

// --- Where displacements may end ---

// Words of a cell along each axis. Loops over axes have constant bounds: the numbers of a thread
// of a GPU stay in registers.
struct GcmcWords {
  std::uint32_t first[3], last[3];
};
HOST_DEVICE GcmcWords gcmcWordsOf(const GcmcSlotCells& p, std::uint32_t cell) {
  GcmcWords w{};
  const std::uint32_t* edge = p.edge;
  for (int k = 0; k < 3; ++k) {
    if (k >= p.rules.dimension) continue;
    const auto count = static_cast<std::uint32_t>(p.cube.count[k]);
    const std::uint32_t at = cell % count;
    cell /= count;
    w.first[k] = edge[at], w.last[k] = edge[at + 1] - 1;
    edge += count + 1;
  }
  return w;
}
inline namespace GCMC_TYPES {

// After an exchange one word more at either end of x.
HOST_DEVICE GcmcWords gcmcDisplacedWords(const GcmcSlotCells& p, const GcmcWords& w, GcmcKind kind,
                                         GcmcPoint offsetWords) {
  if (gcmcIsMixed(p.rules.pair) && kind == GcmcKind::exchange) {
    GcmcWords wider = w;
    wider.first[0] &= ~kGcmcTypeBit, wider.last[0] |= kGcmcTypeBit;
    return wider;
  }
  const GcmcPoint by = gcmcSlotDisplaced(p, kind, offsetWords, {0, 0, 0});
  const std::uint32_t shift[3] = {by.x, by.y, by.z};
  GcmcWords moved = w;  // z: `shift` is 0 in the plane
  for (int k = 0; k < 3; ++k) moved.first[k] += shift[k], moved.last[k] += shift[k];
  return moved;
}
// Enters a displacement into the list of the cell where it ends, once. Wherever its particle is in
// the cell that it has drawn, it ends in one of two cells along each axis.
HOST_DEVICE void gcmcRegister(const GcmcFlights& g, std::uint32_t move, GcmcFlight& f,
                              GcmcPoint offsetWords) {
  const GcmcWords moved = gcmcDisplacedWords(g.p, gcmcWordsOf(g.p, f.cell[0]),
                                             static_cast<GcmcKind>(f.kind), offsetWords);
  const std::uint32_t to[3] = {f.to.x, f.to.y, f.to.z};
  std::uint32_t corner = 0;
  for (int k = 0; k < 3; ++k)
    if (k < g.p.rules.dimension && g.p.cube.along(to[k], k) != g.p.cube.along(moved.first[k], k))
      corner |= 1u << k;
  if ((f.registered >> corner & 1) != 0) return;
  f.registered = static_cast<std::uint8_t>(f.registered | 1u << corner);
  gcmcPush(g, f.cell[1], kPossible, move * kBoxCells + corner);
}
// One whose particle has changed: lists change when nobody reads them.
HOST_DEVICE void gcmcRegister(const GcmcFlights& g, std::uint32_t move) {
  gcmcRegister(g, move, g.at(move), gcmcSlotDraw(g.p, g.head->move + move).point);
}
// Whether a point interacts with some point of a box of words, by the arithmetic of the pair law.
HOST_DEVICE bool gcmcInReach(const GcmcSlotCells& p, const GcmcWords& w, GcmcPoint at) {
  const std::uint32_t word[3] = {at.x, at.y, at.z};
  float square[3] = {0, 0, 0};
  for (int k = 0; k < 3; ++k) {
    if (k >= p.rules.dimension) continue;
    const float d = gcmcImage(gcmcGap(word[k], w.first[k], w.last[k]), 0, p.rules.pair.unit[k]);
    square[k] = mulRn(d, d);
  }
  return addRn(addRn(square[0], square[1]), square[2]) < gcmcReachSquared(p.rules.pair);
}

}  // namespace GCMC_TYPES
}  // namespace cellscope
