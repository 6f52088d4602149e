// Curves of molecular dynamics, accumulated over samples: pair correlations and speeds.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/all_pairs/engine.h"
#include "sim/api/observable.h"

namespace cellscope::md {

// Types of particles by number; empty: all of the one species.
struct MdTypes {
  std::vector<std::uint8_t> of;
  std::vector<std::string> names = {"X"};
  std::array<std::uint64_t, kMostTypes> count{};
  std::size_t types() const { return names.size(); }
};

class MdSampler {
 public:
  static constexpr double kBin = 0.025;     // of g(r), in sigma
  static constexpr double kSpeedBin = 0.1;  // of sqrt(m) v, in sqrt(epsilon)
  static constexpr std::size_t kSpeedBins = 120;
  static constexpr std::size_t kPairsPerSample = 250000;

  void reset() { *this = MdSampler(); }
  // Each sample measures g(r) about the next few particles in turn, with all others as partners.
  // farthest: of the pairs that are counted.
  void add(AllPairsEngine& engine, const Box& box, const KineticTotals& totals, double mass,
           double temperature, const MdTypes& types, double farthest);
  std::vector<Curve> curves(const MdTypes& types) const;
  // Mean temperature of the samples; none: there are none.
  std::optional<double> temperature() const {
    if (samples_ == 0) return {};
    return temperatureSum_ / static_cast<double>(samples_);
  }

  // Everything accumulated, as numbers; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers, std::size_t types);

 private:
  Curve pairCorrelation(const MdTypes& types) const;
  Curve speedDistribution() const;

  std::uint64_t samples_ = 0, speeds_ = 0, next_ = 0;
  int dimension_ = 3;
  double volume_ = 1;
  double temperatureSum_ = 0;
  std::vector<double> sources_;  // by type
  std::vector<double> pairs_;    // ordered pairs by types and bin
  std::vector<double> speedCounts_;
};

}  // namespace cellscope::md
