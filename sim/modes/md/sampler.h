// Curves of molecular dynamics, accumulated over samples: pair correlation and speeds.
#pragma once
#include <cstdint>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/api/observable.h"

namespace cellscope::md {

class MdSampler {
 public:
  static constexpr double kBin = 0.025;     // of g(r), in sigma
  static constexpr double kSpeedBin = 0.1;  // in sigma / tau
  static constexpr std::size_t kSpeedBins = 120;
  static constexpr std::size_t kPairsPerSample = 250000;

  void reset() { *this = MdSampler(); }
  // Each sample measures g(r) about the next few particles in turn, with all others as partners.
  void add(AllPairsEngine& engine, const Box& box, const MdTotals& totals, std::size_t n,
           double temperature);
  std::vector<Curve> curves() const;

  // Everything accumulated, as numbers; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers);

 private:
  Curve pairCorrelation() const;
  Curve speedDistribution() const;

  std::uint64_t samples_ = 0, sources_ = 0, speeds_ = 0, next_ = 0;
  double temperatureSum_ = 0;
  double partnersPerVolume_ = 0;  // (N - 1) / V
  std::vector<double> pairs_;     // ordered pairs per bin
  std::vector<double> speedCounts_;
};

}  // namespace cellscope::md
