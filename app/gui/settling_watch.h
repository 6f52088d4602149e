// Averages as they are shown: without the approach to equilibrium, and grey until they have
// settled.
#pragma once
#include <string>
#include <vector>

#include "sim/run/observable_series.h"

namespace cellscope::gui {

struct Average {
  std::string value;  // with its error; "" without samples
  bool errorKnown = true;
  bool settled = false;
  std::string state;        // "equilibrating", "averaged from sweep 1 200 on"
  std::string explanation;  // the rule, and what it left out
};
Average averageOf(const ObservableSeries& series, const std::string& stepName);

// Whether the averages that are shown still contain the approach to equilibrium, or are too short
// to tell.
class SettlingWatch {
 public:
  void look(const std::vector<ObservableSeries>& series);
  bool settling() const { return settling_; }
  std::string words() const;  // explanation; "" when they have settled

 private:
  bool settling_ = false;
};

}  // namespace cellscope::gui
