// Ctrl-C and SIGTERM as a question that a loop can ask.
#pragma once

namespace cellscope::common {

// While it lives, the first SIGINT or SIGTERM is only remembered, and a later one ends the program
// at once. One that follows within kSameWish belongs to the first: `timeout` and batch systems
// signal a process and then its group. What announces an end that comes by itself is only
// remembered, however often it is sent: SIGHUP, and of batch systems and limits of processor time
// SIGUSR1, SIGUSR2 and SIGXCPU. One object at a time.
class InterruptGuard {
 public:
  static constexpr long kSameWish = 500;  // milliseconds

  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool raised() const { return signal() != 0; }
  int signal() const;
  const char* name() const;  // "Ctrl-C", "SIGTERM"
};

}  // namespace cellscope::common
