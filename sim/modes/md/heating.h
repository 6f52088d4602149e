// The heating curve of a ramp: temperature against energy, or enthalpy where the pressure is held.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/curve_series.h"

namespace cellscope::md {

// Means over equal numbers of samples that follow each other; when there are kMost, neighbours are
// joined, so that the curve keeps its resolution however long the ramp is.
class HeatingCurve {
 public:
  struct Point {
    double temperature = 0, heat = 0;  // energy or, at the pressure that is held, enthalpy
    double density = 0, pressure = 0;  // measured
  };
  static constexpr std::size_t kMost = 256;

  void add(const Point& sample);
  const std::vector<Point>& points() const { return points_; }

  // As numbers, none before the first sample; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers);

 private:
  std::uint64_t each_ = 8, summed_ = 0;  // samples of a point, and in the one to come
  Point sum_;
  std::vector<Point> points_;
};

// Liquid and vapour that coexist, per particle, kinetic energy included.
struct Boiling {
  double temperature, pressure, liquidEnthalpy, vapourEnthalpy, liquidDensity, vapourDensity;
  std::string source;
  double heat() const { return vapourEnthalpy - liquidEnthalpy; }
};
// The published state of the truncated potential in space whose pressure is this one.
std::optional<Boiling> publishedBoiling(double pressure, double cutoff, bool tail);

// Enthalpies of both branches of a heating curve at the published temperature of boiling. A small
// liquid boils later, and its vapour is not seen there. The liquid: by a straight line through its
// points within 0.15 of that temperature. The vapour: by h = (d + 2) T / 2 + c P / T^2, as a virial
// series begins, with c from its points and the pressure that was measured, as its volume follows
// slowly. error: one standard error of the difference, by the scatter of the points. None: a branch
// has fewer than four points.
struct HeatOfEvaporation {
  double liquid, vapour, error;
};
std::optional<HeatOfEvaporation> heatOfEvaporation(const std::vector<HeatingCurve::Point>& points,
                                                   const Boiling& known);

// rampStart: temperature of the bath there; points before the first that comes near it are the
// approach. heldPressure: none at constant volume, where heat is the energy.
Curve heatingChart(const HeatingCurve& curve, double rampStart, std::optional<double> heldPressure,
                   const std::optional<Boiling>& known);

}  // namespace cellscope::md
