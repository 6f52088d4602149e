// How a grand-canonical chain is computed.
// Included by parameters.h.
#pragma once
#include "sim/algo/gcmc/mapping.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

template <class V>
void GcmcParameters::visitExecution(V& v) {
  v({.key = "method",
     .label = "Method",
     .group = "Execution",
     .choices = methodChoices(),
     .help =
         "How the chain is computed; it may be changed at any time. All but the last two make "
         "the same decisions for the same seed, one move after another; auto is serial_cells "
         "on the CPU and half_warps on CUDA. all_particles, cells and microcells are the blocks "
         "and threads of a GPU; a CPU goes through them one after another, to be looked at and "
         "not for speed. speculative evaluates several moves at once and "
         "discards, or on CUDA corrects, those that an accepted one has made obsolete. The "
         "checkerboard makes moves in all cells of one colour at once, with the same "
         "equilibrium: for large boxes, of four cutoffs at least. in_order draws particles by "
         "cell and slot, so that N does not appear in the acceptance: one exact chain of which "
         "many moves are computed at the same time, and decided as in serial order.",
     .equation = "Schwiebert et al. 2014, Algorithms 1 to 7 and section 3.3; checkerboard: "
                 "acc = min(1, z v / (n + 1) exp(-dU / T)) with volume v and number n of the cell; "
                 "in order: acc = min(1, z V / C exp(-dU / T)) with C slots in all",
     .touches = GcmcTouch::method},
    method);
  v({.key = "mapping",
     .label = "Mapping of cells",
     .group = "Execution",
     .choices = gcmcMappingChoices(),
     .help =
         "Which blocks and threads visit the neighbour cells, with method = cells: blocks x "
         "cells at the same time x cells in turn. More blocks: more threads, and more partial "
         "sums to add. In the plane a layer is all nine cells. A CPU goes through the blocks one "
         "after another: which mapping is fastest can be seen on a GPU only.",
     .equation = "Schwiebert et al. 2014, Table 2; 32 threads per cell; the product is 27, 9 in "
                 "the plane",
     .touches = GcmcTouch::method},
    mapping);
  v({.key = "block_size",
     .label = "Threads per block",
     .group = "Execution",
     .min = 0,
     .max = kGcmcMostThreads,
     .interestingMin = 0,
     .interestingMax = kGcmcMostThreads,
     .smallest = "automatic",
     .help =
         "With cells: shared evenly among the cells that a block visits at the same time; 0: 32 "
         "threads for each. With all_particles: 0: 256. With microcells and microcells_many: at "
         "most those of the cube, others come in turn; 0: 512. Larger: more particles at the "
         "same time, and more partial sums to add.",
     .equation = "block size = particles per cell (Schwiebert et al. 2014, section 3.2.3), 512 in "
                 "3.3.4",
     .touches = GcmcTouch::method,
     .actsWith = {"method", {"cells", "all_particles", "microcells", "microcells_many"}}},
    blockSize);
  v({.key = "skip_beyond_cutoff",
     .label = "Skip distant microcells",
     .group = "Execution",
     .help = "With microcells and microcells_many: cells that lie wholly beyond the cutoff are "
             "not read. Same decisions, less work.",
     .equation = "nearest distance of two microcells >= r_c (Schwiebert et al. 2014, future work)",
     .touches = GcmcTouch::method},
    skipBeyond);
  v({.key = "moves_per_launch",
     .label = "Moves per launch",
     .group = "Execution",
     .min = 1,
     .max = 1000000,
     .interestingMin = 100,
     .interestingMax = 100000,
     .logScale = true,
     .help = "Moves ordered before the host looks at the chain again, at most those of a step; "
             "all methods but the serial ones. Larger: fewer waits for the host.",
     .equation = "Schwiebert et al. 2014, section 3.3.4: 10,000",
     .touches = GcmcTouch::method},
    movesPerLaunch);
  v({.key = "race",
     .label = "Race of methods",
     .group = "Execution",
     .help = "Times the methods in turn on copies of the current state, on a GPU every mapping of "
             "cells and some block sizes, too, shows the moves per second as bars beside the "
             "published ones, then switches itself off. On a CPU the serial chain, cells, "
             "speculative moves, in_order and the checkerboard compete; the blocks of a GPU, which "
             "it emulates, are timed beside them. The run waits in the meantime and is not "
             "changed.",
     .equation = "Schwiebert et al., Tables 1 and 3 (r_c = 2.5)",
     .touches = GcmcTouch::race,
     .prepares = true},
    race);
  v({.key = "keep_fastest",
     .label = "Keep the fastest",
     .group = "Execution",
     .help =
         "After a race the run continues with the winner: method, mapping and block size are "
         "set to it; on a CPU never an emulated one. Switched on after a race, that of the last "
         "one is taken.",
     .equation = "smallest median time per move",
     .touches = GcmcTouch::race},
    keepFastest);
  v({.key = "attempts_per_cell",
     .label = "Attempts per cell",
     .group = "Execution",
     .min = 1,
     .max = 256,
     .interestingMin = 1,
     .interestingMax = 64,
     .logScale = true,
     .help = "With the checkerboard: moves that each cell attempts while its colour is active, the "
             "same for full and empty cells. Larger: what is around a cell is gathered less often, "
             "and the grid is shifted less often.",
     .equation = "moves of a sweep = cells x attempts",
     .touches = GcmcTouch::method},
    attempts);
  v({.key = "moves_in_flight",
     .label = "Moves in flight",
     .group = "Execution",
     .min = 0,
     .max = 1048576,
     .interestingMin = 0,
     .interestingMax = 1024,
     .smallest = "automatic",
     .help =
         "With in_order: moves that are drawn together, then decided in rounds: a move is "
         "decided when no earlier undecided one lies within its reach. 0: a quarter of a turn, on "
         "a GPU half of one and at least 16384; "
         "1: one after another; never more than a turn, which is the power of two from the "
         "number of cells on. Larger: more to do at the same time, and more rounds. The result "
         "does not depend on it, bit for bit.",
     .equation = "iterations of a serial loop reserve what they touch: Blelloch, Fineman, Gibbons "
                 "and Shun, Internally deterministic parallel algorithms can be fast, PPoPP 2012",
     .touches = GcmcTouch::method},
    movesInFlight);
  v({.key = "slots_per_cell",
     .label = "Slots per cell",
     .group = "Execution",
     .min = 4,
     .max = 1048576,
     .interestingMin = 8,
     .interestingMax = 128,
     .logScale = true,
     .help = "With in_order: slots of each cell, of which displacements and deletions draw one. "
             "Larger: more draws of an empty slot, which cost little and count as no move. A full "
             "cell rejects any move into it; these rejections are counted, and the number of slots "
             "then grows automatically, by an eighth.",
     .equation = "share of empty draws = 1 - N / C, C = cells x slots",
     .touches = GcmcTouch::method},
    slotsPerCell);
  v({.key = "candidates",
     .label = "Candidates",
     .group = "Execution",
     .min = 0,
     .max = kGcmcMostCandidates,
     .interestingMin = 0,
     .interestingMax = 32,
     .smallest = "automatic",
     .help =
         "With speculative moves: moves evaluated at once, with the same state. The first accepted "
         "one is carried out, those after it are evaluated again. On CUDA they are corrected by "
         "the pairs with the particle that moved, and only those that now would choose another "
         "particle, and what follows them, are evaluated again. 0: about as many as it takes until "
         "one is accepted, on CUDA six, by the running acceptance. Larger: fewer rounds, and more "
         "evaluations discarded. The result does not depend on it, bit for bit.",
     .equation =
         "CPU: k = 1 / A; discarded: k - (1 - (1 - A)^k) / A of each round, A the acceptance",
     .touches = GcmcTouch::method},
    candidates);
  v({.key = "widom_points",
     .label = "Test points",
     .group = "Execution",
     .min = 1,
     .max = 100000,
     .interestingMin = 8,
     .interestingMax = 1024,
     .logScale = true,
     .help = "Points per sample at which the energy of a further particle is measured, which "
             "gives the excess chemical potential. Larger: less noise, more work per sample.",
     .equation = "Widom 1963: mu_ex = -T ln <exp(-dU / T)>; here <N> = z V <exp(-dU / T)>"},
    widomPoints);
}

}  // namespace cellscope::gcmc
