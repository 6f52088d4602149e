// The command line of `cellscope`.
#pragma once

namespace cellscope::cli {

// Parses and executes. Never throws: errors are printed to stderr and returned as exit codes
// (app/common/exit_codes.h).
int runCommandLine(int argc, char** argv);

}  // namespace cellscope::cli
