// The command line: what `cellscope ...` understands, and its exit codes.
#pragma once

namespace cellscope::cli {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;

// Parse and carry out. Never throws: errors are printed to stderr and become exit codes.
int runCommandLine(int argc, char** argv);

}  // namespace cellscope::cli
