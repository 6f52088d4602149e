#include "app/gui/series.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cellscope::gui {
namespace {

// First, lowest, highest and last point of one pixel column.
struct CsvColumn {
  std::size_t first = 0, low = 0, high = 0, last = 0;
  bool empty = true;

  void take(std::size_t i, std::span<const double> y) {
    if (empty) {
      first = low = high = last = i;
      empty = false;
    }
    if (y[i] < y[low]) low = i;
    if (y[i] > y[high]) high = i;
    last = i;
  }
  void flush(std::vector<std::size_t>& out) {
    if (empty) return;
    std::size_t picks[4] = {first, low, high, last};
    std::sort(picks, picks + 4);
    for (std::size_t p : picks) {
      if (out.empty() || out.back() < p) out.push_back(p);
    }
    empty = true;
  }
};

}  // namespace

std::vector<std::size_t> decimate(std::span<const double> x, std::span<const double> y, double lo,
                                  double hi, int columns) {
  std::vector<std::size_t> out;
  const std::size_t n = std::min(x.size(), y.size());
  if (n == 0 || !(hi > lo) || columns < 1) return out;
  const auto begin = x.begin(), end = x.begin() + static_cast<std::ptrdiff_t>(n);
  auto from = static_cast<std::size_t>(std::lower_bound(begin, end, lo) - begin);
  auto to = static_cast<std::size_t>(std::upper_bound(begin, end, hi) - begin);
  if (from > 0) --from;
  if (to < n) ++to;
  CsvColumn column;
  long current = 0;
  for (std::size_t i = from; i < to; ++i) {
    if (!std::isfinite(y[i])) continue;
    const double place = std::clamp((x[i] - lo) / (hi - lo), -1.0, 2.0);
    const long here = static_cast<long>(std::floor(place * columns));
    if (!column.empty && here != current) column.flush(out);
    current = here;
    column.take(i, y);
  }
  column.flush(out);
  return out;
}

std::size_t nearestIndex(std::span<const double> x, double at) {
  const auto next = std::lower_bound(x.begin(), x.end(), at);
  if (next == x.begin()) return 0;
  if (next == x.end()) return x.size() - 1;
  const auto before = std::prev(next);
  return static_cast<std::size_t>((at - *before <= *next - at ? before : next) - x.begin());
}

double scatterNear(std::span<const double> y, std::size_t index) {
  constexpr std::size_t kSide = 32, kLeast = 4;
  const std::size_t from = index > kSide ? index - kSide : 0;
  const std::size_t to = std::min(y.size(), index + kSide + 1);
  double sum = 0;
  std::size_t count = 0;
  bool whole = true;
  for (std::size_t i = from; i + 1 < to; ++i) {
    const double step = y[i + 1] - y[i];
    if (!std::isfinite(step)) continue;
    sum += step * step;
    whole = whole && y[i] == std::floor(y[i]) && y[i + 1] == std::floor(y[i + 1]);
    ++count;
  }
  if (count < kLeast || sum == 0) return 0;
  const double scatter = std::sqrt(0.5 * sum / static_cast<double>(count));
  return whole ? -scatter : scatter;
}

void extend(double& lo, double& hi, std::span<const double> values) {
  for (double v : values) {
    if (!std::isfinite(v)) continue;
    if (lo > hi) {
      lo = hi = v;
    } else {
      lo = std::min(lo, v);
      hi = std::max(hi, v);
    }
  }
}

}  // namespace cellscope::gui
