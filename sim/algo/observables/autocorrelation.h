// Integrated autocorrelation time of a series, for tuning and error bars.
#pragma once
#include <complex>
#include <cstddef>
#include <span>

namespace cellscope {

struct AutocorrelationTime {
  double tau = 0;          // 1/2 + sum_{t=1..W} C(t)/C(0), in samples; NaN when C(0) = 0
  double error = 0;        // tau sqrt(2 (2 W + 1) / n) (Madras and Sokal 1988)
  std::size_t window = 0;  // W: smallest with W >= factor tau(W)
  bool converged = false;  // a window was found within a third of the series
};

// C(t) = Re <z*(s) z(s + t)>; the mean is subtracted on request (psi6 of a liquid has mean zero by
// symmetry). Sums lags until the window is found: cost = length of the series
// times window.
AutocorrelationTime autocorrelationTime(std::span<const std::complex<double>> series,
                                        bool subtractMean, double factor = 6);

}  // namespace cellscope
