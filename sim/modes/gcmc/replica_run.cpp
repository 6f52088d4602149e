#include "sim/modes/gcmc/replica_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <istream>
#include <ostream>

#include "sim/io/binary.h"
#include "sim/modes/gcmc/sampler.h"
#include "sim/modes/gcmc/start.h"

namespace cellscope::gcmc {
namespace {

constexpr double kDensest = 1.3;  // that transitions are counted to
constexpr std::size_t kMostEntries = 4u << 20;
constexpr double kFewestSamples = 20;  // attempts behind a ratio
constexpr double kNoChange = 0.02;     // in ln of an activity
constexpr std::uint64_t kTuned = 300;  // steps

bool windows(const GcmcParameters& p) {
  return static_cast<ReplicaKind>(p.replicaKind.index) == ReplicaKind::window;
}

// What the chains are, and what besides that their rules are made of.
std::string wordsOfChains(const GcmcParameters& p) {
  return fmt::format("{} {} {} {} {} {} {} {}", p.replicas, p.replicaKind.index, p.replicaFrom,
                     p.replicaTo, p.replicaMost, p.dimension.index, p.length, p.seed);
}
std::string wordsOfRules(const GcmcParameters& p) {
  return fmt::format("{} {} {} {} {} {} {} {} {} {}", p.temperature, p.potential.index, p.cutoff,
                     p.tail, p.displacement, p.insertion, p.deletion, p.maxDisplacement,
                     p.wrongSign, p.oldNumber);
}

}  // namespace

double ReplicaRun::potential(const GcmcParameters& p, std::size_t k) {
  if (windows(p)) return p.mu;
  const double part =
      p.replicas > 1 ? static_cast<double>(k) / static_cast<double>(p.replicas - 1) : 0;
  return p.replicaFrom + part * (p.replicaTo - p.replicaFrom);
}

ReplicaRun::Window ReplicaRun::window(const GcmcParameters& p, std::size_t k) {
  if (!windows(p)) return {0, 0};
  const auto edge = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(p.replicaMost) * i /
                                      static_cast<std::uint64_t>(p.replicas));
  };
  return {edge(k), std::max(edge(k + 1), edge(k) + 1)};
}

// The table has a part for each replica, so that no two write to the same place.
GcmcRules ReplicaRun::rules(const GcmcParameters& p, std::size_t k) const {
  GcmcSettings s = p.settings();
  s.chain = static_cast<std::uint32_t>(k + 1);
  const double activity =
      windows(p) ? activity_[k] : activityOfPotential(potential(p, k), p.temperature);
  s.activity = activity;
  GcmcRules r = makeGcmcRules(s, p.box());
  const Window w = window(p, k);
  r.least = w.least, r.most = w.most;
  r.transitions = table_.data() + k * numbers_;
  r.transitionCount = numbers_;
  r.reference = reference_ / activity;
  return r;
}

void ReplicaRun::upload(const std::vector<GcmcState>& states, const GcmcParameters& p) {
  std::vector<GcmcReplica> all;
  for (std::size_t k = 0; k < states.size(); ++k) all.push_back({states[k], rules(p, k)});
  made_->upload(all);
}

void ReplicaRun::start(const GcmcParameters& p) {
  chains_ = wordsOfChains(p), rulesWords_ = wordsOfRules(p);
  made_.reset();
  number_.clear();
  if (p.replicas == 0) return;
  const auto count = static_cast<std::size_t>(p.replicas);
  const Box box = p.box();
  reference_ = p.activity;
  const std::size_t most = windows(p) ? static_cast<std::size_t>(p.replicaMost)
                                      : static_cast<std::size_t>(kDensest * box.volume()) + 16;
  numbers_ = static_cast<std::uint32_t>(std::min(most + 2, kMostEntries / count));
  table_ = exec::Array<GcmcTransition>(exec_->where(), count * numbers_);
  std::vector<GcmcState> states;
  activity_.clear(), steps_ = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Window w = window(p, k);
    activity_.push_back(0.5 * (w.least + w.most) / box.volume());  // of an ideal gas
    const auto n = windows(p) ? static_cast<std::size_t>((w.least + w.most) / 2)
                              : static_cast<std::size_t>(std::llround(p.density * box.volume()));
    states.push_back(latticeState(box, n));
  }
  made_ = makeGcmcReplicas(exec_, {});
  number_.resize(count);
  reset();
  upload(states, p);
}

void ReplicaRun::follow(const GcmcParameters& p) {
  if (wordsOfChains(p) != chains_) return start(p);
  if (!on() || wordsOfRules(p) == rulesWords_) return;
  rulesWords_ = wordsOfRules(p);
  reset();
  upload(states(), p);
}

void ReplicaRun::reset() {
  for (BlockAverage& b : number_) b.reset();
  if (table_.size() > 0)
    table_.set(std::vector<GcmcTransition>(table_.size(), GcmcTransition{0, 0, 0, 0}));
}

std::size_t ReplicaRun::bytes() const { return made_ ? made_->bytes() + table_.bytes() : 0; }

// The ratios P(N + 1) / P(N) that each window has found give the activity at which they are 1 on
// the average. What is counted refers to one activity for all, whatever they run at.
void ReplicaRun::tuneWindows(const GcmcParameters& p) {
  const std::vector<GcmcTransition> table = table_.get();
  for (std::size_t k = 0; k < size(); ++k) {
    const Window w = window(p, k);
    double sum = 0;
    int known = 0;
    for (std::uint32_t n = w.least; n < w.most; ++n) {
      const GcmcTransition& from = table[k * numbers_ + n];
      const GcmcTransition& to = table[k * numbers_ + n + 1];
      if (from.insertions < kFewestSamples || to.deletions < kFewestSamples || !(from.up > 0) ||
          !(to.down > 0))
        continue;
      sum += std::log((from.up / from.insertions) / (to.down / to.deletions));
      ++known;
    }
    if (known == 0) continue;
    const double wanted = reference_ * std::exp(-sum / known);
    if (std::abs(std::log(wanted / activity_[k])) < kNoChange) continue;
    activity_[k] = wanted;
    made_->chain(k).setRules(rules(p, k));
  }
}

void ReplicaRun::advance(const GcmcParameters& p, std::uint64_t moves) {
  if (!on()) return;
  if (windows(p) && steps_ < kTuned && steps_ % 10 == 5) tuneWindows(p);
  ++steps_;
  made_->advance(moves);
  for (std::size_t k = 0; k < size(); ++k)
    number_[k].add(static_cast<double>(made_->chain(k).count()));
}

std::vector<GcmcState> ReplicaRun::states() const {
  std::vector<GcmcState> all;
  for (std::size_t k = 0; k < size(); ++k) all.push_back(made_->chain(k).state());
  return all;
}

void ReplicaRun::recall(const std::vector<GcmcState>& states, const GcmcParameters& p) {
  if (on() && states.size() == size()) upload(states, p);
}

std::vector<GcmcTransition> ReplicaRun::sums() const {
  std::vector<GcmcTransition> all(numbers_, GcmcTransition{0, 0, 0, 0});
  if (!on()) return all;
  const std::vector<GcmcTransition> table = table_.get();
  for (std::size_t i = 0; i < table.size(); ++i) {
    GcmcTransition& t = all[i % numbers_];
    t.up += table[i].up, t.insertions += table[i].insertions;
    t.down += table[i].down, t.deletions += table[i].deletions;
  }
  return all;
}

NumberDistribution ReplicaRun::distribution(const GcmcParameters& p) const {
  if (!on() || !(p.insertion > 0)) return {};
  return distributionOf(sums(), p.insertion / p.deletion).at(std::log(p.activity / reference_));
}

Curve ReplicaRun::isotherm(const GcmcParameters& p) const {
  Curve c{"replica_isotherm",
          "Isotherm of the replicas",
          {"mu* / epsilon"},
          {"rho*"},
          "mean density of each replica; line: from ln P(N) of all of them together"};
  if (!on()) return c;
  const double volume = p.box().volume();
  if (!windows(p)) {
    CurveSeries run{"replicas", "", {}, {}};
    run.kind = SeriesKind::points;
    for (std::size_t k = 0; k < size(); ++k) {
      if (number_[k].count() < 2) continue;
      run.x.push_back(potential(p, k));
      run.y.push_back(number_[k].mean() / volume);
      run.error.push_back(number_[k].error() / volume);
    }
    if (!run.x.empty()) c.series.push_back(std::move(run));
  }
  const NumberDistribution d = distribution(p);
  if (d.lnP.size() > 1) {
    CurveSeries joined{"from ln P(N)", "", {}, {}};
    const double low = windows(p) ? p.mu - 0.5 : std::min(p.replicaFrom, p.replicaTo);
    const double high = windows(p) ? p.mu + 0.5 : std::max(p.replicaFrom, p.replicaTo);
    for (int k = 0; k <= 60; ++k) {
      const double mu = low + (high - low) * k / 60;
      joined.x.push_back(mu);
      joined.y.push_back(d.at((mu - p.mu) / p.temperature).mean() / volume);
    }
    c.series.push_back(std::move(joined));
  }
  if (auto reference = equationOfStateIn(p, Reservoir::potential))
    c.series.push_back(std::move(*reference));
  return c;
}

Curve ReplicaRun::numbers(const GcmcParameters& p) const {
  Curve c{"replica_ln_number",
          "ln P(N) of the replicas",
          {"N"},
          {"ln P(N)"},
          "P(N + 1) / P(N) = <acceptance of insertions at N> / <of deletions at N + 1>"};
  const NumberDistribution d = distribution(p);
  const auto add = [&](const NumberDistribution& of, const std::string& label) {
    CurveSeries s{label, "", {}, of.lnP};
    for (std::size_t i = 0; i < of.lnP.size(); ++i)
      s.x.push_back(static_cast<double>(of.first + i));
    c.series.push_back(std::move(s));
  };
  if (d.lnP.size() < 2) return c;
  add(d, fmt::format("mu = {:.4g}", p.mu));
  if (const auto both = coexistenceOf(d))
    add(d.at(both->shift),
        fmt::format("coexistence, mu = {:.4f}", p.mu + both->shift * p.temperature));
  return c;
}

std::vector<Curve> ReplicaRun::curves(const GcmcParameters& p) const {
  return {isotherm(p), numbers(p)};
}

std::vector<SelfCheck> ReplicaRun::checks(const GcmcParameters& p) const {
  if (!on()) return {};
  const std::uint64_t steps = number_.front().count();
  const bool old = steps < said_.steps || steps >= said_.steps + 10 || said_.mu != p.mu;
  if (old || said_.checks.empty()) said_ = {steps, p.mu, found(p)};
  return said_.checks;
}

std::vector<SelfCheck> ReplicaRun::found(const GcmcParameters& p) const {
  const NumberDistribution d = distribution(p);
  const std::size_t known = d.lnP.size();
  std::string words =
      windows(p) ? fmt::format("{} windows of N from 0 to {}", size(), p.replicaMost)
                 : fmt::format("{} chains, mu = {:g} to {:g}", size(), p.replicaFrom, p.replicaTo);
  words += known > 1 ? fmt::format("; ln P(N) known from {} to {}", d.first, d.first + known - 1)
                     : "; ln P(N) not known yet";
  std::vector<SelfCheck> all = {{"replicas", true, words}};
  if (const auto c = coexistenceOf(d)) {
    const double volume = p.box().volume();
    all.push_back({"coexistence", true,
                   fmt::format("ln z = {:.4f}, vapour {:.4f}, liquid {:.4f}, pressure {:.5f}",
                               std::log(p.activity) + c->shift, c->vapour / volume,
                               c->liquid / volume, p.temperature * c->lnWeight / volume)});
  }
  return all;
}

void ReplicaRun::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(static_cast<std::uint64_t>(size()));
  if (!on()) return;
  w.value(reference_);
  w.vector(activity_);
  w.value(steps_);
  w.vector(table_.get());
  for (std::size_t k = 0; k < size(); ++k) {
    const GcmcState s = made_->chain(k).state();
    w.vector(s.point);
    w.array(s.id.data(), s.id.size());
    w.value(s.move);
    w.value(s.idBase);
    number_[k].save(out);
  }
}

void ReplicaRun::load(std::istream& in, const GcmcParameters& p) {
  constexpr std::size_t kMostParticles = 4194304;
  BinaryReader r(in);
  const auto count = r.value<std::uint64_t>("replicas");
  if (count != static_cast<std::uint64_t>(p.replicas))
    throw InputError(
        fmt::format("checkpoint: it has {} replicas, {} were expected", count, p.replicas));
  ReplicaRun fresh(exec_);
  fresh.start(p);
  if (count > 0) {
    fresh.reference_ = r.value<double>("activity");
    if (!(fresh.reference_ > 0) || !std::isfinite(fresh.reference_))
      throw InputError("checkpoint: the activity of the replicas is impossible");
    fresh.activity_ = r.vector<double>("activities", static_cast<std::size_t>(count));
    for (const double z : fresh.activity_)
      if (!(z >= 0) || !std::isfinite(z))
        throw InputError("checkpoint: an activity of the windows is impossible");
    fresh.steps_ = r.value<std::uint64_t>("steps of the replicas");
    fresh.table_.set(r.vector<GcmcTransition>("transitions", fresh.table_.size()));
    std::vector<GcmcState> states;
    for (std::size_t k = 0; k < count; ++k) {
      GcmcState s;
      s.box = p.box();
      s.point = r.vectorUpTo<GcmcPoint>("the positions", kMostParticles);
      s.id = r.items<ParticleId>(s.point.size(), "the ids");
      s.move = r.value<std::uint64_t>("move");
      s.idBase = r.value<ParticleId>("first id of an insertion");
      if (s.move >= 1ull << 56 || s.idBase < 0 || s.idBase > ParticleId{1} << 62)
        throw InputError("checkpoint: number of moves or ids are impossible");
      fresh.number_[k].load(in);
      states.push_back(std::move(s));
    }
    fresh.upload(states, p);
  }
  *this = std::move(fresh);
}

}  // namespace cellscope::gcmc
