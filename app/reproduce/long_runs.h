// Many long runs, one after the other or several side by side on one device: a small system leaves
// most of a GPU idle.
#pragma once
#include <functional>

#include "app/reproduce/equilibrium.h"

namespace cellscope::reproduce {

// A state to be measured from both starts.
struct State {
  std::string study, detail;  // with the size between them, the name of its checkpoints
  std::string label;          // for messages: "256^2, packing 0.698"
  std::int64_t side = 0;      // N = side^2
  double packing = 0;
  Settings more;
  std::uint64_t sampleEvery = 0;     // sweeps; 0: what suits the transition
  double equilibration = 1.0 / 3.0;  // share of the time of a new run

  std::int64_t n() const { return side * side; }
  std::string key(std::int64_t ofSide) const {
    return study + "-" + std::to_string(ofSide) + "-" + detail;
  }
};

// In the fluid nothing is slow: pairs near contact renew themselves faster, and some thousand
// sweeps are enough for equilibrium.
inline constexpr std::uint64_t kFluidSampleEvery = 16;
inline constexpr double kFluidEquilibration = 0.15;

// Every packing at every size, in the fluid; `more`: further parameters at a packing.
std::vector<State> fluidStates(const std::string& study, const std::vector<std::int64_t>& sides,
                               const std::vector<double>& packings, std::uint64_t sampleEvery,
                               double equilibration,
                               const std::function<Settings(double)>& more = {});

// One result per state; the last call of a study has last = true.
using ShowResults = std::function<void(const std::vector<StateResult>&, bool last)>;

// Runs every start and seed of every state for Options::minutes in all, preparations included,
// Options::together of them at a time. A new run spends State::equilibration of its time first; one
// with a checkpoint goes on, and begins its averages again when they drift (RunSummary::drift).
// With Options::grow a new run begins with copies of the largest smaller run, of the same packing,
// start and seed, that has a checkpoint and whose side divides its own.
// Every run leaves a checkpoint. `show` gets what is known about every 20 s and at the end. Ctrl-C
// ends all runs at once; then, and when a run failed, RunError is thrown after the last show.
void measureStates(const std::vector<State>& states, const Options& o, const ExecConfig& config,
                   const ShowResults& show);

}  // namespace cellscope::reproduce
