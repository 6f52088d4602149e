// Means of each replica, with a sample after every step, and its own test of equilibration: they
// begin where equilibrated_average.h lets them, or where it was requested. Windows of N draw no
// points from them, and have been tuned before: theirs contain every sample.
//
// Memory: 50 KiB for each replica after 10^6 steps, 70 KiB after 10^8; windows 2 KiB.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <vector>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/equilibrated_average.h"

namespace cellscope::gcmc {

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
  ReplicaAverages fresh() const;
  // They begin here, whatever the result of the test, until the next start.
  void keepBeginning();

  void add(std::size_t replica, std::uint64_t step, double particles, double energy);
  // None from fewer than two samples.
  std::optional<Mean> mean(std::size_t replica, ReplicaMean of) const;
  bool tested() const { return tested_; }
  bool equilibrated(std::size_t replica) const;
  std::size_t bytes() const;

  // Everything, bit for bit. load(): after start() for as many; throws InputError for what is
  // impossible.
  void save(std::ostream& out) const;
  void load(std::istream& in);

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

}  // namespace cellscope::gcmc
