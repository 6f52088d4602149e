#include "app/gui/plot_frame.h"

#include <algorithm>
#include <cmath>

#include "app/gui/series.h"
#include "app/gui/ticks.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

// More series than this: sources stand in the tooltip of the plot's title, not in its legend.
constexpr std::size_t kMostSources = 6;

bool isEmpty(const Plot& plot) {
  return std::all_of(plot.series.begin(), plot.series.end(),
                     [](const PlotSeries& s) { return s.x.empty(); });
}

// Ticks at 1, 2 or 5, at least three of them where there is room.
Ticks fullTicks(double lo, double hi, int most) {
  Ticks ticks = makeTicks(lo, hi, most);
  for (int more = most + 1; ticks.at.size() < 3 && more <= 2 * most + 1; ++more)
    ticks = makeTicks(lo, hi, more);
  return ticks;
}

struct LegendEntry {
  std::string label;
  const PlotSeries* series;
};

// What stands before "N = " in the label of published points: their method.
std::string methodOf(const PlotSeries& s) {
  const std::size_t at = s.label.find(", N = ");
  return s.line || at == std::string::npos ? "" : s.label.substr(0, at);
}

// One entry per label; points of one method at several sizes stand together, and only the first
// names the method.
std::vector<LegendEntry> legendEntries(const Plot& plot) {
  std::vector<const PlotSeries*> shown;
  for (const PlotSeries& s : plot.series) {
    const bool known = std::any_of(shown.begin(), shown.end(),
                                   [&](const PlotSeries* o) { return o->label == s.label; });
    if (!s.inLegend || s.label.empty() || known) continue;
    auto at = shown.end();
    const std::string method = methodOf(s);
    for (auto i = shown.begin(); i != shown.end(); ++i)
      if (!method.empty() && methodOf(**i) == method) at = i + 1;
    shown.insert(at, &s);
  }
  std::vector<LegendEntry> all;
  std::string last;
  for (const PlotSeries* s : shown) {
    const std::string method = methodOf(*s);
    const bool withSource = !s->source.empty() && plot.series.size() <= kMostSources;
    if (!method.empty() && method == last)
      all.push_back({s->label.substr(method.size() + 6), s});
    else
      all.push_back({withSource ? s->label + " (" + s->source + ")" : s->label, s});
    last = method;
  }
  return all;
}

}  // namespace

void fitX(const Plot& plot, double& lo, double& hi) {
  lo = 1, hi = 0;
  for (const PlotSeries& s : plot.series) {
    if (s.x.empty()) continue;
    extend(lo, hi, s.x);
  }
  if (plot.focusX0 < plot.focusX1 && plot.focusX0 < hi && plot.focusX1 > lo) {
    lo = std::max(lo, plot.focusX0);
    hi = std::min(hi, plot.focusX1);
  }
  if (lo > hi) lo = 0, hi = 1;
  if (lo == hi) hi = lo + 1;
}

void fitY(const Plot& plot, double x0, double x1, double& lo, double& hi) {
  lo = 1, hi = 0;
  for (const PlotSeries& s : plot.series) {
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (s.x[i] < x0 || s.x[i] > x1 || !std::isfinite(s.y[i])) continue;
      const bool known = i < s.error.size() && std::isfinite(s.error[i]);
      // A mean over two samples has an error as wide as the plot: show the line, not the band.
      const double e = known && !s.band ? s.error[i] : 0;
      const double ends[2] = {s.y[i] - e, s.y[i] + e};
      extend(lo, hi, ends);
    }
  }
  const double length = hi >= lo ? hi - lo : 0;
  for (const PlotReference& r : plot.references) {
    const bool near = lo > hi || (r.value > lo - 3 * length && r.value < hi + 3 * length);
    if (near) extend(lo, hi, std::span<const double>(&r.value, 1));
  }
  if (lo > hi) lo = 0, hi = 1;
  widen(lo, hi, 0.08);
}

void drawAxes(Shell& shell, const Plot& plot, const PlotFrame& f, const ImVec2& outerLo,
              const ImVec2& outerHi) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = shell.fonts.smallNumbers;
  const float line = std::max(1.f, shell.px(1)), tall = textSize(font, "0").y;
  const bool empty = isEmpty(plot);
  const int rows = std::max(2, static_cast<int>((f.hi.y - f.lo.y) / shell.px(23)));
  const int columns = std::max(2, static_cast<int>((f.hi.x - f.lo.x) / shell.px(54)));
  const Ticks y = empty && plot.references.empty() ? Ticks{} : fullTicks(f.y0, f.y1, rows);
  for (std::size_t i = 0; i < y.at.size(); ++i) {
    const float py = f.py(y.at[i]);
    list->AddLine(ImVec2(f.lo.x, py), ImVec2(f.hi.x, py), withAlpha(c.line, 0.7f), line);
    const float w = textSize(font, y.label[i]).x;
    drawText(list, font, ImVec2(f.lo.x - w - shell.px(6), py - tall / 2), c.muted, y.label[i]);
  }
  const Ticks x = empty ? Ticks{} : makeTicks(f.x0, f.x1, columns);
  ImFont* words = shell.fonts.small;
  const float xw = textSize(words, plot.xLabel).x;
  for (std::size_t i = 0; i < x.at.size(); ++i) {
    const float px = f.px(x.at[i]), w = textSize(font, x.label[i]).x;
    list->AddLine(ImVec2(px, f.hi.y), ImVec2(px, f.hi.y + shell.px(3)), c.muted, line);
    const float left = std::clamp(px - w / 2, f.lo.x - shell.px(8), outerHi.x - w);
    if (left + w > f.hi.x - xw - shell.px(8)) continue;
    drawText(list, font, ImVec2(left, f.hi.y + shell.px(4)), c.muted, x.label[i]);
  }
  drawText(list, words, ImVec2(f.hi.x - xw, f.hi.y + shell.px(4)), c.muted, plot.xLabel);
  if (empty) {
    const std::string none = plot.integerX ? "no samples yet" : "nothing measured yet";
    const ImVec2 size = textSize(words, none);
    drawText(list, words,
             ImVec2((f.lo.x + f.hi.x - size.x) / 2, (f.lo.y + f.hi.y) / 2 - 1.5f * size.y), c.muted,
             none);
  }
  drawText(list, words, ImVec2(outerLo.x, outerLo.y), c.muted,
           fitted(words, plot.yLabel, outerHi.x - outerLo.x));
}

float drawLegend(Shell& shell, const Plot& plot, ImVec2 at, float width, bool draw) {
  const Palette& c = *shell.colours;
  ImFont* font = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float row = textSize(font, "X").y + shell.px(3), mark = shell.px(16);
  const float size = font->FontSize * ImGui::GetIO().FontGlobalScale;
  const float most = width - mark - shell.px(6);  // of a label; longer ones go on below
  float x = at.x, y = at.y + shell.px(2), height = row;
  bool any = false;
  auto entry = [&](const std::string& label, ImU32 colour, bool dashed, int marker) {
    const ImVec2 text = font->CalcTextSizeA(size, FLT_MAX, most, label.c_str());
    const float w = mark + shell.px(6) + text.x + shell.px(12);
    if (any && x + w - shell.px(12) > at.x + width) x = at.x, y += height, height = row;
    height = std::max(height, text.y + shell.px(3));
    const float m = y + row / 2 - shell.px(1);
    const float thick = std::max(1.f, shell.px(2));
    if (draw && marker >= 0) {
      drawMarker(list, marker, ImVec2(x + mark / 2, m), shell.px(3), colour);
    } else if (draw && dashed) {
      list->AddLine(ImVec2(x, m), ImVec2(x + mark * 0.4f, m), colour, thick);
      list->AddLine(ImVec2(x + mark * 0.6f, m), ImVec2(x + mark, m), colour, thick);
    } else if (draw) {
      list->AddLine(ImVec2(x, m), ImVec2(x + mark, m), colour, thick);
    }
    if (draw)
      list->AddText(font, size, ImVec2(x + mark + shell.px(6), y), c.muted, label.c_str(), nullptr,
                    most);
    x += w;
    any = true;
  };
  for (const auto& [label, series] : legendEntries(plot))
    entry(label, series->colour, series->dashed, series->line ? -1 : series->marker);
  for (const PlotReference& r : plot.references) entry(r.label, r.colour, true, -1);
  return any ? y + height - at.y : 0;
}

}  // namespace cellscope::gui
