#include "sim/run/kernel_meter.h"

#include <algorithm>

namespace cellscope {

double KernelUse::secondsIn() const {
  double milliseconds = 0;
  for (const KernelTime& k : kernels) milliseconds += k.milliseconds;
  return milliseconds / 1e3;
}

double KernelUse::shareOfKernels(const KernelTime& kernel) const {
  const double all = secondsIn();
  return all > 0 ? kernel.milliseconds / 1e3 / all : 0;
}

// Estimated times may come to a little more than what passed.
double KernelUse::shareOfTime(const KernelTime& kernel) const {
  const double all = std::max(seconds, secondsIn());
  return all > 0 ? kernel.milliseconds / 1e3 / all : 0;
}

double KernelUse::shareOutside() const {
  return seconds > 0 ? std::max(0.0, 1 - secondsIn() / seconds) : 0;
}

void KernelMeter::update(const std::vector<KernelTime>& sinceTheStart, double now) {
  Totals totals;
  for (const KernelTime& k : sinceTheStart) {
    KernelTime& sum = totals[k.name];
    sum.name = k.name;
    sum.launches += k.launches;
    sum.timed += k.timed;
    sum.milliseconds += k.milliseconds;
  }
  bool sameState = running_;
  KernelUse use{now - begin_, {}};
  for (const auto& [name, total] : totals) {
    const KernelTime& old = start_[name];
    if (total.launches < old.launches) sameState = false;
    if (total.launches > old.launches)
      use.kernels.push_back({name, total.launches - old.launches, total.timed - old.timed,
                             total.milliseconds - old.milliseconds});
  }
  std::stable_sort(
      use.kernels.begin(), use.kernels.end(),
      [](const KernelTime& a, const KernelTime& b) { return a.milliseconds > b.milliseconds; });
  if (sameState) use_ = std::move(use);
  start_ = std::move(totals);
  begin_ = now;
  running_ = true;
}

}  // namespace cellscope
