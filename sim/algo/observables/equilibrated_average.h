// Averages that leave the approach to equilibrium out by themselves. Rule: they begin with sample
// 32, 64, 128, ... after the last change of the state, the first from which on no slow
// observable drifts any more (first fifth against last half, more than `kLeavesOut` standard
// errors; after J. Geweke, see driftOver(), with the error from differences of successive
// blocks), and leave out half of the samples at most. With fewer than 64 samples they contain all
// of them. The first 32 never belong to a result: a short way into equilibrium biases a short run
// long before a test of drift can see it. Until a beginning passes `kInARow` tests in a
// row, with at least `kLeastBlocks` values after it and an error that of `kIndependent` independent
// ones or less, they count as not equilibrated, and again once as many fail: one test alone may be
// chance. Memory grows with log2 of the length.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "sim/algo/observables/beginnings.h"
#include "sim/algo/observables/block_average.h"
#include "sim/base/error.h"

namespace cellscope {

// The drift over a series: J. Geweke, in Bayesian Statistics 4 (Oxford, 1992), p. 169.

// Mean of a series of values.

inline double meanOf(std::span<const double> v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

inline constexpr std::size_t kLeastForDrift = 32;  // values

// First fifth minus last half, in standard errors of that difference as `errorOf` the last half
// tells them; 0 for fewer values than kLeastForDrift, infinite where the last half stands still
// elsewhere: a series that came to rest has drifted there.
template <class ErrorOf>
double driftOver(std::span<const double> values, const ErrorOf& errorOf) {
  if (values.size() < kLeastForDrift) return 0;
  const std::span<const double> first = values.first(values.size() / 5);
  const std::span<const double> last = values.last(values.size() / 2);
  const double ratio = static_cast<double>(last.size()) / static_cast<double>(first.size());
  const double before = meanOf(first), after = meanOf(last), drift = before - after;
  const double error = errorOf(last) * std::sqrt(1 + ratio);
  // Sums of equal values round.
  const double rounding = 1e-12 * std::max(std::abs(before), std::abs(after));
  if (std::abs(drift) <= rounding) return 0;
  return error > rounding ? drift / error
                          : std::copysign(std::numeric_limits<double>::infinity(), drift);
}

class EquilibratedAverages {
 public:
  static constexpr double kLeavesOut = 3;  // some 3 of 100 tests reject without a drift
  static constexpr std::size_t kLeastBlocks = 64;
  static constexpr double kIndependent = 32;
  static constexpr int kInARow = 3;

  // `relaxes`: one for each observable, whether it is slow (ObservableInfo::relaxes).
  explicit EquilibratedAverages(std::vector<bool> relaxes = {});

  // One value per observable at a step after the ones before; NaN is left out.
  void add(std::uint64_t step, const std::vector<double>& values);
  void restart(std::uint64_t step);  // after a change of the state
  // Until the next restart the first 32 samples count, unless they drift: equilibration came
  // before.
  void keepBeginning() { keepsBeginning_ = true; }

  const BlockAverage& average(std::size_t observable) const;
  std::uint64_t fromStep() const { return starts_.chosen().step; }   // the first of the averages
  std::uint64_t leftOut() const { return starts_.all()[0].sample; }  // samples before it
  bool equilibrated() const { return equilibrated_; }
  // Whether the samples of a slow observable scatter: one that hardly ever changes may not have met
  // yet what its mean is made of.
  bool scatters(std::size_t observable) const;
  bool tooFewToTest() const;  // nothing drifts, and there are too few samples to be sure
  std::size_t bytes() const;  // of memory

  // Everything, bit for bit, by a BinaryWriter and a BinaryReader. load() throws InputError when it
  // does not fit together.
  template <class Writer>
  void save(Writer& w) const;
  // `saved`: observables that were known when it was written; those added since stand behind them.
  template <class Reader>
  void load(Reader& r, std::size_t saved);
  template <class Reader>
  void load(Reader& r) {
    load(r, relaxes_.size());
  }

 private:
  static constexpr std::size_t kMostBlocks = 512;  // even; of each observable

  // Averages from a beginning on.
  struct Start {
    std::uint64_t step = 0;
    std::vector<BlockAverage> sums;  // one per observable
  };
  // Means of `length` successive values, since the restart.
  struct Blocks {
    std::vector<double> means;
    std::uint64_t length = 1, pending = 0;
    double sum = 0;
    void add(double value);
  };
  bool drifts() const;
  bool longEnough() const;
  bool passes();  // after it has left out what drifts
  void test();

  std::vector<bool> relaxes_;
  Beginnings<Start> starts_;
  std::vector<Blocks> blocks_;
  std::uint64_t nextTest_ = 0;  // samples
  bool equilibrated_ = false;
  bool keepsBeginning_ = false;
  int against_ = 0;  // the last tests, in a row, that say otherwise
};

template <class Writer>
void EquilibratedAverages::save(Writer& w) const {
  w.value(starts_.samples());
  w.value(nextTest_);
  w.value(static_cast<std::uint8_t>(equilibrated_ + 2 * against_));
  starts_.save(w, [&](const Start& start) {
    w.value(start.step);
    for (const BlockAverage& sum : start.sums) sum.save(w.stream());
  });
  for (const Blocks& b : blocks_) {
    w.vector(b.means);
    w.value(b.length);
    w.value(b.pending);
    w.value(b.sum);
  }
}

template <class Reader>
void EquilibratedAverages::load(Reader& r, std::size_t saved) {
  const auto samples =
      r.template value<std::uint64_t>("the number of samples of equilibrated averages");
  nextTest_ = r.template value<std::uint64_t>("the next test of equilibrated averages");
  const auto verdict = r.template value<std::uint8_t>("whether averages are in equilibrium");
  if (verdict >= 2 * kInARow)
    throw InputError("checkpoint: whether averages are in equilibrium is impossible");
  equilibrated_ = verdict % 2 != 0, against_ = verdict / 2;
  starts_.load(r, samples, [&] {
    Start start{0, std::vector<BlockAverage>(relaxes_.size())};
    start.step = r.template value<std::uint64_t>("the first step of averages");
    for (std::size_t i = 0; i < saved; ++i) start.sums[i].load(r.stream());
    return start;
  });
  for (std::size_t i = 0; i < saved; ++i) {
    Blocks& b = blocks_[i];
    b.means = r.template vectorUpTo<double>("the blocks of equilibrated averages", kMostBlocks - 1);
    b.length = r.template value<std::uint64_t>("the length of a block");
    b.pending = r.template value<std::uint64_t>("the values of a block");
    b.sum = r.template value<double>("the sum of a block");
    if (b.length == 0 || b.pending >= b.length)
      throw InputError("checkpoint: blocks of equilibrated averages do not fit together");
  }
}

}  // namespace cellscope
