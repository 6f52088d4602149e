#include "app/common/interrupt.h"

#include <signal.h>

#include <atomic>

namespace cellscope::common {
namespace {

std::atomic<int> pending{0};  // the handler may run in any thread
static_assert(std::atomic<int>::is_always_lock_free);
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};

void remember(int number) { pending = number; }

void install(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (const int s : kSignals) {
    struct sigaction now {};
    sigaction(s, nullptr, &now);
    if (s == SIGHUP && now.sa_handler == SIG_IGN) continue;  // started by nohup: stays ignored
    // A terminal that closes sends several in a row: the shell does, and the kernel.
    action.sa_flags = s == SIGHUP ? flags & ~static_cast<int>(SA_RESETHAND) : flags;
    sigaction(s, &action, nullptr);
  }
}

}  // namespace

InterruptGuard::InterruptGuard() {
  pending = 0;
  install(remember, static_cast<int>(SA_RESETHAND) | SA_RESTART);
}

InterruptGuard::~InterruptGuard() { install(SIG_DFL, 0); }

int InterruptGuard::signal() const { return pending; }

const char* InterruptGuard::name() const {
  return pending == SIGTERM ? "SIGTERM" : pending == SIGHUP ? "SIGHUP" : "Ctrl-C";
}

}  // namespace cellscope::common
