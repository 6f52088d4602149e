// The observables of grand-canonical Monte Carlo, each with its words and how it follows from a
// sample, and the distribution of the number of particles. A new observable is a line in this list,
// or in that of the method that alone has it.
#pragma once
#include "sim/algo/observables/block_average.h"
#include "sim/api/mode.h"
#include "sim/core/gcmc_rules.h"
#include "sim/io/container.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

// ln P(N) from transition probabilities, unnormalised, N = first, first + 1, ..., at a reference
// activity.
struct NumberDistribution {
  std::size_t first = 0;
  std::vector<double> lnP;

  // At an activity of exp(shift) times the reference, normalised: sum of P is 1.
  NumberDistribution at(double shift) const;
  double mean() const;  // of a normalised one
};

// From sums by N; oddsOfKinds: insertions over deletions attempted. The longest run of N from the
// first one known, where each of both directions was tried 20 times at least.
NumberDistribution distributionOf(const std::vector<GcmcTransition>& sums, double oddsOfKinds);

// Sums by N, as one chain or many together have made them.
using TransitionSums = std::vector<GcmcTransition>;
void addTo(TransitionSums& sums, const TransitionSums& more, double times = 1);
TransitionSums difference(const TransitionSums& a, const TransitionSums& b);

// Two phases of equal weight.
struct Coexistence {
  double shift;           // ln of the activity over the reference
  double vapour, liquid;  // mean N of each phase
  double lnWeight;        // ln(P(all vapour) / P(0)) = p V / T; NaN when N = 0 is not known
  double depth;           // of the minimum below the lower maximum, in ln P
};
// None where ln P(N) has no two maxima at any activity.
std::optional<Coexistence> coexistenceOf(const NumberDistribution& distribution);

// Statistical error of ln P(N) and of the coexistence that it shows: the jackknife over blocks of
// transitions that are independent of each other, blocks of time or groups of chains.
//
// ln P(N) is a sum over all ratios below N, of which those of one window come from the same
// configurations, and it is normalised: its errors at different N are correlated. Leaving out a
// block as a whole and repeating the whole analysis takes all of that into account:
//   error^2 = (B - 1) / B sum_b (f_b - mean of f)^2, f_b without block b of B (Quenouille, Tukey).
// Fewer blocks than these give no error.
inline constexpr std::size_t kFewestBlocks = 8;

// Blocks of time: of as many steps each, at most 32; when there are 32, neighbours are joined, so
// that they grow with the run and become longer than its correlations.
class TransitionBlocks {
 public:
  void reset(std::size_t numbers);
  // Whether the sums are wanted after this number of steps since the reset.
  bool due(std::uint64_t steps) const { return steps == length_ * (blocks_.size() + 1); }
  // The sums since the reset.
  void add(const TransitionSums& sums);
  std::uint64_t length() const { return length_; }  // steps
  // Those that begin at this step, counted from 1, or after it.
  std::vector<TransitionSums> from(std::uint64_t step) const;
  const std::vector<TransitionSums>& blocks() const { return blocks_; }
  std::size_t bytes() const {
    return (blocks_.size() + 1) * before_.size() * sizeof(GcmcTransition);
  }

  void save(BinaryWriter& w) const;
  // Throws InputError for what was not saved with as many numbers.
  void load(BinaryReader& r, std::size_t numbers);

 private:
  std::size_t most_ = 32;
  std::uint64_t length_ = 1;
  std::vector<TransitionSums> blocks_;
  TransitionSums before_;  // sums at the end of the last block
};

// Distributions of all blocks but one, over the N of `whole`.
class DistributionJackknife {
 public:
  DistributionJackknife() = default;
  DistributionJackknife(const NumberDistribution& whole, const std::vector<TransitionSums>& blocks,
                        double oddsOfKinds);
  std::size_t blocks() const { return without_.size(); }
  // One standard error of each ln P(N), normalised at this shift of ln activity; NaN where a ratio
  // between it and the most probable N is not known without one of the blocks. Empty: too few
  // blocks.
  std::vector<double> errorsAt(double shift) const;
  // Of each number; NaN where a phase is missing without one of the blocks, or there are too few
  // blocks.
  Coexistence coexistence() const;
  // Of a mean N at this shift.
  double errorOfMean(double shift) const;

 private:
  NumberDistribution whole_;
  std::vector<NumberDistribution> without_;
  std::vector<bool> known_;  // of the ratio from N to N + 1, without any one of the blocks
};

// Two phases are found only where both peaks of ln P(N) are known to their feet and the dip between
// them is deeper than three of its standard errors: otherwise it may be noise. None where this
// error is not known. As it is the deepest of all dips, strong noise alone still makes one in 3 to
// 8 of 100 runs with 20 to 32 blocks, and in 10 to 20 with eight.
inline constexpr double kSignificant = 3;
struct FoundCoexistence {
  Coexistence at, error;
};
std::optional<FoundCoexistence> foundCoexistence(const NumberDistribution& whole,
                                                 const DistributionJackknife& jackknife);

// A configuration in numbers, in Lennard-Jones units; NaN where nothing was measured.
struct GcmcSample {
  double particles = 0, volume = 1, temperature = 1;
  double ofB = std::nan("");  // particles of type B, in a mixture
  int dimension = 3;
  double energy = 0;         // with tail
  double virial = 0;         // sum over pairs of r . f
  double tailPressure = 0;   // p_tail / rho^2, 0 without correction
  double drift = 0;          // running energy minus the recomputed one
  double boltzmann = 0;      // mean of exp(-dU / T) over test points
  GcmcCounters moves;        // since the last sample
  GcmcFlightCounts flights;  // since the last sample

  double density() const { return particles / volume; }
};

// Of counts; `none` of nothing.
inline double shareOf(std::uint64_t part, std::uint64_t all, double none = 0) {
  return all == 0 ? none : static_cast<double>(part) / static_cast<double>(all);
}

struct GcmcObservable {
  ObservableInfo info;
  double (*value)(const GcmcSample&);
};

// All there are, in the order of their columns: those of every method, those of one alone, those of
// mixtures. New ones go to the end, so that older checkpoints still load.
const std::vector<GcmcObservable>& gcmcObservables();

// Density against what the reservoir is given by, from an equation of state for the interaction
// that is sampled: stable states, with a jump where vapour and liquid coexist. None in the plane.
std::optional<CurveSeries> equationOfStateIn(const GcmcParameters& p, Reservoir given);

// Of hard spheres in space: with exchange density, number and pressure of the fluid at this
// activity, without it the pressure of fluid or crystal at the density of n particles.
std::vector<ReferenceValue> hardSphereReferences(const GcmcParameters& p, std::uint32_t n);

// What a grand-canonical run accumulates: the distribution of N, the isotherm so far, and Widom's
// estimate of the excess chemical potential, from where its averages begin.
class GcmcSampler {
 public:
  // Forget all but the isotherm, which keeps what was measured at other chemical potentials.
  void reset() {
    sums_.restart();
    settled_ = false;
  }
  void forgetIsotherm() { past_.clear(); }
  // N after every step.
  void count(std::uint32_t n) {
    sums_.each([&](Sums& s) { s.count(n); });
  }
  void add(const GcmcSample& s);
  // As Mode::averagesAre(), in the samples of add(): of the density, and the error of
  // the mean Boltzmann factor of insertion.
  void averagesAre(std::uint64_t leftOut, bool settled, double insertionError) {
    sums_.leaveOut(leftOut);
    settled_ = settled;
    insertionError_ = insertionError;
  }
  bool settled() const { return settled_; }
  // Fraction of the steps after which the box was empty; none yet: 0.
  double emptyFraction() const {
    const Sums& s = sums_.chosen();
    return s.steps > 0 && s.first == 0 ? s.histogram[0] / s.steps : 0.0;
  }
  std::vector<Curve> curves(const GcmcParameters& p) const {
    return {distribution(p, false), distribution(p, true), isotherm(p), excess(p)};
  }

  // Everything accumulated, bit for bit. load() throws InputError for what is impossible.
  void save(BinaryWriter& w) const;
  void load(BinaryReader& r);
  // A change of the reservoir: the mean so far becomes a point of the isotherm.
  void closePoint(const GcmcParameters& before);

 private:
  // A mean density, and whether it is one of equilibrium.
  struct Point {
    double activity = 0, density = 0, error = 0;
    std::uint64_t settled = 0;
  };
  struct Sums {
    std::uint32_t first = 0;  // N of histogram[0]
    std::vector<double> histogram;
    double steps = 0, samples = 0, boltzmann = 0, number = 0;
    BlockAverage density;
    void count(std::uint32_t n);
  };
  static void fields(auto& io, auto& sums);
  Point present(double activity) const;
  Curve distribution(const GcmcParameters& p, bool logarithmic) const;
  Curve isotherm(const GcmcParameters& p) const;
  Curve excess(const GcmcParameters& p) const;

  Beginnings<Sums> sums_;
  bool settled_ = false;
  double insertionError_ = 0;
  std::vector<Point> past_;
};

}  // namespace cellscope::gcmc
