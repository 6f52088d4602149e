// A picture carries the experiment that it shows: the scenario with its present parameters, as text
// in its metadata.
#pragma once
#include <string>

#include "sim/run/scenario.h"

namespace cellscope::common {

inline constexpr const char* kExperimentKey = "Experiment";  // keyword of the text chunk

// The scenario that a picture saved by this program shows, from its beginning. Throws InputError:
// no PNG file, no such metadata, or a scenario that this version cannot open.
Scenario scenarioOfPicture(const std::string& path);

// Whether this is a file with a checkpoint, whatever its name.
bool isCheckpoint(const std::string& path);

// Whether the name ends with .png, in any case.
bool isPictureName(const std::string& path);

}  // namespace cellscope::common
