#include "sim/modes/gcmc/sampler.h"

#include <algorithm>
#include <cmath>

#include "sim/core/lennard_jones_eos.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostPoints = 1000;  // of the isotherm
constexpr double kFewestSteps = 20;        // behind one of them
constexpr double kCriticalTemperature = 1.32;

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

}  // namespace

std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given) {
  const bool full = p.dimensions() == 3 && p.law() == GcmcPotential::truncated && p.tail;
  if (!full || p.temperature < kCriticalTemperature || p.temperature > 9) return std::nullopt;
  CurveSeries s{"equation of state of the full potential",
                "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)",
                {},
                {}};
  s.reference = true;
  for (int k = 1; k <= 90; ++k) {
    const double rho = 0.01 * k;
    const double lnZ =
        std::log(rho) + tholEquation(p.temperature, rho).excessPotential / p.temperature;
    s.x.push_back(abscissa(p, given, std::exp(lnZ)));
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
