// Geometry of one plot while it is drawn: ranges, axes, transforms.
#pragma once
#include "app/gui/plot.h"

namespace cellscope::gui {

struct PlotFrame {
  ImVec2 lo, hi;  // the drawing area without axes
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;

  float px(double x) const {
    return lo.x + static_cast<float>((x - x0) / (x1 - x0)) * (hi.x - lo.x);
  }
  float py(double y) const {
    return hi.y - static_cast<float>((y - y0) / (y1 - y0)) * (hi.y - lo.y);
  }
  double xAt(float pixel) const { return x0 + (x1 - x0) * (pixel - lo.x) / (hi.x - lo.x); }
  double yAt(float pixel) const { return y0 + (y1 - y0) * (hi.y - pixel) / (hi.y - lo.y); }
  bool contains(ImVec2 p) const { return p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y; }
};

// Ranges that show everything (y: inside the x range; of time series, unless `everything` is asked
// for, the trend and most of the scatter about it).
void fitX(const Plot& plot, double& lo, double& hi);
void fitY(const Plot& plot, double x0, double x1, double& lo, double& hi, bool everything = false);

// Below the drawing area: ticks, and the x label behind them or, if it is long, below them.
float axisHeight(Shell& shell, const Plot& plot, float width);
void drawAxes(Shell& shell, const Plot& plot, const PlotFrame& frame, const ImVec2& outerLo,
              const ImVec2& outerHi);
void drawSeries(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
void drawReferences(Shell& shell, const Plot& plot, const PlotFrame& frame);
// A point of a series.
void drawMarker(ImDrawList* list, int marker, ImVec2 at, float radius, ImU32 colour);
// Crosshair and values of every series at the mouse.
void drawReadout(Shell& shell, const Plot& plot, const PlotFrame& frame);
// Rows of the legend drawn under the plot; returns their height (also with draw = false).
float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw);
// Its words, entry by entry: labels with the sources of what was published.
std::vector<std::string> legendLabels(const Plot& plot);
// "E. P. Bernard and W. Krauth, Phys. Rev. Lett. 107, 155704 (2011)" -> "Bernard and Krauth 2011";
// the whole where no authors and year are found.
std::string shortSource(const std::string& source);

}  // namespace cellscope::gui
