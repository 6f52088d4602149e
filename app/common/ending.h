// How the program ends: exit codes, checks, a state that is kept, signals.
#pragma once
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/run/session.h"

namespace cellscope::common {

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;
// Stopped in order before the goal was reached, and can be resumed. As in HTCondor's examples of
// jobs that checkpoint themselves.
inline constexpr int kStopped = 85;
class Stopped : public RunError {
  using RunError::RunError;
};

// Self-checks before results are used.

// Runs all self-checks of a mode, between two steps. Throws RunError naming the first failed check
// and the step. Returned are failures explained by an experiment (SelfCheck::onPurpose), and
// warnings.
std::vector<SelfCheck> requireSound(Mode& mode);

// Saves a state for which no file was named.

// Folder for temporary files: TMPDIR if it is a folder, otherwise /tmp.
std::string temporaryFolder();

// Saves the session in `folder`, or in the temporary folder if that is not writable, as
// SCENARIO.checkpoint, SCENARIO-2.checkpoint and so on, never over an existing checkpoint. Errors
// are printed. `mark` is appended to SCENARIO. Returns the path, "" if it could not be saved.
std::string keepState(Session& session, const std::string& folder, const std::string& mark = "");

// Ctrl-C, SIGTERM and similar signals as a flag that a loop can test.

// During its lifetime the first SIGINT or SIGTERM only sets a flag; another one ends the program at
// once. Signals within kSameRequest count as one: `timeout` and batch systems signal a process and
// then its group. SIGHUP, SIGUSR1, SIGUSR2 and SIGXCPU (closed terminal, warnings of batch systems,
// CPU time limit) only set the flag, however often they arrive. At most one instance at a time.
class InterruptGuard {
 public:
  static constexpr long kSameRequest = 500;  // milliseconds

  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool raised() const { return signal() != 0; }
  int signal() const;
  const char* name() const;  // "Ctrl-C", "SIGTERM"
  // For a loop that sleeps: `wake` is called after every signal, on a thread of its own, which
  // sleeps until then. An empty one, or the guard's end, ends that. May be called again.
  void onSignal(std::function<void()> wake);

 private:
  std::thread watcher_;
};

}  // namespace cellscope::common
