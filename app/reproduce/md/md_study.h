// Shared by all studies of molecular dynamics.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/algo/md/engines.h"

namespace cellscope::reproduce {

// Declarations of options shared by several studies.
ParameterInfo particlesOption(const std::string& help, double least);
ParameterInfo repeatsOption(const std::string& help);

// n particles of a liquid with the cutoff and temperature of `settings`, melted from a lattice in
// `steps` steps of 0.005 tau with a Langevin thermostat of friction 1.
MdState melted(const exec::Shared& exec, std::int64_t n, double density, double temperature,
               std::uint64_t steps, const PairSettings& settings);

// Median wall-clock time of work(), in seconds, over `repeats` calls after one that does not count;
// each is complete when it returns. Throws RunError when the study is stopped.
double medianSeconds(std::int64_t repeats, const std::function<void()>& work);

// Median time of one list build, by the builder that `settings` name, for this state.
struct BuildTime {
  double seconds = 0;
  std::string how;  // what the builder chose (ListBuilder::words())
};
BuildTime buildTime(const exec::Shared& exec, const MdState& state, const PairSettings& settings,
                    std::int64_t repeats);
std::string howListsWereBuilt(MdEngine& engine);

}  // namespace cellscope::reproduce
