// Curves of molecular dynamics, accumulated over samples: pair correlations and speeds.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/algo/md/engines.h"
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
  static constexpr std::size_t kPairsPerSample = 500000;
  // Steps of about this many particles pass from one measurement of the curves to the next, and at
  // most kMostSteps: they must not cost more than the steps.
  static constexpr std::uint64_t kStepsOfParticles = 40'000'000, kMostSteps = 400;

  // Pairs within the cutoff are counted as often. That takes a CPU the time of up to three steps,
  // and a GPU, which has to stop for it, that of up to six.
  static constexpr std::uint64_t kStepsBetweenFills = 100;

  // particles: of the run.
  explicit MdSampler(std::uint64_t particles = 1) : particles_(particles) {}
  void reset() { *this = MdSampler(particles_); }
  void add(double temperature, double density) {
    temperatureSum_ += temperature;
    densitySum_ += density;
    samples_ += 1;
  }
  // Whether a sample taken after this number of steps is to measure the curves as well, or,
  // with lists, how many of their pairs are within the cutoff; and steps from there to the next one
  // that is to measure one of them, which is a multiple of `every`.
  bool due(std::uint64_t step) const { return step >= due_; }
  bool fillDue(std::uint64_t step) const { return step >= fillDue_; }
  void fillMeasured(std::uint64_t step) { fillDue_ = step + kStepsBetweenFills; }
  std::uint64_t stepsToDue(std::uint64_t step, std::uint64_t every, bool lists) const;
  // g(r) about the next few particles in turn, with all others as partners, and speeds relative to
  // `mean`. farthest: of the pairs that are counted.
  void addCurves(std::uint64_t step, MdEngine& engine, const Box& box, Vec3d mean,
                 const MdTypes& types, double farthest);
  std::vector<Curve> curves(const MdTypes& types) const;
  // Mean temperature of the samples; none: there are none.
  std::optional<double> temperature() const {
    if (samples_ == 0) return {};
    return temperatureSum_ / static_cast<double>(samples_);
  }
  std::optional<double> density() const {
    if (samples_ == 0) return {};
    return densitySum_ / static_cast<double>(samples_);
  }

  // Everything accumulated, as numbers; restore() is the inverse. False: impossible numbers.
  std::vector<double> numbers() const;
  bool restore(const std::vector<double>& numbers, std::size_t types);

 private:
  std::size_t takeBins(std::size_t bins, std::size_t types);
  Curve pairCorrelation(const MdTypes& types) const;
  Curve speedDistribution() const;

  std::uint64_t particles_ = 1;
  std::uint64_t samples_ = 0, speeds_ = 0, next_ = 0;
  // Steps from which on curves, and pairs within the cutoff, are to be measured again.
  std::uint64_t due_ = 0, fillDue_ = 0;
  int dimension_ = 3;
  double temperatureSum_ = 0, densitySum_ = 0;
  std::vector<double> sources_;  // by type, each over the volume that it was measured in
  std::vector<double> pairs_;    // ordered pairs by types and bin
  std::vector<double> speedCounts_;
};

}  // namespace cellscope::md
