#include "app/gui/plot_frame.h"

#include <algorithm>
#include <cmath>

#include "app/gui/series.h"
#include "app/gui/ticks.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

bool isEmpty(const Plot& plot) {
  return std::all_of(plot.series.begin(), plot.series.end(),
                     [](const PlotSeries& s) { return s.x.empty(); });
}

// Ticks at 1, 2 or 5 below `end`, where the labels have room; at least three of them if
// `roomy` allows.
template <class Roomy>
Ticks fullTicks(double lo, double hi, double end, int most, const Roomy& roomy) {
  const auto fitting = [&](int count) {
    Ticks ticks = makeTicks(lo, hi, count);
    while (!ticks.at.empty() && ticks.at.back() > end) ticks.at.pop_back(), ticks.label.pop_back();
    return ticks;
  };
  Ticks ticks = fitting(most);
  for (int more = most + 1; ticks.at.size() < 3 && more <= 2 * most + 1; ++more) {
    const Ticks denser = fitting(more);
    if (roomy(denser)) ticks = denser;
  }
  return ticks;
}

// It would stand where the ticks of a good part of the axis should.
bool labelIsLong(Shell& shell, const Plot& plot, float width) {
  return textSize(shell.fonts.small, plot.xLabel).x > 0.22f * width;
}

// Single values scatter and young means are wild, and neither must flatten what the plot is about:
// a trend, and how near a mean comes to a published value. So the axis follows the trend in sixteen
// parts and holds, of each, the middle half of single values, or all but the ends of means; short
// series are shown whole.
void extendByMost(const PlotSeries& s, double x0, double x1, double& lo, double& hi) {
  constexpr std::size_t kParts = 16, kShort = 64, kSample = 4000;
  const double leftOut = s.opacity < 1 ? 0.25 : 0.1;  // at either end of a part
  const std::size_t n = std::min(s.x.size(), s.y.size()), stride = 1 + n / kSample;
  std::vector<double> y;
  for (std::size_t i = 0; i < n; i += stride)
    if (s.x[i] >= x0 && s.x[i] <= x1 && std::isfinite(s.y[i])) y.push_back(s.y[i]);
  if (y.size() < kShort) return extend(lo, hi, y);
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto at = [&](std::size_t k) {
      return y.begin() + static_cast<std::ptrdiff_t>(k * y.size() / kParts);
    };
    const auto from = at(part), to = at(part + 1);
    std::sort(from, to);
    const auto out = static_cast<std::ptrdiff_t>(leftOut * static_cast<double>(to - from));
    const double ends[2] = {from[out], to[-1 - out]};
    extend(lo, hi, ends);
  }
}

}  // namespace

void fitX(const Plot& plot, double& lo, double& hi) {
  lo = 1, hi = 0;
  for (const PlotSeries& s : plot.series) {
    if (s.x.empty()) continue;
    extend(lo, hi, s.x);
  }
  if (plot.focusX0 < plot.focusX1) lo = plot.focusX0, hi = plot.focusX1;
  if (lo > hi) lo = 0, hi = 1;
  // Steps count from 0, which also gives the first sample an axis.
  if (plot.integerX && (lo == hi || 2 * lo <= hi)) lo = 0;
  if (lo == hi) hi = lo + 1;
}

void fitY(const Plot& plot, double x0, double x1, double& lo, double& hi, bool everything) {
  lo = 1, hi = 0;
  for (const PlotSeries& s : plot.series) {
    if (plot.integerX && !everything) {
      extendByMost(s, x0, x1, lo, hi);
      continue;
    }
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i) {
      if (s.x[i] < x0 || s.x[i] > x1 || !std::isfinite(s.y[i])) continue;
      const bool known = i < s.error.size() && std::isfinite(s.error[i]);
      // A mean over two samples has an error as wide as the plot: show the line, not the band.
      const bool focused = plot.focusX0 < plot.focusX1;
      const double e = known && !s.band && !focused ? s.error[i] : 0;
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

float axisHeight(Shell& shell, const Plot& plot, float width) {
  return shell.px(labelIsLong(shell, plot, width) ? 36 : 22);
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
  const Ticks y = empty && plot.references.empty()
                      ? Ticks{}
                      : fullTicks(f.y0, f.y1, f.y1, rows, [](const Ticks&) { return true; });
  for (std::size_t i = 0; i < y.at.size(); ++i) {
    const float py = f.py(y.at[i]);
    list->AddLine(ImVec2(f.lo.x, py), ImVec2(f.hi.x, py), withAlpha(c.line, 0.7f), line);
    const float w = textSize(font, y.label[i]).x;
    drawText(list, font, ImVec2(f.lo.x - w - shell.px(6), py - tall / 2), c.muted, y.label[i]);
  }
  ImFont* words = shell.fonts.small;
  const float xw = textSize(words, plot.xLabel).x;
  const bool below = labelIsLong(shell, plot, f.hi.x - f.lo.x);
  const float last = below ? f.hi.x : f.hi.x - xw - shell.px(8);
  const float end = below ? last : last - shell.px(16);
  const auto roomy = [&](const Ticks& ticks) {
    float widest = 0;
    for (const std::string& label : ticks.label) widest = std::max(widest, textSize(font, label).x);
    return f.px(f.x0 + ticks.step) - f.lo.x >= widest + shell.px(8);
  };
  const Ticks x = empty ? Ticks{} : fullTicks(f.x0, f.x1, f.xAt(end), columns, roomy);
  for (std::size_t i = 0; i < x.at.size(); ++i) {
    const float at = f.px(x.at[i]), w = textSize(font, x.label[i]).x;
    const float left = std::clamp(at - w / 2, f.lo.x - shell.px(8), f.hi.x - w);
    if (left + w > last) continue;
    list->AddLine(ImVec2(at, f.hi.y), ImVec2(at, f.hi.y + shell.px(3)), c.muted, line);
    drawText(list, font, ImVec2(left, f.hi.y + shell.px(4)), c.muted, x.label[i]);
  }
  drawText(list, words, ImVec2(f.hi.x - xw, f.hi.y + shell.px(below ? 19 : 4)), c.muted,
           plot.xLabel);
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

}  // namespace cellscope::gui
