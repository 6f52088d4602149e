// Blocks and threads of a GPU: all particles, cells by a mapping, microcells.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/work.h"
#include "sim/api/parameter.h"
#include "sim/modes/gcmc/touch.h"

namespace cellscope::gcmc {

std::vector<ChoiceInfo> gcmcMappingChoices();  // those of space in gcmcMappings(), in words

struct BlocksParameters {
  Choice mapping{0};
  std::int64_t blockSize = 0;
  bool skipBeyond = true;
  std::int64_t movesPerLaunch = 10000;  // of all methods that run on a GPU

  void setOptions(GcmcOptions& o, int dimension) const;
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

struct GcmcParameters;
class Method;
std::string launchesInWords(const GcmcParameters& p);
std::unique_ptr<const Method> makeBlocksMethod(const GcmcMethod& made);

}  // namespace cellscope::gcmc
