// Charts over ImDrawList: lines, points, bars, steps; hover read-out, zoom, error bands, ghost
// marks.
#pragma once
#include <imgui.h>

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
  // Initial x range; x0 > x1: all points. y is then fitted to the values without errors, as errors
  // of short averages can exceed the range of published values.
  double focusX0 = 1, focusX1 = 0;
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

}  // namespace cellscope::gui
