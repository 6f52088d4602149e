// Bars over a numeric axis, and histograms.
#include <algorithm>
#include <cmath>

#include "app/gui/format.h"
#include "app/gui/plot_frame.h"
#include "app/gui/widgets.h"

namespace cellscope::gui {
namespace {

void errorBar(ImDrawList* list, float x, float lo, float hi, float cap, ImU32 colour, float thin) {
  list->AddLine(ImVec2(x, lo), ImVec2(x, hi), colour, thin);
  list->AddLine(ImVec2(x - cap, lo), ImVec2(x + cap, lo), colour, thin);
  list->AddLine(ImVec2(x - cap, hi), ImVec2(x + cap, hi), colour, thin);
}

std::string numberOf(const PlotSeries& s, std::size_t i, bool error) {
  return error ? valueWithError(s.y[i], i < s.error.size() ? s.error[i] : 0) : number(s.y[i], 3);
}

// All bars of one series; `left` and `width` of a bar relative to its x, in pixels.
void bars(Shell& shell, const Plot& plot, const PlotSeries& s, const PlotFrame& f, float left,
          float width) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont* font = shell.fonts.smallNumbers;
  const float base = f.baseY(), tall = textSize(font, "0").y, thin = std::max(1.f, shell.px(1.2f));
  const OnAxes on(s, plot.x.scale, plot.y.scale);
  // Numbers on the bars: with errors, without, or only under the mouse, as space allows.
  const auto fit = [&](bool errors) {
    bool fits = true;
    for (std::size_t k = 0; k < on.size(); ++k)
      fits = fits && textSize(font, numberOf(s, on.index(k), errors)).x <= width;
    return fits;
  };
  const bool errors = fit(true), room = errors || fit(false);
  for (std::size_t k = 0; k < on.size(); ++k) {
    if (!std::isfinite(on.y()[k])) continue;
    const float x = f.px(on.x()[k]) + left, y = f.py(on.y()[k]), gap = std::min(1.f, 0.1f * width);
    list->AddRectFilled(ImVec2(x + gap, std::min(y, base)),
                        ImVec2(x + width - gap, std::max(y, base)), barColour(s, on.index(k)));
    float top = std::min(y, base);
    if (on.hasError(k)) {
      const float lo = std::min(f.py(on.low(k)), f.hi.y), hi = f.py(on.high(k));
      errorBar(list, x + width / 2, lo, hi, std::min(shell.px(4), width / 3), shell.colours->text,
               thin);
      top = std::min(top, hi);
    }
    if (!room) continue;
    const std::string text = numberOf(s, on.index(k), errors);
    const float at = std::max(f.lo.y, top - tall - shell.px(1));
    drawText(list, font, ImVec2(x + (width - textSize(font, text).x) / 2, at), shell.colours->text,
             text);
  }
}

}  // namespace

ImU32 barColour(const PlotSeries& s, std::size_t i) {
  const bool back = s.highlight && *s.highlight != i;
  return withAlpha(s.colour, s.opacity * (back ? 0.45f : 0.9f));
}

void drawBars(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const auto count = std::count_if(plot.series.begin(), plot.series.end(),
                                   [](const PlotSeries& s) { return s.kind == SeriesKind::bars; });
  if (count == 0) return;
  const float slot = f.px(f.x0 + barSlot(plot)) - f.px(f.x0);
  const float whole = std::max(1.f, 0.84f * slot), width = whole / static_cast<float>(count);
  float left = -whole / 2;
  for (const PlotSeries& s : plot.series) {
    if (s.kind != SeriesKind::bars) continue;
    bars(shell, plot, s, f, left, width);
    left += width;
  }
}

void drawSteps(Shell& shell, const PlotSeries& s, const PlotFrame& f) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float base = f.baseY();
  const std::size_t bins = s.x.empty() ? 0 : std::min(s.x.size() - 1, s.y.size());
  const auto at = [&](double x) {
    return std::clamp(f.px(toAxis(f.xScale, x)), f.lo.x - 1, f.hi.x + 1);
  };
  const auto height = [&](double value) {
    const double y = toAxis(f.yScale, value);
    return std::isnan(y) ? base : std::clamp(f.py(y), f.lo.y - 9, f.hi.y + 9);
  };
  std::vector<ImVec2> outline;
  for (std::size_t i = 0; i < bins; ++i) {
    const float x0 = at(s.x[i]), x1 = at(s.x[i + 1]), y = height(s.y[i]);
    if (x1 < f.lo.x || x0 > f.hi.x) continue;
    if (!s.dashed)
      list->AddRectFilled(ImVec2(x0, std::min(y, base)), ImVec2(x1, std::max(y, base)),
                          withAlpha(s.colour, (s.highlight == i ? 0.5f : 0.14f) * s.opacity));
    if (i < s.error.size() && s.error[i] > 0)
      list->AddRectFilled(ImVec2(x0, height(s.y[i] + s.error[i])),
                          ImVec2(x1, height(s.y[i] - s.error[i])),
                          withAlpha(s.colour, 0.2f * s.opacity));
    if (i == 0) outline.emplace_back(x0, base);
    outline.emplace_back(x0, y);
    outline.emplace_back(x1, y);
    if (i + 1 == bins) outline.emplace_back(x1, base);
  }
  strokeSeries(shell, s, outline);
}

}  // namespace cellscope::gui
