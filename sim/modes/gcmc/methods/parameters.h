// Parameters that methods bring.
#pragma once
#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/grid.h"
#include "sim/api/parameter.h"

namespace cellscope::gcmc {

// What a change of a parameter of grand-canonical Monte Carlo touches.
struct GcmcTouch {
  enum : std::uint32_t {
    rules = 1,       // other acceptance or energies
    averages = 2,    // another ensemble
    isotherm = 4,    // another isotherm
    method = 8,      // another engine
    tuning = 16,     // the search for a maximum displacement
    moveSize = 32,   // the maximum displacement
    reservoir = 64,  // mu, z and f
    race = 128,      // the race of methods
    replicas = 256   // which other chains there are
  };
};

std::vector<ChoiceInfo> gcmcMappingChoices();  // those of space in gcmcMappings(), in words
// Row of gcmcMappings() of this dimension for a choice.
int gcmcMappingRow(const Choice& mapping, int dimension);

// Blocks and threads of a GPU: all particles, cells by a mapping, microcells.
struct BlocksParameters {
  Choice mapping{0};
  std::int64_t blockSize = 0;
  bool skipBeyond = true;
  std::int64_t movesPerLaunch = 10000;  // of all methods that run on a GPU

  void visitOptions(auto& v) {
    v({"mapping", "Mapping of cells", "Execution"},
      {.choices = gcmcMappingChoices(),
       .help = "Which blocks and threads visit the neighbour cells, with method = cells: blocks x "
               "cells at the same time x cells in turn. More blocks: more threads, and more "
               "partial sums to add. In the plane a layer is all nine cells. A CPU goes through "
               "the blocks one after another: which mapping is fastest can be seen on a GPU only.",
       .equation = "Schwiebert et al. 2014, Table 2; 32 threads per cell; the product is 27, 9 in "
                   "the plane",
       .actsWith = {"method", {"cells"}}},
      mapping);
    v({"block_size", "Threads per block", "Execution"}, {0, kGcmcMostThreads, 0, kGcmcMostThreads},
      {.smallest = "automatic",
       .help = "With cells: shared evenly among the cells that a block visits at the same time; 0: "
               "32 threads for each. With all_particles: 0: 256. With microcells and "
               "microcells_many: at most those of the cube, others come in turn; 0: 512. Larger: "
               "more particles at the same time, and more partial sums to add.",
       .equation =
           "block size = particles per cell (Schwiebert et al. 2014, section 3.2.3), 512 in 3.3.4",
       .actsWith = {"method", {"cells", "all_particles", "microcells", "microcells_many"}}},
      blockSize);
    v({"skip_beyond_cutoff", "Skip distant microcells", "Execution"},
      {.help = "With microcells and microcells_many: cells that lie wholly beyond the cutoff are "
               "not read. Same decisions, less work.",
       .equation =
           "nearest distance of two microcells >= r_c (Schwiebert et al. 2014, future work)",
       .actsWith = {"method", {"microcells", "microcells_many"}}},
      skipBeyond);
    v({"moves_per_launch", "Moves per launch", "Execution"}, {1, 1000000, 100, 100000, kLogScale},
      {.help = "Moves ordered before the host looks at the chain again, at most those of a step; "
               "all methods but the serial ones. Larger: fewer waits for the host.",
       .equation = "Schwiebert et al. 2014, section 3.3.4: 10,000"},
      movesPerLaunch);
  }
};

// The checkerboard: all cells of one colour at once.
struct BoardParameters {
  std::int64_t attempts = 16;
  Choice boardExperiment{0};

  void visitOptions(auto& v) {
    v({"attempts_per_cell", "Attempts per cell", "Execution"}, {1, 256, 1, 64, kLogScale},
      {.help = "With the checkerboard: moves that each cell attempts while its colour is active, "
               "the same for full and empty cells. Larger: what is around a cell is gathered less "
               "often, and the grid is shifted less often.",
       .equation = "moves of a sweep = cells x attempts",
       .actsWith = {"method", {"checkerboard"}}},
      attempts);
  }
  void visitExperiment(auto& v) {
    v({"checkerboard_condition", "Broken checkerboard condition", "Experiments"},
      {.choices = {{"none", "none"},
                   {"attempts_by_count", "attempts 1 + n"},
                   {"skip_empty", "empty cells skipped"},
                   {"retry", "leaving moves drawn again"},
                   {"fixed_grid", "grid never shifted"},
                   {"narrow_cells", "cells narrower than the cutoff"},
                   {"frozen_number", "tail with a stale N"},
                   {"array_order", "particles in array order"},
                   {"stale_count", "stale number in the cell"},
                   {"reject_full", "full cells reject"},
                   {"inexact_cells", "cells decided by two roundings"}},
       .help =
           "Breaks one condition of the checkerboard on purpose. attempts_by_count: fuller cells "
           "try more. skip_empty: an empty box stays empty. retry: a move out of the cell is drawn "
           "again in place of rejected. fixed_grid: no particle ever crosses a wall. narrow_cells: "
           "cells of half the cutoff miss pairs. frozen_number: the fluctuations of N come out too "
           "small. array_order: a cell goes through its particles in the order in which they are "
           "stored, which the proof forbids and averages hardly show. stale_count: the acceptance "
           "divides by the number before the attempts of the turn. reject_full: a cell of density "
           "0.3 takes no more. inexact_cells: a particle at a wall, in one cell by one rounding "
           "and in another by the other, is lost.",
       .equation = "same attempts for each cell; leaving is rejection; width >= r_c; random shift",
       .touches = GcmcTouch::method,
       .actsWith = {"method", {"checkerboard"}}},
      boardExperiment);
  }
};

// Many moves in flight, decided in the order of a serial chain.
struct InOrderParameters {
  std::int64_t movesInFlight = 0, slotsPerCell = 24;
  bool ignoreConflicts = false;

  void visitOptions(auto& v) {
    v({"moves_in_flight", "Moves in flight", "Execution"}, {0, 1048576, 0, 1024},
      {.smallest = "automatic",
       .help = "With in_order: moves that are drawn together and decide at once; in further "
               "rounds a move decides again when an earlier one in its reach has changed its "
               "decision. Never more than a turn, which is the power of two from the number of "
               "cells on. 0: on a GPU a turn; on a CPU no rounds: the threads compute a "
               "thirty-second of a turn ahead, then moves are carried out one after another, those "
               "near a change computed again. 1: one after another on one thread. Larger: more to "
               "do at the same time, and more rounds. The result does not depend on it, bit for "
               "bit.",
       .equation =
           "decide, and decide again where an earlier decision has changed: after Jefferson, "
           "Virtual time, ACM Trans. Program. Lang. Syst. 7, 404 (1985)",
       .actsWith = {"method", {"in_order"}}},
      movesInFlight);
    v({"slots_per_cell", "Slots per cell", "Execution"}, {4, 1048576, 8, 128, kLogScale},
      {.help = "With in_order: slots of each cell, of which displacements and deletions draw one. "
               "Larger: more draws of an empty slot, which cost little and count as no move. A "
               "full cell rejects any move into it; these rejections are counted, and the number "
               "of slots then grows automatically, by an eighth.",
       .equation = "share of empty draws = 1 - N / C, C = cells x slots",
       .actsWith = {"method", {"in_order"}}},
      slotsPerCell);
  }
  void visitExperiment(auto& v) {
    v({"ignore_conflicts", "Moves in flight ignore each other", "Experiments"},
      {.help =
           "Breaks the sampling on purpose, with in_order: all moves that are in flight together "
           "decide at once, with the configuration before them. Two particles may be inserted on "
           "top of each other, or a particle may move to where another has just been inserted.",
       .equation = "a move must see all earlier moves within its reach",
       .touches = GcmcTouch::method,
       .actsWith = {"method", {"in_order"}}},
      ignoreConflicts);
  }
};

// Speculative moves: several candidates at once.
struct SpeculativeParameters {
  std::int64_t candidates = 0;
  Choice speculativeBatch{0};

  void visitOptions(auto& v) {
    v({"candidates", "Candidates", "Execution"}, {0, kGcmcMostCandidates, 0, 32},
      {.smallest = "automatic",
       .help = "With speculative moves: moves evaluated at once, with the same state. The first "
               "accepted one is carried out, those after it are evaluated again. On CUDA they are "
               "corrected by the pairs with the particle that moved, and only those that now would "
               "choose another particle, and what follows them, are evaluated again. 0: about as "
               "many as it takes until one is accepted, on CUDA six, by the running acceptance. "
               "Larger: fewer rounds, and more evaluations discarded. The result does not depend "
               "on it, bit for bit.",
       .equation =
           "CPU: k = 1 / A; discarded: k - (1 - (1 - A)^k) / A of each round, A the acceptance",
       .actsWith = {"method", {"speculative"}}},
      candidates);
  }
  void visitExperiment(auto& v) {
    v({"speculative_batch", "Wrong batch of candidates", "Experiments"},
      {.choices = {{"none", "none"},
                   {"apply_all", "all accepted are carried out"},
                   {"count_discarded", "discarded ones count"}},
       .help = "Breaks the sampling on purpose, with speculative moves, whose candidates are "
               "rounds of their own then (16 where their number is left open). apply_all: all "
               "candidates that are accepted are carried out, though none has seen the others. "
               "count_discarded: those after the accepted one are not evaluated again and count as "
               "attempts; states in which moves are often accepted are sampled too often.",
       .equation = "P(state) is off by k A / (1 - (1 - A)^k), A: share of moves that it accepts",
       .touches = GcmcTouch::method,
       .actsWith = {"method", {"speculative"}}},
      speculativeBatch);
  }
};

}  // namespace cellscope::gcmc
