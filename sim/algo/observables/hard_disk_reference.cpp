#include "sim/algo/observables/hard_disk_reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/algo/observables/reference_data.h"
#include "sim/core/assert.h"
#include "sim/core/hard_disk_pressure.h"

namespace cellscope {
namespace {

constexpr double kSamePacking = 1e-6;
// N disks lie a share of about 2 eta / N below the bulk; with fewer disks the bulk is no reference.
constexpr std::uint64_t kFewestForBulk = 100;
constexpr double kLargestRatio = 4.0001;  // of system sizes that may be compared

std::string sizeName(std::uint64_t disks) {
  const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(disks))));
  return side * side == disks ? fmt::format("{}^2", side) : fmt::format("{}", disks);
}

template <class Z>
CurveSeries formula(const std::string& label, const std::string& source, double end, const Z& z) {
  CurveSeries series;
  series.label = label;
  series.source = source;
  series.reference = true;
  constexpr int kSteps = 200;
  for (int i = 0; i <= kSteps; ++i) {
    const double eta = end * i / kSteps;
    series.x.push_back(eta);
    series.y.push_back(densityOfPacking(eta) * z(eta));
  }
  return series;
}

struct Point {
  const PublishedSimulation* simulation = nullptr;
  std::size_t index = 0;
  double ratio = 0;  // of the sizes, at least 1
};

double sizeRatio(std::uint64_t a, std::uint64_t b) {
  const double x = static_cast<double>(a), y = static_cast<double>(b);
  return std::max(x, y) / std::max(1.0, std::min(x, y));
}

// Per method the point at this packing whose size is nearest.
std::map<std::string, Point> nearestPoints(std::uint64_t disks, double packing) {
  std::map<std::string, Point> nearest;
  for (const PublishedSimulation& s : hardDiskData().simulations)
    for (std::size_t i = 0; i < s.packing.size(); ++i) {
      if (std::abs(s.packing[i] - packing) > kSamePacking) continue;
      const double ratio = sizeRatio(s.disks, disks);
      Point& p = nearest[s.method];
      if (ratio <= kLargestRatio && (!p.simulation || ratio < p.ratio)) p = {&s, i, ratio};
    }
  return nearest;
}

double fluidZ(const FluidFit& fit, double eta) {
  double z = 0;
  for (std::size_t i = 0; i < fit.power.size(); ++i)
    z += fit.coefficient[i] * std::pow(eta / (1 - eta), fit.power[i]);
  return z;
}

// Z + eta Z' = d P* / d rho.
double inverseCompressibility(const FluidFit& fit, double eta) {
  constexpr double kStep = 1e-5;
  return fluidZ(fit, eta) +
         eta * (fluidZ(fit, eta + kStep) - fluidZ(fit, eta - kStep)) / (2 * kStep);
}

// Relative error, linear between the simulated densities.
double fluidError(const FluidFit& fit, double density) {
  const auto at = [&](std::size_t i) { return fit.zError[i] / fit.z[i]; };
  if (density <= fit.density.front()) return at(0);
  for (std::size_t i = 1; i < fit.density.size(); ++i) {
    const double f = (density - fit.density[i - 1]) / (fit.density[i] - fit.density[i - 1]);
    if (f <= 1) return at(i - 1) + f * (at(i) - at(i - 1));
  }
  return at(fit.density.size() - 1);
}

}  // namespace

double hardDiskPade(double packing) { return hardDiskData().pade(packing); }

double hardDiskPadeError(double packing) {
  const HardDiskData& d = hardDiskData();
  const std::size_t last = d.padePacking.size() - 1;
  for (std::size_t i = 1; i <= last; ++i) {
    if (packing > d.padePacking[i]) continue;
    const double f = (packing - d.padePacking[i - 1]) / (d.padePacking[i] - d.padePacking[i - 1]);
    return d.padeError[i - 1] + std::max(0.0, f) * (d.padeError[i] - d.padeError[i - 1]);
  }
  return d.padeError[last];
}

FluidPressure hardDiskFluid(double packing, std::uint64_t disks) {
  CELLSCOPE_ASSERT(packing > 0 && packing <= kFluidLimit && disks > 0);
  const FluidFit& fit = hardDiskData().fluid;
  const double z = fluidZ(fit, packing), density = densityOfPacking(packing);
  constexpr double kStep = 1e-4;  // the second difference of Z is smooth on this scale
  const double slope = (std::log(inverseCompressibility(fit, packing + kStep)) -
                        std::log(inverseCompressibility(fit, packing - kStep))) /
                       (2 * kStep);
  const double finite = z - 0.5 * packing / static_cast<double>(disks) * slope;
  return {density * z, density * finite, density * z * fluidError(fit, density)};
}

const std::string& hardDiskFluidSource() { return hardDiskData().fluid.source; }

std::vector<CurveSeries> hardDiskEquationOfState() {
  const HardDiskData& data = hardDiskData();
  std::vector<CurveSeries> all;
  all.push_back(formula("virial, Padé [4/5]", data.padeSource, kPadeLimit, data.pade));
  all.push_back(formula("Henderson", "D. Henderson, Mol. Phys. 30, 971 (1975)", 0.7, hendersonZ));
  all.push_back(
      formula("scaled particle theory",
              "E. Helfand, H. L. Frisch and J. L. Lebowitz, J. Chem. Phys. 34, 1037 (1961)", 0.7,
              scaledParticleZ));
  for (const PublishedSimulation& s : data.simulations) {
    CurveSeries series{.label = fmt::format("{}, N = {}", s.method, sizeName(s.disks)),
                       .source = s.source,
                       .x = s.packing,
                       .y = s.pressure,
                       .error = s.error,
                       .line = false,
                       .reference = true};
    all.push_back(std::move(series));
  }
  return all;
}

std::vector<ReferenceValue> hardDiskReferences(std::uint64_t disks, double packing,
                                               const std::string& observable) {
  std::vector<ReferenceValue> all;
  for (const auto& [method, p] : nearestPoints(disks, packing)) {
    if (!p.simulation) continue;
    const PublishedSimulation& s = *p.simulation;
    all.push_back({observable, s.pressure[p.index], s.error[p.index],
                   fmt::format("{}, N = {}: {}", method, sizeName(s.disks), s.source)});
  }
  for (const PublishedSimulation& s : hardDiskData().exact)
    for (std::size_t i = 0; i < s.packing.size(); ++i)
      if (s.disks == disks && std::abs(s.packing[i] - packing) <= kSamePacking)
        all.push_back({observable, s.pressure[i], s.error[i],
                       fmt::format("{}, N = {}: {}", s.method, disks, s.source)});
  if (packing > 0 && packing < kPadeLimit && disks >= kFewestForBulk) {
    const double density = densityOfPacking(packing), z = hardDiskPade(packing);
    const double finite = z * 2 * packing / static_cast<double>(disks);
    all.push_back({observable, density * z, density * (hardDiskPadeError(packing) + finite),
                   hardDiskData().padeSource + "; band: bound of its error"});
  }
  return all;
}

}  // namespace cellscope
