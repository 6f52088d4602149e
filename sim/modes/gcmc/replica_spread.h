// What each replica of a grand-canonical run is: its reservoir, its seed, its window of N;
// and its averages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/observables/block_average.h"
#include "sim/algo/observables/equilibrated_average.h"
#include "sim/io/binary.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

ReplicaKind kindOf(const GcmcParameters& p);

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
  ReplicaAverages fresh() const;
  // They begin here, whatever the result of the test, until the next start.
  void keepBeginning();

  void add(std::size_t replica, std::uint64_t step, double particles, double energy);
  // None from fewer than two samples.
  std::optional<Mean> mean(std::size_t replica, ReplicaMean of) const;
  bool tested() const { return tested_; }
  bool equilibrated(std::size_t replica) const;
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

}  // namespace cellscope::gcmc
