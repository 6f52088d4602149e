// Whether the displayed averages include the equilibration, tested at growing intervals so that the
// result does not flicker with single samples.
#pragma once
#include "sim/run/settling.h"

namespace cellscope::gui {

class SettlingWatch {
 public:
  void look(const std::vector<ObservableSeries>& series);
  const Settling& state() const { return state_; }
  bool settling() const { return !state_.drifting.empty(); }
  // Explanation and advice; "" when nothing drifts.
  std::string words() const;

 private:
  Settling state_;
  std::uint64_t epoch_ = 0, samples_ = 0, next_ = 0;
};

}  // namespace cellscope::gui
