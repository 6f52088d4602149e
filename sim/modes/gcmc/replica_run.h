// The replicas of a grand-canonical run: what each of them is, its reservoir, its seed, its window
// of N; its averages; what they have found, files.
#pragma once
#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/observables/equilibrated_average.h"
#include "sim/api/frame.h"
#include "sim/exec/memory.h"
#include "sim/modes/gcmc/observables.h"

namespace cellscope::gcmc {

inline ReplicaKind kindOf(const GcmcParameters& p) {
  return static_cast<ReplicaKind>(p.replicaKind.index);
}

// The parameters that replica k runs with: chemical potential, temperature or seed of its own.
GcmcParameters parametersOf(const GcmcParameters& p, std::size_t k);
// Its place on the axis of the charts: mu, or T, or the seed; and the axis in words.
double placeOf(const GcmcParameters& p, std::size_t k);
std::string axisOf(ReplicaKind kind);

// Windows of N, ends included; replica k belongs to window k mod windowsOf(p). Without windows one
// of everything.
struct ReplicaWindow {
  std::uint32_t least = 0, most = 0;  // most = 0: none
};
std::size_t windowsOf(const GcmcParameters& p);
ReplicaWindow windowOf(const GcmcParameters& p, std::size_t k);
// Independent chains of the same window or state.
std::size_t chainsOfEach(const GcmcParameters& p);

// N that transitions are counted for, with each replica; 0: they are not counted, as temperatures
// cannot be joined.
std::size_t numbersOf(const GcmcParameters& p);

// Throws InputError for what is impossible together.
void checkReplicas(const GcmcParameters& p);
// Density that memory is reckoned with.
double densestReplica(const GcmcParameters& p);

// Means of each replica, with a sample after every step, and its own test of equilibration: they
// begin where equilibrated_average.h lets them, or where it was requested. Windows of N draw no
// points from them, and have been tuned before: theirs contain every sample.
//
// Memory: 50 KiB for each replica after 10^6 steps, 70 KiB after 10^8; windows 2 KiB.
enum class ReplicaMean { particles, energy };  // the energy is the whole one, tail included

class ReplicaAverages {
 public:
  struct Mean {
    double value, error;
    bool settled;  // it is a result: of equilibrium, and of samples that scatter
  };

  // tested: whether they leave the approach to equilibrium out; otherwise of particles only.
  void start(std::size_t replicas, bool tested);
  // As many, without samples.
  ReplicaAverages fresh() const {
    ReplicaAverages fresh;
    fresh.start(replica_.size(), tested_);
    return fresh;
  }
  // They begin here, whatever the result of the test, until the next start.
  void keepBeginning();

  void add(std::size_t replica, std::uint64_t step, double particles, double energy);
  // None from fewer than two samples.
  std::optional<Mean> mean(std::size_t replica, ReplicaMean of) const;
  bool tested() const { return tested_; }
  bool equilibrated(std::size_t replica) const {
    const EquilibratedAverages& test = replica_[replica].test;
    return tested_ && test.equilibrated() && (!chosen_ || test.leftOut() == 0);
  }
  // Step of the first sample of which every replica is in equilibrium, 0 where that is not tested;
  // none while one is not.
  std::optional<std::uint64_t> settledFrom() const;
  std::size_t bytes() const;

  // Everything, bit for bit. load(): after start() for as many; throws InputError for what is
  // impossible.
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);

 private:
  static constexpr std::size_t kMeans = 2;
  struct Replica {
    std::vector<BlockAverage> whole;  // of every sample, where it counts
    EquilibratedAverages test;
  };
  // Whether means contain every sample.
  bool wholeCounts() const { return !tested_ || chosen_; }

  std::vector<Replica> replica_;
  bool tested_ = false, chosen_ = false;
};

// Result of the transitions of all replicas together, at the activity that they refer to.
struct ReplicaKnowledge {
  NumberDistribution whole;
  DistributionJackknife jackknife;
  bool byChains = false;  // blocks are groups of chains, otherwise of time
  bool settled = false;   // all replicas were in equilibrium
  std::optional<FoundCoexistence> coexistence;
};

class ReplicaRun {
 public:
  explicit ReplicaRun(exec::Shared exec) : exec_(std::move(exec)) {}

  // New states, each on a lattice; none if p wants none.
  void start(const GcmcParameters& p, const GcmcProgress& progress = {});
  // After edits: new states, or the same states under other rules, or, where only the reservoir of
  // the chain that is seen has changed, nothing. before: as they are now; so they stay when it
  // throws.
  void follow(const GcmcParameters& p, const GcmcParameters& before);
  // Forgets what was measured.
  void reset() { forget(averages_.fresh()); }
  // The means of the replicas begin here, whatever the result of their tests of equilibration.
  void keepBeginning() { averages_.keepBeginning(); }

  bool on() const { return made_ != nullptr; }
  std::size_t size() const { return made_ ? made_->size() : 0; }
  std::size_t bytes() const {
    return made_ ? made_->bytes() + table_.bytes() + blocks_.bytes() + averages_.bytes() : 0;
  }
  // `moves` moves of each; once cancelled they have to be restored.
  void advance(const GcmcParameters& p, std::uint64_t moves, const GcmcProgress& progress = {});

  std::vector<GcmcReplicaNow> now() const { return made_->now(); }
  GcmcEngine& chain(std::size_t k) const { return made_->chain(k); }
  GcmcRules rules(const GcmcParameters& p, std::size_t k) const;
  // States and what was measured, to go back to with the same parameters.
  struct Kept {
    std::vector<GcmcState> states;
    std::vector<double> activity;
    std::uint64_t steps = 0, measured = 0;
    TransitionSums table;
    TransitionBlocks blocks;
    ReplicaAverages averages;
  };
  Kept keep() const {
    if (!on()) return {};
    return {states(), activity_, steps_, measured_, table_.get(), blocks_, averages_};
  }
  void recall(const Kept& kept, const GcmcParameters& p);
  std::vector<Curve> curves(const GcmcParameters& p) const {
    return {densities(p), energies(p), numbers(p), phases(p)};
  }
  // What they know, in words.
  std::vector<SelfCheck> checks(const GcmcParameters& p) const;
  std::optional<ReplicaAverages::Mean> meanDensity(const GcmcParameters& p, std::size_t k) const;
  // Brought up to date every ten steps, later whenever the run has grown by a hundredth, and before
  // files are written: what they hold must not depend on who asked before.
  const ReplicaKnowledge& known(const GcmcParameters& p) const;
  void bringUpToDate() { knownAt_.reset(), joinedAt_.reset(); }

  void save(BinaryWriter& w) const;
  // Throws InputError for data that are no replicas of p, and leaves everything as it was.
  void load(BinaryReader& r, const GcmcParameters& p);

 private:
  void tuneWindows(const GcmcParameters& p);
  bool tunesNow(const GcmcParameters& p) const;
  // Steps until windows are tuned: what is met from a lattice on is no result. 0: they are.
  std::uint64_t stepsToTune(const GcmcParameters& p) const;
  // Until what windows give together is a result, tuning included.
  std::uint64_t stepsToSettle(const GcmcParameters& p) const;
  std::string waitingWords(const GcmcParameters& p) const;
  std::vector<GcmcState> states() const {
    std::vector<GcmcState> all;
    for (std::size_t k = 0; k < size(); ++k) all.push_back(made_->chain(k).state());
    return all;
  }
  void upload(const std::vector<GcmcState>& states, const GcmcParameters& p,
              const GcmcProgress& progress = {});
  void measure(const GcmcParameters& p);
  void forget(ReplicaAverages fresh);          // what was measured
  bool joins() const { return numbers_ > 0; }  // whether ln P(N) of all together means anything
  bool byChains(const GcmcParameters& p) const { return chainsOfEach(p) >= kFewestBlocks; }
  TransitionSums sums() const { return made_->sumsOf(table_, numbers_); }
  // Of all chains k with k / windows = g, for each g.
  std::vector<TransitionSums> sumsOfGroups(const GcmcParameters& p) const;
  std::string inWords(const GcmcParameters& p) const;
  std::vector<CurveSeries> averages(const GcmcParameters& p, ReplicaMean of) const;
  const CurveSeries& joined(const GcmcParameters& p, double low, double high) const;
  Curve densities(const GcmcParameters& p) const;
  Curve energies(const GcmcParameters& p) const;
  Curve numbers(const GcmcParameters& p) const;
  Curve phases(const GcmcParameters& p) const;

  exec::Shared exec_;
  std::unique_ptr<GcmcReplicas> made_;
  std::string chains_, rulesWords_;  // what chains and rules were made of
  double reference_ = 1;             // activity of the transitions
  // Of each window, at which its ends are about as likely: tuned for the first steps, then frozen.
  std::vector<double> activity_;
  std::uint64_t steps_ = 0, measured_ = 0;  // since the start, and since the last reset
  std::uint32_t numbers_ = 0;               // of the table, for each replica
  exec::Array<GcmcTransition> table_;
  TransitionBlocks blocks_;
  ReplicaAverages averages_;
  mutable std::optional<std::uint64_t> knownAt_;  // measured_ then
  mutable ReplicaKnowledge known_;
  mutable std::optional<std::uint64_t> joinedAt_;  // of joined_: knownAt_ then
  mutable CurveSeries joined_;
};

}  // namespace cellscope::gcmc
