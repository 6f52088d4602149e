#include "sim/run/observable_series.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/algo/observables/drift.h"
#include "sim/core/assert.h"

namespace cellscope {

void SharedColumn::moveTo(std::size_t capacity) {
  auto next = std::make_shared<Block>(capacity);
  if (block_) std::copy_n(block_->data.get(), shared_, next->data.get());
  next->used = shared_;
  block_ = std::move(next);
}

void SharedColumn::push_back(double value) {
  CELLSCOPE_ASSERT(!hasOwn_);
  constexpr std::size_t kFirst = 64;
  if (!block_ || shared_ == block_->capacity) moveTo(std::max(kFirst, 2 * shared_));
  std::size_t mine = shared_;
  // Another copy has appended here already.
  if (!block_->used.compare_exchange_strong(mine, shared_ + 1)) {
    moveTo(block_->capacity);
    block_->used = shared_ + 1;
  }
  block_->data[shared_++] = value;
}

SharedColumn SharedColumn::with(double last) const {
  CELLSCOPE_ASSERT(!hasOwn_);
  SharedColumn c = *this;
  c.hasOwn_ = true;
  c.own_ = last;
  return c;
}

SharedColumn::operator std::vector<double>() const { return {begin(), end()}; }

bool operator==(const SharedColumn& a, const SharedColumn& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

namespace {

constexpr std::size_t kBlocks = 8;
constexpr double kAtRest = 2;  // where a drift is to be ruled out, a smaller one counts

// Standard error of the mean of `v` from its blocks.
double errorOf(std::span<const double> v) {
  const std::size_t length = v.size() / kBlocks;
  std::array<double, kBlocks> blocks{};
  for (std::size_t b = 0; b < kBlocks; ++b) blocks[b] = meanOf(v.subspan(b * length, length));
  const double mean = meanOf(blocks);
  double squares = 0;
  for (double block : blocks) squares += (block - mean) * (block - mean);
  return std::sqrt(squares / (kBlocks * (kBlocks - 1.0)));
}

// Values since the averages began.
std::vector<double> sinceEpoch(const ObservableSeries& s) {
  const auto begin =
      std::upper_bound(s.step.begin(), s.step.end(), static_cast<double>(s.epochStart));
  return {s.value.begin() + (begin - s.step.begin()), s.value.end()};
}

}  // namespace

double driftInErrors(std::span<const double> values) { return driftOver(values, errorOf); }

Equilibration equilibrationOf(const std::vector<ObservableSeries>& series) {
  Equilibration s;
  s.over = true;
  for (const ObservableSeries& one : series) {
    if (!one.info.relaxes) continue;
    const std::vector<double> all = sinceEpoch(one);
    const std::span<const double> values = all;
    if (!(std::abs(driftInErrors(values)) > kDrifts)) continue;
    s.drifting.push_back(one.info.label);
    const std::span<const double> recent = values.last(values.size() / 2);
    // A few values cannot show that they are at rest.
    s.over =
        s.over && recent.size() >= 2 * kLeastForDrift && std::abs(driftInErrors(recent)) < kAtRest;
  }
  s.over = s.over && !s.drifting.empty();
  return s;
}

}  // namespace cellscope
