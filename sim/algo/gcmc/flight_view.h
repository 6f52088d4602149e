// What became of the moves of a turn of the chain by slot, and how many rounds they took: for
// drawings, charts and tests.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/base/box.h"
#include "sim/core/gcmc_pair.h"

namespace cellscope {

// A move of a turn. An empty draw has no positions.
struct GcmcFlight {
  GcmcPoint from, to;     // of an insertion both are its point, of a deletion its position
  std::uint32_t cell[2];  // drawn or inserted into; of `to`
  std::uint32_t slot;     // drawn; of an accepted insertion the one it took
  std::uint32_t round;    // in which it was decided the last time, from 1 on; 0: not yet
  std::uint32_t because;  // 1 + index in the turn of the move that made it decide again; 0: none
  std::uint32_t batch;    // of the turn
  std::uint8_t kind;      // GcmcKind
  std::uint8_t empty, full, accepted;
  std::uint8_t priced;      // `before` is known
  std::uint8_t registered;  // bits of the cells that have it in their list `possible`
  double change;            // of the pair energy by the trial
  double before;            // in the configuration before the batch, its own terms included
  double a;                 // random number of the decision
  ParticleId id;            // -1: none
};

inline constexpr int kFlightRounds = 64;  // counted one by one; the last one and all beyond as one

// Since the state was set or the counters were cleared.
struct GcmcFlightCounts {
  std::uint64_t batches = 0, rounds = 0;
  std::uint64_t moves = 0;                          // not empty draws
  std::uint64_t empty = 0;                          // draws of an empty slot
  std::uint64_t full = 0;                           // moves rejected as a cell was full
  std::uint64_t batchesOf[kFlightRounds + 1] = {};  // by number of rounds
  std::uint64_t waiting[kFlightRounds + 1] = {};    // decided again after k rounds, all batches;
                                                  // after 0: some draws that turn out empty as well
};

// The last turn that was made.
struct GcmcFlightsView {
  std::uint64_t first = 0;  // number of its first move
  std::vector<GcmcFlight> moves;
  std::uint32_t batches = 0;  // in the turn
};

}  // namespace cellscope
