// The replicas of a grand-canonical run: what they are made of, what they have found, files.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/gcmc/replicas.h"
#include "sim/api/frame.h"
#include "sim/api/observable.h"
#include "sim/exec/memory.h"
#include "sim/io/binary.h"
#include "sim/modes/gcmc/number_distribution.h"
#include "sim/modes/gcmc/replica_spread.h"

namespace cellscope::gcmc {

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
  void reset();
  // The means of the replicas begin here, whatever the result of their tests of equilibration.
  void keepBeginning() { averages_.keepBeginning(); }

  bool on() const { return made_ != nullptr; }
  std::size_t size() const { return made_ ? made_->size() : 0; }
  std::size_t bytes() const;
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
  Kept keep() const;
  void recall(const Kept& kept, const GcmcParameters& p);
  std::vector<Curve> curves(const GcmcParameters& p) const;
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
  std::vector<GcmcState> states() const;
  void upload(const std::vector<GcmcState>& states, const GcmcParameters& p,
              const GcmcProgress& progress = {});
  void measure(const GcmcParameters& p);
  void forget(ReplicaAverages fresh);          // what was measured
  bool joins() const { return numbers_ > 0; }  // whether ln P(N) of all together means anything
  bool byChains(const GcmcParameters& p) const { return chainsOfEach(p) >= kFewestBlocks; }
  TransitionSums sums() const;
  // Of all chains k with k / windows = g, for each g.
  std::vector<TransitionSums> sumsOfGroups(const GcmcParameters& p) const;
  std::string inWords(const GcmcParameters& p) const;
  std::size_t equilibrated() const;  // how many of them are
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
