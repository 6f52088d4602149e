// Shared by all studies of hard disks.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/reproduce/report.h"
#include "app/reproduce/study.h"
#include "sim/run/session.h"

namespace cellscope::reproduce {

// Declarations of options shared by several studies.
void declareSides(auto& v, auto& sides) {
  v("sides", 8, 8192, "Disks per side of the box: N is the square", sides);
}
void declarePackings(auto& v, auto& packings) {
  v("packings", 0.01, 0.9, "Packing fractions", packings);
}

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

// One run of hard disks.
struct DiskRun {
  std::string name;  // of its scenario
  std::int64_t n = 0;
  double packing = 0.698;
  Settings more;  // further parameters
  std::uint64_t sampleEvery = 100;
  std::string configuration;   // file to begin with; brings its own n and packing
  std::int64_t replicate = 1;  // copies of it along every axis
};
std::unique_ptr<Session> newSession(const DiskRun& run, const ExecConfig& exec,
                                    const ModeFactory& modes, WorkReport report = {});

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
  Mean pressure;      // from free paths when they were measured, else from the contact fit
  Mean contact, sdf;  // by the fits near contact
  Mean psi6;
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
  Mean contact, sdf;         // the same of the fits near contact
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

}  // namespace cellscope::reproduce
