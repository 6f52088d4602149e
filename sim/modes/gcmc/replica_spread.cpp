#include "sim/modes/gcmc/replica_run.h"

namespace cellscope::gcmc {
namespace {

constexpr double kDensest = 1.3;       // that transitions are counted to
constexpr double kDensestStart = 1.2;  // greatest density of a lattice
constexpr std::int64_t kMostEntries = 4194304;

double share(const GcmcParameters& p, std::size_t k) {
  return p.replicas > 1 ? static_cast<double>(k) / static_cast<double>(p.replicas - 1) : 0;
}

double temperatureOf(const GcmcParameters& p, std::size_t k) {
  const double a = p.replicaColdest, b = p.replicaHottest, s = share(p, k);
  const bool inverse =
      static_cast<ReplicaSpacing>(p.replicaSpacing.index) == ReplicaSpacing::inverse;
  return inverse ? 1 / (1 / a + s * (1 / b - 1 / a)) : a + s * (b - a);
}

// The reservoir stays as it is given, at another temperature.
void heat(GcmcParameters& p, double temperature) {
  p.temperature = temperature;
  p.activity = p.givenActivity();
  p.mu = potentialOfActivity(p.activity, temperature);
  p.fugacity = fugacityOfActivity(p.activity, temperature);
}

void checkWindows(const GcmcParameters& p) {
  const double volume = p.box().volume();
  const auto windows = static_cast<std::int64_t>(windowsOf(p));
  if (p.replicas % windows != 0)
    throw InputError(
        "replica_windows = {} does not divide replicas = {}: every window gets as many; use "
        "replicas = {}, or 0 windows for one each",
        p.replicaWindows, p.replicas, std::max(windows, p.replicas / windows * windows));
  if (p.replicaMost < windows)
    throw InputError(
        "replica_most = {} makes windows for {} replicas empty: it must be at least as many; use a "
        "larger replica_most, fewer replicas, or fewer windows (replica_windows)",
        p.replicaMost, windows);
  if (p.replicas * (p.replicaMost + 2) > kMostEntries)
    throw InputError(
        "replicas = {} with replica_most = {} are more than the {} sums that are kept (one per N "
        "and replica); use at most {} replicas or a smaller replica_most",
        p.replicas, p.replicaMost, kMostEntries, kMostEntries / (p.replicaMost + 2));
  if (static_cast<double>(p.replicaMost) > kDensestStart * volume)
    throw InputError(
        "replica_most = {} is a density of {:.3g} in this box, at most {:g} can be started: use at "
        "most {:.0f}",
        p.replicaMost, static_cast<double>(p.replicaMost) / volume, kDensestStart,
        std::floor(kDensestStart * volume));
}

void checkRange(const GcmcParameters& p, double first, double last, const char* from,
                const char* to) {
  if (first > last)
    throw InputError("{} = {:g} is above {} = {:g}: the range is reversed; exchange them", from,
                     first, to, last);
  for (const std::int64_t k : {std::int64_t{0}, p.replicas - 1}) {
    const GcmcParameters own = parametersOf(p, static_cast<std::size_t>(k));
    const double lnZ = std::log(own.activity);
    if (!(std::abs(lnZ) <= 50))
      throw InputError(
          "{} or {}: chemical potential {:g} at temperature {:g} makes the activity exp({:g}); at "
          "most exp(50) and at least exp(-50) are possible",
          from, to, own.mu, own.temperature, lnZ);
  }
}

}  // namespace

GcmcParameters parametersOf(const GcmcParameters& p, std::size_t k) {
  GcmcParameters own = p;
  const ReplicaKind kind = kindOf(p);
  if (kind == ReplicaKind::potential) {
    own.mu = p.replicaFrom + share(p, k) * (p.replicaTo - p.replicaFrom);
    own.activity = activityOfPotential(own.mu, p.temperature);
    own.fugacity = fugacityOfActivity(own.activity, p.temperature);
  }
  if (kind == ReplicaKind::temperature) heat(own, temperatureOf(p, k));
  if (kind == ReplicaKind::seed) own.seed = p.seed + static_cast<std::int64_t>(k) + 1;
  return own;
}

double placeOf(const GcmcParameters& p, std::size_t k) {
  const GcmcParameters own = parametersOf(p, k);
  return kindOf(p) == ReplicaKind::temperature ? own.temperature
         : kindOf(p) == ReplicaKind::seed      ? static_cast<double>(own.seed)
                                               : own.mu;
}

std::string axisOf(ReplicaKind kind) {
  return kind == ReplicaKind::temperature ? "T*"
         : kind == ReplicaKind::seed      ? "seed"
                                          : "mu* / epsilon";
}

std::size_t windowsOf(const GcmcParameters& p) {
  if (kindOf(p) != ReplicaKind::window) return 1;
  const std::int64_t wanted = p.replicaWindows > 0 ? p.replicaWindows : p.replicas;
  return static_cast<std::size_t>(std::max<std::int64_t>(1, wanted));
}

ReplicaWindow windowOf(const GcmcParameters& p, std::size_t k) {
  if (kindOf(p) != ReplicaKind::window) return {};
  const std::size_t count = windowsOf(p), w = k % count;
  const auto edge = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(p.replicaMost) * i / count);
  };
  return {edge(w), std::max(edge(w + 1), edge(w) + 1)};
}

std::size_t chainsOfEach(const GcmcParameters& p) {
  const auto all = static_cast<std::size_t>(p.replicas);
  return kindOf(p) == ReplicaKind::window ? all / windowsOf(p)
         : kindOf(p) == ReplicaKind::seed ? all
                                          : std::min<std::size_t>(all, 1);
}

std::size_t numbersOf(const GcmcParameters& p) {
  if (p.replicas == 0 || kindOf(p) == ReplicaKind::temperature) return 0;
  const double densest = kDensest * p.box().volume();
  const std::size_t most = kindOf(p) == ReplicaKind::window
                               ? static_cast<std::size_t>(p.replicaMost)
                               : static_cast<std::size_t>(densest) + 16;
  return std::min(most + 2, static_cast<std::size_t>(kMostEntries / p.replicas));
}

void checkReplicas(const GcmcParameters& p) {
  if (p.replicas == 0) return;
  const ReplicaKind kind = kindOf(p);
  if (kind == ReplicaKind::window) checkWindows(p);
  if (kind == ReplicaKind::potential)
    checkRange(p, p.replicaFrom, p.replicaTo, "replica_first", "replica_last");
  if (kind == ReplicaKind::temperature)
    checkRange(p, p.replicaColdest, p.replicaHottest, "replica_coldest", "replica_hottest");
  if (kind == ReplicaKind::seed && p.seed + p.replicas > 4294967295)
    throw InputError(
        "seed = {} leaves no seeds for {} replicas, which take those that follow it, up to "
        "4294967295; use a smaller seed",
        p.seed, p.replicas);
  if (static_cast<double>(p.replicas) * std::max(1.0, p.density * p.box().volume()) > 4194304)
    throw InputError(
        "replicas = {} of {:.0f} particles each are more than 4194304 in all; use at most {:.0f} "
        "or a smaller box",
        p.replicas, p.density * p.box().volume(),
        std::max(1.0, std::floor(4194304 / (p.density * p.box().volume()))));
}

double densestReplica(const GcmcParameters& p) {
  const double rho = kindOf(p) == ReplicaKind::window
                         ? static_cast<double>(p.replicaMost) / p.box().volume()
                         : std::max(p.density, 0.5);
  return std::min(rho, kDensestStart);
}

void ReplicaAverages::start(std::size_t replicas, bool tested) {
  tested_ = tested, chosen_ = false;
  replica_.clear();
  replica_.resize(replicas);
  for (Replica& r : replica_) {
    r.whole.resize(tested ? kMeans : 1);
    if (tested) r.test = EquilibratedAverages(std::vector<bool>(kMeans, true));
  }
}

void ReplicaAverages::keepBeginning() {
  *this = fresh();
  chosen_ = true;
  for (Replica& r : replica_) r.test.keepBeginning();
}

void ReplicaAverages::add(std::size_t replica, std::uint64_t step, double particles,
                          double energy) {
  Replica& r = replica_[replica];
  const double values[kMeans] = {particles, energy};
  if (wholeCounts())
    for (std::size_t i = 0; i < r.whole.size(); ++i) r.whole[i].add(values[i]);
  if (tested_) r.test.add(step, {particles, energy});
}

std::optional<std::uint64_t> ReplicaAverages::settledFrom() const {
  std::uint64_t from = 0;
  for (std::size_t k = 0; tested_ && k < replica_.size(); ++k) {
    if (!equilibrated(k)) return std::nullopt;
    from = std::max(from, replica_[k].test.fromStep());
  }
  return from;
}

std::optional<ReplicaAverages::Mean> ReplicaAverages::mean(std::size_t replica,
                                                           ReplicaMean of) const {
  const auto i = static_cast<std::size_t>(of);
  const Replica& r = replica_[replica];
  if (!tested_ && i >= r.whole.size()) return std::nullopt;
  const BlockAverage& b = wholeCounts() ? r.whole[i] : r.test.average(i);
  if (b.count() < 2) return std::nullopt;
  return Mean{b.mean(), b.error(), equilibrated(replica) && r.test.scatters(i)};
}

std::size_t ReplicaAverages::bytes() const {
  std::size_t sum = 0;
  for (const Replica& r : replica_) {
    sum += sizeof r + r.test.bytes();
    for (const BlockAverage& b : r.whole) sum += sizeof b + b.bytes();
  }
  return sum;
}

void ReplicaAverages::save(BinaryWriter& w) const {
  w.value(static_cast<std::uint8_t>(chosen_));
  for (const Replica& r : replica_) {
    for (const BlockAverage& b : r.whole) b.save(w.stream());
    if (tested_) r.test.save(w);
  }
}

void ReplicaAverages::load(BinaryReader& r) {
  chosen_ = r.value<std::uint8_t>("where the averages of the replicas begin") != 0;
  for (Replica& one : replica_) {
    for (BlockAverage& b : one.whole) b.load(r.stream());
    if (tested_) one.test.load(r);
    if (chosen_) one.test.keepBeginning();
  }
}

}  // namespace cellscope::gcmc
