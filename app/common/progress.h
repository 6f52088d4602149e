// Progress on stderr: one line rewritten in place on a terminal, plain lines otherwise.
#pragma once
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::common {

class Progress {
 public:
  // steps, seconds: requested limits; 0 = none.
  Progress(std::uint64_t steps, double seconds, bool quiet);
  // During set-up, before begin(). A stage whose label begins with "Warning: " is shown at once.
  void setup(const Preparation& stage);
  void begin(double work);  // start of the run, with this Mode::work()
  void aimAt(std::uint64_t steps) { steps_ = steps; }
  // partOfStep: completed fraction of the current step, for long steps.
  void update(const Mode& mode, std::uint64_t firstStep, double partOfStep = 0);
  void finish();  // ends the line
  double elapsed() const;

 private:
  bool due();
  void show(const std::vector<std::string>& lines);
  std::vector<std::string> lines(const Mode& mode, std::uint64_t firstStep, double partOfStep);

  using Clock = std::chrono::steady_clock;
  std::uint64_t steps_;
  double seconds_;
  bool quiet_, terminal_, shown_ = false, warned_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  Clock::time_point workTime_ = start_, rateTime_ = start_;  // of work_ and rateWork_
  double work_ = 0, rateWork_ = 0, rate_ = 0;
};

std::string duration(double seconds);  // "12 ms", "0.35 s", "12 s", "3 min 05 s", "2 h 14 min"

// The first of `lines` that fits into `columns` (0: any), otherwise the last one truncated. A
// wrapped line could not be rewritten in place.
std::string fitting(const std::vector<std::string>& lines, int columns);

}  // namespace cellscope::common
