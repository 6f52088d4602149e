// Values on linear and logarithmic axes of a plot; its geometry while it is drawn.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "app/gui/plot.h"

namespace cellscope::gui {

// Coordinate along an axis: the value or, on a logarithmic axis, its decimal logarithm; minus
// infinity for 0 or less.
double toAxis(AxisScale scale, double value);
double fromAxis(AxisScale scale, double coordinate);

// A line, points or bars in axis coordinates, without the values that logarithmic axes cannot show.
// Views the series, which must outlive it.
class OnAxes {
 public:
  OnAxes(const PlotSeries& series, AxisScale x, AxisScale y);

  std::size_t size() const { return x_.size(); }
  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }
  std::size_t index(std::size_t k) const {
    return index_.empty() ? k : index_[k];
  }  // in the series
  bool hasError(std::size_t k) const;
  // Ends of the error in axis coordinates; `low` is minus infinity where it reaches 0 or less.
  double low(std::size_t k) const { return end(k, -1); }
  double high(std::size_t k) const { return end(k, 1); }

 private:
  double end(std::size_t k, int sign) const;

  const PlotSeries* series_;
  AxisScale yScale_;
  std::vector<double> ownX_, ownY_;  // where an axis is logarithmic
  std::vector<std::size_t> index_;
  std::span<const double> x_, y_;
};

// Values of 0 or less that the logarithmic axes of the plot leave out.
std::size_t countNotShown(const Plot& plot);

// Quantity on the lower axis: y for charts of named rows.
const CurveAxis& lowerAxis(const Plot& plot);

// Width of a bar's slot in axis coordinates: the least distance of neighbouring bars; 0: no bars.
double barSlot(const Plot& plot);

struct PlotFrame {
  ImVec2 lo, hi;  // the drawing area without axes
  // Ranges in axis coordinates: decimal logarithms on a logarithmic axis.
  AxisRange x{0, 1}, y{0, 1};
  AxisRange goalY{0, 1};  // where the range of y moves to
  AxisScale xScale = AxisScale::linear, yScale = AxisScale::linear;
  bool labelBelow = false;  // that of the lower axis, below its ticks

  // Axis coordinates to pixels and back; values far outside are clamped outside the plot.
  float px(double at) const { return lo.x + share(at, x) * (hi.x - lo.x); }
  float py(double at) const { return hi.y - share(at, y) * (hi.y - lo.y); }
  double xAt(float pixel) const { return x.lo + x.length() * (pixel - lo.x) / (hi.x - lo.x); }
  double yAt(float pixel) const { return y.lo + y.length() * (hi.y - pixel) / (hi.y - lo.y); }
  bool contains(ImVec2 p) const { return p.x >= lo.x && p.x <= hi.x && p.y >= lo.y && p.y <= hi.y; }
  // Base line of bars and steps: 0, or the lower end.
  float baseY() const {
    return std::clamp(py(yScale == AxisScale::logarithmic ? y.lo : 0), lo.y, hi.y);
  }

 private:
  static float share(double at, AxisRange range) {
    return static_cast<float>(std::clamp((at - range.lo) / range.length(), -100.0, 100.0));
  }
};

// Ranges in axis coordinates that show all data (y: inside the x range; for time series without
// `everything`, the trend and most of the scatter). For charts of named rows, x is the axis of
// values.
AxisRange fitX(const Plot& plot);
AxisRange fitY(const Plot& plot, AxisRange x, bool everything = false);

bool isEmpty(const Plot& plot);
inline bool has(const Plot& plot, SeriesKind kind) {
  return std::ranges::count(plot.series, kind, &PlotSeries::kind) > 0;
}
// Below the drawing area: ticks, and the label beside them or, if it is long, below them.
float axisHeight(Shell& shell, const Plot& plot, float width);
void takeLowerAxis(Shell& shell, const Plot& plot, PlotFrame& frame);  // from the drawing area
// Left of the drawing area: kLeftAxis pixels at scale 1, and more where labels are longer.
inline constexpr float kLeftAxis = 52;
void widenLeftAxis(Shell& shell, const Plot& plot, PlotFrame& frame);
void drawLowerAxis(Shell& shell, const Plot& plot, const PlotFrame& frame);
void drawLeftAxis(Shell& shell, const Plot& plot, const PlotFrame& frame);
// y label and, at the right, a note logged by id, above the drawing area; message inside it if
// there are no data or some are hidden.
void drawTopLabel(Shell& shell, const std::string& label, const PlotFrame& frame, ImVec2 at,
                  const std::string& id, const std::string& note);
void drawNotes(Shell& shell, const Plot& plot, const PlotFrame& frame);

void drawSeries(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
// Arrows at the edges where a line leaves the frame far; whether there are any.
bool drawBeyond(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
// All bar series of a plot, side by side; and a histogram.
void drawBars(Shell& shell, const Plot& plot, const PlotFrame& frame);
void drawSteps(Shell& shell, const PlotSeries& series, const PlotFrame& frame);
void drawReferences(Shell& shell, const Plot& plot, const PlotFrame& frame);
// Layout of names, bars and numbers of a chart of rows, in pixels.
struct RowsLayout {
  float names = 0, numbers = 0;  // widths of the columns left and right of the bars
  float row = 0, bar = 0;        // heights
  float least = 0;               // of a row with the lines of its name
  std::size_t bars = 1;          // in a row

  // The same with rows of this height, whose bars grow up to twice theirs.
  RowsLayout stretched(float to) const;
  // Middle of a bar below the top of the first row; `series` counts those with numbers.
  float middle(std::size_t row, std::size_t series) const;
};

// Names get up to two fifths of the width, bars at least 30 %. Each of the `series` bars of a row
// has the height of its number, `text`. The bars of a row stand in its middle where it is made
// higher.
RowsLayout layoutRows(float width, float widestName, float widestNumber, std::size_t series,
                      float text);

// Number of a bar, with its error; otherwise, as a timing that was made once, with three digits.
// Where one of a chart has an exponent, all have. Half as uncertain as it is large, or more, a
// value is known to one digit at most: "~6", beside the bar that shows the rest; `whole`: even
// then.
std::string rowNumber(const Plot& plot, const PlotSeries& s, std::size_t i, bool whole = false);

// Names as rows with bars and points; `frame` is the area of the bars.
PlotFrame rowsFrame(Shell& shell, const Plot& plot, ImVec2 at, ImVec2 size);
void drawRows(Shell& shell, const Plot& plot, const PlotFrame& frame, ImVec2 at, float width);
// The values of the row at the mouse.
void drawRowsReadout(Shell& shell, const Plot& plot, const PlotFrame& frame, ImVec2 at,
                     float width);

// A point of a series, filled or hollow.
void drawMarker(int marker, ImVec2 at, float radius, ImU32 colour, float hollow = 0);
// Colour and opacity of bar `i`: all but the highlighted one are dimmed.
ImU32 barColour(const PlotSeries& series, std::size_t i);

// The same x as where the mouse is in another plot of the run: a line, and the value of the first
// series.
void drawLinked(Shell& shell, const Plot& plot, const PlotFrame& f, double x);
// Crosshair and values of every series at the mouse; the x of the crosshair.
double drawReadout(Shell& shell, const Plot& plot, const PlotFrame& frame);
struct ReadoutRow {
  std::string label, value;
  ImU32 colour;
};
// Tooltip with these rows, below or above the plot.
void drawReadoutTable(Shell& shell, const PlotFrame& frame, const std::string& where,
                      const std::vector<ReadoutRow>& rows);

// Id of a plot that is shown enlarged as well: this, and its own.
inline const std::string kLarge = "large:";
std::string baseId(const Plot& plot);  // its own
// Entry of Shell::hiddenSeries.
std::string hiddenKey(const Plot& plot, const std::string& label);
// Legend under the plot: one line, or all lines once it is unfolded. A click on an entry hides its
// series. Returns its height (also with draw = false).
float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw);
// "E. P. Bernard and W. Krauth, Phys. Rev. Lett. 107, 155704 (2011)" -> "Bernard and Krauth 2011";
// the full text if no authors and year are found.
std::string shortSource(const std::string& source);

// Entries of a legend.

enum class Swatch { line, dashes, marker, ring, bar, steps, winner, none };

struct LegendItem {
  std::string label;
  ImU32 colour;
  Swatch swatch;
  int marker = 0;
  std::size_t group = 0;  // 0: none
  std::string series;     // label of the series that a click hides; "": none
  bool published = false;
  bool inSight = true;  // in the part that the plot shows
  ImVec2 at{}, size{};  // once it is placed, from the upper left corner of the legend
};

// brief: sources by authors and year; of several observables what tells one from another, once.
std::vector<LegendItem> legendItems(const Plot& plot, bool brief);

// Which entries a folded legend keeps first: 0: our first one and bars, 1: in sight what is
// published, and marks and dashes, 2: the others.
int foldRank(const std::vector<LegendItem>& all, std::size_t index);

}  // namespace cellscope::gui
