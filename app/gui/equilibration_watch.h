// Averages as they are shown: without the approach to equilibrium, and grey until they have
// equilibrated.
#pragma once
#include <string>
#include <vector>

#include "sim/run/observable_series.h"

namespace cellscope::gui {

inline constexpr const char* kErrorUnknown =
    "The plus sign: too few samples to estimate the error, which may be larger.";

struct Average {
  std::string value;  // with its error; "" without samples
  bool errorKnown = true;
  bool settled = false;     // otherwise not yet a result
  std::string state;        // "equilibrating", "averaged from sweep 1 200 on"
  std::string explanation;  // the rule, and what it left out
};
Average averageOf(const ObservableSeries& series, const std::string& stepName);

// Whether the averages that are shown still contain the approach to equilibrium, or are too short
// to tell.
class EquilibrationWatch {
 public:
  void look(const std::vector<ObservableSeries>& series);
  bool underWay() const { return underWay_; }
  std::string words() const;  // explanation; "" when they have equilibrated

 private:
  bool underWay_ = false;
};

}  // namespace cellscope::gui
