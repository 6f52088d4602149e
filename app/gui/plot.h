// Charts over ImDrawList: lines, points, bars, steps; read-out, zoom, error bands, ghost marks.
#pragma once
#include "app/gui/widgets.h"

namespace cellscope::gui {

// Views into the publication; valid while it is held.
struct PlotSeries {
  std::string label;
  std::span<const double> x, y, error;  // as in CurveSeries; error empty: none
  ImU32 colour = 0;
  float opacity = 1;
  SeriesKind kind = SeriesKind::line;
  bool dashed = false;
  int rank = 0;  // among series that may coincide: a later one is broader and drawn beneath
  bool inReadout = true, inLegend = true;
  bool emphasis = false;  // points larger, with a rim
  std::string source;     // of published data, shown in the legend after the label
  int marker = 0;         // of points: disk, square, triangle, diamond
  bool hollow = false;    // ghost marks: published points
  bool upwards = false;   // as in CurveSeries
  std::string beside{};   // label of the bars that ghost marks belong to
  std::optional<std::size_t> highlight{};
  std::string highlightLabel{};
  // Samples of rare events, with gaps: what y views. They do not set its range.
  std::shared_ptr<const std::vector<double>> rare{};
  bool aside = false;  // another estimate of what is watched: does not set the range either
};

struct PlotReference {
  std::string label;
  double value = 0, error = 0;
  ImU32 colour = 0;
};

struct Plot {
  std::string id;
  CurveAxis x, y;
  std::vector<PlotSeries> series;
  std::vector<PlotReference> references;
  double dimBefore = 0;  // x before this belongs to earlier averages
  double changedAt = 0;  // x of the last change of a parameter
  bool dims = false;
  bool integerX = false;         // steps of a run
  bool bareX = false;            // the plot beneath has the same axis, with numbers
  std::vector<double> branches;  // x where the run was left for the present one
  bool equilibrated = true;      // otherwise no mean is to be relied on yet
  bool averages = false;         // shows means, which begin at dimBefore
  // Initial x range; none: all points. y is then fitted to the values without errors, as errors of
  // short averages can exceed the range of published values.
  AxisRange focus;
  std::string waiting{};  // stands in it while it is empty
  // Where a mark that was clicked stands, if it is wanted.
  struct Mark {
    double x, y;
  };
  std::optional<Mark>* clicked = nullptr;
  bool ofPanel = true;  // it has a page of its own for export
};

// A chart of the mode, or of a sweep; it views `curve`.
Plot curvePlot(Shell& shell, const Curve& curve);

// Draw at the cursor. `shared`: the common step range, or null for a separate x axis.
void drawPlot(Shell& shell, const Plot& plot, PlotZoom& zoom, StepRange* shared, ImVec2 size);
// Height that leaves 120 px at scale 1 for the curve, without the legend.
float leastHeight(Shell& shell, const Plot& plot, float width);

// Height in pixels, without legend, of a chart of named rows, or with these as close as they can
// be; 0 for other charts, which take any height.
float rowsHeight(Shell& shell, const Plot& plot, float width, bool tight = false);

// All points as CSV, series by series, after a comment line for each of `about`. Named axes are
// written as names; histograms have a further column with the upper bin edge. Throws RunError.
void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about);

// Indices of points that draw the same picture as all of them: per pixel column of [lo, hi] the
// first, lowest, highest and last point, in order, and one neighbour outside on each side.
// x rises (ties allowed); points whose y is not finite are left out.
std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, double lo,
                                  double hi, int columns);

// Index of the x nearest to `at` (x rises, not empty).
std::size_t nearestIndex(std::span<const double> x, double at);

// How many values at the beginning are all alike; 0: the second one is another, or there is none.
std::size_t alikeAtFirst(std::span<const double> y);

// Where a line leaves [lo, hi] by more than 2 % of that: of each excursion the farthest value.
std::vector<std::size_t> farBeyond(std::span<const double> y, double lo, double hi);

// Scatter of the values around one of a series, from the differences of successive ones, so that a
// trend does not count; below 0 where all of them are whole; 0: unknown.
double scatterNear(std::span<const double> y, std::size_t index);

// Of an average: red while an experiment makes it wrong; a fault counted 0 times has not met it.
ImU32 inkOf(const Shell& shell, bool settled, const std::string& value);

// Of a plot, with the average of its first observable; a chart has none.
struct Heading : Average {
  Heading() { settled = true; }
  std::string title, equation;
  ImU32 ink(const Shell& shell) const { return inkOf(shell, settled, value); }
};

// Observables of one name share a plot.
inline std::string plotName(const ObservableInfo& info) {
  return info.plot.empty() ? info.id : info.plot;
}
// Names of all plots: of observables, then of charts.
std::vector<std::string> plotsOf(const Publication& now);

// Label of the axis that these observables share, at least one: what is common is said once.
std::string axisOf(const std::vector<ObservableInfo>& shown, int dimension);

// Each has a faint line of values, a running mean with its band, and its published values.
Plot timePlot(Shell& shell, const std::string& name, Heading& heading);

// Coordinate along an axis: the value, or its decimal logarithm, minus infinity for 0 or less.
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
  // In the series.
  std::size_t index(std::size_t k) const { return index_.empty() ? k : index_[k]; }
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
// `everything`, the trend and most of the scatter). Of named rows, x is the axis of values.
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
// has the height of its number, `text`; they stand in the middle of a row that is made higher.
RowsLayout layoutRows(float width, float widestName, float widestNumber, std::size_t series,
                      float text);

// Number of a bar, with its error; otherwise, as a timing that was made once, with three digits.
// Where one of a chart has an exponent, all have. Half as uncertain as it is large, or more, a
// value has one digit at most: "~6", beside the bar that shows the rest; `whole`: all even then.
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

// The x at the mouse in another plot of the run: a line, and the value of the first series.
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
std::string baseId(const Plot& plot);                               // its own
std::string hiddenKey(const Plot& plot, const std::string& label);  // entry of Shell::hiddenSeries
// Legend under the plot: one line, or all lines once it is unfolded. A click on an entry hides its
// series. Returns its height (also with draw = false).
float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw);
// "E. P. Bernard and W. Krauth, Phys. Rev. Lett. 107, 155704 (2011)" -> "Bernard and Krauth 2011";
// the full text if no authors and year are found.
std::string shortSource(const std::string& source);

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
