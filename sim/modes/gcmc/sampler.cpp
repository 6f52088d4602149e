#include "sim/modes/gcmc/sampler.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "sim/core/gcmc_tail.h"
#include "sim/core/lennard_jones_eos.h"
#include "sim/core/pets_eos.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostPoints = 1000;  // of the isotherm
constexpr double kFewestSteps = 20;        // behind one of them

// The coordinate of the isotherm: what the reservoir is given by.
double abscissa(const GcmcParameters& p, Reservoir given, double activity) {
  switch (given) {
    case Reservoir::potential:
      return potentialOfActivity(activity, p.temperature);
    case Reservoir::activity:
      return activity;
    case Reservoir::fugacity:
      return fugacityOfActivity(activity, p.temperature);
  }
  return activity;
}

double abscissa(const GcmcParameters& p, double activity) {
  return abscissa(p, static_cast<Reservoir>(p.reservoir.index), activity);
}

// An equation of state for the interaction of a run. None in the plane, for the force-shifted
// potential, and where a fit does not hold.
struct FluidEquation {
  std::string label, source;
  std::function<FluidState(double)> at;  // of the density
};

std::optional<FluidEquation> equationOf(const GcmcParameters& p) {
  const double t = p.temperature;
  if (p.dimensions() != 3) return std::nullopt;
  if (p.law() == GcmcPotential::shifted && std::fabs(p.cutoff - 2.5) < 1e-6 && t >= 0.65 && t <= 4)
    return FluidEquation{"equation of state of the truncated and shifted potential (PeTS)",
                         "Heier et al., Mol. Phys. 116, 2083 (2018)",
                         [t](double rho) { return petsEquation(t, rho); }};
  if (p.law() != GcmcPotential::truncated || t < 0.7 || t > 9) return std::nullopt;
  const char* const kThol = "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)";
  if (p.tail)
    return FluidEquation{"equation of state of the full potential", kThol,
                         [t](double rho) { return tholEquation(t, rho); }};
  // F = F_full - c N^2 / V: good where the fluid beyond the cutoff is uniform.
  return FluidEquation{"equation of state, attraction beyond the cutoff taken off", kThol,
                       [t, c = tailEnergy(3, p.cutoff)](double rho) {
                         FluidState s = tholEquation(t, rho);
                         s.pressure -= c * rho * rho;
                         s.energy -= c * rho;
                         s.excessPotential -= 2 * c * rho;
                         return s;
                       }};
}

struct Branch {
  std::vector<double> rho, mu, pressure;
  double pressureAt(double potential) const {
    for (std::size_t k = 1; k < mu.size(); ++k) {
      if ((mu[k - 1] - potential) * (mu[k] - potential) > 0) continue;
      const double share = (potential - mu[k - 1]) / (mu[k] - mu[k - 1]);
      return pressure[k - 1] + share * (pressure[k] - pressure[k - 1]);
    }
    return mu.empty() || potential < std::min(mu.front(), mu.back())
               ? -std::numeric_limits<double>::infinity()
               : std::numeric_limits<double>::infinity();
  }
};

// From `from` on in steps as long as the fluid is stable against its own fluctuations.
Branch branchOf(const FluidEquation& e, double temperature, double from, double to, double step) {
  Branch b;
  const double sign = step > 0 ? 1 : -1;
  for (double rho = from; sign * (to - rho) > 0; rho += step) {
    const FluidState s = e.at(rho);
    if (!b.rho.empty() && sign * (s.pressure - b.pressure.back()) <= 0) break;
    b.rho.push_back(rho);
    b.mu.push_back(temperature * std::log(rho) + s.excessPotential);
    b.pressure.push_back(s.pressure);
  }
  return b;
}

// Where the two branches have the same pressure at the same chemical potential.
double coexistencePotential(const Branch& vapour, const Branch& liquid) {
  double low = std::max(vapour.mu.front(), liquid.mu.back()),
         high = std::min(vapour.mu.back(), liquid.mu.front());
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (vapour.pressureAt(middle) > liquid.pressureAt(middle) ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

// Stable states, from vapour to liquid: chemical potential and density. Where both are at the same
// chemical potential the density jumps.
std::vector<std::pair<double, double>> stableStates(const FluidEquation& e, double temperature) {
  constexpr double kLeast = 0.0005, kMost = 0.9, kStep = 0.0025;
  const Branch vapour = branchOf(e, temperature, kLeast, kMost, kStep);
  const bool whole = vapour.rho.back() > kMost - 2 * kStep;
  const Branch liquid = whole ? Branch{} : branchOf(e, temperature, kMost, kLeast, -kStep);
  const double jump =
      whole ? std::numeric_limits<double>::infinity() : coexistencePotential(vapour, liquid);
  std::vector<std::pair<double, double>> all;
  for (std::size_t k = 0; k < vapour.mu.size() && vapour.mu[k] <= jump; ++k)
    all.emplace_back(vapour.mu[k], vapour.rho[k]);
  for (std::size_t k = liquid.mu.size(); k-- > 0;)
    if (liquid.mu[k] > jump) all.emplace_back(liquid.mu[k], liquid.rho[k]);
  return all;
}

}  // namespace

std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given) {
  const auto equation = equationOf(p);
  if (!equation) return std::nullopt;
  CurveSeries s{equation->label, equation->source, {}, {}};
  s.reference = true;
  for (const auto& [mu, rho] : stableStates(*equation, p.temperature)) {
    s.x.push_back(abscissa(p, given, std::exp(mu / p.temperature)));
    s.y.push_back(rho);
  }
  return s;
}

void GcmcSampler::reset() {
  const std::vector<Point> past = std::move(past_);
  *this = GcmcSampler();
  past_ = past;
}

void GcmcSampler::count(std::uint32_t n) {
  if (histogram_.empty()) first_ = n;
  if (n < first_) {
    histogram_.insert(histogram_.begin(), first_ - n, 0.0);
    first_ = n;
  }
  if (n - first_ >= histogram_.size()) histogram_.resize(n - first_ + 1, 0.0);
  histogram_[n - first_]++;
  steps_++;
  numberSum_ += n;
}

void GcmcSampler::add(const GcmcSample& s) {
  samples_++;
  boltzmannSum_ += s.boltzmann;
  sampledNumberSum_ += s.particles;
}

double GcmcSampler::emptyFraction() const {
  return steps_ > 0 && first_ == 0 ? histogram_[0] / steps_ : 0.0;
}

double GcmcSampler::meanNumber() const { return numberSum_ / steps_; }

void GcmcSampler::closePoint(const GcmcParameters& before) {
  if (steps_ >= kFewestSteps && past_.size() < kMostPoints)
    past_.push_back({before.activity, meanNumber() / before.box().volume()});
}

Curve GcmcSampler::distribution(const GcmcParameters& p, bool logarithmic) const {
  Curve c{logarithmic ? "ln_number" : "number",
          logarithmic ? "ln P(N)" : "Distribution of N",
          {"N", AxisScale::linear, {}, true},
          {logarithmic ? "ln P(N)" : "P(N)"},
          "P(N): share of the steps that end with N particles"};
  const double zV = p.activity * p.box().volume();
  const auto poisson = [&](double n) { return n * std::log(zV) - zV - std::lgamma(n + 1); };
  CurveSeries run{"this run", "", {}, {}}, exact{"Poisson, mean z V", "ideal gas, exact", {}, {}};
  run.kind = logarithmic ? SeriesKind::points : SeriesKind::steps;
  exact.reference = true;
  for (std::size_t k = 0; k < histogram_.size(); ++k) {
    const double n = static_cast<double>(first_) + static_cast<double>(k);
    const double share = histogram_[k] / steps_;
    if (!logarithmic || share > 0) {
      run.x.push_back(logarithmic ? n : n - 0.5);
      run.y.push_back(logarithmic ? std::log(share) : share);
    }
    exact.x.push_back(n);
    exact.y.push_back(logarithmic ? poisson(n) : std::exp(poisson(n)));
  }
  if (!logarithmic && !run.x.empty()) run.x.push_back(run.x.back() + 1);
  if (!run.y.empty()) c.series.push_back(std::move(run));
  if (p.ideal() && p.insertion > 0 && !exact.y.empty()) c.series.push_back(std::move(exact));
  return c;
}

Curve GcmcSampler::isotherm(const GcmcParameters& p) const {
  static constexpr const char* kAxis[] = {"mu* / epsilon", "z", "f"};
  Curve c{"isotherm",
          "Isotherm so far",
          {kAxis[p.reservoir.index]},
          {"rho*"},
          "mean density at each chemical potential of this temperature"};
  CurveSeries run{"this run", "", {}, {}};
  run.kind = SeriesKind::points;
  for (const Point& k : past_) {
    run.x.push_back(abscissa(p, k.activity));
    run.y.push_back(k.density);
  }
  if (steps_ > 0) {
    run.highlight = run.x.size();
    run.highlightLabel = "now";
    run.x.push_back(abscissa(p, p.activity));
    run.y.push_back(meanNumber() / p.box().volume());
  }
  if (!run.x.empty()) c.series.push_back(std::move(run));
  if (auto reference = equationOfStateIn(p, static_cast<Reservoir>(p.reservoir.index)))
    c.series.push_back(std::move(*reference));
  return c;
}

Curve GcmcSampler::excess(const GcmcParameters& p) const {
  Curve c{"excess_potential",
          "Excess chemical potential",
          {"way", AxisScale::named, {"measured (Widom)", "imposed"}},
          {"mu_ex / epsilon"},
          "measured: -T ln <exp(-dU / T)>; imposed: mu - T ln <N / V>"};
  const double mean = samples_ > 0 ? boltzmannSum_ / samples_ : 0;
  if (!(mean > 0) || !(sampledNumberSum_ > 0)) return c;
  const double rho = sampledNumberSum_ / samples_ / p.box().volume();
  CurveSeries s{"mu_ex", "", {0, 1}, {}};
  s.kind = SeriesKind::bars;
  s.y = {-p.temperature * std::log(mean), p.mu - p.temperature * std::log(rho)};
  c.series.push_back(std::move(s));
  return c;
}

std::vector<Curve> GcmcSampler::curves(const GcmcParameters& p) const {
  return {distribution(p, false), distribution(p, true), isotherm(p), excess(p)};
}

std::vector<double> GcmcSampler::numbers() const {
  std::vector<double> all = {static_cast<double>(first_),
                             steps_,
                             numberSum_,
                             samples_,
                             boltzmannSum_,
                             sampledNumberSum_,
                             static_cast<double>(past_.size())};
  for (const Point& k : past_) all.insert(all.end(), {k.activity, k.density});
  all.insert(all.end(), histogram_.begin(), histogram_.end());
  return all;
}

bool GcmcSampler::restore(const std::vector<double>& numbers) {
  constexpr std::size_t kHead = 7;
  const bool valid = std::all_of(numbers.begin(), numbers.end(),
                                 [](double x) { return x >= 0 && std::isfinite(x); });
  if (numbers.size() < kHead || !valid || numbers[0] > 4294967295.0 || numbers[6] > kMostPoints)
    return false;
  const auto points = static_cast<std::size_t>(numbers[6]);
  if (numbers.size() < kHead + 2 * points) return false;
  first_ = static_cast<std::uint32_t>(numbers[0]);
  steps_ = numbers[1], numberSum_ = numbers[2];
  samples_ = numbers[3], boltzmannSum_ = numbers[4], sampledNumberSum_ = numbers[5];
  past_.clear();
  for (std::size_t k = 0; k < points; ++k)
    past_.push_back({numbers[kHead + 2 * k], numbers[kHead + 2 * k + 1]});
  histogram_.assign(numbers.begin() + static_cast<std::ptrdiff_t>(kHead + 2 * points),
                    numbers.end());
  return true;
}

}  // namespace cellscope::gcmc
