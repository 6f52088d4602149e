// Running mean of a correlated series with its standard error by blocking
// (Flyvbjerg and Petersen, J. Chem. Phys. 91, 461 (1989)). Memory grows with log2 of the length.
//
// Successive values that belong together make the error e_k of the mean, estimated from blocks of
// 2^k values, too small. A block is long enough when no longer one contradicts it: no e_j^2 is
// larger than e_k^2 by two standard deviations, or smaller by three, the relative variance of their
// difference being 2 (1/n_j - 1/n_k) with n blocks each. Asking all longer blocks, not the next
// alone, finds slow fluctuations of small amplitude under much quick noise, which carry most of the
// error of a long series. What blocks of finite length leave out falls with 1/length; 2 e_k^2 -
// e_(k-1)^2 is free of it (the lugsail estimate: Vats and Flegal, Biometrika 109, 735 (2022)).
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <istream>
#include <limits>
#include <ostream>
#include <utility>
#include <vector>

#include "sim/base/error.h"

namespace cellscope {

class BlockAverage {
 public:
  // Level k: means of 2^k successive values.
  struct Level {
    std::uint64_t blocks = 0;
    double variance = 0;  // c0 of the block means about their own mean
    double error = 0;     // sqrt(c0 / (blocks - 1)); 0 below two blocks
  };

  // Finite; NaN and infinity are not counted.
  void add(double value) {
    if (!std::isfinite(value)) return;
    for (std::size_t level = 0;; ++level) {
      if (level == sums_.size()) sums_.emplace_back();
      Sums& s = sums_[level];
      s.blocks += 1;
      const double before = value - s.mean;
      s.mean += before / static_cast<double>(s.blocks);
      s.squares += before * (value - s.mean);
      if (!s.hasPending) {
        s.pending = value;
        s.hasPending = true;
        return;
      }
      s.hasPending = false;
      value = 0.5 * (s.pending + value);
    }
  }
  void reset() { sums_.clear(); }

  std::uint64_t count() const { return sums_.empty() ? 0 : sums_[0].blocks; }
  // NaN before the first value.
  double mean() const { return sums_.empty() ? kNan : sums_[0].mean; }
  // Of single values (divisor n); NaN before the first value.
  double variance() const {
    return sums_.empty() ? kNan : sums_[0].squares / static_cast<double>(sums_[0].blocks);
  }
  // Standard error of the mean, from the shortest blocks that are long enough, as judged
  // by longer blocks of which there are at least 8. NaN below two values. Of independent values it
  // is 3 % too large on average, because some of their longer blocks differ by chance.
  double error() const { return choose().error; }
  // Whether at least 32 blocks are long enough. Otherwise the series is too short to know its
  // error, and error() rather a lower bound. False for 3 of 100 series of independent values. True
  // does not cover fluctuations that the series holds fewer than some twenty times.
  bool converged() const { return choose().converged; }
  std::vector<Level> levels() const {
    std::vector<Level> all;
    for (const Sums& s : sums_) {
      Level level{s.blocks, s.squares / static_cast<double>(s.blocks), 0};
      if (s.blocks > 1) {
        const double freedom = static_cast<double>(s.blocks - 1);
        level.error = std::sqrt(level.variance / freedom);
      }
      all.push_back(level);
    }
    return all;
  }
  std::size_t bytes() const { return sums_.capacity() * sizeof(Sums); }  // on the heap

  // Binary state, bit for bit. load throws InputError when the data are damaged.
  void save(std::ostream& out) const {
    put(out, static_cast<std::uint32_t>(sums_.size()));
    for (const Sums& s : sums_) {
      put(out, s.blocks);
      put(out, s.mean);
      put(out, s.squares);
      put(out, s.pending);
      put(out, static_cast<std::uint8_t>(s.hasPending));
    }
  }
  void load(std::istream& in) {
    const auto levels = take<std::uint32_t>(in);
    if (levels > kMostLevels)
      throw InputError("the saved block averages are damaged: too many levels");
    std::vector<Sums> sums(levels);
    std::uint64_t expected = levels ? 0 : 1;
    for (Sums& s : sums) {
      s.blocks = take<std::uint64_t>(in);
      s.mean = take<double>(in);
      s.squares = take<double>(in);
      s.pending = take<double>(in);
      s.hasPending = take<std::uint8_t>(in) != 0;
      if (&s == sums.data()) expected = s.blocks;
      if (s.blocks == 0 || s.blocks != expected || s.hasPending != (s.blocks % 2 == 1))
        throw InputError("the saved block averages are damaged: their counts are inconsistent");
      expected /= 2;
    }
    sums_ = std::move(sums);
  }

 private:
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  static constexpr std::uint64_t kFewestBlocks = 8;  // with fewer the error is too uncertain
  static constexpr std::uint64_t kEnoughBlocks = 32;
  static constexpr double kLarger = 2, kSmaller = 3;  // standard deviations that count as different
  static constexpr std::size_t kMostLevels = 64;

  struct Sums {
    std::uint64_t blocks = 0;
    double mean = 0, squares = 0;  // Welford: sum of squared deviations
    double pending = 0;            // first half of the next pair
    bool hasPending = false;
  };
  struct Choice {
    double error;
    bool converged;
  };
  // Whether all levels after `k` and before `end` agree with its error. A larger error counts even
  // from few blocks, since slow fluctuations yield no more of them; a smaller one (alternating
  // values) needs many blocks.
  static bool longEnough(const std::vector<Level>& all, std::size_t k, std::size_t end) {
    const double square = all[k].error * all[k].error;
    const double blocks = static_cast<double>(all[k].blocks);
    for (std::size_t j = k + 1; j < end; ++j) {
      const double longer = all[j].error * all[j].error;
      const double noise = std::sqrt(2 / static_cast<double>(all[j].blocks) - 2 / blocks);
      if (longer > (1 + kLarger * noise) * square) return false;
      if (all[j].blocks >= kEnoughBlocks && square > (1 + kSmaller * noise) * longer) return false;
    }
    return true;
  }

  static void put(std::ostream& out, const auto& value) {
    out.write(reinterpret_cast<const char*>(&value), sizeof value);
  }

  template <class T>
  static T take(std::istream& in) {
    T value{};
    in.read(reinterpret_cast<char*>(&value), sizeof value);
    if (!in) throw InputError("the saved block averages are truncated; the file is damaged");
    return value;
  }
  Choice choose() const {
    const std::vector<Level> all = levels();
    if (all.empty() || all[0].blocks < 2) return {kNan, false};
    if (all[0].error == 0) return {0, true};
    std::size_t end = 1;
    while (end < all.size() && all[end].blocks >= kFewestBlocks) ++end;
    std::size_t k = 0;
    while (!longEnough(all, k, end)) ++k;
    const double square = all[k].error * all[k].error;
    const double shorter = k > 0 ? all[k - 1].error * all[k - 1].error : square;
    return {std::sqrt(std::max(square, 2 * square - shorter)), all[k].blocks >= kEnoughBlocks};
  }
  std::vector<Sums> sums_;
};

// What is accumulated from each beginning that averages may have: sample 0, 32, 64, 128, ... after
// a restart. Which of them is chosen is decided elsewhere (equilibrated_average.h). Memory
// grows with log2 of the number of samples.
template <class T>
class Beginnings {
 public:
  struct Sums {
    std::uint64_t sample = 0;
    T of;
  };

  Beginnings() { restart(); }
  void restart(T fresh = {}) {
    all_.clear();
    all_.push_back({0, std::move(fresh)});
    samples_ = 0;
  }
  // One more sample; `fresh` begins with it where a beginning is due.
  void next(T fresh = {}) {
    const std::uint64_t last = all_.back().sample;
    if (samples_ == (last == 0 ? kFirst : 2 * last)) all_.push_back({samples_, std::move(fresh)});
    ++samples_;
  }
  void each(const auto& f) {
    for (Sums& s : all_) f(s.of);
  }
  // Chooses the first beginning from `sample` on; those before it are forgotten.
  void leaveOut(std::uint64_t sample) {
    while (all_.size() > 1 && all_.front().sample < sample) all_.erase(all_.begin());
  }

  std::uint64_t samples() const { return samples_; }
  const std::vector<Sums>& all() const { return all_; }  // the chosen one and those after it
  const T& chosen() const { return all_.front().of; }

  // By a BinaryWriter and BinaryReader; saveOne(T), loadOne() -> T. load() throws InputError when
  // it does not fit together.
  void save(auto& w, const auto& saveOne) const {
    w.value(static_cast<std::uint64_t>(all_.size()));
    for (const Sums& s : all_) {
      w.value(s.sample);
      saveOne(s.of);
    }
  }
  void load(auto& r, std::uint64_t samples, const auto& loadOne) {
    const auto count = r.template value<std::uint64_t>("the number of beginnings of averages");
    if (count < 1 || count > kMost || samples > kLongestRun) misfit();
    all_.clear();
    samples_ = samples;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto sample = r.template value<std::uint64_t>("the first sample of averages");
      if (sample > samples || (i > 0 && sample <= all_.back().sample)) misfit();
      all_.push_back({sample, loadOne()});
    }
  }

 private:
  static constexpr std::uint64_t kFirst = 32, kMost = 64, kLongestRun = 1ull << 53;
  [[noreturn]] static void misfit() {
    throw InputError("checkpoint: the beginnings of the averages do not fit together");
  }

  std::vector<Sums> all_;
  std::uint64_t samples_ = 0;
};

}  // namespace cellscope
