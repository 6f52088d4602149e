// The command line: what `cellscope ...` understands.
#pragma once

namespace cellscope::cli {

// Parse and carry out. Never throws: errors are printed to stderr and become exit codes
// (app/common/exit_codes.h).
int runCommandLine(int argc, char** argv);

}  // namespace cellscope::cli
