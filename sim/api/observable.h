// Observables declared once; charts and published values stand in sim/base/curve_series.h.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope {

struct ObservableInfo {
  std::string id;        // CSV column and plot key
  std::string label;     // plot title
  std::string symbol;    // axis label, e.g. "P*"
  std::string unit;      // "" when dimensionless
  std::string equation;  // paper and equation, or definition
  std::string plot;      // observables with the same plot name share axes
  // Slow: moves on until the state is in equilibrium. Never true of what a run conserves.
  bool relaxes = false;
  bool whole = false;  // a count: ticks at whole numbers only
  // A sum over the run, or what goes on with time by its nature: it has a value now, and no mean.
  bool grows = false;
  bool isMean = false;  // grows: a mean over the run by itself, a result in equilibrium only
  friend bool operator==(const ObservableInfo&, const ObservableInfo&) = default;
};

// Of the mean of an observable without the approach to equilibrium.
struct MeanState {
  bool settled = false;  // it is a result
  double error = 0;
};

// Index of the observable with this id among all; their number when there is none.
inline std::size_t columnOf(const std::vector<ObservableInfo>& all, const std::string& id) {
  std::size_t k = 0;
  while (k < all.size() && all[k].id != id) ++k;
  return k;
}

}  // namespace cellscope
