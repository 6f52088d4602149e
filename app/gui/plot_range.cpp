#include "app/gui/plot_range.h"

#include <algorithm>
#include <cmath>

#include "app/gui/series.h"

namespace cellscope::gui {
namespace {

constexpr double kEaseSeconds = 0.08;
constexpr double kShare = 0.09;  // of the published range, on either side of `place`

bool ours(const CurveSeries& s) { return s.source.empty() && !s.reference; }

}  // namespace

void AxisRange::follow(double wantedLo, double wantedHi, double seconds) {
  const double length = wantedHi - wantedLo;
  const double share = lo < hi ? 1 - std::exp(-seconds / kEaseSeconds) : 1;
  lo += (wantedLo - lo) * share;
  hi += (wantedHi - hi) * share;
  if (std::abs(lo - wantedLo) + std::abs(hi - wantedHi) < 2e-3 * length)
    lo = wantedLo, hi = wantedHi;
}

CurveFocus focusOf(const Curve& curve, std::optional<double> place) {
  CurveFocus all;
  if (curve.x.scale != AxisScale::linear) return all;
  for (const CurveSeries& s : curve.series) {
    if (s.kind == SeriesKind::bars || s.kind == SeriesKind::steps) return {};  // shown whole
    if (!ours(s)) extend(all.lo, all.hi, s.x);
  }
  if (all.lo > all.hi) return all;
  const auto whole = [](CurveFocus f) {  // points at the ends are not clipped
    return CurveFocus{f.lo, f.hi + 0.03 * (f.hi - f.lo)};
  };
  if (!place) return whole(all);
  const double side = kShare * (all.hi - all.lo);
  const CurveFocus near{std::max(all.lo, *place - side), std::min(all.hi, *place + side)};
  return whole(near.lo < near.hi ? near : all);
}

CurveFocus withOwnPoints(CurveFocus focus, const Curve& curve) {
  if (focus.lo > focus.hi) return focus;
  const double side = 0.1 * (focus.hi - focus.lo);
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

}  // namespace cellscope::gui
