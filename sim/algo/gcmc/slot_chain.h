// The serial grand-canonical chain that chooses its particles by slot: a cell and a slot in it.
//
// The box is cut into M cells at least as wide as the cutoff, with S slots each, C = M S in all. A
// displacement or deletion draws a cell and a slot; an empty slot is an empty draw and changes
// nothing. A particle is thus deleted with probability 1 / C an attempt, and a point of an
// insertion has the density 1 / V:
//   displacement  min(1, exp(-dU / T))
//   insertion     min(1, z V / C exp(-dU / T) p_deletion / p_insertion)
//   deletion      min(1, C / (z V) exp(-dU / T) p_insertion / p_deletion)
// fulfils detailed balance with the weight z^N exp(-U / T) of unordered configurations: N does not
// appear, and a move depends on the cells that it touches and on what is within the cutoff of its
// points, on nothing else.
//
// In a cell a particle that comes takes the next slot, and the last one fills the hole of one that
// goes. A cell that is full rejects what would come; after a turn of the chain in which that
// happened, S grows. A turn is a fixed number of moves for a box and a cutoff.
//
// Tail correction: as in board.h, with y ~ Normal(2 a N, 2 a) drawn before every turn; given y, all
// moves of the turn are those at ln z + y without tail.
#pragma once
#include <cmath>

#include "sim/algo/gcmc/engine.h"

namespace cellscope {

// The cells, what they hold and the rules.
struct GcmcSlotCells : GcmcStoredCells {
  GcmcRules rules;
  GcmcCube cube;
  std::uint32_t slots;  // S, at most the capacity
  ParticleId idBase;
  const std::uint32_t* edge;  // as GcmcGrid::edge

  HOST_DEVICE double slotsInAll() const { return static_cast<double>(cube.allCells()) * slots; }
};

// Random numbers of turns: a block of the stream of moves that no move draws (board.h has others).
inline constexpr std::uint32_t kSlotTailBlock = 6;

// Moves of a turn: the power of two from the number of cells on, at least 64.
inline std::uint64_t gcmcSlotTurn(const GcmcCube& cube) {
  std::uint64_t moves = 64;
  while (moves < cube.allCells() && moves < 1u << 20) moves *= 2;
  return moves;
}

inline namespace GCMC_TYPES {

// All random numbers of one move.
struct GcmcSlotDraw {
  GcmcKind kind;
  std::uint32_t cell, slot;  // drawn; of an insertion the cell of its point
  GcmcPoint point;           // as in GcmcDraw
  double a;
};
HOST_DEVICE GcmcSlotDraw gcmcSlotDraw(const GcmcSlotCells& p, std::uint64_t move) {
  const GcmcRules& r = p.rules;
  const Random4 first = draw(r.key, RngPurpose::gcmcMove, move, r.chain, 0);
  const Random4 second = draw(r.key, RngPurpose::gcmcMove, move, r.chain, 1);
  GcmcSlotDraw d;
  d.kind = gcmcKindOf(r, first.w[0]);
  d.point = {first.w[2], first.w[3], r.dimension == 3 ? second.w[0] : 0u};
  d.a = uniformOpen(second.w[1], second.w[2]);
  const bool comes = d.kind == GcmcKind::insertion;
  // By a word that neither an insertion nor an exchange needs otherwise.
  if (gcmcIsMixed(r.pair) && d.kind != GcmcKind::displacement)
    d.point = gcmcWithType(d.point, gcmcDrawnType(r, comes ? second.w[3] : first.w[3]));
  d.cell = comes ? p.cube.cellOf(d.point)
                 : scaleWord(first.w[1], static_cast<std::uint32_t>(p.cube.allCells()));
  d.slot = comes ? 0 : scaleWord(second.w[3], p.slots);
  return d;
}
HOST_DEVICE GcmcPoint gcmcSlotDisplaced(const GcmcSlotCells& p, GcmcKind kind,
                                        GcmcPoint offsetWords, GcmcPoint from) {
  GcmcDraw d{};
  d.kind = kind, d.point = offsetWords;
  return gcmcDisplaced(p.rules, d, from);
}

// Factors of the acceptance in one turn, from y.
struct GcmcSlotFactors {
  double insertion = 0, deletion = 0;
};

// n: particles at the beginning of the turn that starts with move `first`.
HOST_DEVICE GcmcSlotFactors gcmcSlotFactors(const GcmcSlotCells& p, std::uint64_t first,
                                            std::uint32_t n) {
  const double a = -p.rules.beta * p.rules.tail;
  double y = 0;
  if (a > 0) {
    const Random4 r = draw(p.rules.key, RngPurpose::gcmcMove, first, p.rules.chain, kSlotTailBlock);
    y = 2.0 * a * n + sqrt(2.0 * a) * normalDeviate(r);
  }
  const double odds = exp(y) / p.slotsInAll();
  return {p.rules.insertFactor * odds, p.rules.deleteFactor / odds};
}

// dU: change of the pair energy by the move.
HOST_DEVICE bool gcmcSlotAccepts(const GcmcSlotCells& p, const GcmcSlotFactors& factors,
                                 GcmcKind kind, double a, double dU) {
  const double boltzmann = exp(-p.rules.beta * dU);
  if (gcmcStays(kind)) return a < boltzmann;
  return a < (kind == GcmcKind::insertion ? factors.insertion : factors.deletion) * boltzmann;
}

}  // namespace GCMC_TYPES

// Which move of a turn is looked at closely: the number of one of the turn that begins with move
// `first`, which sees what was there before the turn: the first that is no empty draw, before which
// nothing happens. Or, where there is one, the first that draws or inserts into the cell `wanted`,
// if all moves before it are at home at least three cells away from it: displacements reach no
// further than the next cell.
std::uint64_t gcmcUndisturbed(const GcmcSlotCells& p, std::uint64_t first, std::uint64_t turn,
                              const std::vector<std::uint32_t>& filled,
                              std::optional<std::uint32_t> wanted);

// Moves of a batch in flight; where the options leave it to the program, a whole turn on a GPU.
std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend);

}  // namespace cellscope
