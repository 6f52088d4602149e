// What a grand-canonical run accumulates: the distribution of N, the isotherm so far, and Widom's
// estimate of the excess chemical potential, from where its averages begin.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "sim/algo/observables/beginnings.h"
#include "sim/algo/observables/block_average.h"
#include "sim/api/observable.h"
#include "sim/modes/gcmc/observables.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// Density against what the reservoir is given by, from an equation of state for the interaction
// that is sampled: stable states, with a jump where vapour and liquid coexist. None in the plane.
std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given);

// Of hard spheres in space: with exchange density, number and pressure of the fluid at this
// activity, without it the pressure of fluid or crystal at the density of n particles.
std::vector<ReferenceValue> hardSphereReferences(const GcmcParameters& p, std::uint32_t n);

class GcmcSampler {
 public:
  // Forget all but the isotherm, which keeps what was measured at other chemical potentials.
  void reset();
  void forgetIsotherm() { past_.clear(); }
  // N after every step.
  void count(std::uint32_t n);
  void add(const GcmcSample& s);
  // As FollowsAverages::averagesAre(), in the samples of add(); of the density.
  void averagesAre(std::uint64_t leftOut, bool settled);
  // Fraction of the steps after which the box was empty; none yet: 0.
  double emptyFraction() const;
  std::vector<Curve> curves(const GcmcParameters& p) const;

  // Everything accumulated, bit for bit. load() throws InputError for what is impossible.
  void save(std::ostream& out) const;
  void load(std::istream& in);
  // A change of the reservoir: the mean so far becomes a point of the isotherm.
  void closePoint(const GcmcParameters& before);

 private:
  // A mean density, and whether it is one of equilibrium.
  struct Point {
    double activity = 0, density = 0, error = 0;
    std::uint64_t settled = 0;
  };
  struct Sums {
    std::uint32_t first = 0;  // N of histogram[0]
    std::vector<double> histogram;
    double steps = 0, samples = 0, boltzmann = 0, number = 0;
    BlockAverage density;
    void count(std::uint32_t n);
  };
  static void saveSums(std::ostream& out, const Sums& s);
  static Sums loadSums(std::istream& in);
  Point present(double activity) const;
  Curve distribution(const GcmcParameters& p, bool logarithmic) const;
  Curve isotherm(const GcmcParameters& p) const;
  Curve excess(const GcmcParameters& p) const;

  Beginnings<Sums> sums_;
  bool settled_ = false;
  std::vector<Point> past_;
};

}  // namespace cellscope::gcmc
