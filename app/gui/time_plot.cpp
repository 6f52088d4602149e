#include "app/gui/time_plot.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/series.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

std::string axisLabel(const ObservableInfo& info, int dimension) {
  std::string label = printed(info.symbol.empty() ? info.label : info.symbol);
  if (!info.unit.empty()) label += "  (" + printedUnit(info.unit, dimension) + ")";
  return label;
}

// What was measured of an observable in parts of the run that were left by going back: pale, and
// pale as well what is still ahead.
void addBranches(Shell& shell, const std::string& id, ImU32 colour, Plot& plot) {
  for (const Branch& branch : shell.now->timeline.branches) {
    const std::vector<ObservableSeries>& all = branch.series;
    const auto s = std::find_if(all.begin(), all.end(),
                                [&](const ObservableSeries& o) { return o.info.id == id; });
    if (s == all.end()) continue;
    const std::span<const double> x = s->step.recorded();
    auto from = static_cast<std::size_t>(
        std::lower_bound(x.begin(), x.end(), static_cast<double>(branch.from)) - x.begin());
    if (from > 0) --from;  // it begins where the present one leaves it
    if (from >= x.size()) continue;
    const ImU32 ink = mix(colour, shell.colours->muted, 0.6f);
    const std::string label =
        branch.ahead ? "ahead, to " + grouped(branch.to) : "left at " + grouped(branch.from);
    PlotSeries mean{label, x.subspan(from), s->mean.recorded().subspan(from), {}, ink, 0.7f};
    PlotSeries samples{label, x.subspan(from), s->value.recorded().subspan(from), {}, ink, 0.25f};
    samples.inReadout = false;
    plot.series.push_back(mean);
    plot.series.push_back(samples);
    if (branch.ahead) continue;
    PlotSeries mark{label, x.subspan(from, 1), s->mean.recorded().subspan(from, 1), {}, ink};
    mark.kind = SeriesKind::points;
    mark.marker = 3;
    mark.inReadout = false;
    plot.series.push_back(mark);
    const auto at = static_cast<double>(branch.from);
    if (std::find(plot.branches.begin(), plot.branches.end(), at) == plot.branches.end())
      plot.branches.push_back(at);
  }
}

}  // namespace

std::string plotName(const ObservableInfo& info) { return info.plot.empty() ? info.id : info.plot; }

Plot timePlot(Shell& shell, const std::string& name, Heading& heading) {
  auto& [title, value, errorKnown, settled, explanation] = heading;
  const Publication& now = *shell.now;
  Plot plot;
  plot.id = name;
  plot.x.label = now.mode->stepName;
  plot.x.whole = true;
  plot.integerX = true;
  int index = 0;
  for (const ObservableSeries& s : now.observables) {
    if (plotName(s.info) != name) continue;
    // Disabled observables have no line.
    if (index > 0 && (s.value.empty() || !std::isfinite(s.value.back()))) continue;
    const ImU32 colour = plotColour(*shell.colours, index++);
    bool sameQuantity = false;
    if (title.empty()) {
      title = printed(s.info.label);
      const Average average = averageOf(s, now.mode->stepName);
      value = average.value;
      errorKnown = average.errorKnown;
      settled = average.settled;
      explanation = average.explanation;
      plot.y.label = axisLabel(s.info, now.mode->dimension);
      plot.y.whole = s.info.whole;
    } else if (plot.y.label.find(axisLabel(s.info, now.mode->dimension)) == std::string::npos) {
      plot.y.label += ", " + axisLabel(s.info, now.mode->dimension);
      plot.y.whole = plot.y.whole && s.info.whole;
    } else {
      sameQuantity = true;
    }
    PlotSeries values{printed(s.info.label) + ", samples",
                      s.step.recorded(),
                      s.value.recorded(),
                      {},
                      colour,
                      0.4f};
    values.inLegend = true;
    PlotSeries mean{printed(s.info.label) + ", mean", s.step.recorded(), s.mean.recorded(),
                    s.error.recorded(), colour};
    mean.inLegend = true;
    // Two estimators of the same quantity often coincide: the first is drawn over a broader second.
    mean.rank = sameQuantity;
    plot.series.push_back(mean);
    plot.series.push_back(values);
    addBranches(shell, s.info.id, colour, plot);
    for (const ReferenceValue& r : now.references) {
      if (r.observable != s.info.id) continue;
      const bool drawn =
          std::any_of(plot.references.begin(), plot.references.end(), [&](const PlotReference& p) {
            return p.label == printed(r.source) && p.value == r.value;
          });
      if (drawn) continue;
      // The first in the text colour, the others tinted, to distinguish them in the legend.
      const auto others = static_cast<int>(plot.references.size());
      const ImU32 ink = plotColour(*shell.colours, others ? 2 + others : index - 1);
      plot.references.push_back({printed(r.source), r.value, r.error,
                                 mix(shell.colours->text, ink, others ? 0.7f : 0.25f)});
    }
    plot.changedAt = std::max(plot.changedAt, static_cast<double>(s.epochStart));
    const double from = static_cast<double>(std::max(s.epochStart, s.equilibratedFrom));
    plot.dims = plot.dims || from > 0;
    plot.dimBefore = std::max(plot.dimBefore, from);
    plot.equilibrated = plot.equilibrated && (s.samples > 0 ? s.settled : s.equilibrated);
  }
  // Plots of several observables are titled with the name of the plot, measured or not: titles
  // stay.
  const auto sharing = std::count_if(now.observables.begin(), now.observables.end(),
                                     [&](const auto& s) { return plotName(s.info) == name; });
  if (sharing > 2) {
    title = printed(name);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  }
  if (index > 2) {
    value.clear();
    errorKnown = settled = true;
  }
  return plot;
}

}  // namespace cellscope::gui
