// Chooses between the two thread assignments by timing both on sweeps that are wanted anyway: the
// configuration does not depend on the assignment, so that the measurement is harmless.
#pragma once
#include <array>
#include <cstdint>

#include "sim/algo/mpmc/engine.h"

namespace cellscope {

class MappingTrial {
 public:
  void begin(bool needed) { *this = {}, running_ = needed; }
  bool running() const { return running_; }
  MpmcMapping mapping() const { return static_cast<MpmcMapping>(next_); }
  // Sweeps to run before the next call of add().
  std::uint64_t sweeps() const { return 16; }
  // `count` sweeps with mapping() took `seconds`.
  void add(std::uint64_t count, double seconds);
  MpmcMapping faster() const;

 private:
  static constexpr int kRounds = 4;  // of each; the first warms up
  bool running_ = false;
  int next_ = 0;
  int rounds_ = 0;
  std::array<double, 2> best_{1e300, 1e300};  // seconds per sweep
};

}  // namespace cellscope
