// The chart of a sweep.
#include <algorithm>
#include <array>
#include <optional>

#include "app/gui/dialogs.h"
#include "app/gui/plot_frame.h"
#include "app/gui/widgets.h"
#include "sim/api/mode.h"

namespace cellscope::gui {
namespace {

using sweep::Overview;
using sweep::PointOverview;

struct Entry {
  std::string key, label;
};
// At `at`; the height it takes.
float chooser(Shell& shell, const std::string& id, const std::string& label, ImVec2 at, float width,
              const std::vector<Entry>& entries, std::string& chosen) {
  std::string shown = chosen;
  for (const Entry& e : entries)
    if (e.key == chosen) shown = e.label;
  const float line = shell.px(18);
  drawText(ImGui::GetWindowDrawList(), shell.fonts.small, at, shell.colours->muted, label);
  ImGui::SetCursorScreenPos(ImVec2(at.x, at.y + line));
  ImGui::SetNextItemWidth(width);
  const bool open = ImGui::BeginCombo(("##" + id).c_str(), onScreen(shown).c_str());
  shell.log->item("choice:" + id);
  for (std::size_t k = 0; open && k < entries.size(); ++k) {
    if (ImGui::Selectable((onScreen(entries[k].label) + "##" + entries[k].key).c_str(),
                          entries[k].key == chosen)) {
      chosen = entries[k].key;
      shell.log->write(id, chosen);
    }
    shell.log->item("choose:" + id + ":" + entries[k].key);
  }
  if (open) ImGui::EndCombo();
  return line + ImGui::GetFrameHeight();
}

void meansSwitch(Shell& shell) {
  ImGui::BeginChild("##means", ImVec2(shell.px(190), shell.px(26)));
  if (bool& means = shell.sweep.axes.means;
      switchRow(shell, "sweep-means", "Means over seeds", means))
    shell.log->write("sweep-means", means ? "on" : "off");
  tooltip(shell, "Means over seeds",
          {"Points that differ only in their seed are drawn as one: their mean, with the error of "
           "the mean over seeds. A click chooses the first of them."});
  ImGui::EndChild();
}

}  // namespace

void sweepAxes(Shell& shell, const Overview& all) {
  const ModeDescription& mode = describeMode(all.scenario.mode);
  ParameterSet words = mode.parameters();
  std::vector<Entry> x, series = {{"", "no series"}}, y;
  for (const std::string& key : all.varied) x.push_back({key, words.at(key).info.label});
  for (const Entry& e : x)
    if (e.key != shell.sweep.axes.x) series.push_back(e);
  for (const std::string& id : all.observables) {
    const std::size_t k = columnOf(mode.observables, id);
    y.push_back({id, k < mode.observables.size() ? mode.observables[k].label : id});
  }
  const float gap = shell.px(12), width = (ImGui::GetContentRegionAvail().x - 2 * gap) / 3;
  ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 begin = at;
  const float height = chooser(shell, "sweep-y", "Average of", at, width, y, shell.sweep.axes.y);
  at.x += width + gap;
  chooser(shell, "sweep-x", "against", at, width, x, shell.sweep.axes.x);
  at.x += width + gap;
  chooser(shell, "sweep-series", "for each", at, width, series, shell.sweep.axes.series);
  ImGui::SetCursorScreenPos(ImVec2(begin.x, begin.y + height + shell.px(8)));
  shell.sweep.axes = sweep::chooseAxes(all, shell.sweep.axes);
  if (sweep::hasSeeds(all, shell.sweep.axes)) meansSwitch(shell);
}

void sweepChart(Shell& shell, const Overview& all, ImVec2 size) {
  SweepWindow& s = shell.sweep;
  if (s.charted != s.seen || s.chartedFor != s.axes) {
    const bool sameMode = shell.now->mode->key == all.scenario.mode;
    const SharedList<Curve> published = sameMode ? shell.now->curves : SharedList<Curve>();
    s.chart = sweep::chartOf(all, s.axes, published);
    s.charted = s.seen, s.chartedFor = s.axes;
  }
  Plot plot = curvePlot(shell, s.chart);
  plot.ofPanel = false;
  std::optional<Plot::Mark> clicked;
  plot.clicked = &clicked;
  std::array<double, 2> at{};
  const PointOverview* const chosen = all.find(s.chosen);
  PlotSeries ring{"", {at.data(), 1}, {at.data() + 1, 1}, {}, shell.colours->amber};
  if (chosen && sweep::placeOf(all, s.axes, *chosen, at[0], at[1])) {
    ring.kind = SeriesKind::points;
    ring.emphasis = true;
    ring.inReadout = ring.inLegend = false;
    plot.series.insert(plot.series.begin(), ring);
  }
  const float legend = drawLegend(shell, plot, ImVec2(0, 0), size.x, false);
  drawPlot(shell, plot, shell.zooms[s.chart.id], nullptr,
           ImVec2(size.x, std::max(size.y - legend, leastHeight(shell, plot, size.x))));
  if (!clicked) return;
  for (const sweep::ChartPoint& p : sweep::chartPoints(all, s.axes))
    if (p.x == clicked->x && p.shown.value == clicked->y) s.chosen = p.point->point.id;
  shell.log->write("sweep-point", s.chosen);
}

}  // namespace cellscope::gui
