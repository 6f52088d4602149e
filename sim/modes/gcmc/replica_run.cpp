#include "sim/modes/gcmc/replica_run.h"

#include <fmt/format.h>

#include "sim/modes/gcmc/start.h"

namespace cellscope::gcmc {
namespace {

constexpr double kFewestSamples = 20;  // least attempts per ratio
constexpr double kManyAccepted = 10;   // that tell a ratio well enough
constexpr double kNoChange = 0.02;     // in ln of an activity
constexpr std::uint64_t kTuned = 300;  // steps
constexpr std::size_t kMostInChain = 4194304;

bool windows(const GcmcParameters& p) { return kindOf(p) == ReplicaKind::window; }

// What the chains are, and what besides that their rules are made of.
std::string wordsOfChains(const GcmcParameters& p) {
  std::string all =
      fmt::format("{} {} {} {} {} {} {} {}", p.replicas, p.replicaKind.index, p.dimension.index,
                  p.length, p.lengthY, p.lengthZ, p.seed, p.mixed());
  const ReplicaKind kind = kindOf(p);
  if (kind == ReplicaKind::potential) all += fmt::format(" {} {}", p.replicaFrom, p.replicaTo);
  if (kind == ReplicaKind::temperature)
    all += fmt::format(" {} {} {}", p.replicaColdest, p.replicaHottest, p.replicaSpacing.index);
  if (windows(p)) all += fmt::format(" {} {}", p.replicaMost, p.replicaWindows);
  return all;
}
std::string wordsOfRules(const GcmcParameters& p) {
  std::string all = fmt::format("{} {} {} {} {} {} {} {} {} {}", p.potential.index, p.cutoff,
                                p.tail, p.displacement, p.insertion, p.deletion, p.maxDisplacement,
                                p.anywhere(), p.wrongSign, p.oldNumber);
  for (const auto& values : p.own.of) all += fmt::format(" {} {}", values[0][0], values[1][0]);
  for (const auto& values : p.own.whole) all += fmt::format(" {} {}", values[0], values[1]);
  all += fmt::format(" {}", p.own.truncation.index);
  for (const std::int64_t k : {std::int64_t{0}, std::max<std::int64_t>(p.replicas, 1) - 1}) {
    const GcmcParameters own = parametersOf(p, static_cast<std::size_t>(k));
    all += fmt::format(" {} {}", own.temperature, windows(p) ? 0 : own.activity);
  }
  if (!p.mixed()) return all;
  const GcmcSettings s = p.settings();
  for (int k = 0; k < 3; ++k) all += fmt::format(" {} {}", s.sigma[k], s.epsilon[k]);
  all += fmt::format(" {} {}", p.shareB, p.exchange);
  return all;
}

// Activity, in units of the one that the table refers to, at which insertions at N and deletions at
// N + step are accepted as often on the average over the window; none without enough of both. An N
// with few accepted attempts weighs less, as the variance of its logarithm is about one over their
// number; one with many weighs no more than others, or the window would stay where its chain is.
std::optional<double> balanced(const TransitionSums& table, const ReplicaWindow& window,
                               std::uint32_t step) {
  double sum = 0, weights = 0;
  for (std::uint32_t n = window.least; n + step <= window.most; ++n) {
    const GcmcTransition &from = table[n], &to = table[n + step];
    if (from.insertions < kFewestSamples || to.deletions < kFewestSamples || !(from.up > 0) ||
        !(to.down > 0))
      continue;
    const double accepted = from.up * to.down / (from.up + to.down);
    const double weight = accepted / (accepted + kManyAccepted);
    sum += weight * std::log((from.up / from.insertions) / (to.down / to.deletions));
    weights += weight;
  }
  return weights > 0 ? std::optional(std::exp(-sum / weights)) : std::nullopt;
}

}  // namespace

// The table has a part for each replica, so that no two write to the same memory.
GcmcRules ReplicaRun::rules(const GcmcParameters& p, std::size_t k) const {
  GcmcSettings s = parametersOf(p, k).settings();
  // A chain of another seed is the one that a run with this seed makes.
  s.chain = kindOf(p) == ReplicaKind::seed ? 0 : static_cast<std::uint32_t>(k + 1);
  if (windows(p)) s.activity = activity_[k % activity_.size()];
  GcmcRules r = makeGcmcRules(s, p.box());
  const ReplicaWindow w = windowOf(p, k);
  r.least = w.least, r.most = w.most;
  if (!joins()) return r;
  r.transitions = table_.data() + k * numbers_;
  r.transitionCount = numbers_;
  r.reference = reference_ / s.activity;
  return r;
}

void ReplicaRun::upload(const std::vector<GcmcState>& states, const GcmcParameters& p,
                        const GcmcProgress& progress) {
  std::vector<GcmcReplica> all;
  for (std::size_t k = 0; k < states.size(); ++k) all.push_back({states[k], rules(p, k)});
  made_->upload(all, progress);
}

void ReplicaRun::start(const GcmcParameters& p, const GcmcProgress& progress) {
  chains_ = wordsOfChains(p), rulesWords_ = wordsOfRules(p);
  made_.reset();
  averages_ = {};
  if (p.replicas == 0) return;
  const auto count = static_cast<std::size_t>(p.replicas);
  const Box box = p.box();
  reference_ = p.activity;
  numbers_ = static_cast<std::uint32_t>(numbersOf(p));
  table_ = exec::Array<GcmcTransition>(exec_->where(), count * numbers_);
  activity_.clear(), steps_ = 0;
  for (std::size_t k = 0; k < windowsOf(p); ++k) {
    const ReplicaWindow w = windowOf(p, k);
    activity_.push_back(0.5 * (w.least + w.most) / box.volume());  // of an ideal gas
  }
  std::vector<GcmcState> states;
  for (std::size_t k = 0; k < count; ++k) {
    const ReplicaWindow w = windowOf(p, k);
    if (progress) progress(0);
    states.push_back(
        latticeState(box,
                     windows(p) ? static_cast<std::size_t>((w.least + w.most) / 2)
                                : static_cast<std::size_t>(std::llround(p.density * box.volume())),
                     p.hard()));
    drawTypes(states.back(), parametersOf(p, k));
  }
  made_ = makeGcmcReplicas(exec_, {.mixed = p.mixed()});
  averages_.start(count, !windows(p));
  reset();
  upload(states, p, progress);
}

void ReplicaRun::follow(const GcmcParameters& p, const GcmcParameters& before) {
  if (wordsOfChains(p) != chains_) {
    ReplicaRun next(exec_);
    next.start(p);
    *this = std::move(next);
    return;
  }
  if (!on() || wordsOfRules(p) == rulesWords_) return;
  std::string words = wordsOfRules(p);
  ReplicaAverages fresh = averages_.fresh();
  const std::vector<GcmcState> kept = states();
  try {
    upload(kept, p);
  } catch (...) {
    upload(kept, before);
    throw;
  }
  rulesWords_ = std::move(words);
  forget(std::move(fresh));
}

void ReplicaRun::forget(ReplicaAverages fresh) {
  averages_ = std::move(fresh);
  table_.zero();
  blocks_.reset(numbers_);
  measured_ = 0;
  bringUpToDate();
}

// Steps 5, 10, 20, ..., 160, and 240.
bool ReplicaRun::tunesNow(const GcmcParameters& p) const {
  if (!windows(p) || steps_ == 0 || steps_ >= kTuned || steps_ % 5 != 0) return false;
  const std::uint64_t n = steps_ / 5;
  return (n & (n - 1)) == 0 || steps_ == 240;
}

// The ratios P(N + 1) / P(N) that each window has found give the activity at which they are 1 on
// the average. What is counted refers to one activity for all, whatever they run at; it is
// forgotten once it was used, as it began with a lattice.
void ReplicaRun::tuneWindows(const GcmcParameters& p) {
  TransitionSums all = table_.get();
  for (std::size_t w = 0; w < activity_.size(); ++w) {
    TransitionSums table(numbers_, GcmcTransition{0, 0, 0, 0});
    for (std::size_t k = w; k < size(); k += activity_.size())
      addTo(table, {all.begin() + static_cast<std::ptrdiff_t>(k * numbers_),
                    all.begin() + static_cast<std::ptrdiff_t>((k + 1) * numbers_)});
    const ReplicaWindow window = windowOf(p, w);
    std::optional<double> wanted = balanced(table, window, 1);
    // A chain held at one end of its window knows both acceptances at that N alone.
    if (!wanted) wanted = balanced(table, window, 0);
    if (!wanted) continue;
    for (std::size_t k = w; k < size(); k += activity_.size())
      std::fill_n(all.begin() + static_cast<std::ptrdiff_t>(k * numbers_), numbers_,
                  GcmcTransition{0, 0, 0, 0});
    *wanted *= reference_;
    if (std::abs(std::log(*wanted / activity_[w])) < kNoChange) continue;
    activity_[w] = *wanted;
    for (std::size_t k = w; k < size(); k += activity_.size())
      made_->chain(k).setActivity(rules(p, k));
  }
  table_.set(all);
  blocks_.reset(numbers_);
  measured_ = 0;
}

void ReplicaRun::advance(const GcmcParameters& p, std::uint64_t moves,
                         const GcmcProgress& progress) {
  if (!on()) return;
  if (tunesNow(p)) tuneWindows(p);
  ++steps_;
  made_->advance(moves, progress);
  if (windows(p) && steps_ == kTuned) return reset();  // what was met from a lattice on
  measure(p);
}

void ReplicaRun::measure(const GcmcParameters& p) {
  const std::vector<GcmcReplicaNow> all = now();
  const double tail = rules(p, 0).tail;
  ++measured_;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const double n = all[k].n;
    averages_.add(k, measured_, n, all[k].energy + tail * n * n);
  }
  if (joins() && !byChains(p) && blocks_.due(measured_)) blocks_.add(sums());
}

std::optional<ReplicaAverages::Mean> ReplicaRun::meanDensity(const GcmcParameters& p,
                                                             std::size_t k) const {
  auto mean = averages_.mean(k, ReplicaMean::particles);
  if (mean) mean->value /= p.box().volume(), mean->error /= p.box().volume();
  return mean;
}

void ReplicaRun::recall(const Kept& kept, const GcmcParameters& p) {
  if (!on() || kept.states.size() != size()) return;
  activity_ = kept.activity, steps_ = kept.steps, measured_ = kept.measured;
  upload(kept.states, p);
  table_.set(kept.table);
  blocks_ = kept.blocks, averages_ = kept.averages;
  bringUpToDate();
}

std::vector<TransitionSums> ReplicaRun::sumsOfGroups(const GcmcParameters& p) const {
  const TransitionSums table = table_.get();
  std::vector<TransitionSums> groups(chainsOfEach(p),
                                     TransitionSums(numbers_, GcmcTransition{0, 0, 0, 0}));
  for (std::size_t k = 0; k < size(); ++k)
    addTo(groups[k / windowsOf(p)],
          {table.begin() + static_cast<std::ptrdiff_t>(k * numbers_),
           table.begin() + static_cast<std::ptrdiff_t>((k + 1) * numbers_)});
  return groups;
}

std::uint64_t ReplicaRun::stepsToTune(const GcmcParameters& p) const {
  return on() && windows(p) && steps_ < kTuned ? kTuned - steps_ : 0;
}

// Windows are not tested one by one: they have as long for the way from the lattice as for tuning.
std::uint64_t ReplicaRun::stepsToSettle(const GcmcParameters& p) const {
  return windows(p) && steps_ < 2 * kTuned ? 2 * kTuned - steps_ : 0;
}

const ReplicaKnowledge& ReplicaRun::known(const GcmcParameters& p) const {
  if (stepsToTune(p) > 0) {
    knownAt_.reset();
    return known_ = {};
  }
  const std::uint64_t every = std::max<std::uint64_t>(10, measured_ / 100);
  if (knownAt_ && measured_ < *knownAt_ + every && measured_ >= *knownAt_) return known_;
  knownAt_ = measured_;
  known_ = {};
  if (!on() || !joins() || !(p.insertion > 0)) return known_;
  const double odds = p.insertion / p.deletion;
  TransitionSums all = sums();
  known_.byChains = byChains(p);
  std::vector<TransitionSums> parts = known_.byChains ? sumsOfGroups(p) : blocks_.blocks();
  const auto from = averages_.settledFrom();
  known_.settled = from && stepsToSettle(p) == 0;
  if (known_.settled && *from > 1 && !known_.byChains) {  // the way from the lattice is left out
    std::vector<TransitionSums> later = blocks_.from(*from);
    known_.settled = later.size() >= kFewestBlocks;
    if (known_.settled) {
      parts = std::move(later), all = parts.front();
      for (std::size_t b = 1; b < parts.size(); ++b) addTo(all, parts[b]);
    }
  }
  known_.whole = distributionOf(all, odds);
  known_.jackknife = DistributionJackknife(known_.whole, parts, odds);
  if (known_.settled) known_.coexistence = foundCoexistence(known_.whole, known_.jackknife);
  return known_;
}

void ReplicaRun::save(BinaryWriter& w) const {
  w.value(static_cast<std::uint64_t>(size()));
  if (!on()) return;
  w.value(reference_);
  w.vector(activity_);
  w.value(steps_);
  w.value(measured_);
  w.vector(table_.get());
  blocks_.save(w);
  averages_.save(w);
  for (std::size_t k = 0; k < size(); ++k) saveChain(w, made_->chain(k).state());
}

void ReplicaRun::load(BinaryReader& r, const GcmcParameters& p) {
  const auto count = r.value<std::uint64_t>("replicas");
  if (count != static_cast<std::uint64_t>(p.replicas))
    throw InputError("checkpoint: it has {} replicas, {} were expected", count, p.replicas);
  ReplicaRun fresh(exec_);
  fresh.start(p);
  if (count > 0) {
    fresh.reference_ = r.value<double>("activity");
    if (!(fresh.reference_ > 0) || !std::isfinite(fresh.reference_))
      throw InputError("checkpoint: the activity of the replicas is impossible");
    fresh.activity_ = r.vector<double>("activities", fresh.activity_.size());
    for (const double z : fresh.activity_)
      if (!(z >= 0) || !std::isfinite(z))
        throw InputError("checkpoint: an activity of the windows is impossible");
    fresh.steps_ = r.value<std::uint64_t>("steps of the replicas");
    fresh.measured_ = r.value<std::uint64_t>("steps of their averages");
    fresh.table_.set(r.vector<GcmcTransition>("transitions", fresh.table_.size()));
    fresh.blocks_.load(r, fresh.numbers_);
    fresh.averages_.load(r);
    std::vector<GcmcState> states;
    for (std::size_t k = 0; k < count; ++k) states.push_back(loadChain(r, p.box(), kMostInChain));
    fresh.upload(states, p);
  }
  *this = std::move(fresh);
}

}  // namespace cellscope::gcmc
