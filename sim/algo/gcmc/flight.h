// Moves in flight: the chain of slot_chain.h, many moves at a time, in the order of the serial run.
//
// The idea is that of internally deterministic parallel algorithms (Blelloch, Fineman, Gibbons and
// Shun 2012): iterations of a serial loop reserve what they touch, and go ahead when nothing
// earlier has. A batch of moves draws its random numbers, a function of the number of the move
// alone, and each move is registered in the cells that it touches. Then, in rounds, a move is ready
// when no earlier undecided move touches one of its cells or a point within the cutoff of its own;
// all that are ready evaluate their energies with the present configuration, decide, and are
// applied. Every move thus sees exactly the configuration that it would see in the serial order.
//
// Which particle a displacement or deletion has drawn is settled when no earlier undecided move can
// change what the slot holds: mostly from the beginning, as a slot changes only where its own
// particle or the last one of the cell goes. Until then it may be anywhere in its cell, and its
// trial position anywhere in the cell displaced by its offset.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/flight_view.h"
#include "sim/algo/gcmc/slot_chain.h"
#include "sim/base/host_device.h"
#include "sim/exec/atomic.h"

namespace cellscope {

// What a round finds out about a move; taken over at its end.
struct GcmcVerdict {
  double a;  // the random number of the decision
  GcmcPoint from, to;
  ParticleId id;
  double change;
  std::uint32_t target;  // cell of `to`
  std::uint32_t waits;   // 1 + index in the turn of the latest move that is in the way; 0: ready
  std::uint8_t settles, empty, full, accepted;
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
  std::uint32_t waiting[3] = {0, 0, 0};  // undecided moves: before round r in waiting[r % 3]
  std::uint32_t fullInTurn = 0;
  GcmcSlotFactors factors;
  double energy = 0;
  GcmcCounters counters;  // of moves that were not empty draws
  GcmcFlightCounts counts;
};

inline constexpr std::uint32_t kBoxCells = 8;  // maximum number of cells overlapped

struct GcmcFlights {
  GcmcSlotCells p;
  GcmcFlightHead* head;
  GcmcFlight* flight;    // of the moves of the turn
  GcmcVerdict* verdict;  // of the moves of the batch
  // Moves by cell, as lists: `known` those that draw the cell or insert into it, `possible` those
  // whose displacement may end in it. first: number of the batch and entry, two for each cell;
  // next: by entry, ~0 at the end. An entry is a move of the batch, in `possible` kBoxCells times
  // that and more.
  std::uint64_t* first;
  std::uint32_t *nextKnown, *nextPossible;
  std::uint32_t* list[2];  // undecided moves of the batch, before round r in list[r % 2]
  // Of the moves of the batch: not 0 once decided. What most look-ups ask, in a few cache lines.
  std::uint8_t* decided;
  std::uint32_t most;  // moves of a batch
  std::uint64_t turn;  // moves of a turn, a power of two
  bool near;           // displacements reach no further than the cells around
  bool ahead;          // on the CPU: one after another, looked at ahead by all threads
  bool ignore;         // wrong on purpose: all moves of a batch see the state before it

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

// --- Where a move that is not settled may be ---

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
// f(cell, k) for the cells around a cell, itself included, each once; k: 0 to 26, in the plane 9 to
// 17.
HOST_DEVICE void gcmcForAround(const GcmcSlotCells& p, std::uint32_t cell, const auto& f) {
  const GcmcCube& c = p.cube;
  const auto nx = static_cast<std::uint32_t>(c.count[0]),
             ny = static_cast<std::uint32_t>(c.count[1]);
  const int at[3] = {static_cast<int>(cell % nx), static_cast<int>(cell / nx % ny),
                     static_cast<int>(cell / nx / ny)};
  const auto wrapped = [&](int i, int axis) {
    return i < 0 ? i + c.count[axis] : i >= c.count[axis] ? i - c.count[axis] : i;
  };
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 0; k < 27; ++k) {
    const int x = k % 3 - 1, y = k / 3 % 3 - 1, z = k / 9 - 1;
    if (z != 0 && p.rules.dimension != 3) continue;
    f(c.number(wrapped(at[0] + x, 0), wrapped(at[1] + y, 1), wrapped(at[2] + z, 2)), k);
  }
}
// f(cell) for the cells that a box of words overlaps: two along each axis at most, as it is as wide
// as a cell; or the own one between them, where the move is known. Some come twice.
HOST_DEVICE void gcmcOverlapped(const GcmcSlotCells& p, const GcmcWords& w, const auto& f) {
  for (int corner = 0; corner < 1 << p.rules.dimension; ++corner) {
    int at[3] = {0, 0, 0};
    for (int k = 0; k < p.rules.dimension; ++k)
      at[k] = p.cube.along(corner >> k & 1 ? w.last[k] : w.first[k], k);
    f(static_cast<std::uint32_t>(corner), p.cube.number(at[0], at[1], at[2]));
  }
}

}  // namespace cellscope
