#include "app/common/interrupt.h"

#include <signal.h>
#include <time.h>

#include <atomic>

namespace cellscope::common {
namespace {

std::atomic<int> pending{0};  // the handler may run in any thread
std::atomic<long> since{0};   // milliseconds
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

constexpr int kWishes[] = {SIGINT, SIGTERM};
constexpr int kAnnouncements[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

// clock_gettime() may be called in a handler (POSIX.1-2017, 2.4.3).
long milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

void remember(int number) {
  if (pending != 0) return;
  since = milliseconds();  // first: another thread may get the next signal at once
  pending = number;
}

void rememberOrEnd(int number) {
  if (pending == 0) return remember(number);
  if (milliseconds() - since < InterruptGuard::kSameWish) return;
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void install(int number, void (*handler)(int)) {
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  if (number == SIGHUP && now.sa_handler == SIG_IGN) return;  // started by nohup: stays ignored
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  pending = 0;
  for (const int s : kWishes) install(s, rememberOrEnd);
  for (const int s : kAnnouncements) install(s, remember);
}

InterruptGuard::~InterruptGuard() {
  for (const int s : kWishes) install(s, SIG_DFL);
  for (const int s : kAnnouncements) install(s, SIG_DFL);
}

int InterruptGuard::signal() const { return pending; }

const char* InterruptGuard::name() const {
  switch (pending) {
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGUSR2:
      return "SIGUSR2";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "Ctrl-C";
  }
}

}  // namespace cellscope::common
