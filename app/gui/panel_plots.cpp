// Time series and curves, stacked, in the order the scenario asks for.
#include <algorithm>
#include <cctype>
#include <map>

#include "app/gui/format.h"
#include "app/gui/panels.h"
#include "app/gui/plot.h"
#include "app/gui/series.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

std::map<std::string, PlotZoom>& zooms() {
  static std::map<std::string, PlotZoom> all;
  return all;
}

std::string axisLabel(const ObservableInfo& info) {
  std::string label = printed(info.symbol.empty() ? info.label : info.symbol);
  if (!info.unit.empty()) label += "  (" + printed(info.unit) + ")";
  return label;
}

std::string plotName(const ObservableInfo& info) { return info.plot.empty() ? info.id : info.plot; }

// Observables of the same plot name share axes; each has a faint line of values, a running mean
// with its band, and its published values.
Plot timePlot(Shell& shell, const std::string& name, std::string& title, std::string& value) {
  const Publication& now = *shell.now;
  Plot plot;
  plot.id = name;
  plot.xLabel = now.mode->stepName;
  plot.integerX = true;
  int index = 0;
  for (const ObservableSeries& s : now.observables) {
    if (plotName(s.info) != name) continue;
    const ImU32 colour = plotColour(*shell.colours, index++);
    bool sameQuantity = false;
    if (title.empty()) {
      title = printed(s.info.label);
      value = s.samples ? valueWithError(s.currentMean, s.currentError) : "";
      plot.yLabel = axisLabel(s.info);
    } else if (plot.yLabel.find(axisLabel(s.info)) == std::string::npos) {
      plot.yLabel += ", " + axisLabel(s.info);
    } else {
      sameQuantity = true;
    }
    PlotSeries values{printed(s.info.label), s.step, s.value, {}, colour, 0.4f};
    values.inLegend = false;
    PlotSeries mean{printed(s.info.label) + ", mean", s.step, s.mean, s.error, colour};
    mean.band = true;
    mean.inLegend = true;
    // Two ways to the same number often coincide: the first is drawn over a broader second.
    mean.broad = sameQuantity;
    plot.series.push_back(values);
    plot.series.push_back(mean);
    for (const ReferenceValue& r : now.references) {
      if (r.observable != s.info.id) continue;
      const bool drawn =
          std::any_of(plot.references.begin(), plot.references.end(), [&](const PlotReference& p) {
            return p.label == printed(r.source) && p.value == r.value;
          });
      if (drawn) continue;
      // The first in the ink of the text, others tinted, so that the legend tells them apart.
      const auto others = static_cast<int>(plot.references.size());
      const ImU32 ink = plotColour(*shell.colours, others ? 2 + others : index - 1);
      plot.references.push_back({printed(r.source), r.value, r.error,
                                 mix(shell.colours->text, ink, others ? 0.7f : 0.25f)});
    }
    plot.dims = s.epochStart > 0;
    plot.dimBefore = std::max(plot.dimBefore, static_cast<double>(s.epochStart));
  }
  // No one of many stands for all: the plot has its own name.
  if (index > 2) {
    title = printed(name);
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    value.clear();
  }
  return plot;
}

// Published curves reach far: show the part around our own points, where they can be told apart.
void focusOnOurs(Plot& plot, const Curve& curve) {
  constexpr double kShare = 0.09;  // of the published range, on either side
  double all0 = 1, all1 = 0, own0 = 1, own1 = 0;
  for (const CurveSeries& s : curve.series) {
    const bool ours = s.source.empty() && !s.reference;
    extend(all0, all1, s.x);
    if (ours) extend(own0, own1, s.x);
  }
  const bool published = std::any_of(curve.series.begin(), curve.series.end(),
                                     [](const CurveSeries& s) { return s.reference; });
  if (!published || own0 > own1) return;
  plot.focusX0 = own0 - kShare * (all1 - all0);
  plot.focusX1 = own1 + kShare * (all1 - all0);
}

Plot curvePlot(Shell& shell, const Curve& curve) {
  Plot plot;
  plot.id = curve.id;
  plot.xLabel = printed(curve.xLabel);
  plot.yLabel = printed(curve.yLabel);
  int published = 0, own = 0;
  std::map<std::string, int> looks;  // the same method at the same size looks the same
  for (const CurveSeries& s : curve.series) {
    // Ours in the accent's family; published ones in the other five colours, then other marks.
    const bool ours = s.source.empty() && !s.reference;
    const int look = ours ? 0 : looks.try_emplace(s.label, published).first->second;
    if (!ours && look == published) ++published;
    const int colour = ours ? 3 * (own++ % 2) : 1 + look % 5;
    PlotSeries out{printed(s.label), s.x, s.y, s.error, plotColour(*shell.colours, colour)};
    out.source = printed(s.source);
    out.marker = ours ? 0 : 1 + look / 5;
    out.line = s.line;
    out.dashed = s.reference && s.line;
    out.emphasis = ours && !s.line && curve.series.size() > 2;
    plot.series.push_back(out);
  }
  focusOnOurs(plot, curve);
  return plot;
}

// Plots that are open at first: two, then as many as the window's height holds, in the scenario's
// order; the others show their heading with the value.
std::vector<bool> openAtFirst(Shell& shell, const std::vector<std::string>& order) {
  constexpr float kHeading = 36, kTime = 184, kCurve = 250, kRest = 100;  // units at scale 1
  const auto& curves = shell.now->curves;
  std::vector<bool> open;
  float left = ImGui::GetIO().DisplaySize.y / shell.px(1) - kRest -
               kHeading * static_cast<float>(order.size());
  for (const std::string& name : order) {
    const bool curve =
        std::any_of(curves.begin(), curves.end(), [&](const Curve& c) { return c.id == name; });
    left -= curve ? kCurve : kTime;
    open.push_back(open.size() < 2 || left >= 0);
  }
  return open;
}

void showPlot(Shell& shell, const Plot& plot, const std::string& title, const std::string& value,
              StepRange* shared, const std::string& equation, bool openAtFirst) {
  const bool open = section(shell, "plot-" + plot.id, title, value, openAtFirst);
  std::string sources;
  for (const PlotSeries& s : plot.series) {
    if (!s.source.empty()) sources.append(s.label).append(": ").append(s.source).append("\n");
  }
  tooltip(shell, title,
          {equation, sources, "Drag to zoom, double-click to fit, right-click to save."});
  if (!open) return;
  const float width = ImGui::GetContentRegionAvail().x;
  const bool low = ImGui::GetIO().DisplaySize.y < shell.px(760);
  drawPlot(shell, plot, zooms()[plot.id], shared,
           ImVec2(width, shell.px((shared ? 150.f : 180.f) - (low ? 12.f : 0.f))));
}

std::string equationOf(const Publication& now, const std::string& name) {
  std::string text;
  for (const ObservableSeries& s : now.observables) {
    if (plotName(s.info) != name) continue;
    if (!text.empty()) text += "\n";
    text += s.info.label + (s.info.symbol.empty() ? "" : " " + s.info.symbol) +
            (s.info.equation.empty() ? "" : ": " + s.info.equation);
  }
  return printed(text);
}

}  // namespace

void plotsPanel(Shell& shell) {
  const Publication& now = *shell.now;
  std::vector<std::string> order;
  if (now.scenario) order = now.scenario->plots;
  if (order.empty()) {
    for (const ObservableSeries& s : now.observables) {
      const std::string name = plotName(s.info);
      if (std::find(order.begin(), order.end(), name) == order.end()) order.push_back(name);
    }
    for (const Curve& curve : now.curves) order.push_back(curve.id);
  }
  const std::vector<bool> atFirst = openAtFirst(shell, order);
  std::size_t index = 0;
  for (const std::string& name : order) {
    const bool open = atFirst[index++];
    const auto curve = std::find_if(now.curves.begin(), now.curves.end(),
                                    [&](const Curve& c) { return c.id == name; });
    if (curve != now.curves.end()) {
      showPlot(shell, curvePlot(shell, *curve), printed(curve->label), "", nullptr,
               printed(curve->equation), open);
      continue;
    }
    std::string title, value;
    const Plot plot = timePlot(shell, name, title, value);
    if (!plot.series.empty()) {
      showPlot(shell, plot, title, value, &shell.steps, equationOf(now, name), open);
    }
  }
}

}  // namespace cellscope::gui
