// What the kernels of a mode did lately: launches and time in the last second or so of the run.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope {

struct KernelUse {
  double seconds = 0;               // that passed; 0: nothing was measured yet
  std::vector<KernelTime> kernels;  // launched meanwhile, each name once; longest first

  double secondsIn() const;  // all kernels
  // Of the time in all kernels; of all time that passed. Neither sums to more than 1.
  double shareOfKernels(const KernelTime& kernel) const;
  double shareOfTime(const KernelTime& kernel) const;
  double shareOutside() const;  // of all time: none of the kernels ran
};

class KernelMeter {
 public:
  static constexpr double kSeconds = 1;

  // While the run goes on: whether update() is wanted, and with the current values of the mode.
  bool due(double now) const { return !running_ || now - begin_ >= kSeconds; }
  void update(const std::vector<KernelTime>& sinceTheStart, double now);
  // The run is paused, or has another state: what is under way now is not counted.
  void interrupt() { running_ = false; }
  void forget() {
    interrupt();
    use_ = {};
  }
  const KernelUse& use() const { return use_; }

 private:
  using Totals = std::map<std::string, KernelTime>;

  bool running_ = false;
  double begin_ = 0;
  Totals start_;
  KernelUse use_;
};

}  // namespace cellscope
