// Checks of the options of a run.
#pragma once
#include "app/cli/options.h"

namespace cellscope::cli {

// Throws InputError for contradicting options, outputs that cannot be written, two outputs to one
// file, and an output to an input file.
void checkRunOptions(const RunOptions& options);

// Whether older results are renamed before this run writes.
bool keepsOlderResults(const RunOptions& options);

}  // namespace cellscope::cli
