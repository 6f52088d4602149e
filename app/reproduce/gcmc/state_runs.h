// Runs of one published state of the fluid: serial chains side by side, or a checkerboard.
#pragma once
#include <cstddef>
#include <string>

#include "app/common/interrupt.h"
#include "app/reproduce/report.h"
#include "app/reproduce/study.h"
#include "sim/algo/observables/gcmc_published_states.h"
#include "sim/exec/context.h"

namespace cellscope::reproduce {

struct StateMeans {
  Mean density, energy, pressure;
  double compressibility = 0;  // var N / V: change of the density with ln z
  double rareness = 1;         // studentFactor() of its errors
  std::string wrong;           // "": it can be compared
};

class StateRuns {
 public:
  // seconds: of each run.
  StateRuns(std::size_t chains, const ExecConfig& exec, double seconds)
      : chains_(chains), exec_(exec::makeExec(exec)), seconds_(seconds) {}
  // In a cube of side `length`. Both throw RunError when the study was interrupted.
  // Independent chains; errors from what differs between them.
  StateMeans serial(const PublishedState& s, double length);
  // One checkerboard, which needs four cells along the side; errors from blocks.
  StateMeans board(const PublishedState& s, double length);

 private:
  template <class Advance, class Exchange, class Sample>
  void run(const Advance& advance, const Exchange& exchange, const Sample& sample);

  std::size_t chains_;
  exec::Shared exec_;
  double seconds_;
  common::InterruptGuard interrupt_;
};

}  // namespace cellscope::reproduce
