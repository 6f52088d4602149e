#include "sim/modes/md/observables.h"

#include <fmt/format.h>

#include "sim/algo/observables/fluid_reference.h"

namespace cellscope::md {
namespace {

constexpr double kNear = 0.15;             // of the temperature of boiling
constexpr std::size_t kLeastOfBranch = 4;  // points

// y = at + slope (x - x0), by least squares, and the standard error of `at`.
struct Line {
  double at = 0, error = 0;
};
Line lineThrough(const std::vector<double>& x, const std::vector<double>& y, double x0) {
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, rest = 0;
  for (std::size_t k = 0; k < x.size(); ++k) mx += x[k] / n, my += y[k] / n;
  for (std::size_t k = 0; k < x.size(); ++k) {
    xx += (x[k] - mx) * (x[k] - mx);
    xy += (x[k] - mx) * (y[k] - my);
  }
  const double slope = xx > 0 ? xy / xx : 0;
  for (std::size_t k = 0; k < x.size(); ++k)
    rest += std::pow(y[k] - my - slope * (x[k] - mx), 2) / (n - 2);
  const double far = xx > 0 ? (x0 - mx) * (x0 - mx) / xx : 0;
  return {my + slope * (x0 - mx), std::sqrt(rest * (1 / n + far))};
}

}  // namespace

void HeatingCurve::add(const Point& sample) {
  sum_.temperature += sample.temperature;
  sum_.heat += sample.heat;
  sum_.density += sample.density;
  sum_.pressure += sample.pressure;
  if (++summed_ < each_) return;
  const auto n = static_cast<double>(summed_);
  points_.push_back({sum_.temperature / n, sum_.heat / n, sum_.density / n, sum_.pressure / n});
  sum_ = {};
  summed_ = 0;
  if (points_.size() < kMost) return;
  for (std::size_t k = 0; k < kMost / 2; ++k) {
    const Point &a = points_[2 * k], &b = points_[2 * k + 1];
    points_[k] = {0.5 * (a.temperature + b.temperature), 0.5 * (a.heat + b.heat),
                  0.5 * (a.density + b.density), 0.5 * (a.pressure + b.pressure)};
  }
  points_.resize(kMost / 2);
  each_ *= 2;
}

std::vector<double> HeatingCurve::numbers() const {
  if (points_.empty() && summed_ == 0) return {};
  std::vector<double> all = {static_cast<double>(each_), static_cast<double>(summed_)};
  const auto put = [&](const Point& p) {
    all.insert(all.end(), {p.temperature, p.heat, p.density, p.pressure});
  };
  put(sum_);
  for (const Point& p : points_) put(p);
  return all;
}

bool HeatingCurve::restore(const std::vector<double>& numbers) {
  constexpr std::size_t kEach = 4, kHead = 2 + kEach;
  constexpr double kLargestCount = 9007199254740992.0;  // 2^53
  *this = {};
  if (numbers.empty()) return true;
  const bool finite = std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); });
  if (!finite || numbers.size() < kHead || (numbers.size() - kHead) % kEach != 0 ||
      numbers.size() >= kHead + kEach * kMost || numbers[0] < 1 || numbers[0] > kLargestCount ||
      numbers[1] < 0 || numbers[1] >= numbers[0])
    return false;
  each_ = static_cast<std::uint64_t>(numbers[0]), summed_ = static_cast<std::uint64_t>(numbers[1]);
  const auto at = [&](std::size_t k) {
    return Point{numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3]};
  };
  sum_ = at(2);
  for (std::size_t k = kHead; k < numbers.size(); k += kEach) points_.push_back(at(k));
  return true;
}

std::optional<Boiling> publishedBoiling(double pressure, double cutoff, bool tail) {
  constexpr double kSame = 0.002;  // relative
  for (const PublishedCoexistence& c : publishedCoexistences(cutoff, tail)) {
    if (std::abs(c.pressure - pressure) > kSame * c.pressure) continue;
    const auto enthalpy = [&](double energy, double density) {
      return 1.5 * c.temperature + energy + c.pressure / density;
    };
    return Boiling{c.temperature,
                   c.pressure,
                   enthalpy(c.liquidEnergy, c.liquid),
                   enthalpy(c.vapourEnergy, c.vapour),
                   c.liquid,
                   c.vapour,
                   c.source};
  }
  return std::nullopt;
}

std::optional<HeatOfEvaporation> heatOfEvaporation(const std::vector<HeatingCurve::Point>& points,
                                                   const Boiling& known) {
  constexpr double kIdeal = 2.5;  // (d + 2) / 2 in space
  std::vector<double> t, h, c;
  for (const HeatingCurve::Point& p : points) {
    const bool near = std::abs(p.temperature - known.temperature) < kNear;
    if (near && std::abs(p.density - known.liquidDensity) < 0.15 * known.liquidDensity)
      t.push_back(p.temperature), h.push_back(p.heat);
    if (p.density > known.vapourDensity) continue;
    const double enthalpy = p.heat + (p.pressure - known.pressure) / p.density;
    c.push_back((enthalpy - kIdeal * p.temperature) * p.temperature * p.temperature *
                known.pressure / p.pressure);
  }
  if (t.size() < kLeastOfBranch || c.size() < kLeastOfBranch) return std::nullopt;
  const Line liquid = lineThrough(t, h, known.temperature);
  const auto n = static_cast<double>(c.size());
  double mean = 0, spread = 0;
  for (const double v : c) mean += v / n;
  for (const double v : c) spread += (v - mean) * (v - mean) / (n * (n - 1));
  const double squared = known.temperature * known.temperature;
  return HeatOfEvaporation{liquid.at, kIdeal * known.temperature + mean / squared,
                           std::hypot(liquid.error, std::sqrt(spread) / squared)};
}

// Until one is within some standard deviations of a few hundred particles, or beyond.
static std::size_t pointsOfApproach(const std::vector<HeatingCurve::Point>& points, double to) {
  constexpr double kNearBath = 0.03;  // relative
  const auto away = [&](const HeatingCurve::Point& p) { return p.temperature / to - 1; };
  return static_cast<std::size_t>(
      std::ranges::find_if(
          points,
          [&](double far) { return std::abs(far) < kNearBath || far * away(points[0]) < 0; },
          away) -
      points.begin());
}

Curve heatingChart(const HeatingCurve& curve, double rampStart, std::optional<double> heldPressure,
                   const std::optional<Boiling>& known) {
  Curve c{"heating",
          "Heating curve",
          {heldPressure ? "H/N (epsilon)" : "E/N (epsilon)"},
          {"temperature (epsilon/k_B)"},
          heldPressure ? "H = E + P_0 V, P_0 the pressure that is held; a plateau is as long as "
                         "the latent heat per particle. A small system melts and boils too hot."
                       : "E = K + U at constant volume"};
  CurveSeries run{.label = "this run", .kind = SeriesKind::points},
      approach{.label = "approach to the bath", .kind = SeriesKind::points, .provisional = true};
  std::size_t before = pointsOfApproach(curve.points(), rampStart);
  for (const HeatingCurve::Point& p : curve.points()) {
    CurveSeries& to = before > 0 ? approach : run;
    to.add(p.heat, p.temperature);
    before -= before > 0;
  }
  if (curve.points().empty()) c.waiting = "a point follows every eight samples";
  c.series.push_back(std::move(run));
  if (!approach.x.empty()) c.series.push_back(std::move(approach));
  if (!known) return c;
  const auto plateau = [&](const std::string& label, double from, double to) {
    return CurveSeries{label, "", {from, to}, {known->temperature, known->temperature}};
  };
  CurveSeries nist = plateau(
      fmt::format("boiling, published: {:.2f} at T {:.2f}", known->heat(), known->temperature),
      known->liquidEnthalpy, known->vapourEnthalpy);
  nist.source = known->source, nist.reference = true;
  c.series.push_back(std::move(nist));
  if (const auto own = heatOfEvaporation(curve.points(), *known))
    c.series.push_back(plateau(fmt::format("read off this curve there: {:.2f} ± {:.2f}",
                                           own->vapour - own->liquid, own->error),
                               own->liquid, own->vapour));
  return c;
}

}  // namespace cellscope::md
