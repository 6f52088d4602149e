// Which parameters act: whether a change of one changes anything that can be observed.
#pragma once
#include <string>
#include <vector>

#include "sim/api/mode.h"

namespace cellscope::test {

using Assignments = std::vector<std::pair<std::string, ParameterValue>>;

// Keys of the parameters, but those that restart, of which no change is seen in trajectory,
// samples, curves, references, frames, checks, phases, words, kernels or preparation: in none of
// these small states, each with its settings, and not with any other parameter changed as well in
// the first. What only a GPU does is left out on a CPU. Throws InputError where a state is
// impossible.
std::vector<std::string> idleParameters(const std::string& mode, const ModeFactory& modes,
                                        const ExecConfig& config,
                                        const std::vector<Assignments>& states);

}  // namespace cellscope::test
