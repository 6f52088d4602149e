// When the particles of a run have to be looked at, so that their ways through the faces of the box
// are known whenever the next sample is taken.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "sim/modes/md/parameters.h"

namespace cellscope::md {

class Follower {
 public:
  explicit Follower(std::uint64_t most) : most_(most) {}

  // Steps from this one on after which they have to be followed. Speeds: twice the largest one that
  // there is, or eight times the thermal one, which covers a thermostat that heats and collisions.
  std::uint64_t stepsFrom(std::uint64_t step, MdEngine& engine, const MdParameters& p,
                          const Box& box, double dt) {
    const bool old = !speedsAt_ || step < *speedsAt_ || step >= *speedsAt_ + kStepsBetweenSpeeds;
    if (old && since_ == 0) {
      speedsAt_ = step;
      const SpeciesTable s = p.species();
      const double lightest = *std::min_element(s.mass, s.mass + s.types);
      const double warm = std::max(1.0, p.bath().temperatureAt(step));
      const double fastest = std::sqrt(engine.kinetic().fastest2);
      every_ = stepsToFollow(box, kLongestMove,
                             std::max(2.0 * fastest, 8.0 * std::sqrt(warm / lightest)), dt, most_);
    }
    return std::max(every_, since_ + 1) - since_;
  }
  void made(std::uint64_t steps, MdEngine& engine) {
    since_ += steps;
    if (since_ < every_) return;
    engine.followDisplacements();
    since_ = 0;
  }
  void forgetSpeeds() { speedsAt_.reset(); }
  // They are followed now, and their speeds are about to change.
  void begin() {
    since_ = 0;
    speedsAt_.reset();
  }

 private:
  static constexpr std::uint64_t kStepsBetweenSpeeds = 512;
  std::uint64_t most_, every_ = 1, since_ = 0;
  std::optional<std::uint64_t> speedsAt_;  // none: they are looked at before the next step
};

}  // namespace cellscope::md
