#include "sim/modes/gcmc/observables.h"

#include "sim/modes/mode_core.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostPoints = 1000;  // of the isotherm
constexpr std::size_t kMostNumbers = 1000000000 + 1;
constexpr const char *kRun = "this run", *kRunProvisional = "this run, equilibrating";
constexpr const char* kCarnahan = "Carnahan and Starling, J. Chem. Phys. 51, 635 (1969)";
constexpr std::uint64_t kFewestOfPoint = 8;  // least samples of one of them

// The coordinate of the isotherm: what the reservoir is given by.
double abscissa(const GcmcParameters& p, Reservoir given, double activity) {
  return given == Reservoir::potential  ? potentialOfActivity(activity, p.temperature)
         : given == Reservoir::fugacity ? fugacityOfActivity(activity, p.temperature)
                                        : activity;
}

// An equation of state for the interaction of a run. None in the plane, for the force-shifted
// potential, and where a fit does not hold.
struct FluidEquation {
  std::string label, source;
  std::function<FluidState(double)> at;  // of the density
};

std::optional<FluidEquation> equationOf(const GcmcParameters& p) {
  const double t = p.temperature;
  if (p.dimensions() != 3 || p.mixed()) return std::nullopt;
  if (p.hard())
    return FluidEquation{"fluid of hard spheres (Carnahan-Starling)", kCarnahan, [t](double rho) {
                           const FluidState s = hardSphereFluid(rho);
                           return FluidState{t * s.pressure, 0, t * s.excessPotential};
                         }};
  if (p.has("shifted") && std::fabs(p.cutoff - 2.5) < 1e-6 && t >= 0.65 && t <= 4)
    return FluidEquation{"equation of state of the truncated and shifted potential (PeTS)",
                         "Heier et al., Mol. Phys. 116, 2083 (2018)",
                         [t](double rho) { return petsEquation(t, rho); }};
  if (!p.has("truncated") || t < 0.7 || t > 9) return std::nullopt;
  const char* const kThol = "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)";
  if (p.tail)
    return FluidEquation{"equation of state, full potential", kThol,
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
  double pressureAt(double potential) const { return at(potential, pressure); }
  double densityAt(double potential) const { return at(potential, rho); }

 private:
  double at(double potential, const std::vector<double>& of) const {
    for (std::size_t k = 1; k < mu.size(); ++k) {
      if ((mu[k - 1] - potential) * (mu[k] - potential) > 0) continue;
      const double share = (potential - mu[k - 1]) / (mu[k] - mu[k - 1]);
      return of[k - 1] + share * (of[k] - of[k - 1]);
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
  if (!whole) {
    all.emplace_back(jump, vapour.densityAt(jump));
    all.emplace_back(jump, liquid.densityAt(jump));
  }
  for (std::size_t k = liquid.mu.size(); k-- > 0;)
    if (liquid.mu[k] > jump) all.emplace_back(liquid.mu[k], liquid.rho[k]);
  return all;
}

}  // namespace

std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given) {
  const auto equation = equationOf(p);
  if (!equation) return std::nullopt;
  CurveSeries s{.label = equation->label, .source = equation->source, .reference = true};
  for (const auto& [mu, rho] : stableStates(*equation, p.temperature))
    s.add(abscissa(p, given, std::exp(mu / p.temperature)), rho);
  return s;
}

std::vector<ReferenceValue> hardSphereReferences(const GcmcParameters& p, std::uint32_t n) {
  if (p.dimensions() != 3) return {};
  const double volume = p.box().volume(), t = p.temperature;
  if (p.insertion == 0) {
    const double rho = n / volume;
    if (rho <= kHardSphereFreezing)
      return {{"pressure", t * hardSphereFluid(rho).pressure, 0, kCarnahan}};
    if (rho >= kHardSphereMelting)
      return {{"pressure", t * hardSphereCrystalPressure(rho), 0,
               "crystal: Speedy, J. Phys.: Condens. Matter 10, 4387 (1998)"}};
    return {};
  }
  // ln z = ln rho + mu_ex / T rises with the density.
  const auto lnActivity = [](double rho) {
    return std::log(rho) + hardSphereFluid(rho).excessPotential;
  };
  if (p.lnActivity() > lnActivity(kHardSphereFreezing)) return {};
  double low = 0, high = kHardSphereFreezing;
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (lnActivity(middle) < p.lnActivity() ? low : high) = middle;
  }
  const double rho = 0.5 * (low + high);
  return {{"density", rho, 0, kCarnahan},
          {"particles", rho * volume, 0, kCarnahan},
          {"pressure", t * hardSphereFluid(rho).pressure, 0, kCarnahan}};
}

void GcmcSampler::Sums::count(std::uint32_t n) {
  if (histogram.empty()) first = n;
  if (n < first) {
    histogram.insert(histogram.begin(), first - n, 0.0);
    first = n;
  }
  if (n - first >= histogram.size()) histogram.resize(n - first + 1, 0.0);
  histogram[n - first]++;
  steps++;
}

void GcmcSampler::add(const GcmcSample& sample) {
  sums_.next();
  sums_.each([&](Sums& s) {
    s.samples++;
    s.boltzmann += sample.boltzmann;
    s.number += sample.particles;
    s.density.add(sample.particles / sample.volume);
  });
}

// The mean density of the observables.
GcmcSampler::Point GcmcSampler::present(double activity) const {
  const BlockAverage& density = sums_.chosen().density;
  const double error = density.error();
  return {activity, density.mean(), error > 0 ? error : 0, settled_};
}

void GcmcSampler::closePoint(const GcmcParameters& before) {
  if (before.insertion > 0 && sums_.chosen().density.count() >= kFewestOfPoint &&
      past_.size() < kMostPoints)
    past_.push_back(present(before.activity));
}

Curve GcmcSampler::distribution(const GcmcParameters& p, bool logarithmic) const {
  Curve c{
      logarithmic ? "ln_number" : "number",
      logarithmic ? "ln P(N)" : "Distribution of N",
      {"N", AxisScale::linear, {}, true},
      {logarithmic ? "ln P(N)" : "P(N)"},
      "P(N): share of the steps that end with N particles, from where the averages begin; error: "
      "sqrt((1 - P) / (P n)), n samples that are independent, by the blocks of the density"};
  const Sums& sums = sums_.chosen();
  const double error = sums.density.error();
  const double independent = error > 0 ? sums.density.variance() / (error * error) : 0;
  double mean = p.ideal() ? p.activity * p.box().volume() : 0;
  for (std::size_t k = 0; k < sums.histogram.size() && !p.ideal(); ++k)
    mean += static_cast<double>(sums.first + k) * sums.histogram[k] / sums.steps;
  const auto poisson = [&](double n) { return n * std::log(mean) - mean - std::lgamma(n + 1); };
  CurveSeries run{.label = settled_ ? kRun : kRunProvisional,
                  .kind = logarithmic ? SeriesKind::points : SeriesKind::steps,
                  .provisional = !settled_};
  // Of a real fluid to be compared with: attraction widens the distribution, a liquid's is narrow.
  CurveSeries exact{.label = p.ideal() ? "Poisson, mean z V" : "Poisson of the same mean",
                    .source = p.ideal() ? "ideal gas, exact" : "ideal gas",
                    .reference = true};
  for (std::size_t k = 0; k < sums.histogram.size(); ++k) {
    const double n = static_cast<double>(sums.first) + static_cast<double>(k);
    const double share = sums.histogram[k] / sums.steps;
    if (!logarithmic || share > 0) {
      run.add(logarithmic ? n : n - 0.5, logarithmic ? std::log(share) : share);
      const double relative = std::sqrt((1 - share) / (share * independent));
      if (independent > 0) run.error.push_back(logarithmic ? relative : share * relative);
    }
    exact.add(n, logarithmic ? poisson(n) : std::exp(poisson(n)));
  }
  if (!logarithmic && !run.x.empty()) run.x.push_back(run.x.back() + 1);
  if (!run.y.empty()) c.series.push_back(std::move(run));
  if (p.insertion > 0 && mean > 0 && !exact.y.empty() && (p.ideal() || !logarithmic))
    c.series.push_back(std::move(exact));
  return c;
}

Curve GcmcSampler::isotherm(const GcmcParameters& p) const {
  static constexpr const char* kAxis[] = {"mu* / epsilon", "z", "f"};
  Curve c{
      "isotherm",
      "Isotherm so far",
      {kAxis[p.reservoir.index]},
      {"rho*"},
      "mean density at each chemical potential of this temperature, from where the averages begin"};
  const auto given = static_cast<Reservoir>(p.reservoir.index);
  RunPoints points(kRun, kRunProvisional);
  const auto add = [&](const Point& k) -> CurveSeries& {
    CurveSeries& to = points.of(k.settled);
    to.add(abscissa(p, given, k.activity), k.density, k.error);
    return to;
  };
  for (const Point& k : past_) add(k);
  if (sums_.chosen().density.count() > 0 && p.insertion > 0) {
    CurveSeries& to = add(present(p.activity));
    to.highlight = to.x.size() - 1;
    to.highlightLabel = "now";
  }
  points.to(c.series);
  if (auto reference = equationOfStateIn(p, given)) c.series.push_back(std::move(*reference));
  return c;
}

Curve GcmcSampler::excess(const GcmcParameters& p) const {
  Curve c{"excess_potential",
          "Excess chemical potential",
          {"way", AxisScale::named, {"measured (Widom)", "imposed"}},
          {"mu_ex / epsilon"},
          "measured: -T ln <exp(-dU / T)>; imposed: mu - T ln <N / V>"};
  const Sums& sums = sums_.chosen();
  const double mean = sums.samples > 0 ? sums.boltzmann / sums.samples : 0;
  if (!(mean > 0) || !(sums.number > 0)) return c;
  const double rho = sums.number / sums.samples / p.box().volume();
  CurveSeries s{.label = "mu_ex", .x = {0, 1}, .kind = SeriesKind::bars, .provisional = !settled_};
  s.y = {-p.temperature * std::log(mean), p.mu - p.temperature * std::log(rho)};
  s.error = {p.temperature * insertionError_ / mean, p.temperature * sums.density.error() / rho};
  if (!(p.insertion > 0)) s.x.pop_back(), s.y.pop_back(), s.error.pop_back();  // nothing is imposed
  c.series.push_back(std::move(s));
  return c;
}

void GcmcSampler::fields(auto& io, auto& sums) {
  io.field(sums.first, "the distribution of N");
  io.fieldUpTo(sums.histogram, "the distribution of N", kMostNumbers);
  for (auto* const x : {&sums.steps, &sums.samples, &sums.boltzmann, &sums.number})
    io.field(*x, "the sums of curves");
}

void GcmcSampler::save(BinaryWriter& w) const {
  w.value(static_cast<std::uint8_t>(settled_));
  w.vector(past_);
  w.value(sums_.samples());
  sums_.save(w, [&](const Sums& s) { fields(w, s), s.density.save(w.stream()); });
}

void GcmcSampler::load(BinaryReader& r) {
  settled_ = r.value<std::uint8_t>("whether the curves are in equilibrium") != 0;
  past_ = r.vectorUpTo<Point>("the isotherm", kMostPoints);
  for (const Point& k : past_)
    for (const double x : {k.activity, k.density, k.error})
      if (!(x >= 0 && std::isfinite(x))) throw InputError("checkpoint: the isotherm is impossible");
  const auto samples = r.value<std::uint64_t>("the samples of curves");
  sums_.load(r, samples, [&] {
    Sums s;
    fields(r, s);
    const auto isSum = [](double x) { return x >= 0 && std::isfinite(x); };
    const bool valid = std::ranges::all_of(s.histogram, isSum) && isSum(s.steps) &&
                       isSum(s.samples) && isSum(s.boltzmann) && isSum(s.number);
    if (!valid || (s.steps > 0 && s.histogram.empty()))
      throw InputError("checkpoint: the curves are impossible");
    s.density.load(r.stream());
    return s;
  });
}

}  // namespace cellscope::gcmc
