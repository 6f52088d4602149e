// What can be found wrong with a run before its first step.
#pragma once
#include "app/cli/options.h"

namespace cellscope::cli {

// Throws InputError for options that contradict each other, outputs that cannot be written, two
// outputs in one file, and an output in a file that is read.
void checkRunOptions(const RunOptions& options);

// Whether files of earlier runs are to be renamed before this one writes.
bool keepsOlderResults(const RunOptions& options);

}  // namespace cellscope::cli
