// Axes of a plot: ticks, grid, labels, and messages inside it.
#include <limits>

#include "app/gui/plot.h"
#include "render/printed.h"

namespace cellscope::gui {

double toAxis(AxisScale scale, double value) {
  if (scale != AxisScale::logarithmic) return value;
  return value > 0 ? std::log10(value) : -std::numeric_limits<double>::infinity();
}

double fromAxis(AxisScale scale, double coordinate) {
  return scale == AxisScale::logarithmic ? std::pow(10.0, coordinate) : coordinate;
}

OnAxes::OnAxes(const PlotSeries& series, AxisScale x, AxisScale y) : series_(&series), yScale_(y) {
  const std::size_t n = std::min(series.x.size(), series.y.size());
  if (x != AxisScale::logarithmic && y != AxisScale::logarithmic) {
    x_ = series.x.first(n);
    y_ = series.y.first(n);
    return;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double px = toAxis(x, series.x[i]), py = toAxis(y, series.y[i]);
    if (!std::isfinite(px) || !std::isfinite(py)) continue;
    ownX_.push_back(px);
    ownY_.push_back(py);
    index_.push_back(i);
  }
  x_ = ownX_;
  y_ = ownY_;
}

bool OnAxes::hasError(std::size_t k) const {
  const std::size_t i = index(k);
  return i < series_->error.size() && std::isfinite(series_->error[i]) && series_->error[i] > 0;
}

double OnAxes::end(std::size_t k, int sign) const {
  const std::size_t i = index(k);
  const double error = hasError(k) && (sign > 0 || !series_->upwards) ? series_->error[i] : 0;
  return toAxis(yScale_, series_->y[i] + sign * error);
}

std::size_t countNotShown(const Plot& plot) {
  const bool x = plot.x.scale == AxisScale::logarithmic;
  const bool y = plot.y.scale == AxisScale::logarithmic;
  if (!x && !y) return 0;
  std::size_t count = 0;
  for (const PlotSeries& s : plot.series) {
    // The first bin of a histogram may begin at 0: clip it instead of dropping it.
    const bool points = s.kind != SeriesKind::steps;
    for (std::size_t i = 0; i < std::min(s.x.size(), s.y.size()); ++i)
      count += (x && points && s.x[i] <= 0) || (y && s.y[i] <= 0);
  }
  for (const PlotReference& r : plot.references) count += y && r.value <= 0;
  return count;
}

const CurveAxis& lowerAxis(const Plot& plot) {
  return plot.x.scale == AxisScale::named ? plot.y : plot.x;
}

double barSlot(const Plot& plot) {
  std::vector<double> all;
  for (const PlotSeries& s : plot.series) {
    if (s.kind != SeriesKind::bars) continue;
    for (double x : s.x)
      if (const double at = toAxis(plot.x.scale, x); std::isfinite(at)) all.push_back(at);
  }
  if (all.empty()) return 0;
  std::ranges::sort(all);
  double slot = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < all.size(); ++k) {
    const double gap = all[k] - all[k - 1];
    if (gap > 1e-9 * std::abs(all.back() - all.front())) slot = std::min(slot, gap);
  }
  return std::isfinite(slot) ? slot : std::max(1.0, 0.1 * std::abs(all[0]));
}

constexpr double kEaseSeconds = 0.08;
constexpr double kShare = 0.09;    // of the published range, on either side of `place`
constexpr double kLeastOwn = 0.3;  // of it, where our own points are the range

static bool ours(const CurveSeries& s) { return s.source.empty() && !s.reference; }

void AxisRange::extend(std::span<const double> values) {
  for (const double v : values) {
    if (!std::isfinite(v)) continue;
    const bool isFirst = isNone();
    lo = isFirst ? v : std::min(lo, v);
    hi = isFirst ? v : std::max(hi, v);
  }
}

void AxisRange::follow(AxisRange wanted, double seconds) {
  const double share = 1 - std::exp(-seconds / kEaseSeconds);
  if (!hasLength()) *this = wanted;
  lo += (wanted.lo - lo) * share;
  hi += (wanted.hi - hi) * share;
  if (std::abs(lo - wanted.lo) + std::abs(hi - wanted.hi) < 2e-3 * wanted.length()) *this = wanted;
}

AxisRange focusOf(const Curve& curve, std::optional<double> place) {
  AxisRange all, own, marked;
  if (curve.x.scale != AxisScale::linear) return all;
  for (const CurveSeries& s : curve.series) {
    if (s.kind == SeriesKind::bars || s.kind == SeriesKind::steps) return {};  // shown whole
    (ours(s) ? own : all).extend(s.x);
    if (!ours(s) && s.kind == SeriesKind::line && s.x.size() == 2) marked.extend(s.x);
  }
  if (all.isNone()) return all;
  const auto whole = [](AxisRange f) {  // points at the ends are not clipped
    return AxisRange{f.lo, f.hi + 0.03 * f.length()};
  };
  if (!place && own.isNone()) return whole(all);
  if (!place) {
    const double least = kLeastOwn * all.length();
    const double side = std::max(0.1 * own.length(), 0.5 * (least - own.length()));
    const AxisRange near{own.lo - side, own.hi + side};
    if (marked.isNone()) return near;
    return whole({std::min(near.lo, marked.lo), std::max(near.hi, marked.hi)});
  }
  const double side = kShare * all.length();
  const AxisRange near{std::max(all.lo, *place - side), std::min(all.hi, *place + side)};
  return whole(near.hasLength() ? near : all);
}

AxisRange withOwnPoints(AxisRange focus, const Curve& curve) {
  if (focus.isNone()) return focus;
  const double side = 0.1 * focus.length();
  for (const CurveSeries& s : curve.series) {
    if (!ours(s)) continue;
    for (double x : s.x) {
      if (x > focus.lo && x < focus.hi) continue;
      focus.lo = std::min(focus.lo, x - side);
      focus.hi = std::max(focus.hi, x + side);
    }
  }
  return focus;
}

using render::makeLogTicks;
using render::makeTicks;
using render::Ticks;

namespace {

// Ticks at 1, 2, 5 times a power of ten below `end`, as labels fit; at least three if `roomy`.
template <class Roomy>
Ticks fullTicks(const CurveAxis& axis, AxisRange shown, double end, int most, const Roomy& roomy) {
  const bool isLog = axis.scale == AxisScale::logarithmic;
  const auto fitting = [&](int count) {
    Ticks ticks = isLog ? makeLogTicks(shown.lo, shown.hi, count)
                        : makeTicks(shown.lo, shown.hi, count, axis.whole);
    while (!ticks.at.empty() && ticks.at.back() > end) ticks.at.pop_back(), ticks.label.pop_back();
    return ticks;
  };
  if (isLog) {
    int count = 2 * most;
    while (count > 1 && !roomy(fitting(count))) --count;
    return fitting(count);
  }
  Ticks ticks = fitting(most);
  for (int more = most + 1; ticks.at.size() < 3 && more <= 2 * most + 1; ++more) {
    const Ticks denser = fitting(more);
    if (roomy(denser)) ticks = denser;
  }
  return ticks;
}

// It would collide with the tick labels. Rows have their quantity above the numbers.
bool labelIsLong(Shell& shell, const Plot& plot, float width) {
  return plot.x.scale != AxisScale::named &&
         textSize(shell.fonts.small, lowerAxis(plot).label).x > 0.22f * width;
}

bool labelsApart(const Ticks& ticks, const PlotFrame& f, ImFont* font, float gap) {
  float end = -1e9f;
  for (std::size_t i = 0; i < ticks.at.size(); ++i) {
    if (ticks.label[i].empty()) continue;
    const float half = 0.5f * textSize(font, ticks.label[i]).x, at = f.px(ticks.at[i]);
    if (at - half < end + gap) return false;
    end = at + half;
  }
  return true;
}

}  // namespace

float axisHeight(Shell& shell, const Plot& plot, float width) {
  return shell.px(plot.bareX ? 5 : labelIsLong(shell, plot, width) ? 36 : 22);
}

void takeLowerAxis(Shell& shell, const Plot& plot, PlotFrame& f) {
  const float width = f.hi.x - f.lo.x;
  f.labelBelow = labelIsLong(shell, plot, width);
  f.hi.y -= axisHeight(shell, plot, width);
}

static Ticks leftTicks(Shell& shell, const Plot& plot, const PlotFrame& f) {
  if (isEmpty(plot) && plot.references.empty()) return {};
  const int rows = std::max(2, static_cast<int>((f.hi.y - f.lo.y) / shell.px(23)));
  return fullTicks(plot.y, f.y, f.y.hi, rows, [&](const Ticks& t) {
    return std::ssize(t.label) - std::ranges::count(t.label, "") <= rows;
  });
}

void widenLeftAxis(Shell& shell, const Plot& plot, PlotFrame& f) {
  float widest = 0;
  for (const std::string& label : leftTicks(shell, plot, f).label)
    widest = std::max(widest, textSize(shell.fonts.smallNumbers, label).x);
  f.lo.x += std::max(0.f, widest + shell.px(6) - shell.px(kLeftAxis));
}

void drawLeftAxis(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const Palette& c = *shell.colours;
  ImFont* font = shell.fonts.smallNumbers;
  const float line = shell.stroke(), tall = textSize(font, "0").y;
  const Ticks y = leftTicks(shell, plot, f);
  float above = 1e9f;
  for (std::size_t i = 0; i < y.at.size(); ++i) {
    const float py = f.py(y.at[i]);
    const bool minor = y.label[i].empty();
    ImGui::GetWindowDrawList()->AddLine(ImVec2(f.lo.x, py), ImVec2(f.hi.x, py),
                                        withAlpha(c.line, minor ? 0.35f : 0.7f), line);
    if (minor || py + tall / 2 > above) continue;
    above = py - tall / 2;
    const float w = textSize(font, y.label[i]).x;
    drawText(font, ImVec2(f.lo.x - w - shell.px(6), py - tall / 2), c.muted, y.label[i]);
  }
}

void drawLowerAxis(Shell& shell, const Plot& plot, const PlotFrame& f) {
  const Palette& c = *shell.colours;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImFont *font = shell.fonts.smallNumbers, *words = shell.fonts.small;
  const float line = shell.stroke();
  const bool rows = plot.x.scale == AxisScale::named;
  const std::string label = rows ? "" : lowerAxis(plot).label;
  const float xw = textSize(words, label).x;
  const bool below = f.labelBelow;
  const float last = below || rows ? f.hi.x : f.hi.x - xw - shell.px(8);
  const float end = below || rows ? last : last - shell.px(16);
  const int columns = std::max(2, static_cast<int>((f.hi.x - f.lo.x) / shell.px(54)));
  const auto roomy = [&](const Ticks& t) { return labelsApart(t, f, font, shell.px(8)); };
  const Ticks x =
      isEmpty(plot) ? Ticks{} : fullTicks(lowerAxis(plot), f.x, f.xAt(end), columns, roomy);
  for (std::size_t i = 0; i < x.at.size(); ++i) {
    const float at = f.px(x.at[i]), w = textSize(font, x.label[i]).x;
    const float left = std::clamp(at - w / 2, f.lo.x - shell.px(16), f.hi.x - w);
    const bool minor = x.label[i].empty();
    list->AddLine(ImVec2(at, f.hi.y), ImVec2(at, f.hi.y + shell.px(minor ? 2 : 3)), c.muted, line);
    if (rows || f.xScale == AxisScale::logarithmic)
      list->AddLine(ImVec2(at, f.lo.y), ImVec2(at, f.hi.y), withAlpha(c.line, minor ? 0.35f : 0.7f),
                    line);
    if (left + w <= last && !plot.bareX)
      drawText(font, ImVec2(left, f.hi.y + shell.px(4)), c.muted, x.label[i]);
  }
  if (plot.bareX) return;
  drawText(words, ImVec2(f.hi.x - xw, f.hi.y + shell.px(below ? 19 : 4)), c.muted, label);
}

void drawTopLabel(Shell& shell, const std::string& label, const PlotFrame& f, ImVec2 at,
                  const std::string& id, const std::string& note) {
  ImFont* words = shell.fonts.small;
  const ImVec2 place(f.hi.x - textSize(words, note).x, at.y);
  const float gap = note.empty() ? 0 : shell.px(8);
  drawText(words, at, shell.colours->muted, fitted(words, label, place.x - gap - at.x));
  if (note.empty()) return;
  drawText(words, place, shell.colours->muted, note);
  shell.log->rect(id, place, ImVec2(f.hi.x, f.lo.y));
}

void drawNotes(Shell& shell, const Plot& plot, const PlotFrame& f) {
  ImFont* words = shell.fonts.small;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Palette& c = *shell.colours;
  // A published curve alone is seen at once, with what is awaited beside it; rows have it above.
  const bool rows = plot.x.scale == AxisScale::named;
  if (isEmpty(plot) || (!plot.integerX && !rows && !plot.waiting.empty())) {
    std::string none = !plot.waiting.empty() ? plot.waiting
                       : plot.integerX       ? "no samples yet"
                       : rows                ? "nothing measured yet"
                                             : "no curve yet";
    const std::size_t clause = none.find("; ");
    if (textSize(words, none).x > f.hi.x - f.lo.x && clause != std::string::npos)
      none[clause + 1] = '\n';
    const ImVec2 size = textSize(words, none);
    const ImVec2 at((f.lo.x + f.hi.x - size.x) / 2,
                    f.lo.y + (isEmpty(plot) ? 0.2f : 0.75f) * (f.hi.y - f.lo.y));
    const float pad = shell.px(4);
    list->AddRectFilled(at - ImVec2(pad, pad / 2), at + size + ImVec2(pad, pad / 2),
                        withAlpha(c.viewport, 0.85f), pad);
    drawText(words, at, c.muted, none);
  }
  const std::size_t hidden = countNotShown(plot);
  if (hidden == 0) return;
  const std::string note =
      fmt::format("{} value{} \xE2\x89\xA4 0 not shown", hidden, hidden == 1 ? "" : "s");
  const ImVec2 size = textSize(words, note), at(f.lo.x + shell.px(6), f.lo.y + shell.px(4));
  const float pad = shell.px(3);
  list->AddRectFilled(at - ImVec2(pad, pad / 2), at + size + ImVec2(pad, pad / 2),
                      withAlpha(c.viewport, 0.85f), pad);
  drawText(words, at, c.amber, note);
  shell.log->rect("not-shown:" + plot.id, at, at + size);
}

}  // namespace cellscope::gui
