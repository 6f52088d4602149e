#include "sim/algo/observables/equilibrated_average.h"

#include "sim/core/assert.h"

namespace cellscope {

constexpr double kLonger = 1.1;  // times as many samples before the next test
constexpr std::size_t kParts = 8, kLeastChanges = 16;

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
  return static_cast<std::size_t>(std::min<std::uint64_t>((sample + length - 1) / length, blocks));
}

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
  starts_.restart({step, std::vector<BlockAverage>(relaxes_.size())});
  blocks_.assign(relaxes_.size(), {});
  nextTest_ = 0;
  equilibrated_ = keepsBeginning_ = false;
  against_ = 0;
}

const BlockAverage& EquilibratedAverages::average(std::size_t observable) const {
  return starts_.chosen().sums[observable];
}

void EquilibratedAverages::add(std::uint64_t step, const std::vector<double>& values) {
  CELLSCOPE_ASSERT(values.size() == relaxes_.size());
  starts_.next({step, std::vector<BlockAverage>(relaxes_.size())});
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i])) continue;
    starts_.each([&](Start& start) { start.sums[i].add(values[i]); });
    if (relaxes_[i]) blocks_[i].add(values[i]);
  }
  if (starts_.samples() >= nextTest_) test();
}

// From the chosen beginning on.
bool EquilibratedAverages::drifts() const {
  for (const Blocks& b : blocks_) {
    const std::size_t first = firstBlock(leftOut(), b.length, b.means.size());
    const std::span<const double> values = std::span(b.means).subspan(first);
    if (std::abs(driftOver(values, errorOfParts)) > kLeavesOut) return true;
  }
  return false;
}

// Every slow observable that is defined has enough values after the chosen beginning, and its mean
// is worth enough independent ones. To keep a verdict a quarter of them will do: their number is
// known roughly, and one at the limit must not come and go.
bool EquilibratedAverages::longEnough() const {
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

bool EquilibratedAverages::passes() {
  if (!keepsBeginning_) starts_.leaveOut(1);
  while (drifts()) {
    if (starts_.all().size() < 2 || 2 * starts_.all()[1].sample > starts_.samples()) return false;
    starts_.leaveOut(starts_.all()[1].sample);
  }
  return longEnough();
}

void EquilibratedAverages::test() {
  const std::uint64_t samples = starts_.samples();
  nextTest_ = std::max<std::uint64_t>(
      kLeastBlocks, static_cast<std::uint64_t>(kLonger * static_cast<double>(samples)) + 1);
  against_ = passes() == equilibrated_ ? 0 : against_ + 1;
  if (against_ < kInARow) return;
  equilibrated_ = !equilibrated_;
  against_ = 0;
}

bool EquilibratedAverages::scatters(std::size_t observable) const {
  const Blocks& b = blocks_[observable];
  std::size_t changes = 0;
  for (std::size_t i = firstBlock(leftOut(), b.length, b.means.size()) + 1; i < b.means.size(); ++i)
    changes += b.means[i] != b.means[i - 1];
  return changes >= kLeastChanges;
}

bool EquilibratedAverages::tooFewToTest() const { return !longEnough() && !drifts(); }

std::size_t EquilibratedAverages::bytes() const {
  std::size_t sum = 0;
  for (const auto& start : starts_.all())
    for (const BlockAverage& average : start.of.sums) sum += sizeof average + average.bytes();
  for (const Blocks& b : blocks_) sum += sizeof b + b.means.capacity() * sizeof(double);
  return sum;
}

}  // namespace cellscope
