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
#include <numeric>
#include <span>

#include "sim/algo/observables/block_average.h"

namespace cellscope {

// The drift over a series: J. Geweke, in Bayesian Statistics 4 (Oxford, 1992), p. 169.

inline double meanOf(std::span<const double> v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
}

inline constexpr std::size_t kLeastForDrift = 32;  // values

// First fifth minus last half, in standard errors of that difference as `errorOf` the last half
// tells them; 0 for fewer values than kLeastForDrift, infinite where the last half stands still
// elsewhere: a series that came to rest has drifted there.
double driftOver(std::span<const double> values, const auto& errorOf) {
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
  explicit EquilibratedAverages(std::vector<bool> relaxes = {}) : relaxes_(std::move(relaxes)) {
    restart(0);
  }

  // One value per observable at a step after the ones before; NaN is left out.
  void add(std::uint64_t step, const std::vector<double>& values) {
    CELLSCOPE_ASSERT(values.size() == relaxes_.size());
    starts_.next({step, std::vector<BlockAverage>(relaxes_.size())});
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(values[i])) continue;
      starts_.each([&](Start& start) { start.sums[i].add(values[i]); });
      if (relaxes_[i]) blocks_[i].add(values[i]);
    }
    if (starts_.samples() >= nextTest_) test();
  }
  // After a change of the state.
  void restart(std::uint64_t step) {
    starts_.restart({step, std::vector<BlockAverage>(relaxes_.size())});
    blocks_.assign(relaxes_.size(), {});
    nextTest_ = 0;
    equilibrated_ = keepsBeginning_ = false;
    against_ = 0;
  }
  // Until the next restart the first 32 samples count, unless they drift: equilibration came
  // before.
  void keepBeginning() { keepsBeginning_ = true; }

  const BlockAverage& average(std::size_t observable) const {
    return starts_.chosen().sums[observable];
  }
  std::uint64_t fromStep() const { return starts_.chosen().step; }   // the first of the averages
  std::uint64_t leftOut() const { return starts_.all()[0].sample; }  // samples before it
  bool equilibrated() const { return equilibrated_; }
  // Whether the samples of a slow observable scatter: one that hardly ever changes may not have met
  // yet what its mean is made of.
  bool scatters(std::size_t observable) const {
    const Blocks& b = blocks_[observable];
    std::size_t changes = 0;
    for (std::size_t i = firstBlock(leftOut(), b.length, b.means.size()) + 1; i < b.means.size();
         ++i)
      changes += b.means[i] != b.means[i - 1];
    return changes >= kLeastChanges;
  }
  // Nothing drifts, and there are too few samples to be sure.
  bool tooFewToTest() const { return !longEnough() && !drifts(); }
  // Of memory.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const auto& start : starts_.all())
      for (const BlockAverage& average : start.of.sums) sum += sizeof average + average.bytes();
    for (const Blocks& b : blocks_) sum += sizeof b + b.means.capacity() * sizeof(double);
    return sum;
  }

  // Everything, bit for bit, by a BinaryWriter and a BinaryReader. load() throws InputError when it
  // does not fit together.
  void save(auto& w) const {
    w.value(starts_.samples());
    w.value(nextTest_);
    w.value(static_cast<std::uint8_t>(equilibrated_ + 2 * against_));
    starts_.save(w, [&](const Start& start) {
      w.value(start.step);
      for (const BlockAverage& sum : start.sums) sum.save(w.stream());
    });
    for (const Blocks& b : blocks_) Blocks::fields(w, b);
  }
  // `saved`: observables that were known when it was written; those added since stand behind them.
  void load(auto& r, std::size_t saved) {
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
      Blocks::fields(r, b);
      if (b.length == 0 || b.pending >= b.length)
        throw InputError("checkpoint: blocks of equilibrated averages do not fit together");
    }
  }
  void load(auto& r) { load(r, relaxes_.size()); }

 private:
  static constexpr std::size_t kMostBlocks = 512;  // even; of each observable
  static constexpr double kLonger = 1.1;           // times as many samples before the next test
  static constexpr std::size_t kParts = 8, kLeastChanges = 16;

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
    static void fields(auto& io, auto& blocks) {
      io.fieldUpTo(blocks.means, "the blocks of equilibrated averages", kMostBlocks - 1);
      io.field(blocks.length, "the length of a block");
      io.field(blocks.pending, "the values of a block");
      io.field(blocks.sum, "the sum of a block");
    }
    void add(double value) {
      sum += value;
      if (++pending < length) return;
      means.push_back(sum / static_cast<double>(length));
      sum = 0;
      pending = 0;
      if (means.size() < kMostBlocks) return;
      for (std::size_t i = 0; i < means.size() / 2; ++i)
        means[i] = (means[2 * i] + means[2 * i + 1]) / 2;
      means.resize(means.size() / 2);
      length *= 2;
    }
  };
  // Standard error of the mean from differences of successive blocks (J. von Neumann, Ann. Math.
  // Stat. 12, 367 (1941)), which a trend over all of them hardly enlarges.
  static double errorOfParts(std::span<const double> v) {
    const std::size_t length = v.size() / kParts;
    double squares = 0, before = 0;
    for (std::size_t b = 0; b < kParts; ++b) {
      const double mean = meanOf(v.subspan(b * length, length));
      if (b > 0) squares += (mean - before) * (mean - before);
      before = mean;
    }
    return std::sqrt(squares / (2 * (kParts - 1.0)) / kParts);
  }

  static std::size_t firstBlock(std::uint64_t sample, std::uint64_t length, std::size_t blocks) {
    return static_cast<std::size_t>(
        std::min<std::uint64_t>((sample + length - 1) / length, blocks));
  }
  // From the chosen beginning on.
  bool drifts() const {
    for (const Blocks& b : blocks_) {
      const std::size_t first = firstBlock(leftOut(), b.length, b.means.size());
      const std::span<const double> values = std::span(b.means).subspan(first);
      if (std::abs(driftOver(values, errorOfParts)) > kLeavesOut) return true;
    }
    return false;
  }
  // Every slow observable that is defined has enough values after the chosen beginning, and its
  // mean is worth enough independent ones. To keep a verdict a quarter of them will do: their
  // number is known roughly, and one at the limit must not come and go.
  bool longEnough() const {
    if (starts_.samples() - leftOut() < kLeastBlocks) return false;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Blocks& b = blocks_[i];
      if (!relaxes_[i] || b.means.empty()) continue;
      if (b.means.size() - firstBlock(leftOut(), b.length, b.means.size()) < kLeastBlocks)
        return false;
      const double error = average(i).error(), least = kIndependent / (equilibrated_ ? 4 : 1);
      if (average(i).variance() < least * error * error) return false;
    }
    return true;
  }
  // After it has left out what drifts.
  bool passes() {
    if (!keepsBeginning_) starts_.leaveOut(1);
    while (drifts()) {
      if (starts_.all().size() < 2 || 2 * starts_.all()[1].sample > starts_.samples()) return false;
      starts_.leaveOut(starts_.all()[1].sample);
    }
    return longEnough();
  }
  void test() {
    const std::uint64_t samples = starts_.samples();
    nextTest_ = std::max<std::uint64_t>(
        kLeastBlocks, static_cast<std::uint64_t>(kLonger * static_cast<double>(samples)) + 1);
    against_ = passes() == equilibrated_ ? 0 : against_ + 1;
    if (against_ < kInARow) return;
    equilibrated_ = !equilibrated_;
    against_ = 0;
  }

  std::vector<bool> relaxes_;
  Beginnings<Start> starts_;
  std::vector<Blocks> blocks_;
  std::uint64_t nextTest_ = 0;  // samples
  bool equilibrated_ = false;
  bool keepsBeginning_ = false;
  int against_ = 0;  // the last tests, in a row, that say otherwise
};

}  // namespace cellscope
