// Values on linear and logarithmic axes of a plot.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "app/gui/plot.h"

namespace cellscope::gui {

// Coordinate along an axis: the value or, on a logarithmic axis, its decimal logarithm; minus
// infinity for 0 or less.
double toAxis(AxisScale scale, double value);
double fromAxis(AxisScale scale, double coordinate);

// A line, points or bars in axis coordinates, without the values that logarithmic axes cannot show.
// Views the series, which must outlive it.
class OnAxes {
 public:
  OnAxes(const PlotSeries& series, AxisScale x, AxisScale y);

  std::size_t size() const { return x_.size(); }
  std::span<const double> x() const { return x_; }
  std::span<const double> y() const { return y_; }
  std::size_t index(std::size_t k) const {
    return index_.empty() ? k : index_[k];
  }  // in the series
  bool hasError(std::size_t k) const;
  // Ends of the error in axis coordinates; `low` is minus infinity where it reaches 0 or less.
  double low(std::size_t k) const { return end(k, -1); }
  double high(std::size_t k) const { return end(k, 1); }

 private:
  double end(std::size_t k, int sign) const;

  const PlotSeries* series_;
  AxisScale yScale_;
  std::vector<double> ownX_, ownY_;  // where an axis is logarithmic
  std::vector<std::size_t> index_;
  std::span<const double> x_, y_;
};

// Values of 0 or less that the logarithmic axes of the plot leave out.
std::size_t countNotShown(const Plot& plot);

// Quantity on the lower axis: y for charts of named rows.
const CurveAxis& lowerAxis(const Plot& plot);

// Width of a bar's slot in axis coordinates: the least distance of neighbouring bars; 0: no bars.
double barSlot(const Plot& plot);

}  // namespace cellscope::gui
