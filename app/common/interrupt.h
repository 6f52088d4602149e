// Ctrl-C, SIGTERM and similar signals as a flag that a loop can test.
#pragma once
#include <functional>
#include <thread>

namespace cellscope::common {

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
