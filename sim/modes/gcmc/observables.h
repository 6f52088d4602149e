// The observables of grand-canonical Monte Carlo, each with its words and how it follows from a
// sample. A new one is a line in this list, or in that of the method that alone has it.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/algo/gcmc/engine.h"
#include "sim/algo/gcmc/flight_view.h"
#include "sim/algo/observables/beginnings.h"
#include "sim/algo/observables/block_average.h"
#include "sim/api/observable.h"
#include "sim/io/binary.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// A configuration in numbers, in Lennard-Jones units; NaN where nothing was measured.
struct GcmcSample {
  double particles = 0, volume = 1, temperature = 1;
  double ofB = std::nan("");  // particles of type B, in a mixture
  int dimension = 3;
  double energy = 0;         // with tail
  double virial = 0;         // sum over pairs of r . f
  double tailPressure = 0;   // p_tail / rho^2, 0 without correction
  double drift = 0;          // running energy minus the recomputed one
  double boltzmann = 0;      // mean of exp(-dU / T) over test points
  GcmcCounters moves;        // since the last sample
  GcmcFlightCounts flights;  // since the last sample

  double density() const { return particles / volume; }
};

// Of counts; `none` of nothing.
inline double shareOf(std::uint64_t part, std::uint64_t all, double none = 0) {
  return all == 0 ? none : static_cast<double>(part) / static_cast<double>(all);
}

struct GcmcObservable {
  ObservableInfo info;
  double (*value)(const GcmcSample&);
};

// All there are, in the order of their columns: those of every method, those of one alone, those of
// mixtures. New ones go to the end, so that older checkpoints still load.
const std::vector<GcmcObservable>& gcmcObservables();

// What a grand-canonical run accumulates: the distribution of N, the isotherm so far, and Widom's
// estimate of the excess chemical potential, from where its averages begin.

// Density against what the reservoir is given by, from an equation of state for the interaction
// that is sampled: stable states, with a jump where vapour and liquid coexist. None in the plane.
std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given);

// Of hard spheres in space: with exchange density, number and pressure of the fluid at this
// activity, without it the pressure of fluid or crystal at the density of n particles.
std::vector<ReferenceValue> hardSphereReferences(const GcmcParameters& p, std::uint32_t n);

class GcmcSampler {
 public:
  // Forget all but the isotherm, which keeps what was measured at other chemical potentials.
  void reset() {
    sums_.restart();
    settled_ = false;
  }
  void forgetIsotherm() { past_.clear(); }
  // N after every step.
  void count(std::uint32_t n) {
    sums_.each([&](Sums& s) { s.count(n); });
  }
  void add(const GcmcSample& s);
  // As Mode::averagesAre(), in the samples of add(): of the density, and the error of
  // the mean Boltzmann factor of insertion.
  void averagesAre(std::uint64_t leftOut, bool settled, double insertionError) {
    sums_.leaveOut(leftOut);
    settled_ = settled;
    insertionError_ = insertionError;
  }
  bool settled() const { return settled_; }
  // Fraction of the steps after which the box was empty; none yet: 0.
  double emptyFraction() const {
    const Sums& s = sums_.chosen();
    return s.steps > 0 && s.first == 0 ? s.histogram[0] / s.steps : 0.0;
  }
  std::vector<Curve> curves(const GcmcParameters& p) const {
    return {distribution(p, false), distribution(p, true), isotherm(p), excess(p)};
  }

  // Everything accumulated, bit for bit. load() throws InputError for what is impossible.
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);
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
  static void fields(auto& io, auto& sums);
  Point present(double activity) const;
  Curve distribution(const GcmcParameters& p, bool logarithmic) const;
  Curve isotherm(const GcmcParameters& p) const;
  Curve excess(const GcmcParameters& p) const;

  Beginnings<Sums> sums_;
  bool settled_ = false;
  double insertionError_ = 0;
  std::vector<Point> past_;
};

}  // namespace cellscope::gcmc
