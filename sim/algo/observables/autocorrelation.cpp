#include "sim/algo/observables/autocorrelation.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cellscope {
namespace {

using Series = std::span<const std::complex<double>>;

std::complex<double> meanOfSeries(Series series) {
  std::complex<double> sum = 0;
  for (const auto& z : series) sum += z;
  return series.empty() ? sum : sum / static_cast<double>(series.size());
}

// Mean over the n - lag pairs.
double correlationAt(Series series, std::complex<double> mean, std::size_t lag) {
  double sum = 0;
  for (std::size_t s = 0; s + lag < series.size(); ++s)
    sum += std::real(std::conj(series[s] - mean) * (series[s + lag] - mean));
  return sum / static_cast<double>(series.size() - lag);
}

}  // namespace

AutocorrelationTime autocorrelationTime(Series series, bool subtractMean, double factor) {
  AutocorrelationTime result;
  result.tau = result.error = std::numeric_limits<double>::quiet_NaN();
  if (series.size() < 3) return result;
  const std::complex<double> mean = subtractMean ? meanOfSeries(series) : 0.0;
  const double c0 = correlationAt(series, mean, 0);
  if (!(c0 > 0)) return result;
  double tau = 0.5;
  for (std::size_t w = 1; w <= series.size() / 3; ++w) {
    tau += correlationAt(series, mean, w) / c0;
    result.window = w;
    result.converged = static_cast<double>(w) >= factor * tau;
    if (result.converged) break;
  }
  result.tau = tau;
  const double n = static_cast<double>(series.size());
  const double terms = 2.0 * static_cast<double>(result.window) + 1;
  result.error = std::abs(tau) * std::sqrt(2.0 * terms / n);
  return result;
}

}  // namespace cellscope
