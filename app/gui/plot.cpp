#include "app/gui/plot.h"

#include <algorithm>
#include <cmath>

#include "app/gui/plot_frame.h"
#include "app/gui/screenshot.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// Start of a drag in a plot; only one plot is dragged at a time.
struct Drag {
  std::string plot;
  ImVec2 from;
};
Drag& drag() {
  static Drag d;
  return d;
}

void applyZoom(const Plot& plot, PlotZoom& zoom, StepRange* shared, double seconds,
               PlotFrame& frame) {
  if (shared ? shared->fit : zoom.fitX) {
    fitX(plot, frame.x0, frame.x1);
  } else {
    frame.x0 = shared ? shared->lo : zoom.x0;
    frame.x1 = shared ? shared->hi : zoom.x1;
  }
  if (zoom.fitY) {
    fitY(plot, frame.x0, frame.x1, frame.y0, frame.y1);
  } else {
    frame.y0 = zoom.y0;
    frame.y1 = zoom.y1;
  }
  // The upper end follows the newest step at once; other range changes are animated.
  if (!shared) {
    zoom.shownX.follow(frame.x0, frame.x1, seconds);
    frame.x0 = zoom.shownX.lo, frame.x1 = zoom.shownX.hi;
  }
  zoom.shownY.follow(frame.y0, frame.y1, seconds);
  frame.y0 = zoom.shownY.lo, frame.y1 = zoom.shownY.hi;
}

// Zooms to the dragged rectangle, only along the axes dragged far enough.
void zoomTo(Shell& shell, const PlotFrame& frame, ImVec2 a, ImVec2 b, PlotZoom& zoom,
            StepRange* shared) {
  const float least = shell.px(8);
  if (std::abs(a.x - b.x) >= least) {
    const double x0 = frame.xAt(std::min(a.x, b.x)), x1 = frame.xAt(std::max(a.x, b.x));
    if (shared) {
      *shared = {false, x0, x1};
    } else {
      zoom.fitX = false, zoom.x0 = x0, zoom.x1 = x1;
    }
  }
  if (std::abs(a.y - b.y) >= least * 2) {
    zoom.fitY = false;
    zoom.y0 = frame.yAt(std::max(a.y, b.y));
    zoom.y1 = frame.yAt(std::min(a.y, b.y));
  }
  shell.log->write("plot-zoom");
}

void mouse(Shell& shell, const Plot& plot, const PlotFrame& frame, PlotZoom& zoom,
           StepRange* shared) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered && ImGui::IsMouseDoubleClicked(0)) {
    zoom.fitX = zoom.fitY = true;
    if (shared) *shared = {};
    drag().plot.clear();
    shell.log->write("plot-fit", plot.id);
    return;
  }
  if (hovered && ImGui::IsMouseClicked(0) && frame.contains(io.MousePos)) {
    drag() = {plot.id, io.MousePos};
  }
  if (drag().plot != plot.id) return;
  const ImVec2 a = drag().from;
  const ImVec2 b(std::clamp(io.MousePos.x, frame.lo.x, frame.hi.x),
                 std::clamp(io.MousePos.y, frame.lo.y, frame.hi.y));
  const bool rows = plot.x.scale == AxisScale::named;
  const bool both = !rows && std::abs(a.y - b.y) >= shell.px(16);
  if (ImGui::IsMouseDown(0)) {
    const ImVec2 lo(std::min(a.x, b.x), both ? std::min(a.y, b.y) : frame.lo.y);
    const ImVec2 hi(std::max(a.x, b.x), both ? std::max(a.y, b.y) : frame.hi.y);
    ImGui::GetWindowDrawList()->AddRectFilled(lo, hi, withAlpha(shell.colours->accent, 0.2f));
  } else {
    if (std::abs(a.x - b.x) >= shell.px(8) || both)
      zoomTo(shell, frame, a, ImVec2(b.x, rows ? a.y : b.y), zoom, shared);
    drag().plot.clear();
  }
}

void exportMenu(Shell& shell, const Plot& plot, const PlotFrame& frame, PlotZoom& zoom, ImVec2 lo,
                ImVec2 hi) {
  if (!beginContextMenu(shell, ("export:" + plot.id).c_str())) return;
  if (plot.focusX0 < plot.focusX1 && ImGui::MenuItem("Show whole curve")) {
    Plot whole = plot;
    whole.focusX0 = 1, whole.focusX1 = 0;
    zoom.fitX = false;
    zoom.fitY = true;
    fitX(whole, zoom.x0, zoom.x1);
  }
  if (plot.integerX && ImGui::MenuItem("Show all values")) {
    zoom.fitY = false;
    fitY(plot, frame.x0, frame.x1, zoom.y0, zoom.y1, true);
  }
  shell.log->item("menu:all");
  if (ImGui::MenuItem("Save values as CSV")) {
    const std::string path = shell.outputPath(plot.id, ".csv");
    try {
      writePlotCsv(path, plot, describe(*shell.now));
      shell.say(Severity::info, "Saved the values to " + path + ".");
      shell.log->write("csv", path);
    } catch (const RunError& error) {
      shell.say(Severity::error, error.what());
    }
  }
  shell.log->item("menu:csv");
  if (ImGui::MenuItem("Save picture as PNG")) {
    shell.after.partPicture = shell.outputPath(plot.id, ".png");
    shell.after.partLo = lo;
    shell.after.partHi = hi;
    shell.after.framesLeft = 3;
  }
  shell.log->item("menu:png");
  endContextMenu();
}

void drawData(Shell& shell, const Plot& plot, const PlotFrame& frame) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(frame.lo, frame.hi, true);
  drawReferences(shell, plot, frame);
  drawBars(shell, plot, frame);
  // Drawing order from back to front: histograms, faint lines, points, lines with the first on top,
  // dashed lines, our own points.
  const auto layer = [](const PlotSeries& series) {
    if (series.kind == SeriesKind::points) return series.emphasis ? 4 : 1;
    if (series.kind == SeriesKind::steps && !series.dashed) return 0;
    return series.dashed ? 3 : series.opacity < 1 ? 0 : 2;
  };
  for (int depth = 0; depth <= 4; ++depth)
    for (auto series = plot.series.rbegin(); series != plot.series.rend(); ++series)
      if (layer(*series) == depth) drawSeries(shell, *series, frame);
  if (plot.dims && plot.dimBefore > frame.x0) {
    const float edge = std::min(frame.px(plot.dimBefore), frame.hi.x);
    list->AddRectFilled(frame.lo, ImVec2(edge, frame.hi.y), withAlpha(c.viewport, 0.66f));
    list->AddLine(ImVec2(edge, frame.lo.y), ImVec2(edge, frame.hi.y), withAlpha(c.amber, 0.6f),
                  std::max(1.f, shell.px(1)));
  }
  list->PopClipRect();
}

// A zoomed plot no longer follows the run.
void sayZoomed(Shell& shell, const Plot& plot, const PlotFrame& frame, float top) {
  const std::string words = "zoomed; double-click to fit";
  const ImVec2 place(frame.hi.x - textSize(shell.fonts.small, words).x, top);
  drawText(ImGui::GetWindowDrawList(), shell.fonts.small, place, shell.colours->muted, words);
  shell.log->rect("zoomed:" + plot.id, place, ImVec2(frame.hi.x, frame.lo.y));
}

PlotFrame frameOf(Shell& shell, const Plot& plot, ImVec2 at, ImVec2 size) {
  if (plot.x.scale == AxisScale::named) return rowsFrame(shell, plot, at, size.x);
  PlotFrame frame;
  frame.xScale = plot.x.scale;
  frame.yScale = plot.y.scale;
  frame.lo = ImVec2(at.x + shell.px(52), at.y + shell.px(20));
  frame.hi = ImVec2(at.x + size.x - shell.px(4), at.y + size.y);
  frame.hi.y -= axisHeight(shell, plot, frame.hi.x - frame.lo.x);
  return frame;
}

}  // namespace

void drawPlot(Shell& shell, const Plot& plot, PlotZoom& zoom, StepRange* shared, ImVec2 size) {
  const bool rows = plot.x.scale == AxisScale::named;
  const ImVec2 at = ImGui::GetCursorScreenPos(), outerHi(at.x + size.x, at.y + size.y);
  const float legend = drawLegend(shell, plot, at, size.x, false);
  ImGui::InvisibleButton(("plot:" + plot.id).c_str(), ImVec2(size.x, size.y + legend));
  shell.log->item("plot:" + plot.id);
  const bool hovered = ImGui::IsItemHovered();
  PlotFrame frame = frameOf(shell, plot, at, size);
  applyZoom(plot, zoom, shared, shell.frameSeconds, frame);
  ImGui::GetWindowDrawList()->AddRectFilled(frame.lo, frame.hi, shell.colours->viewport,
                                            shell.px(3));
  if (!rows) drawLeftAxis(shell, plot, frame);
  drawLowerAxis(shell, plot, frame);
  drawTopLabel(shell, rows ? plot.x.label : plot.y.label, frame, at);
  if (!zoom.fitY || !(shared ? shared->fit : zoom.fitX)) sayZoomed(shell, plot, frame, at.y);
  if (rows)
    drawRows(shell, plot, frame, at, size.x);
  else
    drawData(shell, plot, frame);
  drawNotes(shell, plot, frame);
  drawLegend(shell, plot, ImVec2(at.x, outerHi.y), size.x, true);
  mouse(shell, plot, frame, zoom, shared);
  const bool photographed = !shell.after.partPicture.empty();
  if (hovered && !photographed && drag().plot.empty()) {
    if (rows)
      drawRowsReadout(shell, plot, frame, at, size.x);
    else if (frame.contains(ImGui::GetIO().MousePos))
      drawReadout(shell, plot, frame);
  }
  exportMenu(shell, plot, frame, zoom, at, ImVec2(outerHi.x, outerHi.y + legend));
}

}  // namespace cellscope::gui
