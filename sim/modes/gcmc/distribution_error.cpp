#include "sim/modes/gcmc/distribution_error.h"

#include <algorithm>
#include <cmath>
#include <istream>
#include <limits>
#include <ostream>

#include "sim/io/binary.h"

namespace cellscope::gcmc {
namespace {

constexpr std::size_t kMostBlocks = 32, kMostKept = 2u << 20;  // blocks, and sums in all of them
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

double jackknife(const std::vector<double>& f) {
  const double b = static_cast<double>(f.size());
  double mean = 0, squares = 0;
  for (const double x : f) mean += x / b;
  for (const double x : f) squares += (x - mean) * (x - mean);
  return std::sqrt((b - 1) / b * squares);
}

std::size_t mostProbable(const std::vector<double>& lnP) {
  return static_cast<std::size_t>(std::max_element(lnP.begin(), lnP.end()) - lnP.begin());
}

// Whether a difference of sums is more than their rounding.
bool isLeft(double rest, double all) { return rest > 1e-9 * all; }

}  // namespace

void TransitionBlocks::reset(std::size_t numbers) {
  most_ = std::clamp(kMostKept / std::max<std::size_t>(1, numbers) / 2 * 2, kFewestBlocks * 2,
                     kMostBlocks);
  length_ = 1;
  blocks_.clear();
  before_.assign(numbers, GcmcTransition{0, 0, 0, 0});
}

void TransitionBlocks::add(const TransitionSums& sums) {
  blocks_.push_back(difference(sums, before_));
  before_ = sums;
  if (blocks_.size() < most_) return;
  for (std::size_t k = 0; k < blocks_.size() / 2; ++k) {
    TransitionSums joined = std::move(blocks_[2 * k]);
    addTo(joined, blocks_[2 * k + 1]);
    blocks_[k] = std::move(joined);
  }
  blocks_.resize(blocks_.size() / 2);
  length_ *= 2;
}

std::size_t TransitionBlocks::bytes() const {
  return (blocks_.size() + 1) * before_.size() * sizeof(GcmcTransition);
}

void TransitionBlocks::save(std::ostream& out) const {
  BinaryWriter w(out);
  w.value(length_);
  w.value(static_cast<std::uint64_t>(blocks_.size()));
  w.vector(before_);
  for (const TransitionSums& b : blocks_) w.vector(b);
}

void TransitionBlocks::load(std::istream& in, std::size_t numbers) {
  reset(numbers);
  BinaryReader r(in);
  length_ = r.value<std::uint64_t>("steps of a block");
  const auto count = r.value<std::uint64_t>("blocks");
  if (length_ == 0 || length_ > 1ull << 48 || count >= most_)
    throw InputError("checkpoint: the blocks of transitions are impossible");
  before_ = r.vector<GcmcTransition>("sums of transitions", numbers);
  for (std::uint64_t k = 0; k < count; ++k)
    blocks_.push_back(r.vector<GcmcTransition>("block of transitions", numbers));
}

DistributionJackknife::DistributionJackknife(const NumberDistribution& whole,
                                             const std::vector<TransitionSums>& blocks,
                                             double oddsOfKinds) {
  if (blocks.size() < kFewestBlocks || whole.lnP.size() < 2) return;
  whole_ = whole;
  known_.assign(whole.lnP.size() - 1, true);
  TransitionSums all = blocks.front();
  for (std::size_t b = 1; b < blocks.size(); ++b) addTo(all, blocks[b]);
  for (const TransitionSums& block : blocks) {
    const TransitionSums rest = difference(all, block);
    NumberDistribution d{whole.first, {whole.lnP.front()}};
    for (std::size_t i = 0; i + 1 < whole.lnP.size(); ++i) {
      const GcmcTransition &from = rest[whole.first + i], &to = rest[whole.first + i + 1];
      const bool known = isLeft(from.up, all[whole.first + i].up) &&
                         isLeft(to.down, all[whole.first + i + 1].down);
      if (!known) known_[i] = false;
      const double step =
          known ? std::log(oddsOfKinds * (from.up / from.insertions) / (to.down / to.deletions))
                : whole.lnP[i + 1] - whole.lnP[i];
      d.lnP.push_back(d.lnP.back() + step);
    }
    without_.push_back(std::move(d));
  }
}

std::vector<double> DistributionJackknife::errorsAt(double shift) const {
  if (without_.empty()) return {};
  std::vector<NumberDistribution> all;
  for (const NumberDistribution& d : without_) all.push_back(d.at(shift));
  std::vector<double> error(whole_.lnP.size(), kUnknown), f(all.size());
  const auto set = [&](std::size_t i) {
    for (std::size_t b = 0; b < all.size(); ++b) f[b] = all[b].lnP[i];
    error[i] = jackknife(f);
  };
  const std::size_t peak = mostProbable(whole_.at(shift).lnP);
  set(peak);
  for (std::size_t i = peak; i + 1 < error.size() && known_[i]; ++i) set(i + 1);
  for (std::size_t i = peak; i > 0 && known_[i - 1]; --i) set(i - 1);
  return error;
}

CoexistenceError DistributionJackknife::coexistence() const {
  constexpr CoexistenceError kNone{kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
  std::vector<double> f[5];
  for (const NumberDistribution& d : without_) {
    const auto c = coexistenceOf(d);
    if (!c) return kNone;
    const double values[5] = {c->shift, c->vapour, c->liquid, c->lnWeight, c->depth};
    for (int k = 0; k < 5; ++k) f[k].push_back(values[k]);
  }
  if (without_.empty()) return kNone;
  return {jackknife(f[0]), jackknife(f[1]), jackknife(f[2]), jackknife(f[3]), jackknife(f[4])};
}

double DistributionJackknife::errorOfMean(double shift) const {
  if (without_.empty()) return kUnknown;
  std::vector<double> f;
  for (const NumberDistribution& d : without_) f.push_back(d.at(shift).mean());
  return jackknife(f);
}

std::optional<FoundCoexistence> foundCoexistence(const NumberDistribution& whole,
                                                 const DistributionJackknife& jackknife) {
  const std::optional<Coexistence> at = coexistenceOf(whole);
  if (!at) return std::nullopt;
  const CoexistenceError error = jackknife.coexistence();
  if (!(at->depth > kSignificant * error.depth)) return std::nullopt;
  return FoundCoexistence{*at, error};
}

}  // namespace cellscope::gcmc
