// Plots of observables against the step.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/gui/plot.h"
#include "app/gui/shell.h"

namespace cellscope::gui {

// Thinning of long series for plots.

// Indices of points that draw the same picture as all of them: per pixel column of [lo, hi] the
// first, lowest, highest and last point, in order, and one neighbour outside on each side.
// x rises (ties allowed); points whose y is not finite are left out.
std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, double lo,
                                  double hi, int columns);

// Index of the x nearest to `at` (x rises, not empty).
std::size_t nearestIndex(std::span<const double> x, double at);

// Grow [lo, hi] by the finite values. Start with lo > hi.
void extend(double& lo, double& hi, std::span<const double> values);

// How many values at the beginning are all alike; 0: the second one is another, or there is none.
std::size_t alikeAtFirst(std::span<const double> y);

// Where a line leaves [lo, hi] by more than 2 % of that: of each excursion the farthest value.
std::vector<std::size_t> farBeyond(std::span<const double> y, double lo, double hi);

// Scatter of the values around one of a series, from the differences of successive ones, so that a
// trend does not count; below 0 where all of them are whole; 0: unknown.
double scatterNear(std::span<const double> y, std::size_t index);

// Of an average: red while an experiment makes it wrong on purpose; a fault that is counted 0 times
// has not met it.
ImU32 inkOf(const Shell& shell, bool settled, const std::string& value);

struct Heading {
  std::string title, value;  // of the first observable
  bool errorKnown = true;    // otherwise a lower bound, marked by a plus
  bool settled = true;       // otherwise not yet a result: grey
  std::string explanation;   // which samples are averaged
  ImU32 ink(const Shell& shell) const { return inkOf(shell, settled, value); }
};

// Observables of one name share a plot.
std::string plotName(const ObservableInfo& info);

// Label of the axis that these observables share, at least one: what is common is said once.
std::string axisOf(const std::vector<ObservableInfo>& shown, int dimension);

// Each has a faint line of values, a running mean with its band, and its published values.
Plot timePlot(Shell& shell, const std::string& name, Heading& heading);

}  // namespace cellscope::gui
