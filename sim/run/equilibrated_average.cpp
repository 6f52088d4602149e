#include "sim/run/equilibrated_average.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "sim/base/error.h"
#include "sim/core/assert.h"
#include "sim/io/binary.h"
#include "sim/run/mean_of.h"

namespace cellscope {
namespace {

constexpr double kLonger = 1.1;  // times as many samples before the next test
constexpr std::uint64_t kLongestRun = 1ull << 53;
constexpr std::size_t kLeastSamples = 32, kParts = 8;

// Standard error of the mean from differences of successive blocks (J. von Neumann, Ann. Math.
// Stat. 12, 367 (1941)), which a trend over all of them hardly enlarges.
double errorOfParts(std::span<const double> v) {
  const std::size_t length = v.size() / kParts;
  double squares = 0, before = 0;
  for (std::size_t b = 0; b < kParts; ++b) {
    const double mean = meanOf(v.subspan(b * length, length));
    if (b > 0) squares += (mean - before) * (mean - before);
    before = mean;
  }
  return std::sqrt(squares / (2 * (kParts - 1.0)) / kParts);
}

// First fifth minus last half, in standard errors of that difference.
double driftOf(std::span<const double> values) {
  if (values.size() < kLeastSamples) return 0;
  const std::span<const double> first = values.first(values.size() / 5);
  const std::span<const double> last = values.last(values.size() / 2);
  const double ratio = static_cast<double>(last.size()) / static_cast<double>(first.size());
  const double error = errorOfParts(last) * std::sqrt(1 + ratio);
  return error > 0 ? (meanOf(first) - meanOf(last)) / error : 0;
}

}  // namespace

void EquilibratedAverages::Blocks::add(double value) {
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

EquilibratedAverages::EquilibratedAverages(std::vector<bool> relaxes)
    : relaxes_(std::move(relaxes)) {
  restart(0);
}

void EquilibratedAverages::restart(std::uint64_t step) {
  starts_.assign(1, {0, step, std::vector<BlockAverage>(relaxes_.size())});
  blocks_.assign(relaxes_.size(), {});
  samples_ = nextTest_ = 0;
  equilibrated_ = false;
}

const BlockAverage& EquilibratedAverages::average(std::size_t observable) const {
  return starts_[0].sums[observable];
}

void EquilibratedAverages::add(std::uint64_t step, const std::vector<double>& values) {
  CELLSCOPE_ASSERT(values.size() == relaxes_.size());
  const std::uint64_t last = starts_.back().sample;
  if (samples_ == (last == 0 ? kFirstStart : 2 * last))
    starts_.push_back({samples_, step, std::vector<BlockAverage>(relaxes_.size())});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    for (Start& start : starts_) start.sums[i].add(values[i]);
    if (relaxes_[i]) blocks_[i].add(values[i]);
  }
  ++samples_;
  if (samples_ >= nextTest_) test();
}

namespace {

std::size_t firstBlock(std::uint64_t sample, std::uint64_t length, std::size_t blocks) {
  return static_cast<std::size_t>(std::min<std::uint64_t>((sample + length - 1) / length, blocks));
}

}  // namespace

bool EquilibratedAverages::drifts(const Start& start) const {
  for (const Blocks& b : blocks_) {
    const std::size_t first = firstBlock(start.sample, b.length, b.means.size());
    const std::span<const double> values = std::span(b.means).subspan(first);
    if (std::abs(driftOf(values)) > kLeavesOut) return true;
  }
  return false;
}

// Every slow observable that is defined has enough values behind this beginning.
bool EquilibratedAverages::longEnough(const Start& start) const {
  if (samples_ - start.sample < kLeastBlocks) return false;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const Blocks& b = blocks_[i];
    if (!relaxes_[i] || b.means.empty()) continue;
    if (b.means.size() - firstBlock(start.sample, b.length, b.means.size()) < kLeastBlocks)
      return false;
  }
  return true;
}

void EquilibratedAverages::test() {
  nextTest_ = std::max<std::uint64_t>(
      kLeastBlocks, static_cast<std::uint64_t>(kLonger * static_cast<double>(samples_)) + 1);
  while (drifts(starts_[0])) {
    equilibrated_ = false;
    if (starts_.size() < 2 || 2 * starts_[1].sample > samples_) return;
    starts_.erase(starts_.begin());
  }
  equilibrated_ = longEnough(starts_[0]);
}

bool EquilibratedAverages::tooFewToTest() const {
  return !longEnough(starts_[0]) && !drifts(starts_[0]);
}

std::size_t EquilibratedAverages::bytes() const {
  std::size_t sum = 0;
  for (const Start& start : starts_)
    for (const BlockAverage& average : start.sums) sum += sizeof average + average.bytes();
  for (const Blocks& b : blocks_) sum += sizeof b + b.means.capacity() * sizeof(double);
  return sum;
}

void EquilibratedAverages::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(samples_);
  w.value(nextTest_);
  w.value(static_cast<std::uint8_t>(equilibrated_));
  w.value(static_cast<std::uint64_t>(starts_.size()));
  for (const Start& start : starts_) {
    w.value(start.sample);
    w.value(start.step);
    for (const BlockAverage& sum : start.sums) sum.save(out);
  }
  for (const Blocks& b : blocks_) {
    w.vector(b.means);
    w.value(b.length);
    w.value(b.pending);
    w.value(b.sum);
  }
}

void EquilibratedAverages::load(std::istream& in) {
  BinaryReader r(in);
  samples_ = r.value<std::uint64_t>("the number of samples of equilibrated averages");
  nextTest_ = r.value<std::uint64_t>("the next test of equilibrated averages");
  equilibrated_ = r.value<std::uint8_t>("whether averages are in equilibrium") != 0;
  const auto count = r.value<std::uint64_t>("the number of beginnings of averages");
  if (count < 1 || count > 64 || samples_ > kLongestRun)
    throw InputError("checkpoint: the beginnings of the averages do not fit together");
  starts_.clear();
  for (std::uint64_t i = 0; i < count; ++i) {
    Start start{0, 0, std::vector<BlockAverage>(relaxes_.size())};
    start.sample = r.value<std::uint64_t>("the first sample of averages");
    start.step = r.value<std::uint64_t>("the first step of averages");
    for (BlockAverage& sum : start.sums) sum.load(in);
    if (start.sample > samples_ || (i > 0 && start.sample <= starts_.back().sample))
      throw InputError("checkpoint: the beginnings of the averages do not fit together");
    starts_.push_back(std::move(start));
  }
  for (Blocks& b : blocks_) {
    const auto n = r.value<std::uint64_t>("the number of blocks of equilibrated averages");
    if (n >= kMostBlocks)
      throw InputError("checkpoint: equilibrated averages have too many blocks");
    b.means.resize(n);
    r.array(b.means.data(), n, "blocks of equilibrated averages");
    b.length = r.value<std::uint64_t>("the length of a block");
    b.pending = r.value<std::uint64_t>("the values of a block");
    b.sum = r.value<double>("the sum of a block");
    if (b.length == 0 || b.pending >= b.length)
      throw InputError("checkpoint: blocks of equilibrated averages do not fit together");
  }
}

}  // namespace cellscope
