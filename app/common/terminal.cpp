#include "app/common/terminal.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "sim/api/frame.h"
#include "sim/io/files.h"
#include "sim/io/text_lines.h"

namespace cellscope::common {

static int outputError = 0;  // the first error

static void note(bool written) {
  if (!written && outputError == 0) outputError = errno ? errno : EIO;
}

void openStandardStreams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", O_RDWR));  // gets the lowest free descriptor: this one
}

void outliveOutputs() {
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
}

std::string printable(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<unsigned char>(text[i]);
    const std::size_t bytes = io::characterBytes(std::string_view(text).substr(i));
    const bool c1 = bytes == 2 && first == 0xc2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
    const bool control = (first < 0x20 && first != '\n' && first != '\t') || first == 0x7f;
    if (bytes == 0 || control || c1) {
      out += fmt::format("\\x{:02x}", c1 ? static_cast<unsigned char>(text[i + 1]) : first);
      i += c1 ? 2 : 1;
    } else {
      out.append(text, i, bytes);
      i += bytes;
    }
  }
  return out;
}

static void putOnStdout(const std::string& text) {
  errno = 0;
  const bool written = std::fputs(text.c_str(), stdout) >= 0;
  note(std::fflush(stdout) == 0 && written);
}

void put(const std::string& text) { putOnStdout(printable(text)); }

void printLine(const std::string& line, Tone tone) {
  const std::string text = printable(line);
  putOnStdout((tone == Tone::warning ? inRed(text, STDOUT_FILENO) : text) + "\n");
}

void printError(const std::string& line, Tone tone) {
  const std::string text = printable(line);
  putOnStderr((tone == Tone::warning ? inRed(text, STDERR_FILENO) : text) + "\n");
}

void putOnStderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

std::string outputTrouble() {
  errno = 0;
  note(std::fflush(stdout) == 0);
  return outputError == 0 || outputError == EPIPE ? "" : std::strerror(outputError);
}

bool isStandardOutput(const std::string& path) {
  struct stat a {
  }, b{};
  if (::stat(path.c_str(), &a) != 0 || ::fstat(STDOUT_FILENO, &b) != 0) return false;
  const bool nowhere = S_ISCHR(b.st_mode) && !::isatty(STDOUT_FILENO);
  return !nowhere && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

std::string forShell(const std::string& name) {
  const auto plain = [](unsigned char c) {
    return c >= 0x80 || std::isalnum(c) || std::strchr("_./-+,:@%=", c);
  };
  if (!name.empty() && std::ranges::all_of(name, plain)) return name;
  std::string quoted = "'";
  for (const char c : name) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string inRed(const std::string& line, int descriptor) {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  const bool colours = ::isatty(descriptor) && set("NO_COLOR").empty() && set("TERM") != "dumb";
  return colours ? "\x1b[1;31m" + line + "\x1b[0m" : line;
}

int terminalColumns(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

constexpr double kTerminalSeconds = 0.2, kPlainSeconds = 10;
constexpr double kLongStep = 1;  // seconds; progress within shorter steps is not shown

std::string duration(double seconds) {
  if (seconds > 0 && seconds < 0.0995) return fmt::format("{:.2g} ms", 1e3 * seconds);
  if (seconds > 0 && seconds < 9.95) return fmt::format("{:.2g} s", seconds);
  const auto s = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

Progress::Progress(std::uint64_t steps, double seconds, bool quiet)
    : steps_(steps), seconds_(seconds), quiet_(quiet), terminal_(isatty(STDERR_FILENO)) {}

double Progress::elapsed() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

std::string fitting(const std::vector<std::string>& lines, int columns) {
  const auto room = static_cast<std::size_t>(std::max(1, columns));
  for (const std::string& line : lines)
    if (columns <= 0 || line.size() < room) return line;  // the last column is left for the cursor
  return lines.back().substr(0, room - 1);
}

// The full line, then shorter ones for narrow terminals.
std::vector<std::string> Progress::lines(const Mode& mode, std::uint64_t firstStep,
                                         double partOfStep) {
  if (const auto preparation = mode.preparation())
    return {fmt::format("{}: {:.0f} %", preparation->label, 100 * preparation->progress),
            fmt::format("preparing: {:.0f} %", 100 * preparation->progress)};
  const double done =
      static_cast<double>(mode.step() - std::min(firstStep, mode.step())) + partOfStep;
  double share = 0;
  if (steps_ > 0) share = done / static_cast<double>(steps_);
  if (seconds_ > 0) share = std::max(share, elapsed() / seconds_);
  const double left = share > 0 ? elapsed() * (1 - share) / share : 0;
  const std::string step = fmt::format("{} {}", mode.info().stepName, mode.step());
  const std::string rest =
      fmt::format("{:.0f} %  {} left", 100 * std::min(share, 1.0), duration(left));
  const std::string all = steps_ > 0 ? fmt::format(" of {}", firstStep + steps_) : "";
  const std::string part =
      partOfStep > 0 ? fmt::format(" + {:.0f} %", std::floor(100 * partOfStep)) : "";
  const auto rate = [&](const std::string& unit) {
    return rate_ > 0 ? fmt::format("  {:.3g}{}/s", rate_, unit) : "";
  };
  return {step + all + part + rate(" " + mode.info().workUnit) + "  " + rest,
          step + part + rate("") + "  " + rest, step + part + "  " + rest, rest};
}

bool Progress::due() {
  if (quiet_) return false;
  const auto now = Clock::now();
  const double since = std::chrono::duration<double>(now - last_).count();
  if (since < (terminal_ ? kTerminalSeconds : kPlainSeconds)) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::vector<std::string>& lines) {
  const std::string text = fitting(lines, terminal_ ? terminalColumns(STDERR_FILENO) : 0);
  putOnStderr((terminal_ ? "\r\x1b[K" : "") + text + (terminal_ ? "" : "\n"));
  shown_ = true;
}

void Progress::setup(const Preparation& stage) {
  const bool warns = stage.label.starts_with("Warning: ") && !quiet_ && !warned_;
  warned_ |= warns;
  if (!warns && !due()) return;
  const std::string share =
      stage.progress < 0 ? "" : fmt::format("  {:.0f} %", std::floor(100 * stage.progress));
  show({fmt::format("setting up: {}{}", stage.label, share), fmt::format("setting up{}", share)});
}

void Progress::begin(double work) {
  finish();
  work_ = rateWork_ = work;
  start_ = last_ = workTime_ = rateTime_ = Clock::now();
}

void Progress::update(const Mode& mode, std::uint64_t firstStep, double partOfStep) {
  const auto now = Clock::now();
  if (partOfStep == 0) workTime_ = now, work_ = mode.work();
  const bool isShort = std::chrono::duration<double>(now - workTime_).count() < kLongStep;
  if ((partOfStep > 0 && isShort) || !due()) return;
  const double seconds = std::chrono::duration<double>(workTime_ - rateTime_).count();
  if (seconds > 0.5 || (rate_ == 0 && seconds > 0)) {
    rate_ = std::max(0.0, work_ - rateWork_) / seconds;
    rateWork_ = work_;
    rateTime_ = workTime_;
  }
  show(lines(mode, firstStep, partOfStep));
}

void Progress::finish() {
  if (terminal_ && shown_) putOnStderr("\n");
  shown_ = false;
}

std::vector<SelfCheck> requireSound(Mode& mode) {
  std::vector<SelfCheck> named;
  for (SelfCheck& c : mode.selfChecks()) {
    if (!c.ok && !c.onPurpose)
      throw RunError("self-check '{}' failed after {} {}: {}", c.label, mode.info().stepName,
                     mode.step(), c.detail);
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

constexpr std::pair<int, const char*> kSignals[] = {{SIGINT, "Ctrl-C"},   {SIGTERM, "SIGTERM"},
                                                    {SIGHUP, "SIGHUP"},   {SIGUSR1, "SIGUSR1"},
                                                    {SIGUSR2, "SIGUSR2"}, {SIGXCPU, "SIGXCPU"}};

// clock_gettime() may be called in a handler (POSIX.1-2017, 2.4.3).
long milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<long>(now.tv_sec) * 1000 + now.tv_nsec / 1'000'000;
}

// write() may be called in a handler as well; errno belongs to what was interrupted.
void remember(int number) {
  if (pending == 0) {
    since = milliseconds();  // set first: another thread may receive the next signal immediately
    pending = number;
  }
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
  for (const auto& [number, name] : kSignals)
    install(number, number == SIGINT || number == SIGTERM ? rememberOrEnd : remember);
}

InterruptGuard::~InterruptGuard() {
  onSignal({});
  io::stopWaitingAt(nullptr);
  for (const auto& [number, name] : kSignals) install(number, SIG_DFL);
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

bool InterruptGuard::raised() const { return pending != 0; }

const char* InterruptGuard::name() const {
  for (const auto& [number, name] : kSignals)
    if (pending == number) return name;
  return "Ctrl-C";
}

}  // namespace cellscope::common
