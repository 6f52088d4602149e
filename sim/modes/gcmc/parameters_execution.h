// How a grand-canonical chain is computed.
// Included by parameters.h.
#pragma once
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

template <class V>
void GcmcParameters::visitExecution(V& v) {
  v({.key = "method",
     .label = "Method",
     .group = "Execution",
     .choices = methodChoices(),
     .help =
         "How the chain is computed; it may be changed at any time. All but checkerboard and "
         "in_order make the same decisions for the same seed, one move after another: results do "
         "not depend on which of them runs. auto takes the fastest of them; the columns "
         "wasted_evaluations and candidates_per_round are 0 with it. On the "
         "CPU that is serial_cells: no other was faster where they were measured. On CUDA "
         "speculative "
         "and serial_cells, on one core of the host, make the first six steps in turn; the faster "
         "one goes on, again so where N has doubled or halved since, and the status states the "
         "rates of both. all_particles, cells and microcells are the blocks "
         "and threads of a GPU; a CPU goes through them one after another, to be looked at and "
         "not for speed. speculative evaluates several moves at once and "
         "discards, or on CUDA corrects, those that an accepted one has made obsolete; half_warps "
         "of earlier versions, slower with the same decisions, is read as it. The "
         "checkerboard makes moves in all cells of one colour at once, with the same "
         "equilibrium: for large boxes, of four cutoffs at least. in_order draws particles by "
         "cell and slot, so that N does not appear in the acceptance: one exact chain of which "
         "many moves are computed at the same time, and decided as in serial order.",
     .equation = "Schwiebert et al. 2014, Algorithms 1 to 7 and section 3.3; checkerboard: "
                 "acc = min(1, z v / (n + 1) exp(-dU / T)) with volume v and number n of the cell; "
                 "in order: acc = min(1, z V / C exp(-dU / T)) with C slots in all",
     .touches = GcmcTouch::method},
    method);
  BlocksParameters::visitOptions(v);
  v({.key = "race",
     .label = "Race of methods",
     .group = "Execution",
     .help = "Times the methods in turn on copies of the current state, on a GPU every mapping of "
             "cells and some block sizes, too, shows the moves per second as bars beside the "
             "published ones, then switches itself off. On a CPU the serial chain, cells, "
             "speculative moves, the checkerboard and in_order compete; the blocks of a GPU, which "
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
  BoardParameters::visitOptions(v);
  InOrderParameters::visitOptions(v);
  SpeculativeParameters::visitOptions(v);
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
