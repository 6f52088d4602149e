#include "app/gui/plot.h"

#include <tuple>

namespace cellscope::gui {
namespace {

// Start of a drag in a plot; only one plot is dragged at a time.
struct {
  std::string plot;
  ImVec2 from;
} plotDrag;

void applyZoom(const Plot& plot, PlotZoom& zoom, StepRange* shared, double seconds,
               PlotFrame& frame) {
  const AxisZoom& x = shared ? shared->zoom : zoom.x;
  frame.x = x ? *x : fitX(plot);
  if (!x) {
    using From = StepRange::From;
    const double from = !shared || shared->from == From::start ? 0
                        : shared->from == From::change         ? plot.changedAt
                                                               : plot.dimBefore;
    if (from > 0 && from < frame.x.hi) frame.x.lo = from;
  }
  frame.goalY = zoom.y ? *zoom.y : fitY(plot, frame.x);
  // The upper end follows the newest step at once; other range changes are animated.
  if (!shared) {
    zoom.shownX.follow(frame.x, seconds);
    frame.x = zoom.shownX;
  }
  zoom.shownY.follow(frame.goalY, seconds);
  frame.y = zoom.shownY;
}

// Zooms to the dragged rectangle, only along the axes dragged far enough.
void zoomTo(Shell& shell, const PlotFrame& frame, ImVec2 a, ImVec2 b, AxisZoom& x, AxisZoom& y) {
  const float least = shell.px(8);
  if (std::abs(a.x - b.x) >= least)
    x = {frame.xAt(std::min(a.x, b.x)), frame.xAt(std::max(a.x, b.x))};
  if (std::abs(a.y - b.y) >= least * 2)
    y = {frame.yAt(std::max(a.y, b.y)), frame.yAt(std::min(a.y, b.y))};
  shell.log->write("plot-zoom");
}

bool isOwnMark(const PlotSeries& s) {
  return s.kind == SeriesKind::points && s.source.empty() && s.inReadout;
}

// The mark of our own nearest to a place, within a finger's width.
std::optional<Plot::Mark> markAt(Shell& shell, const Plot& plot, const PlotFrame& frame,
                                 ImVec2 place) {
  std::optional<Plot::Mark> found;
  float least = shell.px(12);
  for (const PlotSeries& s : plot.series)
    for (std::size_t i = 0; isOwnMark(s) && i < s.x.size(); ++i) {
      const float away = std::hypot(frame.px(toAxis(frame.xScale, s.x[i])) - place.x,
                                    frame.py(toAxis(frame.yScale, s.y[i])) - place.y);
      if (away < least) least = away, found = Plot::Mark{s.x[i], s.y[i]};
    }
  return found;
}

void logMarks(Shell& shell, const Plot& plot, const PlotFrame& frame) {
  int k = 0;
  for (const PlotSeries& s : plot.series)
    for (std::size_t i = 0; isOwnMark(s) && i < s.x.size(); ++i) {
      const ImVec2 at(frame.px(toAxis(frame.xScale, s.x[i])),
                      frame.py(toAxis(frame.yScale, s.y[i])));
      shell.log->rect("mark:" + std::to_string(k++), at - ImVec2(2, 2), at + ImVec2(2, 2));
    }
}

void mouse(Shell& shell, const Plot& plot, const PlotFrame& frame, PlotZoom& zoom,
           StepRange* shared) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool hovered = ImGui::IsItemHovered();
  AxisZoom& x = shared ? shared->zoom : zoom.x;
  if (hovered && ImGui::IsMouseDoubleClicked(0) && io.MousePos.y < frame.hi.y) {
    x = zoom.y = std::nullopt;
    plotDrag.plot.clear();
    shell.log->write("plot-fit", plot.id);
    return;
  }
  if (hovered && ImGui::IsMouseClicked(0) && frame.contains(io.MousePos))
    plotDrag = {plot.id, io.MousePos};
  if (plotDrag.plot != plot.id) return;
  const ImVec2 a = plotDrag.from;
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
      zoomTo(shell, frame, a, ImVec2(b.x, rows ? a.y : b.y), x, zoom.y);
    else if (plot.clicked)
      *plot.clicked = markAt(shell, plot, frame, a);
    plotDrag.plot.clear();
  }
}

// Without the series that were switched off in the legend.
Plot shownPart(const Shell& shell, const Plot& plot) {
  Plot part = plot;
  const auto off = [&](const std::string& label) {
    return shell.hiddenSeries.contains(hiddenKey(plot, label));
  };
  std::erase_if(part.series, [&](const PlotSeries& s) { return off(s.label); });
  std::erase_if(part.references, [&](const PlotReference& r) { return off(r.label); });
  return part;
}

// Where the axis of steps, which all time plots share, begins.
void axisMenu(Shell& shell) {
  using From = StepRange::From;
  constexpr std::tuple<From, const char*, const char*> kBeginnings[] = {
      {From::start, "From the start of the run", "start"},
      {From::change, "Since the last change", "change"},
      {From::averages, "From where averages begin", "averages"}};
  for (const auto& [from, words, name] : kBeginnings) {
    if (!menuItem(shell, std::string("menu:axis-") + name, words, shell.steps.from == from))
      continue;
    shell.steps = {.from = from};
    shell.log->write("axis-from", name);
  }
}

void exportMenu(Shell& shell, const Plot& plot, const PlotFrame& frame, PlotZoom& zoom, ImVec2 lo,
                ImVec2 hi) {
  if (!beginMenu(shell, "export:" + plot.id, true)) return;
  if (plot.focus.hasLength() && ImGui::MenuItem("Show whole curve")) {
    Plot whole = plot;
    whole.focus = {};
    zoom.x = fitX(whole);
    zoom.y = std::nullopt;
  }
  if (plot.integerX && menuItem(shell, "menu:all", "Show all values"))
    zoom.y = fitY(plot, frame.x, true);
  if (has(plot, SeriesKind::bars)) {
    const bool logarithmic = plot.y.scale == AxisScale::logarithmic;
    if (menuItem(shell, "menu:scale", "Logarithmic axis", logarithmic)) {
      zoom.scale = logarithmic ? AxisScale::linear : AxisScale::logarithmic;
      zoom.x = zoom.y = std::nullopt;
      shell.log->write("axis-scale", logarithmic ? "linear" : "logarithmic");
    }
  }
  if (plot.integerX) {
    ImGui::Separator();
    axisMenu(shell);
  }
  if (plot.integerX || plot.focus.hasLength()) ImGui::Separator();
  if (menuItem(shell, "menu:csv", "Save values as CSV")) {
    const std::string path = shell.outputPath(plot.id, ".csv");
    shell.save("csv", "the values", path, [&] { writePlotCsv(path, plot, describe(*shell.now)); });
  }
  if (plot.integerX && menuItem(shell, "menu:series", "Save all time series as CSV"))
    shell.saveSeries();
  ImGui::Separator();
  if (menuItem(shell, "menu:png", "Save picture as PNG")) {
    shell.after.partPicture = shell.outputPath(plot.id, ".png");
    shell.after.partLo = lo;
    shell.after.partHi = hi;
    shell.after.framesLeft = 3;
  }
  for (const int scale : {2, 3, 4}) {
    if (!plot.ofPanel) break;
    const std::string times = std::to_string(scale);
    if (!menuItem(shell, "menu:png" + times, "Save picture as PNG, " + times + " times as large"))
      continue;
    shell.after.plot = baseId(plot);
    shell.after.plotPicture = shell.outputPath(baseId(plot) + "-plot", ".png");
    shell.after.plotScale = scale;
  }
  endMenu();
}

// Where a branch was left: thin, so that it is no curve.
void drawBranches(Shell& shell, const Plot& plot, const PlotFrame& frame) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const double x : plot.branches) {
    if (!frame.x.holds(x)) continue;
    const ImU32 ink = withAlpha(shell.colours->text, 0.45f);
    const float dash = shell.px(3), at = frame.px(x);
    for (float y = frame.lo.y; y < frame.hi.y; y += 2 * dash)
      list->AddLine(ImVec2(at, y), ImVec2(at, std::min(y + dash, frame.hi.y)), ink, shell.stroke());
    const char* words = "branch";
    const ImVec2 size = textSize(shell.fonts.small, words);
    const bool right = at + size.x + shell.px(6) < frame.hi.x;
    drawText(shell.fonts.small,
             ImVec2(right ? at + shell.px(4) : at - size.x - shell.px(4), frame.lo.y + shell.px(2)),
             withAlpha(shell.colours->text, 0.7f), words);
    shell.log->rect("branch:" + plot.id, ImVec2(at, frame.lo.y), ImVec2(at + 1, frame.hi.y));
  }
}

// Where words from `x` on cover least of the curves: at the lower or upper end, or in the middle.
float freePlace(Shell& shell, const Plot& plot, const PlotFrame& frame, float x, ImVec2 size) {
  const float edge = shell.px(2), places[] = {frame.hi.y - size.y - edge, frame.lo.y + edge,
                                              (frame.lo.y + frame.hi.y - size.y) / 2};
  std::size_t covered[3] = {};
  for (const PlotSeries& series : plot.series)
    for (std::size_t i = 0; i < series.y.size(); ++i) {
      const float at = frame.px(series.x[i]) - x, y = frame.py(series.y[i]);
      if (at < -edge || at > size.x + edge) continue;
      for (int k = 0; k < 3; ++k)
        covered[k] += y > places[k] - edge && y < places[k] + size.y + edge;
    }
  return places[std::min_element(covered, covered + 3) - covered];
}

// Whether triangles mark what is beyond the axis.
bool drawData(Shell& shell, const Plot& plot, const PlotFrame& frame) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->PushClipRect(frame.lo, frame.hi, true);
  drawBranches(shell, plot, frame);
  drawBars(shell, plot, frame);
  list->PopClipRect();
  // Drawing order from back to front: histograms, faint lines, references, points, lines with the
  // first on top, dashed lines, our own points, the hollow marks of published ones, and a single
  // point of our own or the present one, which many of these would hide.
  const auto layer = [](const PlotSeries& series) {
    if (series.kind == SeriesKind::points)
      return series.highlight  ? 6
             : series.emphasis ? (series.x.size() == 1 ? 6 : 4)
             : series.hollow   ? 5
                               : 1;
    if (series.kind == SeriesKind::steps && !series.dashed) return 0;
    return series.dashed ? 3 : series.opacity < 1 ? 0 : 2;
  };
  for (int depth = 0; depth <= 6; ++depth) {
    for (auto series = plot.series.rbegin(); series != plot.series.rend(); ++series) {
      if (layer(*series) != depth) continue;
      // Lines end at the edge; marks on it are whole.
      const bool marks = series->kind == SeriesKind::points || series->x.size() == 1;
      const ImVec2 over = marks ? shell.px(6, 6) : ImVec2(0, 0);
      list->PushClipRect(frame.lo - over, frame.hi + over, true);
      drawSeries(shell, *series, frame);
      list->PopClipRect();
    }
    list->PushClipRect(frame.lo, frame.hi, true);
    if (depth == 0) drawReferences(shell, plot, frame);
    list->PopClipRect();
  }
  list->PushClipRect(frame.lo, frame.hi, true);
  bool beyond = false;
  for (const PlotSeries& series : plot.series)
    if (plot.integerX) beyond = drawBeyond(shell, series, frame) || beyond;
  if (plot.dims && plot.dimBefore > frame.x.lo) {
    const float edge = std::min(frame.px(plot.dimBefore), frame.hi.x);
    list->AddRectFilled(frame.lo, ImVec2(edge, frame.hi.y), withAlpha(c.viewport, 0.66f));
    list->AddLine(ImVec2(edge, frame.lo.y), ImVec2(edge, frame.hi.y), withAlpha(c.amber, 0.6f),
                  shell.stroke());
    const std::string words =
        plot.averages ? plot.equilibrated ? "averaged from here" : "provisional mean from here"
        : plot.equilibrated ? "in equilibrium from here"
                            : "provisional from here";
    const ImVec2 size = textSize(shell.fonts.small, words);
    const bool right = edge + size.x + shell.px(6) < frame.hi.x;
    const float left = right ? edge + shell.px(4) : edge - size.x - shell.px(4);
    const ImVec2 lo(left, freePlace(shell, plot, frame, left, size));
    list->AddRectFilled(ImVec2(lo.x - shell.px(2), lo.y),
                        ImVec2(lo.x + size.x + shell.px(2), lo.y + size.y),
                        withAlpha(c.viewport, 0.8f), shell.px(3));
    drawText(shell.fonts.small, lo, c.amber, words);
  }
  list->PopClipRect();
  return beyond;
}

PlotFrame frameOf(Shell& shell, const Plot& plot, ImVec2 at, ImVec2 size) {
  if (plot.x.scale == AxisScale::named) return rowsFrame(shell, plot, at, size);
  PlotFrame frame;
  frame.xScale = plot.x.scale;
  frame.yScale = plot.y.scale;
  frame.lo = at + shell.px(kLeftAxis, 20);
  frame.hi = ImVec2(at.x + size.x - shell.px(4), at.y + size.y);
  takeLowerAxis(shell, plot, frame);
  return frame;
}

}  // namespace

float leastHeight(Shell& shell, const Plot& plot, float width) {
  constexpr float kCurve = 120;  // at scale 1
  const PlotFrame frame = frameOf(shell, plot, ImVec2(0, 0), ImVec2(width, 0));
  return shell.px(kCurve) + frame.lo.y - frame.hi.y;
}

void drawPlot(Shell& shell, const Plot& whole, PlotZoom& zoom, StepRange* shared, ImVec2 size) {
  Plot plot = shownPart(shell, whole);
  if (zoom.scale) plot.y.scale = *zoom.scale;
  const bool rows = plot.x.scale == AxisScale::named;
  const ImVec2 at = ImGui::GetCursorScreenPos(), outerHi(at.x + size.x, at.y + size.y);
  const float legend = drawLegend(shell, whole, at, size.x, false);
  clickable(shell, "plot:" + plot.id, ImVec2(size.x, size.y + legend));
  const bool hovered = ImGui::IsItemHovered();
  PlotFrame frame = frameOf(shell, plot, at, size);
  applyZoom(plot, zoom, shared, shell.frameSeconds, frame);
  if (!rows) widenLeftAxis(shell, plot, frame);
  shell.log->rect("curve:" + plot.id, frame.lo, frame.hi);
  if (shared) shell.log->state("axis:" + plot.id, std::to_string(std::llround(frame.x.lo)));
  ImGui::GetWindowDrawList()->AddRectFilled(frame.lo, frame.hi, shell.colours->viewport,
                                            shell.px(3));
  if (!rows) drawLeftAxis(shell, plot, frame);
  drawLowerAxis(shell, plot, frame);
  const bool awaits = rows && !isEmpty(plot) && !plot.waiting.empty();
  if (rows) drawRows(shell, plot, frame, at, size.x);
  const bool beyond = !rows && drawData(shell, plot, frame);
  const std::string& label = awaits ? plot.waiting : rows ? plot.x.label : plot.y.label;
  if (zoom.y || (shared ? shared->zoom : zoom.x))  // it no longer follows the run
    drawTopLabel(shell, label, frame, at, "zoomed:" + plot.id, "zoomed; double-click to fit");
  else
    drawTopLabel(shell, label, frame, at, "beyond:" + plot.id,
                 beyond ? "triangles: off the axis" : "");
  drawNotes(shell, plot, frame);
  drawLegend(shell, whole, ImVec2(at.x, outerHi.y), size.x, true);
  mouse(shell, plot, frame, zoom, shared);
  if (plot.clicked) logMarks(shell, plot, frame);
  if (hovered && shell.after.partPicture.empty() && plotDrag.plot.empty()) {
    if (rows)
      drawRowsReadout(shell, plot, frame, at, size.x);
    else if (frame.contains(ImGui::GetIO().MousePos)) {
      const double x = drawReadout(shell, plot, frame);
      if (shared) shared->pointedAt = x, shared->pointedFrame = ImGui::GetFrameCount();
    }
  } else if (shared && !shell.onPage && ImGui::GetFrameCount() - shared->pointedFrame <= 1) {
    drawLinked(shell, plot, frame, shared->pointedAt);
  }
  exportMenu(shell, plot, frame, zoom, at, ImVec2(outerHi.x, outerHi.y + legend));
}

}  // namespace cellscope::gui
