// Geometry of one plot while it is drawn: ranges, axes, transforms.
#pragma once
#include <algorithm>

#include "app/gui/plot_axis.h"

namespace cellscope::gui {

struct PlotFrame {
  ImVec2 lo, hi;  // the drawing area without axes
  // Ranges in axis coordinates: decimal logarithms on a logarithmic axis.
  double x0 = 0, x1 = 1, y0 = 0, y1 = 1;
  AxisScale xScale = AxisScale::linear, yScale = AxisScale::linear;

  // Axis coordinates to pixels and back; values far outside are clamped outside the plot.
  float px(double x) const { return lo.x + share(x, x0, x1) * (hi.x - lo.x); }
  float py(double y) const { return hi.y - share(y, y0, y1) * (hi.y - lo.y); }
  double xAt(float pixel) const { return x0 + (x1 - x0) * (pixel - lo.x) / (hi.x - lo.x); }
  double yAt(float pixel) const { return y0 + (y1 - y0) * (hi.y - pixel) / (hi.y - lo.y); }
  bool contains(ImVec2 p) const { return p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y; }
  // Base line of bars and steps: 0, or the lower end.
  float baseY() const {
    return std::clamp(py(yScale == AxisScale::logarithmic ? y0 : 0), lo.y, hi.y);
  }

 private:
  static float share(double v, double from, double to) {
    return static_cast<float>(std::clamp((v - from) / (to - from), -100.0, 100.0));
  }
};

// Ranges in axis coordinates that show all data (y: inside the x range; for time series without
// `everything`, the trend and most of the scatter). For charts of named rows, x is the axis of
// values.
void fitX(const Plot& plot, double& lo, double& hi);
void fitY(const Plot& plot, double x0, double x1, double& lo, double& hi, bool everything = false);

bool isEmpty(const Plot& plot);
// Below the drawing area: ticks, and the label beside them or, if it is long, below them.
float axisHeight(Shell& shell, const Plot& plot, float width);
void drawLowerAxis(Shell& shell, const Plot& plot, const PlotFrame& frame);
void drawLeftAxis(Shell& shell, const Plot& plot, const PlotFrame& frame);
// y label above the drawing area; message inside it if there are no data or some are hidden.
void drawTopLabel(Shell& shell, const std::string& label, const PlotFrame& frame, ImVec2 at);
void drawNotes(Shell& shell, const Plot& plot, const PlotFrame& frame);

void drawSeries(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
// All bar series of a plot, side by side; and a histogram.
void drawBars(Shell& shell, const Plot& plot, const PlotFrame& frame);
void drawSteps(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
void drawReferences(Shell& shell, const Plot& plot, const PlotFrame& frame);
// Names as rows with bars and points; `frame` is the area of the bars.
PlotFrame rowsFrame(Shell& shell, const Plot& plot, ImVec2 at, ImVec2 size);
void drawRows(Shell& shell, const Plot& plot, const PlotFrame& frame, ImVec2 at, float width);
// The values of the row at the mouse.
void drawRowsReadout(Shell& shell, const Plot& plot, const PlotFrame& frame, ImVec2 at,
                     float width);

// A polyline in the style of the series: dashed or solid, broader with its rank; dashes of
// coinciding series alternate.
void strokeSeries(Shell& shell, const PlotSeries& series, std::span<const ImVec2> line);
// A point of a series, filled or hollow.
void drawMarker(ImDrawList* list, int marker, ImVec2 at, float radius, ImU32 colour,
                float hollow = 0);
// Colour and opacity of bar `i`: all but the highlighted one are dimmed.
ImU32 barColour(const PlotSeries& series, std::size_t i);

// Crosshair and values of every series at the mouse.
void drawReadout(Shell& shell, const Plot& plot, const PlotFrame& frame);
struct ReadoutRow {
  std::string label, value;
  ImU32 colour;
};
// Tooltip with these rows, below or above the plot.
void drawReadoutTable(Shell& shell, const PlotFrame& frame, const std::string& where,
                      const std::vector<ReadoutRow>& rows);

// Id of a plot that is shown enlarged as well: this, and its own.
inline const std::string kLarge = "large:";
// Entry of Shell::hiddenSeries.
std::string hiddenKey(const Plot& plot, const std::string& label);
// Legend under the plot: one line, or all lines once it is unfolded. A click on an entry hides its
// series. Returns its height (also with draw = false).
float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw);
// Texts of the legend entries: labels, with sources of published data.
std::vector<std::string> legendLabels(const Plot& plot);
// "E. P. Bernard and W. Krauth, Phys. Rev. Lett. 107, 155704 (2011)" -> "Bernard and Krauth 2011";
// the full text if no authors and year are found.
std::string shortSource(const std::string& source);

}  // namespace cellscope::gui
