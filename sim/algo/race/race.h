// A race: candidates that do the same work are timed in interleaved rounds on the current state;
// the one with the smallest median time is kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

// One way to do the work: a thread mapping, a force method, a number of threads per particle, a
// buffer.
struct RaceCandidate {
  std::string name;
  std::function<void()> prepare;  // selects the candidate; not timed
  // `batch` units of work, complete on return (including GPU work). Either steps of the run,
  // where all candidates give the same trajectory, or work on scratch memory that is repeated
  // without changing the state.
  std::function<void(std::uint64_t batch)> run;
  // Units of work of the last run(), where it cannot make exactly `batch`; empty: it does.
  std::function<double()> done = nullptr;
};

struct RaceRules {
  std::uint64_t batch = 16;  // units of work that are timed together
  std::size_t rounds = 5;    // batches of each candidate that count
  std::size_t warmUps = 1;   // uncounted batches of each before them
  bool alone = false;        // a single candidate is timed as well
  // Shorter batches, on scratch memory only, are repeated for this many seconds. The shortest time
  // counts: other programs make times longer, short ones most.
  double again = 0;
};

// Monotonic clock, seconds.
using RaceClock = std::function<double()>;
double steadySeconds();

struct RaceResult {
  std::string name;
  double median = 0;  // seconds per unit of work
  double spread = 0;  // median absolute deviation from it
  double least = 0;   // the shortest: of the rounds that other programs disturbed least
};

// How far one candidate has come.
struct RaceStanding {
  RaceResult result;       // of the rounds so far; 0 before the first
  std::size_t rounds = 0;  // timed rounds that count,
  std::size_t of = 0;      // of this number
  bool next = false;       // it is timed now
  bool timed() const { return rounds > 0; }
  // Its name and, while the race is running, what is known of it.
  std::string inWords(const std::string& name) const;
  std::string inWords() const { return inWords(result.name); }
};

class Race {
 public:
  explicit Race(RaceRules rules = {}, RaceClock clock = steadySeconds);

  // Clears the results and starts with these candidates; prepares the first one. Without any
  // nothing is timed. A single one wins, and is timed only if RaceRules::alone.
  void begin(std::vector<RaceCandidate> candidates);
  bool running() const { return turn_ < (rules_.warmUps + rules_.rounds) * candidates_.size(); }

  // Share of the batches that are done, uncounted ones as well.
  double progress() const {
    const double all = static_cast<double>((rules_.warmUps + rules_.rounds) * candidates_.size());
    return running() ? static_cast<double>(turn_) / all : 1.0;
  }

  // Times at most `most` units of work of the next candidate; returns the number done. A batch cut
  // short continues in the next call and counts once it is whole. The last batch ends with the
  // winner prepared. Only while running(). After an exception the batch starts again with
  // prepare().
  std::uint64_t advance(std::uint64_t most);
  // All batches at once, for work on scratch memory.
  void finish() {
    while (running()) advance(rules_.batch);
  }

  // After the end, one result per candidate, in order; otherwise, or without a choice, empty.
  const std::vector<RaceResult>& results() const { return results_; }
  // One per candidate, in order: while it is running as well; none without a choice.
  std::vector<RaceStanding> standings() const;
  // Index of the winner. Only after the end, with at least one candidate.
  std::size_t winner() const;

 private:
  RaceResult resultOf(std::size_t candidate) const;
  double shortest(const RaceCandidate& candidate, double seconds) const;

  RaceRules rules_;
  RaceClock clock_;
  std::vector<RaceCandidate> candidates_;
  std::vector<std::vector<double>> seconds_;  // per unit of work: [candidate][counted batch]
  std::size_t turn_ = 0;                      // batches done; determines the next candidate
  bool prepared_ = false;                     // the next candidate
  struct Part {
    std::uint64_t units = 0;
    double work = 0, seconds = 0;
  } part_;  // of its batch so far
  std::vector<RaceResult> results_;
};

// For the label of bars: how much longer than the shortest time the usual one is, where that is
// more than a tenth, as it is while other programs run; "": it is not.
std::string busyWords(double longest);
std::string busyWords(const std::vector<RaceStanding>& standings);

// After the label of the winner, where a race is over without a clear one.
inline constexpr const char* kTooClose = ": too close to tell";

// Index of the shortest of times, where it leads by more than they vary. shortest: the times are
// the shortest of several, and spreads reach upwards: only the leader's counts.
std::optional<std::size_t> clearWinner(const std::vector<double>& times,
                                       const std::vector<double>& spreads, bool shortest = false);

// Labels of a chart: both axes and the equation.
struct RaceWords {
  std::string id, label, candidates, rate, equation;
  std::string winner = "fastest, kept";
};
// Work done per second by each candidate, as bars with their spread; after the end the winner is
// highlighted. Before it the bars are those so far, and candidates without one are named.
// workPerUnit: of a unit of work of the race (moves of a sweep).
Curve raceCurve(const Race& race, const RaceWords& words, double workPerUnit);

// Middle value; of an even number the mean of the middle two. At least one value.
double medianOf(std::vector<double> values);

}  // namespace cellscope
