// The checkerboard: all cells of one colour at once.
#pragma once
#include <cstdint>
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/api/parameter.h"
#include "sim/modes/gcmc/touch.h"

namespace cellscope::gcmc {

struct BoardParameters {
  std::int64_t attempts = 16;
  Choice boardExperiment{0};

  void setOptions(GcmcOptions& o) const;
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

class Method;
std::unique_ptr<const Method> makeBoardMethod(const GcmcMethod& made);

}  // namespace cellscope::gcmc
