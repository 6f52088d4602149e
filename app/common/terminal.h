// Output to the terminal, and how the program ends: exit codes, checks, a state that is kept,
// signals. A closed terminal or full disk never ends a run.
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "sim/api/mode.h"
#include "sim/base/error.h"
#include "sim/run/session.h"

namespace cellscope::common {

// Redirects closed standard streams to /dev/null: otherwise the next opened file would take their
// descriptor and receive messages.
void openStandardStreams();

// A reader that exits (head) or a file size limit (ulimit -f) must not end the program: writes
// return errors instead of raising SIGPIPE or SIGXFSZ.
void outliveOutputs();

// Escapes control characters (except tab and newline) and invalid UTF-8 bytes in text from users
// (titles, file names) as \x1b and the like, so that they cannot control the terminal.
std::string printable(const std::string& text);

enum class Tone { plain, warning };  // warnings are red where inRed() allows it

// Print a line of printable() text and flush.
void printLine(const std::string& line, Tone tone = Tone::plain);   // standard output
void printError(const std::string& line, Tone tone = Tone::plain);  // standard error
void put(const std::string& text);          // printable() text to standard output, without newline
void putOnStderr(const std::string& text);  // unchanged

// Error of writing to standard output; "" if none, or if the reader has exited.
std::string outputTrouble();

// Whether a path such as /dev/stdout refers to standard output (and is not /dev/null).
bool isStandardOutput(const std::string& path);

// Quotes the name if a shell needs it.
std::string forShell(const std::string& name);

// The line in red if the descriptor is a colour terminal and NO_COLOR is not set.
std::string inRed(const std::string& line, int descriptor);

// Columns of the terminal of a file descriptor; 0 if unknown or not a terminal.
int terminalColumns(int descriptor);

// Progress on stderr: one line rewritten in place on a terminal, plain lines otherwise.
class Progress {
 public:
  // steps, seconds: requested limits; 0 = none.
  Progress(std::uint64_t steps, double seconds, bool quiet);
  // During set-up, before begin(). A stage whose label begins with "Warning: " is shown at once.
  void setup(const Preparation& stage);
  void begin(double work);  // start of the run, with this Mode::work()
  void aimAt(std::uint64_t steps) { steps_ = steps; }
  // partOfStep: completed fraction of the current step, for long steps.
  void update(const Mode& mode, std::uint64_t firstStep, double partOfStep = 0);
  void finish();  // ends the line
  double elapsed() const;

 private:
  bool due();
  void show(const std::vector<std::string>& lines);
  std::vector<std::string> lines(const Mode& mode, std::uint64_t firstStep, double partOfStep);

  using Clock = std::chrono::steady_clock;
  std::uint64_t steps_;
  double seconds_;
  bool quiet_, terminal_, shown_ = false, warned_ = false;
  Clock::time_point start_ = Clock::now(), last_ = start_;
  Clock::time_point workTime_ = start_, rateTime_ = start_;  // of work_ and rateWork_
  double work_ = 0, rateWork_ = 0, rate_ = 0;
};

std::string duration(double seconds);  // "12 ms", "0.35 s", "12 s", "3 min 05 s", "2 h 14 min"

// The first of `lines` that fits into `columns` (0: any), otherwise the last one truncated. A
// wrapped line could not be rewritten in place.
std::string fitting(const std::vector<std::string>& lines, int columns);

inline constexpr int kDone = 0, kFailed = 1, kBadInput = 2;
// Stopped in order before the goal was reached, and can be resumed. As in HTCondor's examples of
// jobs that checkpoint themselves.
inline constexpr int kStopped = 85;
class Stopped : public RunError {
  using RunError::RunError;
};

// Runs all self-checks of a mode, between two steps. Throws RunError naming the first failed check
// and the step. Returned are failures explained by an experiment (SelfCheck::onPurpose), and
// warnings.
std::vector<SelfCheck> requireSound(Mode& mode);

// Folder for temporary files: TMPDIR if it is a folder, otherwise /tmp.
std::string temporaryFolder();

// Saves the session in `folder`, or in the temporary folder if that is not writable, as
// SCENARIO.checkpoint, SCENARIO-2.checkpoint and so on, never over an existing checkpoint. Errors
// are printed. `mark` is appended to SCENARIO. Returns the path, "" if it could not be saved.
std::string keepState(Session& session, const std::string& folder, const std::string& mark = "");

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

  bool raised() const;
  const char* name() const;  // "Ctrl-C", "SIGTERM"
  // For a loop that sleeps: `wake` is called after every signal, on a thread of its own, which
  // sleeps until then. An empty one, or the guard's end, ends that. May be called again.
  void onSignal(std::function<void()> wake);

 private:
  std::thread watcher_;
};

}  // namespace cellscope::common
