// All methods and mappings timed in turn, each on a copy of the current state: the run itself is
// not disturbed.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/state.h"
#include "sim/algo/race/race.h"
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
  // The next batch of the next candidate.
  void advance();
  double progress() const;
  std::string now() const;  // the candidate that is timed next
  // Moves per second so far, published values where there are some for this state; empty before the
  // first race, and without a choice.
  std::optional<Curve> chart() const;
  // Sets method and mapping to the winner. Only after the end; false: nobody ran.
  bool apply(GcmcParameters& p) const;

 private:
  struct Candidate {
    std::string name, published;  // key of publishedGcmcSpeed()
    std::size_t method;           // row of gcmcMethods()
    int mapping;                  // row of gcmcMappings()
  };
  void addReferences(Curve& chart) const;
  void addFigures(Curve& chart) const;

  std::vector<Candidate> candidates_;
  std::optional<Race> race_;
  std::size_t turns_ = 0, done_ = 0;
  double raced_ = 0;  // particles of the state
  exec::Shared exec_;
  GcmcParameters parameters_;
  GcmcState state_;
  std::unique_ptr<GcmcEngine> engine_;  // of the candidate whose turn it is
};

}  // namespace cellscope::gcmc
