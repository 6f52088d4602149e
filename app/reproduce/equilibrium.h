// Is a state in equilibrium? Runs that begin as a compressed fluid and as a crystal bracket it:
// they must agree with each other, and the two halves of each run with one another.
#pragma once
#include "app/reproduce/reproduce.h"

namespace cellscope::reproduce {

struct Mean {
  double value = 0, error = 0;
};

// Averages of one run, with one standard error (block averages).
struct RunSummary {
  std::uint64_t sweeps = 0, samples = 0;
  Mean pressure;      // from free paths when they were measured, else from the contact fit
  Mean contact, sdf;  // by the fits near contact
  Mean psi6;
  double drift = 0;  // second minus first half, of P* or |Psi6|, in combined errors; the larger one
};
RunSummary summaryOf(const Session& session);
// Second minus first half of an average, in combined errors as the second half knows them (a drift
// is in those of the whole run, and most of it in those of the first half); 0 below 32 samples.
double driftOf(const ObservableSeries& series);

// Weighted by the errors; a NaN counts as missing.
Mean weighted(const Mean& a, const Mean& b);

struct StateResult {
  Mean fluid, crystal;       // NaN where that start was not asked for
  Mean coexistence;          // begun as two phases; instead of the other two
  double between = 0;        // fluid minus crystal in combined errors; NaN with one start
  double drift = 0;          // largest of all runs
  std::uint64_t sweeps = 0;  // fewest of all runs, averaged over
  Mean pressure;             // weighted mean of the starts
  Mean contact, sdf;         // the same of the fits near contact
  bool equilibrated = false;
  bool settled = false;  // nothing speaks against equilibrium, but there is one start only
  std::string verdict;   // "yes", or what speaks against it

  bool known() const { return equilibrated || settled; }  // whether P* is worth comparing
};

// Any list may be empty.
StateResult resultOf(const std::vector<RunSummary>& fluid, const std::vector<RunSummary>& crystal,
                     const std::vector<RunSummary>& coexistence = {});
// `a` minus `b`, start by start: what both still drift is not in it. NaN without a common start.
Mean difference(const StateResult& a, const StateResult& b);
// Cells of a row: P* of each start (Options::start), starts differ by, halves differ by, sweeps,
// equilibrated, P*, contact fit.
std::vector<std::string> columnsOfState(const std::string& start);
std::vector<std::string> cellsOf(const StateResult& r, const std::string& start);

}  // namespace cellscope::reproduce
