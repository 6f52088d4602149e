// Ranges of plot axes that move smoothly, and the part of a published curve that is shown.
#pragma once
#include <optional>

#include "sim/api/observable.h"

namespace cellscope::gui {

// What an axis shows. It eases to what it should show, so that a plot never jumps.
struct AxisRange {
  double lo = 0, hi = 0;  // lo == hi: nothing was shown yet

  // Come nearer to [wantedLo, wantedHi]; at once when nothing was shown yet.
  void follow(double wantedLo, double wantedHi, double seconds);
};

// x range of a curve with published series: around `place`, where our own points will come to lie,
// so that neighbouring points can be told apart; the whole published range when the place is not
// known. Does not depend on our own points. lo > hi: nothing is published, or all is
// shown: histograms, bars, axes that are not linear.
struct CurveFocus {
  double lo = 1, hi = 0;
};
CurveFocus focusOf(const Curve& curve, std::optional<double> place);
// The same wide enough for our own points, wherever they are.
CurveFocus withOwnPoints(CurveFocus focus, const Curve& curve);

// Zoom of one plot. Time plots take x from Shell::steps.
struct PlotZoom {
  bool fitX = true, fitY = true;
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;  // in axis coordinates, as the ranges shown
  AxisRange shownX, shownY;
  std::optional<CurveFocus> focus;  // chosen when the plot is first drawn
};

}  // namespace cellscope::gui
