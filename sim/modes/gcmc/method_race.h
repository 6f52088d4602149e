// Methods, mappings and block sizes timed in turn, each on a copy of the current state: the run
// itself is not disturbed. On a CPU the blocks of a GPU, which it emulates, are timed but never
// win.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/state.h"
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
  double progress() const;
  std::string now() const;  // the candidate that is timed next
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
  void addCandidates();
  bool possible(const Method& method) const;
  bool emulated(const Candidate& c) const { return c.method->made().emulatedOn(exec_->where()); }
  std::vector<RaceCandidate> runners(std::uint64_t batch);
  std::size_t winner() const;  // only after the end
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
  GcmcProgress progress_;               // of the present advance()
};

}  // namespace cellscope::gcmc
