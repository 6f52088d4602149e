// Ctrl-C and SIGTERM as a question that a loop can ask.
#pragma once

namespace cellscope::common {

// While it lives, the first SIGINT, SIGTERM or SIGHUP is only remembered; a second SIGINT or
// SIGTERM ends the program at once. One object at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  bool raised() const { return signal() != 0; }
  int signal() const;
  const char* name() const;  // "Ctrl-C", "SIGTERM"
};

}  // namespace cellscope::common
