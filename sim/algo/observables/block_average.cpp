#include "sim/algo/observables/block_average.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>

#include "sim/base/error.h"

namespace cellscope {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t kFewestBlocks = 8;  // with fewer the error is too uncertain
constexpr std::uint64_t kEnoughBlocks = 32;
constexpr double kLarger = 2, kSmaller = 3;  // standard deviations that count as different
constexpr std::size_t kMostLevels = 64;

// Whether all levels after `k` and before `end` agree with its error. A larger error counts even
// from few blocks, since slow fluctuations yield no more of them; a smaller one (alternating
// values) needs many blocks.
bool longEnough(const std::vector<BlockAverage::Level>& all, std::size_t k, std::size_t end) {
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

void put(std::ostream& out, const auto& value) {
  out.write(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(std::istream& in) {
  T value{};
  in.read(reinterpret_cast<char*>(&value), sizeof value);
  if (!in) throw InputError("the saved block averages are truncated; the file is damaged");
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
    Level level{s.blocks, s.squares / static_cast<double>(s.blocks), 0};
    if (s.blocks > 1) {
      const double freedom = static_cast<double>(s.blocks - 1);
      level.error = std::sqrt(level.variance / freedom);
    }
    all.push_back(level);
  }
  return all;
}

BlockAverage::Choice BlockAverage::choose() const {
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
      throw InputError("the saved block averages are damaged: their counts are inconsistent");
    expected /= 2;
  }
  sums_ = std::move(sums);
}

}  // namespace cellscope
