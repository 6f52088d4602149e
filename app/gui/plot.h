// Line plots over ImDrawList: hover read-out, zoom, error bands, dashed references.
#pragma once
#include <imgui.h>

#include <span>
#include <string>
#include <vector>

#include "app/gui/shell.h"

namespace cellscope::gui {

// Views into the publication; valid while it is held.
struct PlotSeries {
  std::string label;
  std::span<const double> x, y, error;  // error empty: none
  ImU32 colour = 0;
  float opacity = 1;
  bool line = true;  // otherwise points, with error bars
  bool dashed = false;
  bool band = false;   // error as a band instead of bars
  bool broad = false;  // a broader line, to be seen under another one
  bool inReadout = true, inLegend = true;
  bool emphasis = false;  // points larger, with a rim
  std::string source;     // of published data, in the legend behind the label
  int marker = 0;         // of points: disk, square, triangle, diamond
};

struct PlotReference {
  std::string label;
  double value = 0, error = 0;
  ImU32 colour = 0;
};

struct Plot {
  std::string id, xLabel, yLabel;
  std::vector<PlotSeries> series;
  std::vector<PlotReference> references;
  double dimBefore = 0;  // x before this belongs to earlier averages
  bool dims = false;
  bool integerX = false;  // steps
  // x range shown at first; x0 > x1: all points. y then fits the values without their errors, as
  // those of young averages are larger than everything published.
  double focusX0 = 1, focusX1 = 0;
};

// Draw at the cursor. `shared`: the common step range, or null for an x axis of its own.
void drawPlot(Shell& shell, const Plot& plot, PlotZoom& zoom, StepRange* shared, ImVec2 size);

// All points as text with a header, after a comment line for each of `about`; series one after the
// other. Throws RunError.
void writePlotCsv(const std::string& path, const Plot& plot,
                  const std::vector<std::pair<std::string, std::string>>& about);

}  // namespace cellscope::gui
