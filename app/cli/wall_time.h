// The end of the time that a batch system gives a job.
#pragma once
#include <chrono>

namespace cellscope::cli {

// When a run must stop so that its files are complete in time: half a minute before the end of
// `seconds` from now (a tenth of it if that is less). Without seconds (0) by the environment:
// SLURM_JOB_END_TIME (seconds since 1970) or ACTION_WALLTIME_IN_MINUTES (of row, from now); without
// these there is no limit. Throws InputError naming a variable that is no number.
std::chrono::steady_clock::time_point deadlineOf(double seconds);

}  // namespace cellscope::cli
