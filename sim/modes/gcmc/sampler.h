// What a grand-canonical run accumulates: the distribution of N, the isotherm so far, and Widom's
// estimate of the excess chemical potential.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/api/observable.h"
#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// Density against what the reservoir is given by, from an equation of state for the interaction
// that is sampled: stable states, with a jump where vapour and liquid coexist. None in the plane.
std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given);

class GcmcSampler {
 public:
  // Forget all but the isotherm, which keeps what was measured at other chemical potentials.
  void reset();
  void forgetIsotherm() { past_.clear(); }
  // N after every step.
  void count(std::uint32_t n);
  void add(const GcmcSample& s);
  // Fraction of the steps after which the box was empty; none yet: 0.
  double emptyFraction() const;
  std::vector<Curve> curves(const GcmcParameters& p) const;

  // Everything accumulated, as numbers; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers);
  // A change of the reservoir: the mean so far becomes a point of the isotherm.
  void closePoint(const GcmcParameters& before);

 private:
  struct Point {
    double activity, density;
  };
  Curve distribution(const GcmcParameters& p, bool logarithmic) const;
  Curve isotherm(const GcmcParameters& p) const;
  Curve excess(const GcmcParameters& p) const;
  double meanNumber() const;

  std::uint32_t first_ = 0;  // N of histogram_[0]
  std::vector<double> histogram_;
  double steps_ = 0, numberSum_ = 0;
  double samples_ = 0, boltzmannSum_ = 0, sampledNumberSum_ = 0;
  std::vector<Point> past_;
};

}  // namespace cellscope::gcmc
