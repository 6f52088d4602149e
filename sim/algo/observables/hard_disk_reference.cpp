#include "sim/algo/observables/hard_disk_reference.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/algo/observables/reference_file.h"
#include "sim/base/error.h"

namespace cellscope {
namespace {

PublishedSimulation simulation(const ReferenceTable& r) {
  PublishedSimulation s{r.text("method"), r.text("source"), r.number("disks"),
                        r.numbers("packing")};
  s.pressure = r.numbersLike("pressure", s.packing);
  s.error = r.numbersLike("error", s.packing);
  return s;
}

void addPrinted(const ReferenceTable& r, std::vector<PublishedSimulation>& all) {
  const std::vector<double> disks = r.numbers("disks");
  r.requireEqual("pressure", r.rows("pressure"), disks.size());
  for (std::size_t k = 0; k < disks.size(); ++k)
    all.push_back({r.text("method"), r.text("source"), static_cast<std::uint64_t>(disks[k]),
                   r.numbers("packing"), r.numbers("pressure", k), r.numbers("error", k)});
}

void addShuffles(const ReferenceTable& r, std::vector<ShufflePressure>& all) {
  const std::vector<double> packing = r.numbers("packing");
  r.requireEqual("pressure", r.rows("pressure"), 4);
  for (std::size_t k = 0; k < packing.size(); ++k)
    for (std::size_t row = 0; row < 4; ++row)
      all.push_back({packing[k], row < 2, row % 2 == 0, r.numbers("pressure", row).at(k),
                     r.numbers("error", row).at(k)});
}

DiskSpeed diskSpeed(const ReferenceTable& r) {
  DiskSpeed s{r.text("key"), r.text("hardware"), r.text("source"), r.numbers("sides"), {}, {}, {}};
  s.moves = r.numbersLike("moves", s.sides);
  s.ofLargest = r.numbersLike("of_largest", s.sides);
  s.overCore = r.numbersLike("over_core", s.sides);
  return s;
}

FluidFit fluidFit(const ReferenceTable& r) {
  FluidFit f{r.text("source"), r.numbers("power"), {}, r.numbers("density"), {}, {}};
  f.coefficient = r.numbersLike("coefficient", f.power);
  f.z = r.numbersLike("z", f.density);
  f.zError = r.numbersLike("z_error", f.density);
  return f;
}

constexpr double kSamePacking = 1e-6;
constexpr double kPadeLimit = 0.66;            // packing
constexpr std::uint64_t kFewestForBulk = 100;  // disks to which expansions in 1/N are applied
// A less precise value of the fit, relative, is not given as published.
constexpr double kLargestFluidError = 1e-4;
constexpr double kSameSize = 1.1;         // ratio of system sizes with comparable pressures
constexpr double kLargestRatio = 4.0001;  // of system sizes regarded as close
constexpr double kWidestGap = 0.0045;     // of packings, for interpolation

std::string sizeName(std::uint64_t disks) {
  const auto side = static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(disks))));
  return side * side == disks ? fmt::format("{}^2", side) : fmt::format("{}", disks);
}

CurveSeries formula(const std::string& label, const std::string& source, double end,
                    const auto& z) {
  CurveSeries series{.label = label, .source = source, .reference = true};
  constexpr int kSteps = 200;
  for (int i = 0; i <= kSteps; ++i) {
    const double eta = end * i / kSteps;
    series.add(eta, densityOfPacking(eta) * z(eta));
  }
  return series;
}

double sizeRatio(std::uint64_t a, std::uint64_t b) {
  const double x = static_cast<double>(a), y = static_cast<double>(b);
  return std::max(x, y) / std::max(1.0, std::min(x, y));
}

// A published pressure at some packing, as printed or between two neighbours.
struct Point {
  const PublishedSimulation* simulation = nullptr;
  double pressure = 0, error = 0;
  std::string how;   // "" as printed, else between which packings it was interpolated
  double ratio = 0;  // of the sizes, at least 1
};

// P* between points i and i + 1. A straight line misses a curve by an eighth of what its slope
// changes by over the interval: from the steeper change to a neighbouring interval.
Point between(const PublishedSimulation& s, std::size_t i, double packing) {
  const auto slope = [&](std::size_t k) {
    return (s.pressure[k + 1] - s.pressure[k]) / (s.packing[k + 1] - s.packing[k]);
  };
  const double h = s.packing[i + 1] - s.packing[i], f = (packing - s.packing[i]) / h;
  double bend = 0;
  if (i > 0) bend = std::abs(slope(i) - slope(i - 1));
  if (i + 2 < s.packing.size()) bend = std::max(bend, std::abs(slope(i + 1) - slope(i)));
  return {&s, s.pressure[i] + f * (s.pressure[i + 1] - s.pressure[i]),
          std::hypot((1 - f) * s.error[i], f * s.error[i + 1]) + h * bend / 8,
          fmt::format(", between packing {:.3f} and {:.3f}", s.packing[i], s.packing[i + 1]), 0};
}

// Empty if the packing is outside the table or in a wide gap.
std::optional<Point> pointAt(const PublishedSimulation& s, double packing, Published which) {
  for (std::size_t i = 0; i < s.packing.size(); ++i)
    if (std::abs(s.packing[i] - packing) <= kSamePacking)
      return Point{&s, s.pressure[i], s.error[i], "", 0};
  for (std::size_t i = 0; which == Published::nearest && i + 1 < s.packing.size(); ++i)
    if (s.packing[i] < packing && packing < s.packing[i + 1] &&
        s.packing[i + 1] - s.packing[i] < kWidestGap)
      return between(s, i, packing);
  return {};
}

// Per method the published size nearest to ours, the same for Published::comparable; where none is
// near, of all methods the nearest smaller and the nearest larger size, which bracket ours.
std::vector<Point> nearestPoints(std::uint64_t disks, double packing, Published which) {
  const double largestRatio = which == Published::comparable ? kSameSize : kLargestRatio;
  std::map<std::string, Point> near;
  Point smaller, larger;
  for (const PublishedSimulation& s : hardDiskData().simulations) {
    std::optional<Point> p = pointAt(s, packing, which);
    if (!p) continue;
    p->ratio = sizeRatio(s.disks, disks);
    Point& best = near[s.method];
    const auto better = [&](const Point& than) {
      return !than.simulation || p->ratio < than.ratio ||
             (p->ratio == than.ratio && p->error < than.error);
    };
    if (p->ratio <= largestRatio && better(best)) best = *p;
    Point& side = s.disks < disks ? smaller : larger;
    if (better(side)) side = *p;
  }
  std::vector<Point> all;
  for (const auto& [method, p] : near)
    if (p.simulation) all.push_back(p);
  if (which == Published::nearest && all.empty() && smaller.simulation && larger.simulation)
    all = {smaller, larger};
  return all;
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

// N (P*_N - P*) to leading order: -(rho eta / 2) d ln(Z + eta Z') / d eta.
double finiteSizeTerm(const FluidFit& fit, double eta) {
  const double step = std::min(1e-4, eta / 4);  // Z'' is smooth on this scale
  const double slope = (std::log(inverseCompressibility(fit, eta + step)) -
                        std::log(inverseCompressibility(fit, eta - step))) /
                       (2 * step);
  return -0.5 * densityOfPacking(eta) * eta * slope;
}

// Error of the 1/N term f: the number of disks in a part of the system fluctuates with the
// variance N / (Z + eta Z'), which adds eta^2 f'' / (2 N^2 (Z + eta Z')). Twice that covers all
// that the published pressures of kCheckedSize disks differ by, up to packing 0.690. In larger
// systems it is taken to fall no faster than 1/N, since a part of it may be an error of f.
double finiteSizeError(const FluidFit& fit, double eta, double disks) {
  constexpr double kCheckedSize = 870;
  const double step = std::min(1.5e-3, eta / 4);
  const double bend = (finiteSizeTerm(fit, eta + step) - 2 * finiteSizeTerm(fit, eta) +
                       finiteSizeTerm(fit, eta - step)) /
                      (step * step);
  const double next = eta * eta * std::abs(bend) / (2 * inverseCompressibility(fit, eta));
  return 2 * next / (disks * std::min(disks, kCheckedSize));
}

// Relative error, interpolated linearly between the simulated densities.
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

HardDiskData loadHardDiskData(const std::string& path) {
  const toml::table file = parseReferenceFile(path);
  HardDiskData data;
  const ReferenceTable virial = referenceTable(path, file, "virial");
  data.virial = virial.numbers("coefficients");
  virial.requireEqual("coefficients", data.virial.size(), 9);
  data.virialError = virial.numbersLike("errors", data.virial);
  data.virialSource = virial.text("source");
  data.pade = padeApproximant(virialSeries(data.virial), 4, 5);
  const ReferenceTable pade = referenceTable(path, file, "pade");
  data.padeSource = pade.text("source");
  data.padePacking = pade.numbers("packing");
  data.padeError = pade.numbersLike("error", data.padePacking);
  data.fluid = fluidFit(referenceTable(path, file, "fluid"));
  for (const ReferenceTable& r : referenceTables(path, file, "simulation"))
    data.simulations.push_back(simulation(r));
  for (const ReferenceTable& r : referenceTables(path, file, "exact"))
    data.exact.push_back(simulation(r));
  for (const ReferenceTable& r : referenceTables(path, file, "printed"))
    addPrinted(r, data.printed);
  addShuffles(referenceTable(path, file, "shuffles"), data.shuffles);
  for (const ReferenceTable& r : referenceTables(path, file, "speed"))
    data.speeds.push_back(diskSpeed(r));
  return data;
}

const HardDiskData& hardDiskData() {
  static const HardDiskData data = loadHardDiskData(referencePath("hard_disks.toml"));
  return data;
}

FluidPressure hardDiskFluid(double packing, std::uint64_t disks) {
  CELLSCOPE_ASSERT(packing > 0 && packing <= kFluidLimit && disks > 0);
  const FluidFit& fit = hardDiskData().fluid;
  const double density = densityOfPacking(packing), n = static_cast<double>(disks);
  FluidPressure p;
  p.bulk = density * fluidZ(fit, packing);
  p.finite = p.bulk + finiteSizeTerm(fit, packing) / n;
  p.error = p.bulk * fluidError(fit, density);
  p.finiteError = std::hypot(p.error, finiteSizeError(fit, packing, n));
  return p;
}

std::vector<CurveSeries> hardDiskEquationOfState() {
  const HardDiskData& data = hardDiskData();
  std::vector<CurveSeries> all;
  all.push_back(formula("virial, Padé [4/5]", data.padeSource, kPadeLimit, data.pade));
  all.push_back(formula("Henderson", "D. Henderson, Mol. Phys. 30, 971 (1975)", 0.7, hendersonZ));
  all.push_back(
      formula("scaled particle theory",
              "E. Helfand, H. L. Frisch and J. L. Lebowitz, J. Chem. Phys. 34, 1037 (1961)", 0.7,
              scaledParticleZ));
  for (const PublishedSimulation& s : data.simulations)
    all.push_back({.label = fmt::format("{}, N = {}", s.method, sizeName(s.disks)),
                   .source = s.source,
                   .x = s.packing,
                   .y = s.pressure,
                   .error = s.error,
                   .kind = SeriesKind::points,
                   .reference = true});
  return all;
}

ReferenceValue hardDiskTable2(const std::string& method, std::uint64_t disks, double packing) {
  for (const PublishedSimulation& s : hardDiskData().printed)
    if (s.method == method && s.disks == disks)
      if (const auto at = pointAt(s, packing, Published::comparable))
        return {"pressure", at->pressure, at->error, s.source};
  return {"pressure", std::nan(""), 0, ""};
}

std::vector<ReferenceValue> hardDiskReferences(std::uint64_t disks, double packing, Published which,
                                               const std::string& observable) {
  std::vector<ReferenceValue> all;
  for (const Point& p : nearestPoints(disks, packing, which)) {
    const PublishedSimulation& s = *p.simulation;
    all.push_back({observable, p.pressure, p.error,
                   fmt::format("{}, N = {}{}: {}", s.method, sizeName(s.disks), p.how, s.source)});
  }
  for (const PublishedSimulation& s : hardDiskData().exact)
    if (const auto at = pointAt(s, packing, Published::comparable); at && s.disks == disks)
      all.push_back({observable, at->pressure, at->error,
                     fmt::format("{}, N = {}: {}", s.method, disks, s.source)});
  if (packing > 0 && packing <= kFluidLimit && disks >= kFewestForBulk) {
    const FluidPressure p = hardDiskFluid(packing, disks);
    if (p.finiteError <= kLargestFluidError * p.finite)
      all.push_back({observable, p.finite, p.finiteError,
                     fmt::format("equation of state with its 1/N term, N = {}: {}", sizeName(disks),
                                 hardDiskData().fluid.source)});
  }
  return all;
}

}  // namespace cellscope
