// Independent copies of a small system, side by side: one alone would leave most of a machine idle.
#pragma once
#include <atomic>
#include <functional>

namespace cellscope::reproduce {

// Runs work(k, stop) for k = 0, ..., copies - 1, each in a thread of its own; `stop` turns true at
// Ctrl-C or SIGTERM and asks all to end. Returns whether it did. Throws RunError when one of them
// failed, after all have ended.
bool runCopies(int copies, const std::function<void(int, const std::atomic<bool>&)>& work);

}  // namespace cellscope::reproduce
