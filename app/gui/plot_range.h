// Ranges of plot axes that move smoothly, and the part of a published curve that is shown.
#pragma once
#include <optional>

#include "sim/api/observable.h"

namespace cellscope::gui {

// Range of an axis, animated towards its target.
struct AxisRange {
  double lo = 0, hi = 0;  // lo == hi: nothing was shown yet

  // Moves towards [wantedLo, wantedHi]; jumps there the first time.
  void follow(double wantedLo, double wantedHi, double seconds);
};

// x range of a curve with published series: a window around `place`, the x of our own points,
// narrow enough to separate neighbouring points, whatever they are; if it is unknown, about our own
// points, or the whole published range before the first one, and in any case with published lines
// of two points, which mark something. lo > hi: no restriction (nothing published, histograms,
// bars, axes that are not linear).
struct CurveFocus {
  double lo = 1, hi = 0;
};
CurveFocus focusOf(const Curve& curve, std::optional<double> place);
// The same, extended to include our own points.
CurveFocus withOwnPoints(CurveFocus focus, const Curve& curve);

// Zoom of one plot. Time plots take x from Shell::steps.
struct PlotZoom {
  bool fitX = true, fitY = true;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;  // in axis coordinates, as the ranges shown
  AxisRange shownX, shownY;
  std::optional<AxisScale> scale;   // of the values, where another one was chosen
  std::optional<CurveFocus> focus;  // chosen when the plot is first drawn
};

}  // namespace cellscope::gui
