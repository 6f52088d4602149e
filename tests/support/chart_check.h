// What is wrong with a chart that a mode or a race offers; empty when nothing is.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/curve_series.h"

namespace cellscope::test {

inline std::string faultOf(const CurveSeries& s, const Curve& c) {
  const bool named = c.x.scale == AxisScale::named;
  const std::size_t extra = s.kind == SeriesKind::steps && !s.x.empty() ? 1 : 0;
  if (s.x.size() != s.y.size() + extra) return "x and y differ in length";
  if (!s.error.empty() && s.error.size() != s.y.size()) return "an error for some values only";
  if (s.reference && s.source.empty()) return "published data name their source";
  if (s.highlight && *s.highlight >= s.y.size()) return "what is highlighted is not there";
  if (s.highlight && s.highlightLabel.empty()) return "a highlight has a label";
  const bool joined = s.kind == SeriesKind::line || s.kind == SeriesKind::steps;
  if (joined && !std::is_sorted(s.x.begin(), s.x.end())) return "x of joined values falls";
  if (joined && named) return "only bars and points stand on a named axis";
  for (double x : s.x) {
    if (!std::isfinite(x)) return "x is not finite";
    if (named && (x != std::floor(x) || x < 0 || x >= static_cast<double>(c.x.names.size())))
      return fmt::format("x = {} is not one of the names", x);
  }
  return "";
}

inline std::string faultOf(const Curve& c) {
  if (c.id.empty() || c.label.empty() || c.x.label.empty() || c.y.label.empty())
    return "'" + c.id + "': words are missing";
  if (c.y.scale == AxisScale::named) return c.id + ": y cannot be named";
  for (const CurveSeries& s : c.series)
    if (const std::string fault = faultOf(s, c); !fault.empty())
      return c.id + ", " + s.label + ": " + fault;
  return "";
}

}  // namespace cellscope::test
