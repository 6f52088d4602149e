#include "sim/algo/observables/block_average.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>

#include "sim/api/error.h"

namespace cellscope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kFewestBlocks = 8;    // below that an error estimate says little
constexpr std::uint64_t kTellingBlocks = 16;  // from here on a longer block can overrule a shorter
constexpr double kTellingErrors = 2;          // by this many errors of its error
constexpr std::size_t kMostLevels = 64;

template <class T>
void put(std::ostream& out, const T& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(std::istream& in) {
  T value{};
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  if (!in) throw InputError("the saved block averages end too early; the file is damaged");
  return value;
}

}  // namespace

void BlockAverage::add(double value) {
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

void BlockAverage::reset() { sums_.clear(); }

std::uint64_t BlockAverage::count() const { return sums_.empty() ? 0 : sums_[0].blocks; }

double BlockAverage::mean() const { return sums_.empty() ? kNan : sums_[0].mean; }

double BlockAverage::variance() const {
  return sums_.empty() ? kNan : sums_[0].squares / static_cast<double>(sums_[0].blocks);
}

std::vector<BlockAverage::Level> BlockAverage::levels() const {
  std::vector<Level> all;
  for (const Sums& s : sums_) {
    Level level{s.blocks, s.squares / static_cast<double>(s.blocks), 0, 0};
    if (s.blocks > 1) {
      const double freedom = static_cast<double>(s.blocks - 1);
      level.error = std::sqrt(level.variance / freedom);
      level.errorOfError = level.error / std::sqrt(2.0 * freedom);
    }
    all.push_back(level);
  }
  return all;
}

BlockAverage::Choice BlockAverage::choose() const {
  const std::vector<Level> all = levels();
  if (all.empty() || all[0].blocks < 2) return {kNan, false};
  if (all[0].error == 0) return {0, true};
  const double n = static_cast<double>(all[0].blocks);
  double largest = all[0].error;
  double length = 1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Level& level = all[k];
    if (level.blocks < kFewestBlocks) break;
    largest = std::max(largest, level.error);
    const double ratio = level.error / all[0].error;
    if (std::pow(length, 3) > 2 * n * std::pow(ratio, 4)) return {withSlowModes(all, k), true};
    length *= 2;
  }
  return {largest, false};
}

// The rule above judges by the inefficiency up to level k. Where nearly all variance is quick, its
// blocks are short, and a slow fluctuation of small amplitude, which dominates the error of a long
// series, is not in them. Longer blocks show it.
double BlockAverage::withSlowModes(const std::vector<Level>& all, std::size_t k) {
  double error = all[k].error;
  for (std::size_t longer = k + 1; longer < all.size(); ++longer) {
    const Level& level = all[longer];
    if (level.blocks < kTellingBlocks) break;
    if (level.error - kTellingErrors * level.errorOfError > all[k].error)
      error = std::max(error, level.error);
  }
  return error;
}

double BlockAverage::error() const { return choose().error; }
bool BlockAverage::converged() const { return choose().converged; }

void BlockAverage::save(std::ostream& out) const {
  put(out, static_cast<std::uint32_t>(sums_.size()));
  for (const Sums& s : sums_) {
    put(out, s.blocks);
    put(out, s.mean);
    put(out, s.squares);
    put(out, s.pending);
    put(out, static_cast<std::uint8_t>(s.hasPending));
  }
}

void BlockAverage::load(std::istream& in) {
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
      throw InputError("the saved block averages are damaged: their counts do not fit together");
    expected /= 2;
  }
  sums_ = std::move(sums);
}

}  // namespace cellscope
