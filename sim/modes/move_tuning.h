// The search for the maximum displacement of trial moves, as modes that have one report and save
// it.
#pragma once
#include <optional>

#include "sim/algo/race/tuner.h"
#include "sim/api/frame.h"
#include "sim/api/mode.h"
#include "sim/io/binary.h"

namespace cellscope {

// While it searches; displacement: the maximum tried now, in sigma.
std::optional<Preparation> tuningProgress(const TargetTuner& tuner, double displacement);

// A warning where the search has ended without the target; displacement: the one that it has set.
std::optional<SelfCheck> missedTarget(const TargetTuner& tuner, double displacement);

void writeTuner(BinaryWriter& out, const TunerState& state);
// Throws InputError for a state that no search can have.
TunerState readTuner(BinaryReader& in);

}  // namespace cellscope
