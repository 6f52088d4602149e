#include "sim/modes/hard_disks/mapping_trial.h"

#include <algorithm>

namespace cellscope {

void MappingTrial::begin(std::vector<MpmcMapping> among) {
  tried_.clear();
  rounds_ = 0;
  if (among.size() < 2) return;
  for (const MpmcMapping m : among) tried_.push_back({m});
}

void MappingTrial::add(std::uint64_t count, double seconds) {
  double& best = tried_[rounds_ % tried_.size()].best;
  if (count > 0 && rounds_ >= tried_.size())
    best = std::min(best, seconds / static_cast<double>(count));
  ++rounds_;
}

MpmcMapping MappingTrial::fastest() const {
  return std::min_element(tried_.begin(), tried_.end(),
                          [](const Tried& a, const Tried& b) { return a.best < b.best; })
      ->mapping;
}

}  // namespace cellscope
