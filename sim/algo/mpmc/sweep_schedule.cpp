#include "sim/algo/mpmc/engine.h"
#include "sim/core/mpmc_rules.h"

namespace cellscope {

SweepSchedule sweepSchedule(const MpmcParameters& parameters, float w, std::uint64_t sweep) {
  return scheduleOfSweep(parameters, w, sweep);
}

}  // namespace cellscope
