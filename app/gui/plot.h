// Charts over ImDrawList: lines, points, bars, steps; hover read-out, zoom, error bands, ghost
// marks.
#pragma once
#include <imgui.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/gui/shell.h"

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

// All points as CSV, one series after the other, after a comment line for each of `about`. Named
// axes are written as names; histograms have a further column with the upper bin edge. Throws
// RunError.
void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about);

// Thinning of long series for plots.

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

// Of an average: red while an experiment makes it wrong on purpose; a fault that is counted 0 times
// has not met it.
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

}  // namespace cellscope::gui
