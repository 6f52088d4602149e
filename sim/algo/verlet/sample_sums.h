// What a pass that takes a sample in one go reads and writes beside the list.
#pragma once
#include "sim/algo/md/samples.h"
#include "sim/algo/md/velocities.h"
#include "sim/algo/verlet/step_control.h"

namespace cellscope {

struct SampleSums {
  Ways ways;
  KineticOf kinetic;
  MdSums* ofBlocks;            // sums of each thread block
  std::uint32_t* arrived;      // thread blocks that are done; 0 between samples
  RunSample* to;               // the sample, or the ring where the control says which
  const StepControl* control;  // has the numbers of lists; null: they are these
  std::uint64_t builds, dangerous;
  const double* heat;  // where it is
};

}  // namespace cellscope
