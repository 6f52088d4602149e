// A preparation whose steps are part of the run, as while the sizes of moves are tuned: its samples
// show how the state comes about, and count for no average.
#pragma once
#include <vector>

namespace cellscope {

class SamplesPreparation {
 public:
  virtual ~SamplesPreparation() = default;
  // One value per observable, as Mode::sample(); nothing of the run changes.
  virtual std::vector<double> sampleOfPreparation() = 0;
};

}  // namespace cellscope
