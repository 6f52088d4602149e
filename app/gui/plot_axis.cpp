#include "app/gui/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
  const double error = hasError(k) ? series_->error[i] : 0;
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
  std::sort(all.begin(), all.end());
  double slot = std::numeric_limits<double>::infinity();
  for (std::size_t k = 1; k < all.size(); ++k) {
    const double gap = all[k] - all[k - 1];
    if (gap > 1e-9 * std::abs(all.back() - all.front())) slot = std::min(slot, gap);
  }
  return std::isfinite(slot) ? slot : std::max(1.0, 0.1 * std::abs(all[0]));
}

}  // namespace cellscope::gui
