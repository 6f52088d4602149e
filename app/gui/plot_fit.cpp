// Automatic ranges of a plot.
#include <limits>

#include "app/gui/plot.h"
#include "render/printed.h"

namespace cellscope::gui {

using render::widen;
namespace {

// Scatter of single values and of early means must not hide the trend or the distance of a mean
// from a published value. The x range is divided into sixteen parts; the y range covers, in each
// part, the middle half of single values or the middle 80 % of means. Of single values from
// `settled` on, in equilibrium, or else of the last part, it covers all but one in a hundred at
// either end where that is not much more: fluctuations are seen as they are, with the value now,
// and rare values far away hide nothing. Short series are shown whole, but for the state at step 0,
// which may be far from all that follows.
void extendByMost(const PlotSeries& s, AxisRange x, double settled, AxisRange& all) {
  constexpr std::size_t kParts = 16, kShort = 64, kSample = 4000;
  constexpr double kMuchMore = 4;                     // times; 3.4 for a normal distribution
  const double leftOut = s.opacity < 1 ? 0.25 : 0.1;  // at either end of a part
  const std::size_t n = std::min(s.x.size(), s.y.size()), stride = 1 + n / kSample;
  std::vector<double> y, still;
  for (std::size_t i = 0; i < n; i += stride) {
    if (!x.holds(s.x[i]) || !std::isfinite(s.y[i])) continue;
    y.push_back(s.y[i]);
    if (s.opacity < 1 && s.x[i] >= settled) still.push_back(s.y[i]);
  }
  if (y.size() < kShort) return all.extend(std::span(y).subspan(y.size() > 1 && s.x[0] == 0));
  AxisRange middle;
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto at = [&](std::size_t k) {
      return y.begin() + static_cast<std::ptrdiff_t>(k * y.size() / kParts);
    };
    const auto from = at(part), to = at(part + 1);
    std::sort(from, to);
    const auto out = static_cast<std::ptrdiff_t>(leftOut * static_cast<double>(to - from));
    middle.extend({from[out], to[-1 - out]});
  }
  all.extend({middle.lo, middle.hi});
  const bool drifts = settled == std::numeric_limits<double>::infinity();
  if (drifts && s.opacity < 1)
    still.assign(y.end() - static_cast<std::ptrdiff_t>(y.size() / kParts), y.end());
  if (still.size() < (drifts ? 1 : kShort)) return;
  std::ranges::sort(still);
  const std::size_t out = still.size() / 100;
  const AxisRange nearly{still[out], still[still.size() - 1 - out]};
  if (nearly.length() < kMuchMore * middle.length()) all.extend({nearly.lo, nearly.hi});
}

constexpr double kBesideMarks = 0.03;  // of the range of x
constexpr double kAround = 0.1;        // times a value that is alone, on either side of it
constexpr double kGoal = 0.2;          // of a published value, from which a run comes near it

// A point of ours with an error far beyond those of the others tells little and would make them
// flat: the largest that decides. Points of one look are the same quantity, equilibrated or not.
double largestError(const Plot& plot, const PlotSeries& like, AxisRange x) {
  constexpr std::size_t kFew = 4;
  constexpr double kFar = 3;  // times the middle one
  std::vector<double> errors;
  for (const PlotSeries& s : plot.series) {
    if (s.kind != like.kind || s.colour != like.colour || s.marker != like.marker) continue;
    const OnAxes on(s, plot.x.scale, plot.y.scale);
    for (std::size_t k = 0; k < on.size(); ++k)
      if (on.hasError(k) && x.holds(on.x()[k])) errors.push_back(on.high(k) - on.y()[k]);
  }
  if (errors.size() < kFew) return std::numeric_limits<double>::infinity();
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>((errors.size() - 1) / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  return kFar * *middle;
}

// y range of the values inside the x range, with the errors of points, bars and steps but not of
// lines: the band of a mean over few samples would fill the plot.
void extendByValues(const Plot& plot, const PlotSeries& s, AxisRange x, AxisRange& all) {
  const bool focused = plot.focus.hasLength();
  const bool errors = !focused && (s.kind == SeriesKind::points || s.kind == SeriesKind::bars);
  if (s.kind == SeriesKind::steps) {
    for (std::size_t i = 0; i + 1 < s.x.size() && i < s.y.size(); ++i) {
      const bool error = !focused && i < s.error.size() && s.error[i] > 0;
      if (toAxis(plot.x.scale, s.x[i + 1]) > x.lo && toAxis(plot.x.scale, s.x[i]) < x.hi)
        all.extend({toAxis(plot.y.scale, s.y[i]),
                    toAxis(plot.y.scale, s.y[i] + (error ? s.error[i] : 0))});
    }
    return;
  }
  const OnAxes on(s, plot.x.scale, plot.y.scale);
  const bool most = errors && s.kind == SeriesKind::points && plot.x.scale != AxisScale::named;
  const double largest = most ? largestError(plot, s, x) : std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < on.size(); ++k) {
    if (on.x()[k] < x.lo || on.x()[k] > x.hi || on.high(k) - on.y()[k] > largest) continue;
    all.extend({on.y()[k]});
    if (errors) all.extend({on.low(k), on.high(k)});
  }
}

// The axis starts at the base of the bars, with room for their numbers above; for rows on a
// logarithmic one at the decade below the shortest.
void addBase(const Plot& plot, AxisRange& all) {
  auto& [lo, hi] = all;
  if (plot.y.scale == AxisScale::logarithmic && plot.x.scale == AxisScale::named) {
    constexpr double kShortest = 0.15;  // of a decade
    lo = std::ceil(lo - kShortest) - 1;
    hi += 0.05 * (hi - lo);
    return;
  }
  if (plot.y.scale == AxisScale::logarithmic) {
    widen(lo, hi, 0.08);
    lo -= 0.2;  // keeps the smallest bar visible
    return;
  }
  const double least = lo, most = hi;
  lo = std::min(lo, 0.0), hi = std::max(hi, 0.0);
  if (lo == hi) hi = 1;
  const double room = 0.12 * (hi - lo);
  if (least < 0) lo -= room;
  if (most > 0 || least >= 0) hi += room;
}

// Where a part of x is shown, with many points, these are read, and lines leave the frame.
void fitPoints(const Plot& plot, AxisRange x, AxisRange& all) {
  constexpr std::ptrdiff_t kMany = 8;
  constexpr double kMostOfAll = 0.6;  // of the range of all
  if (!plot.focus.hasLength()) return;
  AxisRange read;
  std::ptrdiff_t count = 0;
  for (const PlotSeries& s : plot.series) {
    if (s.kind != SeriesKind::points) continue;
    extendByValues(plot, s, x, read);
    count +=
        std::ranges::count_if(s.x, [&](double at) { return x.holds(toAxis(plot.x.scale, at)); });
  }
  if (count < kMany || !read.hasLength() || read.length() >= kMostOfAll * all.length()) return;
  all = read;
  for (const PlotSeries& s : plot.series)  // a published level stays, as it does in x
    if (!s.source.empty() && s.kind == SeriesKind::line && s.x.size() == 2)
      extendByValues(plot, s, x, all);
}

AxisRange fitValues(const Plot& plot, AxisRange x, bool everything) {
  AxisRange all;
  auto& [lo, hi] = all;
  const double settled =
      plot.equilibrated ? plot.dimBefore : std::numeric_limits<double>::infinity();
  for (const PlotSeries& s : plot.series) {
    if (plot.integerX && !everything) {
      if (!s.rare && !s.aside) extendByMost(s, x, settled, all);
    } else {
      extendByValues(plot, s, x, all);
    }
  }
  fitPoints(plot, x, all);
  // A published value is in sight where that leaves the values a quarter of the axis, and on the
  // way to equilibrium where it is alike; drawReferences() tells where it lies otherwise.
  const double length = all.hasLength() ? all.length() : 0;
  for (const PlotReference& r : plot.references) {
    const double value = toAxis(plot.y.scale, r.value);
    const bool near = length == 0 || (value > lo - 3 * length && value < hi + 3 * length);
    const bool goal = !plot.equilibrated && plot.y.scale == AxisScale::linear &&
                      value > lo - kGoal * std::abs(value) && value < hi + kGoal * std::abs(value);
    if (near || goal) all.extend({value});
  }
  // Before the first sample a published value alone is seen with the width of its error, and with
  // room for what will be measured.
  if (length == 0 && isEmpty(plot) && plot.y.scale == AxisScale::linear)
    for (const PlotReference& r : plot.references) {
      const double side = std::max(1.5 * r.error, kAround * std::abs(r.value));
      all.extend({r.value - side, r.value + side});
    }
  if (all.isNone()) all = {0, 1};
  // So has a single value.
  if (lo == hi && plot.y.scale == AxisScale::linear && !plot.y.whole)
    lo -= kAround * std::abs(lo), hi += kAround * std::abs(hi);
  if (has(plot, SeriesKind::bars) || has(plot, SeriesKind::steps)) {
    addBase(plot, all);
    return all;
  }
  const bool linear = plot.y.scale == AxisScale::linear;
  // Zeros stand on the axis; of a count all that is shown is a whole number and none below zero.
  const bool zeros = linear && lo == 0 && hi == 0, counts = linear && plot.y.whole && lo >= 0;
  if (counts && lo == hi && lo > 0) lo -= 1, hi += 1;
  if (zeros || counts) hi = std::max(hi, std::floor(lo) + 1);
  widen(lo, hi, 0.08);
  if (zeros || (counts && lo < 0)) lo = 0;
  return all;
}

}  // namespace

bool isEmpty(const Plot& plot) {
  return std::ranges::all_of(plot.series, [](const PlotSeries& s) { return s.y.empty(); });
}

AxisRange fitX(const Plot& plot) {
  if (plot.x.scale == AxisScale::named)
    return fitValues(plot, {-1, static_cast<double>(plot.x.names.size())}, true);
  AxisRange all;
  auto& [lo, hi] = all;
  const double slot = barSlot(plot);
  for (const PlotSeries& s : plot.series) {
    if (s.x.empty()) continue;
    if (plot.x.scale == AxisScale::linear && slot == 0) {
      all.extend(s.x);
      continue;
    }
    const double side = s.kind == SeriesKind::bars ? 0.55 * slot : 0;
    for (double x : s.x) {
      const double at = toAxis(plot.x.scale, x);
      all.extend({at - side, at + side});
    }
  }
  if (plot.focus.hasLength()) {
    const AxisRange part{toAxis(plot.x.scale, plot.focus.lo), toAxis(plot.x.scale, plot.focus.hi)};
    if (std::isfinite(part.lo) && std::isfinite(part.hi)) all = part;
  }
  if (all.isNone()) all = {0, 1};
  // Steps count from 0, which also gives the first sample an axis, within which that is seen.
  if (plot.integerX && lo == hi)
    lo = 0, hi += kAround * hi;
  else if (plot.integerX && 2 * lo <= hi)
    lo = 0;
  if (lo == hi) hi = lo + 1;
  // Marks at the ends are whole within the frame.
  const bool marks = std::ranges::any_of(plot.series, [](const PlotSeries& s) {
    return s.kind == SeriesKind::points && s.x.size() > 1;
  });
  const double side = kBesideMarks * all.length();
  if (marks && !plot.focus.hasLength()) lo -= side, hi += side;
  return all;
}

AxisRange fitY(const Plot& plot, AxisRange x, bool everything) {
  if (plot.x.scale == AxisScale::named)
    return {-0.5, static_cast<double>(plot.x.names.size()) - 0.5};
  return fitValues(plot, x, everything);
}

}  // namespace cellscope::gui
