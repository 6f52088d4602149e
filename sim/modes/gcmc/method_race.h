// Methods, mappings and block sizes timed in turn, each on a copy of the current state: the run
// itself is not disturbed. On a CPU the blocks of a GPU, which it emulates, are timed but never
// win.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/race/race.h"
#include "sim/modes/gcmc/methods/method.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

class MethodRace {
 public:
  MethodRace() = default;
  MethodRace(const MethodRace&) = delete;  // the candidates refer to it
  MethodRace& operator=(const MethodRace&) = delete;

  void begin(const GcmcParameters& p, const GcmcState& state, const exec::Shared& exec);
  void stop();
  bool running() const { return race_ && race_->running(); }
  // The next batch of the next candidate. What the progress callback throws leaves the race where
  // it was.
  void advance(const GcmcProgress& progress = {});
  // While it runs: how far it is, and the candidate that is timed next.
  double progress() const { return race_->progress(); }
  std::string now() const {
    const std::vector<RaceStanding> all = race_->standings();
    return std::ranges::find(all, true, &RaceStanding::next)->result.name;
  }
  // Moves per second so far, published values where there are some for this state; empty before the
  // first race, and without a choice.
  std::optional<Curve> chart() const;
  // Sets method, mapping and block size to the winner. Only after the end; false: nobody ran.
  bool apply(GcmcParameters& p) const;

 private:
  struct Candidate {
    Method::Variant how;
    const Method* method;
  };
  bool possible(const Method& method) const;
  bool emulated(const Candidate& c) const { return c.method->made().emulatedOn(exec_->where()); }
  std::vector<RaceCandidate> runners(std::uint64_t batch);
  std::size_t winner() const;  // only after the end
  void addPublished(Curve& chart) const;
  void addFigures(Curve& chart) const;

  std::vector<Candidate> candidates_;
  std::optional<Race> race_;
  double raced_ = 0;  // particles of the state
  exec::Shared exec_;
  GcmcParameters parameters_;
  GcmcState state_;
  std::unique_ptr<GcmcEngine> engine_;  // of the candidate whose turn it is
  GcmcProgress progress_;               // of the present advance()
};

// method = auto: of fastestMethods() the fastest one on this machine. Where several may be it they
// make the first steps of the run in turn, timed, and the fastest goes on: the same run, whichever
// it is, without a move made for the race alone.
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
  void stop() {
    race_ = Race({}, clock_);
    candidates_.clear();
  }
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
