// Charts: series of values y(x) on described axes, and published values to draw beside them.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace cellscope {

// A published number valid for the current parameters.
struct ReferenceValue {
  std::string observable;  // ObservableInfo::id
  double value = 0;
  double error = 0;  // one standard error; 0 when unknown
  std::string source;
};

enum class SeriesKind {
  line,    // errors as a band
  points,  // errors as bars
  bars,    // each carries its number; series over the same axis stand side by side
  steps,   // a histogram: y[i] between x[i] and x[i + 1], so that x has one value more than y
};

// y(x) with optional errors: g(r), an equation of state, a histogram, the times of a race.
struct CurveSeries {
  std::string label;
  std::string source;            // of published data; empty for our own
  std::vector<double> x{}, y{};  // x of lines and steps rises; on a named axis it is the index
  std::vector<double> error{};   // one standard error, or the spread that the label names; or empty
  SeriesKind kind = SeriesKind::line;
  // Published: lines are dashed; points are ghost marks (hollow), over bars as well.
  bool reference = false;
  // Our own, still with the approach to equilibrium: points are hollow, lines and histograms pale.
  bool provisional = false;
  bool upwards = false;  // errors reach upwards only, as from the shortest time to the middle one
  std::string beside{};  // of ghost marks over several bars: the label of theirs
  std::optional<std::size_t> highlight{};  // index of the value that stands out: the winner
  std::string highlightLabel{};            // for the legend: "fastest, kept", or why none

  void add(double atX, double value, std::optional<double> itsError = {}) {
    x.push_back(atX), y.push_back(value);
    if (itsError) error.push_back(*itsError);
  }
};

enum class AxisScale {
  linear,
  logarithmic,  // values of 0 or less cannot be shown; the plot gives their number
  named,        // of x only, for bars and points: x = 0, 1, ... are names, drawn as rows
};

struct CurveAxis {
  std::string label;  // quantity and unit
  AxisScale scale = AxisScale::linear;
  std::vector<std::string> names{};  // of a named axis
  bool whole = false;                // counts: ticks at whole numbers only
};

struct Curve {
  std::string id, label;
  CurveAxis x, y;
  std::string equation;
  std::vector<CurveSeries> series{};
  std::string waiting{};  // stands in an empty chart: what is to come, and when
};

}  // namespace cellscope
