// Observables declared once, curves, and published reference values to draw beside them.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

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
};

// Place of the observable with this id among all; their number when there is none.
inline std::size_t columnOf(const std::vector<ObservableInfo>& all, const std::string& id) {
  std::size_t k = 0;
  while (k < all.size() && all[k].id != id) ++k;
  return k;
}

// A published number valid for the current parameters.
struct ReferenceValue {
  std::string observable;  // ObservableInfo::id
  double value = 0;
  double error = 0;  // one standard error; 0 when unknown
  std::string source;
};

// y(x) with optional errors: g(r), an equation of state, a histogram.
struct CurveSeries {
  std::string label;
  std::string source;  // of published data; empty for our own
  std::vector<double> x, y, error;
  bool line = true;        // otherwise points
  bool reference = false;  // drawn dashed
};

struct Curve {
  std::string id, label;
  std::string xLabel, yLabel;
  std::string equation;
  std::vector<CurveSeries> series;
};

}  // namespace cellscope
