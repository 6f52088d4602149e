// method = auto: of the methods with the decisions of the serial chain, the fastest one on this
// machine. Where several may be it they make the first steps of the run in turn, timed, and the
// fastest goes on: the same run, whichever it is, without a move made for the race alone.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/race/race.h"
#include "sim/modes/gcmc/methods/method.h"

namespace cellscope::gcmc {

class AutoMethod {
 public:
  // Lets a method make the moves from now on, from the present state. False: it cannot, as there is
  // no memory for it, and the one before goes on.
  using Use = std::function<bool(const Method&)>;

  explicit AutoMethod(RaceClock clock = steadySeconds)
      : clock_(std::move(clock)), race_({}, clock_) {}
  AutoMethod(const AutoMethod&) = delete;  // the candidates refer to it
  AutoMethod& operator=(const AutoMethod&) = delete;

  // The first candidate makes the moves. step(): a step of the run, of so many moves. n: particles.
  void begin(std::vector<const Method*> candidates, Use use, std::function<void()> step,
             std::uint64_t moves, std::uint32_t n);
  void stop();
  bool running() const { return race_.running(); }
  // The next step by the candidate whose turn it is; after the last one the winner is in use.
  void advance() { race_.advance(1); }
  // N is so different from when they were timed that another one may be the fastest.
  bool outdated(std::uint32_t n) const;
  // What was found, to follow the words on the method that runs.
  std::string words() const;

 private:
  static constexpr std::size_t kRounds = 3;
  static constexpr std::uint32_t kMany = 1000;  // particles: fewer are no matter

  RaceClock clock_;
  Race race_;
  std::vector<const Method*> candidates_;
  std::vector<bool> absent_;
  std::uint64_t moves_ = 0;
  std::uint32_t timedAt_ = 0;
};

}  // namespace cellscope::gcmc
