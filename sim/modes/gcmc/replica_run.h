// The replicas of a grand-canonical run: what they are made of, what they have found, files.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "sim/algo/gcmc/replicas.h"
#include "sim/algo/observables/block_average.h"
#include "sim/api/frame.h"
#include "sim/api/observable.h"
#include "sim/exec/memory.h"
#include "sim/modes/gcmc/number_distribution.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

class ReplicaRun {
 public:
  explicit ReplicaRun(exec::Shared exec) : exec_(std::move(exec)) {}

  // All anew, each on a lattice; none where p wants none.
  void start(const GcmcParameters& p);
  // After edits: anew, or the same states under other rules, or, where only the reservoir of the
  // chain that is seen has changed, nothing.
  void follow(const GcmcParameters& p);
  // Forgets what was measured.
  void reset();

  bool on() const { return made_ != nullptr; }
  std::size_t size() const { return made_ ? made_->size() : 0; }
  std::size_t bytes() const;
  void advance(const GcmcParameters& p, std::uint64_t moves);  // of each

  std::vector<GcmcState> states() const;
  void recall(const std::vector<GcmcState>& states, const GcmcParameters& p);
  std::vector<Curve> curves(const GcmcParameters& p) const;
  // What they know, in words; brought up to date every ten steps.
  std::vector<SelfCheck> checks(const GcmcParameters& p) const;

  void save(std::ostream& out) const;
  // Throws InputError for data that are no replicas of p, and leaves everything as it was.
  void load(std::istream& in, const GcmcParameters& p);

  // Chemical potential, and window of N, of replica k.
  static double potential(const GcmcParameters& p, std::size_t k);
  struct Window {
    std::uint32_t least, most;
  };
  static Window window(const GcmcParameters& p, std::size_t k);

 private:
  GcmcRules rules(const GcmcParameters& p, std::size_t k) const;
  void tuneWindows(const GcmcParameters& p);
  void upload(const std::vector<GcmcState>& states, const GcmcParameters& p);
  NumberDistribution distribution(const GcmcParameters& p) const;  // at the activity of p
  std::vector<GcmcTransition> sums() const;
  std::vector<SelfCheck> found(const GcmcParameters& p) const;
  Curve isotherm(const GcmcParameters& p) const;
  Curve numbers(const GcmcParameters& p) const;

  exec::Shared exec_;
  std::unique_ptr<GcmcReplicas> made_;
  std::string chains_, rulesWords_;  // what chains and rules were made of
  double reference_ = 1;             // activity of the transitions
  // Of each window, at which its ends are about as likely: tuned for the first steps, then frozen.
  std::vector<double> activity_;
  std::uint64_t steps_ = 0;    // since the start
  std::uint32_t numbers_ = 0;  // of the table, for each replica
  exec::Array<GcmcTransition> table_;
  std::vector<BlockAverage> number_;  // of particles, after every step
  struct Said {
    std::uint64_t steps = 0;
    double mu = 0;
    std::vector<SelfCheck> checks;
  };
  mutable Said said_;
};

}  // namespace cellscope::gcmc
