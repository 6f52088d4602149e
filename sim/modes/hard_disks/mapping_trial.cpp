#include "sim/modes/hard_disks/mapping_trial.h"

#include <algorithm>

namespace cellscope {

void MappingTrial::add(std::uint64_t count, double seconds) {
  double& best = best_[static_cast<std::size_t>(next_)];
  if (count > 0 && rounds_ >= 2) best = std::min(best, seconds / static_cast<double>(count));
  next_ = 1 - next_;
  if (++rounds_ == 2 * kRounds) running_ = false;
}

MpmcMapping MappingTrial::faster() const {
  return best_[1] < best_[0] ? MpmcMapping::threadPerNeighbour : MpmcMapping::threadPerCell;
}

}  // namespace cellscope
