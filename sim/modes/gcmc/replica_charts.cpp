// What replicas know, as charts and in words.
#include <fmt/format.h>

#include <numeric>

#include "sim/algo/observables/fluid_reference.h"
#include "sim/modes/gcmc/replica_run.h"
#include "sim/modes/mode_core.h"

namespace cellscope::gcmc {
namespace {

constexpr double kEquationColdest = 1.32, kEquationHottest = 9;  // of the equation of state
constexpr double kEquationDensest = 0.9;
constexpr int kJoinedPoints = 40;
constexpr const char* kEquationSource = "Thol et al., J. Phys. Chem. Ref. Data 45, 023101 (2016)";

std::int64_t knownTo(const NumberDistribution& d) {
  return static_cast<std::int64_t>(d.first + d.lnP.size()) - 1;
}

bool isFull(const GcmcParameters& p) { return p.dimensions() == 3 && p.has("truncated") && p.tail; }

GrandCanonicalState stateOf(const GcmcParameters& p) {
  return {p.temperature, p.lnActivity(), p.side(), p.cutoff, p.tail};
}
// Whether anything published for one box can be of this run at all.
bool isPublishable(const GcmcParameters& p) { return isFull(p) && !p.wrongSign && !p.oldNumber; }

double lnActivityOf(double temperature, double rho) {
  return std::log(rho) + tholEquation(temperature, rho).excessPotential / temperature;
}

// Density of the equation of state, which above the critical temperature grows with the activity;
// none where it is beyond its range.
std::optional<double> densityAt(double temperature, double lnZ) {
  if (lnActivityOf(temperature, kEquationDensest) < lnZ) return std::nullopt;
  double low = -30, high = std::log(kEquationDensest);
  for (int k = 0; k < 60; ++k) {
    const double middle = 0.5 * (low + high);
    (lnActivityOf(temperature, std::exp(middle)) < lnZ ? low : high) = middle;
  }
  return std::exp(0.5 * (low + high));
}

// Density, or energy per volume, of the equation of state along the axis of the replicas.
std::optional<CurveSeries> equationFor(const GcmcParameters& p, bool energy) {
  const ReplicaKind kind = kindOf(p);
  if (!isFull(p) || kind == ReplicaKind::seed) return std::nullopt;
  CurveSeries s{
      .label = "equation of state, full potential", .source = kEquationSource, .reference = true};
  const auto add = [&](double x, double t, double rho) {
    s.add(x, energy ? rho * tholEquation(t, rho).energy : rho);
  };
  if (kind != ReplicaKind::temperature) {
    if (p.temperature < kEquationColdest || p.temperature > kEquationHottest) return std::nullopt;
    for (int k = 1; k <= 90; ++k)
      add(p.temperature * lnActivityOf(p.temperature, 0.01 * k), p.temperature, 0.01 * k);
    return s;
  }
  const double low = std::max(p.replicaColdest, kEquationColdest),
               high = std::min(p.replicaHottest, kEquationHottest);
  GcmcParameters at = p;
  for (int k = 0; k <= 60 && low < high; ++k) {
    at.replicaColdest = at.replicaHottest = low + (high - low) * k / 60;
    const GcmcParameters own = parametersOf(at, 0);
    if (const auto rho = densityAt(own.temperature, own.lnActivity()))
      add(own.temperature, own.temperature, *rho);
  }
  return s.x.empty() ? std::nullopt : std::optional(s);
}

// Published averages of this fluid, box and temperature.
std::optional<CurveSeries> publishedFor(const GcmcParameters& p, bool energy) {
  const ReplicaKind kind = kindOf(p);
  if (!isPublishable(p) || kind == ReplicaKind::temperature || kind == ReplicaKind::seed)
    return std::nullopt;
  CurveSeries s{.label = "published for this box", .kind = SeriesKind::points, .reference = true};
  const double volume = p.box().volume();
  for (const GrandCanonicalAverages& a : grandCanonicalData()) {
    GrandCanonicalState at = stateOf(p);
    at.lnActivity = a.at.lnActivity;
    for (const ReferenceValue& v : gcmcReferences(at)) {
      if (v.observable != (energy ? "total_energy" : "density")) continue;
      s.source = v.source;
      s.add(p.temperature * at.lnActivity, energy ? v.value / volume : v.value,
            energy ? v.error / volume : v.error);
    }
  }
  return s.x.empty() ? std::nullopt : std::optional(s);
}

CurveSeries lineOf(const NumberDistribution& d, const std::string& label) {
  CurveSeries s{label, "", {}, d.lnP};
  for (std::size_t i = 0; i < d.lnP.size(); ++i) s.x.push_back(static_cast<double>(d.first + i));
  return s;
}

void addPublished(Curve& c, const GrandCanonicalState& at, std::size_t first, std::size_t last) {
  const auto known = publishedLnNumber(at, first, last);
  if (!known) return;
  CurveSeries s{.label = "published, at the same mu", .source = known->source, .reference = true};
  for (std::size_t n = first; n <= last; ++n)
    s.add(static_cast<double>(n), known->lnP[n], known->error);
  c.series.push_back(std::move(s));
}

std::string withError(double value, double error, int digits) {
  if (!std::isfinite(error)) return fmt::format("{:.{}f}", value, digits);
  return fmt::format("{:.{}f} +- {:.{}f}", value, digits, error, digits);
}

// The mean of points with the error that their scatter has, over the axis from first to last.
CurveSeries meanOfPoints(const std::vector<double>& y, double first, double last) {
  const double count = static_cast<double>(y.size());
  const double mean = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double squares = 0;
  for (const double v : y) squares += (v - mean) * (v - mean);
  const double error = std::sqrt(squares / (count * (count - 1)));
  return {"mean in equilibrium, error from the scatter of the seeds",
          "",
          {first, last},
          {mean, mean},
          {error, error}};
}

}  // namespace

// A point per replica with the error of its own run, apart for those that are not in equilibrium;
// with seeds also the mean of those that are.
std::vector<CurveSeries> ReplicaRun::averages(const GcmcParameters& p, ReplicaMean of) const {
  const double volume = p.box().volume();
  RunPoints points("replicas", "replicas, equilibrating");
  for (std::size_t k = 0; k < size(); ++k) {
    const auto mean = averages_.mean(k, of);
    if (!mean) continue;
    points.of(mean->settled).add(placeOf(p, k), mean->value / volume, mean->error / volume);
  }
  const std::vector<double> settled = points.settled.y;
  std::vector<CurveSeries> all;
  points.to(all);
  if (kindOf(p) == ReplicaKind::seed && settled.size() > 1)
    all.push_back(meanOfPoints(settled, placeOf(p, 0), placeOf(p, size() - 1)));
  return all;
}

// Recomputed only when new data are known, as the errors take some time.
const CurveSeries& ReplicaRun::joined(const GcmcParameters& p, double low, double high) const {
  const ReplicaKnowledge& k = known(p);
  const bool same = !joined_.x.empty() && joined_.x.front() == low && joined_.x.back() == high;
  if (same && joinedAt_ == knownAt_) return joined_;
  joinedAt_ = knownAt_;
  joined_ = {k.settled ? "from ln P(N)" : "from ln P(N), equilibrating", "", {}, {}};
  joined_.provisional = !k.settled;
  for (int i = 0; i <= kJoinedPoints; ++i) {
    const double mu = i == kJoinedPoints ? high : low + (high - low) * i / kJoinedPoints;
    const double shift = mu / p.temperature - std::log(reference_);
    joined_.add(mu, k.whole.at(shift).mean() / p.box().volume(),
                k.jackknife.errorOfMean(shift) / p.box().volume());
  }
  return joined_;
}

Curve ReplicaRun::densities(const GcmcParameters& p) const {
  const ReplicaKind kind = kindOf(p);
  Curve c{"replica_isotherm",
          kind == ReplicaKind::temperature ? "Density against temperature"
          : kind == ReplicaKind::seed      ? "Density of the replicas"
                                           : "Isotherm of the replicas",
          {axisOf(kind)},
          {"rho*"},
          "mean density of each replica from where its own averages begin, error by blocks"};
  if (!on()) return c;
  c.waiting = waitingWords(p);
  const bool windows = kind == ReplicaKind::window;
  if (!windows) c.series = averages(p, ReplicaMean::particles);
  const ReplicaKnowledge& k = known(p);
  if (k.whole.lnP.size() > 1 && kind != ReplicaKind::seed) {
    c.equation += "; line: from ln P(N) of all of them together";
    const double low = windows ? p.mu - 0.5 : p.replicaFrom,
                 high = windows ? p.mu + 0.5 : p.replicaTo;
    c.series.push_back(joined(p, low, high));
  }
  for (auto published : {equationFor(p, false), publishedFor(p, false)})
    if (published) c.series.push_back(std::move(*published));
  return c;
}

Curve ReplicaRun::energies(const GcmcParameters& p) const {
  const ReplicaKind kind = kindOf(p);
  Curve c{
      "replica_energy",
      kind == ReplicaKind::temperature ? "Energy against temperature" : "Energy of the replicas",
      {axisOf(kind)},
      {fmt::format("U/V (epsilon sigma^-{})", p.dimensions())},
      "mean energy per volume of each replica, tail included, from where its own averages begin, "
      "error by blocks"};
  if (!on() || kind == ReplicaKind::window) return c;
  c.series = averages(p, ReplicaMean::energy);
  for (auto published : {equationFor(p, true), publishedFor(p, true)})
    if (published) c.series.push_back(std::move(*published));
  return c;
}

Curve ReplicaRun::numbers(const GcmcParameters& p) const {
  Curve c{"replica_ln_number",
          "ln P(N) of the replicas",
          {"N", AxisScale::linear, {}, true},
          {"ln P(N)"},
          "P(N + 1) / P(N) = <acceptance of insertions at N> / <of deletions at N + 1>"};
  c.waiting = waitingWords(p);
  const ReplicaKnowledge& k = known(p);
  // What is published is seen at once, and as far as the windows go.
  const bool all = on() && kindOf(p) == ReplicaKind::window;
  const auto publish = [&](std::size_t first, std::size_t last) {
    if (isPublishable(p)) addPublished(c, stateOf(p), first, last);
  };
  if (k.whole.lnP.size() < 2) {
    if (all) publish(0, static_cast<std::size_t>(p.replicaMost));
    return c;
  }
  if (k.jackknife.blocks() > 0)
    c.equation +=
        fmt::format("; band: one standard error, jackknife over {} {}", k.jackknife.blocks(),
                    k.byChains ? "groups of independent chains" : "blocks of time");
  const double shift = std::log(p.activity / reference_);
  c.series.push_back(lineOf(
      k.whole.at(shift), fmt::format("mu = {:.4g}{}", p.mu, k.settled ? "" : ", equilibrating")));
  c.series.back().provisional = !k.settled;
  c.series.back().error = k.jackknife.errorsAt(shift);
  if (k.coexistence) {
    const double there = k.coexistence->at.shift;
    const double mu = p.temperature * (std::log(reference_) + there);
    c.series.push_back(lineOf(k.whole.at(there), fmt::format("coexistence, mu = {:.4f}", mu)));
    c.series.back().error = k.jackknife.errorsAt(there);
  }
  publish(all ? 0 : k.whole.first,
          static_cast<std::size_t>(all ? p.replicaMost : knownTo(k.whole)));
  return c;
}

Curve ReplicaRun::phases(const GcmcParameters& p) const {
  Curve c{"replica_coexistence",
          "Coexistence of vapour and liquid",
          {"", AxisScale::named, {"vapour rho*", "liquid rho*", "pressure p*"}},
          {"rho* and p*"},
          "where both peaks of P(N) have the same area; p V / T = ln(P(vapour) / P(0))"};
  c.waiting = waitingWords(p);
  const ReplicaKnowledge& k = known(p);
  if (c.waiting.empty() && on() && !k.coexistence) {
    if (const std::uint64_t left = stepsToSettle(p); left > 0)
      c.waiting = fmt::format("equilibrating: {} step{} left", left, left == 1 ? "" : "s");
    else
      c.waiting = k.whole.lnP.empty() || knownTo(k.whole) == p.replicaMost
                      ? "no two phases found yet"
                      : fmt::format("ln P(N) known from {} to {} so far, needed from 0 to {}",
                                    k.whole.first, knownTo(k.whole), p.replicaMost);
  }
  if (k.coexistence) {
    const double volume = p.box().volume();
    CurveSeries s{.label = "replicas", .x = {0, 1, 2}, .kind = SeriesKind::bars};
    const auto& [at, error] = *k.coexistence;
    s.y = {at.vapour / volume, at.liquid / volume, p.temperature * at.lnWeight / volume};
    s.error = {error.vapour / volume, error.liquid / volume,
               p.temperature * error.lnWeight / volume};
    c.series.push_back(std::move(s));
  }
  const bool publishable = on() && kindOf(p) == ReplicaKind::window && isPublishable(p);
  const auto known = publishable ? publishedCoexistence(stateOf(p)) : std::nullopt;
  if (!known) return c;
  c.series.push_back({.label = "published for this box",
                      .source = known->source,
                      .x = {0, 1, 2},
                      .y = {known->vapour, known->liquid, known->pressure},
                      .kind = SeriesKind::points,
                      .reference = true});
  return c;
}

std::string ReplicaRun::waitingWords(const GcmcParameters& p) const {
  const std::uint64_t left = stepsToTune(p);
  if (left == 0) return "";
  return fmt::format("windows tune: {} step{} left", left, left == 1 ? "" : "s");
}

std::string ReplicaRun::inWords(const GcmcParameters& p) const {
  const ReplicaKind kind = kindOf(p);
  if (kind == ReplicaKind::potential)
    return fmt::format("{} chains, mu = {:g} to {:g}", size(), p.replicaFrom, p.replicaTo);
  if (kind == ReplicaKind::temperature)
    return fmt::format("{} chains, T = {:g} to {:g}", size(), p.replicaColdest, p.replicaHottest);
  if (kind == ReplicaKind::seed)
    return fmt::format("{} chains, seeds {} to {}", size(), p.seed + 1, p.seed + p.replicas);
  const std::string chains =
      chainsOfEach(p) > 1 ? fmt::format(", {} chains in each", chainsOfEach(p)) : "";
  return fmt::format("{} windows of N from 0 to {}{}", windowsOf(p), p.replicaMost, chains);
}

std::vector<SelfCheck> ReplicaRun::checks(const GcmcParameters& p) const {
  if (!on()) return {};
  const ReplicaKnowledge& k = known(p);
  std::string words = inWords(p);
  std::size_t settled = 0;
  for (std::size_t i = 0; i < size(); ++i) settled += averages_.equilibrated(i) ? 1 : 0;
  if (averages_.tested()) words += fmt::format("; {} in equilibrium", settled);
  if (const std::string waiting = waitingWords(p); !waiting.empty())
    words += "; " + waiting + " until averages begin";
  else if (joins())
    words += k.whole.lnP.size() > 1
                 ? fmt::format("; ln P(N) known from {} to {}", k.whole.first, knownTo(k.whole))
                 : "; ln P(N) not known yet";
  if (joins() && k.whole.lnP.size() > 1 && !k.coexistence)
    words +=
        "; no two phases: no two peaks of ln P(N), known to their feet, have a dip between them "
        "that is deeper than three standard errors";
  std::vector<SelfCheck> all = {{"replicas", true, words}};
  if (!k.coexistence) return all;
  const double volume = p.box().volume(), t = p.temperature;
  const auto& [at, error] = *k.coexistence;
  all.push_back({"coexistence", true,
                 fmt::format("ln z = {}, vapour {}, liquid {}, pressure {}",
                             withError(std::log(reference_) + at.shift, error.shift, 4),
                             withError(at.vapour / volume, error.vapour / volume, 4),
                             withError(at.liquid / volume, error.liquid / volume, 4),
                             withError(t * at.lnWeight / volume, t * error.lnWeight / volume, 5))});
  return all;
}

}  // namespace cellscope::gcmc
