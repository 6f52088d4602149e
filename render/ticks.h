// Axis ticks at 1, 2 and 5 times a power of ten, on linear and logarithmic axes.
#pragma once
#include <string>
#include <vector>

namespace cellscope::render {

struct Ticks {
  double step = 1;
  std::vector<double> at;
  std::vector<std::string> label;  // empty: a minor tick
};

// Ticks inside [lo, hi], at most `most` of them (at least two where the step allows it).
// The labels share their number of decimals. lo < hi, both finite; otherwise no ticks. `whole`: of
// counts, at whole numbers only.
Ticks makeTicks(double lo, double hi, int most, bool whole = false);

// Ticks of a logarithmic axis from 10^lo to 10^hi, placed at the logarithms: at every (second,
// fifth ...) power of ten with minor ones at 2 and 5, or at 1, 2 and 5 where all have room, or as
// on a linear axis where the range is shorter than that. At most `most` labels.
Ticks makeLogTicks(double lo, double hi, int most);

// [lo, hi] widened by `margin` of its length on both sides; never empty.
void widen(double& lo, double& hi, double margin);

}  // namespace cellscope::render
