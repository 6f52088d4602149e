// Shared by all studies of hard disks.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/reproduce/study.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

void declareSides(auto& v, auto& sides) {
  v("sides", 8, 8192, "Disks per side of the box: N is the square", sides);
}

// Test of equilibrium: runs started from a compressed fluid and from a crystal bracket the
// equilibrium state; they must agree with each other, and so must the two halves of each run.

// The series of an observable that the mode declares.
const ObservableSeries& seriesOf(const std::vector<ObservableSeries>& all, const std::string& id);
// Second minus first half of an average, in combined errors estimated from the second half (a drift
// would increase those of the whole run and of the first half); 0 below 32 samples.
double driftOf(const ObservableSeries& series);

// Averages of one run, with one standard error (block averages).
struct RunSummary {
  std::uint64_t sweeps = 0, samples = 0;
  Mean pressure;     // from free paths when they were measured, else from the contact fit
  Mean contact;      // by the fit near contact
  double drift = 0;  // second minus first half, of P* or |Psi6|, in combined errors; the larger one
};
RunSummary summaryOf(const Session& session);

struct StateResult {
  Mean fluid, crystal;       // NaN where that start was not asked for
  Mean coexistence;          // begun as two phases; instead of the other two
  double between = 0;        // fluid minus crystal in combined errors; NaN with one start
  double drift = 0;          // largest of all runs
  std::uint64_t sweeps = 0;  // fewest of all runs, averaged over
  Mean pressure;             // weighted mean of the starts
  Mean contact;              // the same of the fit near contact
  bool equilibrated = false;
  bool atRest = false;  // no sign of drift, but only one start
  std::string verdict;  // "yes", or the failed test

  bool known() const { return equilibrated || atRest; }  // whether P* can be compared
};

// Any list may be empty.
StateResult resultOf(const std::vector<RunSummary>& fluid, const std::vector<RunSummary>& crystal,
                     const std::vector<RunSummary>& coexistence = {});
// `a` minus `b`, for equal starts, so that a common drift cancels. NaN without a common start.
Mean difference(const StateResult& a, const StateResult& b);
// Columns and cells of a row: P* of each start, starts differ by, halves differ by, sweeps,
// equilibrated, P*, contact fit. `twoPhases`: the runs began as two phases.
Row columnsOfState(bool twoPhases);
Row cellsOf(const StateResult& r, bool twoPhases);

// States of hard disks, each measured by long runs from one or more starts.

// Initial states of runs: options of every study that measures states.
struct RunsOptions {
  std::int64_t seeds = 1, firstSeed = 1;  // runs per start, and the seed of the first
  std::int64_t together = 1;              // runs side by side
  Choice start{2};
  bool grow = false;  // new runs start from copies of smaller ones

  bool bothStarts() const { return start.index == 2; }
  bool twoPhases() const { return start.index == 3; }

  void visit(auto& v) {
    v("seeds", 1, 1000, "Independent runs of every state and start", seeds);
    v("first_seed", 1, 999000,
      "First seed: several machines can share a study, each with its own seeds", firstSeed);
    v("start", {"fluid", "crystal", "both", "coexistence"},
      "Initial states of the runs: fluid (compressed at random), crystal, or both, which "
      "bracket equilibrium; coexistence (a lattice in contact with liquid, between "
      "packing 0.700 and 0.716)",
      start);
    v("together", 1, 256,
      "Concurrent runs on one device: small systems leave a GPU idle, 12 of 256^2 disks fill it",
      together);
  }
};

// A state to be measured from all its starts.
struct State {
  std::string study, detail;  // with the size between them, the name of its checkpoints
  std::string label;          // for messages: "256^2, packing 0.698"
  std::int64_t side = 0;      // N = side^2
  double packing = 0;
  Settings more;
  std::uint64_t sampleEvery = 0;     // sweeps; 0: what suits the transition
  double equilibration = 1.0 / 3.0;  // share of the time of a new run

  std::int64_t n() const { return side * side; }
  std::string key(std::int64_t ofSide) const {
    return study + "-" + std::to_string(ofSide) + "-" + detail;
  }
};

// One result per state; the last call of a study has last = true.
using ShowResults = std::function<void(const std::vector<StateResult>&, bool last)>;

// Runs every start and seed of every state for StudyContext::minutes in all. A run with a
// checkpoint goes on, and begins its averages again when they drift (RunSummary::drift). With
// RunsOptions::grow a new run begins with copies of the largest smaller run, of the same packing,
// start and seed, that has a checkpoint and whose side divides its own. Throws RunError, after the
// last call of `show`, when a run failed or all were stopped, and InputError for starts that cannot
// be.
void measureStates(const std::vector<State>& states, const RunsOptions& o,
                   const StudyContext& context, const ShowResults& show);

// What a study makes of its results.
struct StatesTable {
  std::vector<Row> rows;
  std::vector<std::string> notes;  // below the table, once it is complete
  Verdicts verdicts;
};

// Measures all states and keeps the report up to date. Returns the exit code of the complete table,
// whose verdicts are its first note.
int reportStates(const std::vector<State>& states, const RunsOptions& o,
                 const StudyContext& context, const std::string& title, Row columns,
                 const std::function<StatesTable(const std::vector<StateResult>&)>& tableOf);

}  // namespace cellscope::reproduce
