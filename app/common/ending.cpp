
#include <fmt/format.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <utility>

#include "app/common/terminal.h"
#include "sim/api/frame.h"
#include "sim/io/files.h"

namespace cellscope::common {

std::vector<SelfCheck> requireSound(Mode& mode) {
  std::vector<SelfCheck> named;
  for (SelfCheck& c : mode.selfChecks()) {
    if (!c.ok && !c.onPurpose)
      throw RunError(fmt::format("self-check '{}' failed after {} {}: {}", c.label,
                                 mode.info().stepName, mode.step(), c.detail));
    if (!c.ok || isWarning(c)) named.push_back(std::move(c));
  }
  return named;
}

std::string temporaryFolder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? "/tmp" : folder.string();
}

std::string keepState(Session& session, const std::string& folder, const std::string& mark) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  constexpr std::size_t kLongest =
      200;  // file systems allow 255 bytes, including number and extension
  const std::string stem = session.log().start.name.substr(0, kLongest) + mark;
  for (const fs::path& parent : {fs::path(folder), fs::path(temporaryFolder())}) {
    fs::path path = parent / (stem + ".checkpoint");
    for (int k = 2; fs::exists(path, ignored) || io::isClaimed(path); ++k)
      path = parent / fmt::format("{}-{}.checkpoint", stem, k);
    path = path.lexically_normal();
    try {
      session.save(path.string());
      return path.string();
    } catch (const RunError& e) {
      printError(e.what());
    }
  }
  return "";
}

namespace {

std::atomic<int> pending{0};  // the handler may run on any thread
std::atomic<long> since{0};   // milliseconds
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<long>::is_always_lock_free);

std::atomic<int> wakeEnd{-1};  // of a pipe whose other end onSignal() reads

constexpr int kRequests[] = {SIGINT, SIGTERM};
constexpr int kWarnings[] = {SIGHUP, SIGUSR1, SIGUSR2, SIGXCPU};

// clock_gettime() may be called in a handler (POSIX.1-2017, 2.4.3).
long milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

void keep(int number) {
  if (pending != 0) return;
  since = milliseconds();  // set first: another thread may receive the next signal immediately
  pending = number;
}

// write() may be called in a handler as well; errno belongs to what was interrupted.
void remember(int number) {
  keep(number);
  const int end = wakeEnd, error = errno;
  if (end >= 0 && ::write(end, "s", 1) < 0) errno = error;
}

void rememberOrEnd(int number) {
  if (pending == 0) return remember(number);
  if (milliseconds() - since < InterruptGuard::kSameRequest) return;
  ::signal(number, SIG_DFL);
  ::raise(number);
}

void install(int number, void (*handler)(int)) {
  struct sigaction now {};
  sigaction(number, nullptr, &now);
  if (number == SIGHUP && now.sa_handler == SIG_IGN) return;  // started with nohup: keep ignoring
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, nullptr);
}

}  // namespace

InterruptGuard::InterruptGuard() {
  pending = 0;
  io::stopWaitingAt(&pending);
  for (const int s : kRequests) install(s, rememberOrEnd);
  for (const int s : kWarnings) install(s, remember);
}

InterruptGuard::~InterruptGuard() {
  onSignal({});
  io::stopWaitingAt(nullptr);
  for (const int s : kRequests) install(s, SIG_DFL);
  for (const int s : kWarnings) install(s, SIG_DFL);
}

void InterruptGuard::onSignal(std::function<void()> wake) {
  if (watcher_.joinable()) {
    const int end = wakeEnd.exchange(-1);
    ::close(end);  // ends the thread
    watcher_.join();
  }
  std::array<int, 2> ends{};
  if (!wake || ::pipe(ends.data()) != 0) return;
  wakeEnd = ends[1];
  watcher_ = std::thread([end = ends[0], wake = std::move(wake)] {
    char c = 0;
    for (ssize_t n = 1; n != 0;) {
      n = ::read(end, &c, 1);
      if (n > 0) wake();
      if (n < 0 && errno != EINTR) break;
    }
    ::close(end);
  });
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
