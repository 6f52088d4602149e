// Axis ticks at 1, 2 and 5 times a power of ten.
#pragma once
#include <string>
#include <vector>

namespace cellscope::gui {

struct Ticks {
  double step = 1;
  std::vector<double> at;
  std::vector<std::string> label;
};

// Ticks inside [lo, hi], at most `most` of them (at least two where the step allows it).
// The labels share their number of decimals. lo < hi, both finite; otherwise no ticks.
Ticks makeTicks(double lo, double hi, int most);

// [lo, hi] widened by `margin` of its length on both sides; never empty.
void widen(double& lo, double& hi, double margin);

}  // namespace cellscope::gui
