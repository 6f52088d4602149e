// Chooses between the thread assignments by timing each on sweeps that are wanted anyway: the
// configuration does not depend on the assignment, so that the measurement is harmless.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/mpmc/mappings.h"

namespace cellscope {

class MappingTrial {
 public:
  // Nothing is tried when there is no choice.
  void begin(std::vector<MpmcMapping> among);
  bool running() const { return rounds_ < kRounds * tried_.size(); }
  MpmcMapping mapping() const { return tried_[rounds_ % tried_.size()].mapping; }
  // Sweeps to run before the next call of add().
  std::uint64_t sweeps() const { return 16; }
  // `count` sweeps with mapping() took `seconds`.
  void add(std::uint64_t count, double seconds);
  MpmcMapping fastest() const;

 private:
  static constexpr std::size_t kRounds = 4;  // of each; the first warms up
  struct Tried {
    MpmcMapping mapping;
    double best = 1e300;  // seconds per sweep
  };
  std::vector<Tried> tried_;
  std::size_t rounds_ = 0;
};

}  // namespace cellscope
