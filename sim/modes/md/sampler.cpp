#include "sim/modes/md/sampler.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cellscope::md {

void MdSampler::add(AllPairsEngine& engine, const Box& box, const MdTotals& totals, std::size_t n,
                    double temperature) {
  const auto count = static_cast<double>(n);
  CurveRequest q;
  q.first = next_ % n;
  q.sources = std::clamp<std::size_t>(kPairsPerSample / n, 1, n);
  q.pairBin = kBin, q.speedBin = kSpeedBin;
  q.pairBins = static_cast<std::size_t>(std::min(0.5 * box.shortest(), 5.0) / kBin);
  q.speedBins = kSpeedBins;
  q.mean = {totals.px / count, totals.py / count, totals.pz / count};
  const CurveCounts c = engine.curveCounts(q);
  pairs_.resize(q.pairBins, 0.0);
  speedCounts_.resize(kSpeedBins, 0.0);
  for (std::size_t b = 0; b < c.pairs.size(); ++b) pairs_[b] += c.pairs[b];
  for (std::size_t b = 0; b < c.speeds.size(); ++b) speedCounts_[b] += c.speeds[b];
  partnersPerVolume_ = (count - 1) / box.volume();
  speeds_ += n, samples_ += 1;
  next_ += q.sources, sources_ += q.sources;
  temperatureSum_ += temperature;
}

Curve MdSampler::pairCorrelation() const {
  Curve c{"g_r",
          "Pair correlation",
          {"r / sigma"},
          {"g(r)"},
          "g(r) = pairs in (r, r + dr) / (4 pi r^2 dr (N - 1) / V) per particle"};
  CurveSeries s{"this run", "", {}, {}};
  for (std::size_t b = 0; b < pairs_.size() && sources_ > 0; ++b) {
    const double lo = kBin * static_cast<double>(b), hi = lo + kBin;
    const double shell = 4.0 / 3.0 * std::numbers::pi * (hi * hi * hi - lo * lo * lo);
    s.x.push_back(0.5 * (lo + hi));
    s.y.push_back(pairs_[b] / (static_cast<double>(sources_) * partnersPerVolume_ * shell));
  }
  c.series.push_back(std::move(s));
  return c;
}

Curve MdSampler::speedDistribution() const {
  Curve c{"speeds",
          "Speed distribution",
          {"v / (sigma / tau)"},
          {"p(v)"},
          "v relative to the centre of mass; Maxwell: p(v) = sqrt(2 / pi) T^(-3/2) v^2 exp(-v^2 / "
          "(2 T))"};
  CurveSeries run{"this run", "", {}, {}};
  CurveSeries maxwell{"Maxwell at the mean temperature", "Maxwell-Boltzmann distribution", {}, {}};
  maxwell.reference = true;
  const double t = samples_ > 0 ? temperatureSum_ / static_cast<double>(samples_) : 0;
  for (std::size_t b = 0; b < speedCounts_.size() && t > 0; ++b) {
    const double v = kSpeedBin * (static_cast<double>(b) + 0.5);
    if (v * v > 30 * t) break;
    run.x.push_back(v), maxwell.x.push_back(v);
    run.y.push_back(speedCounts_[b] / (static_cast<double>(speeds_) * kSpeedBin));
    maxwell.y.push_back(std::sqrt(2 / std::numbers::pi) * std::pow(t, -1.5) * v * v *
                        std::exp(-v * v / (2 * t)));
  }
  c.series.push_back(std::move(run));
  c.series.push_back(std::move(maxwell));
  return c;
}

std::vector<Curve> MdSampler::curves() const { return {pairCorrelation(), speedDistribution()}; }

std::vector<double> MdSampler::numbers() const {
  std::vector<double> all = {static_cast<double>(samples_),
                             static_cast<double>(sources_),
                             static_cast<double>(speeds_),
                             static_cast<double>(next_),
                             temperatureSum_,
                             partnersPerVolume_,
                             static_cast<double>(pairs_.size())};
  all.insert(all.end(), pairs_.begin(), pairs_.end());
  all.insert(all.end(), speedCounts_.begin(), speedCounts_.end());
  return all;
}

bool MdSampler::restore(const std::vector<double>& numbers) {
  constexpr std::size_t kHead = 7;
  constexpr double kLargestCount = 9007199254740992.0;  // 2^53
  const bool sound = std::all_of(numbers.begin(), numbers.end(),
                                 [](double x) { return x >= 0 && x <= kLargestCount; });
  if (numbers.size() < kHead || !sound || numbers[6] > 5.0 / kBin) return false;
  const auto bins = static_cast<std::size_t>(numbers[6]);
  if (numbers.size() != kHead + bins && numbers.size() != kHead + bins + kSpeedBins) return false;
  const auto begin = numbers.begin() + kHead;
  samples_ = static_cast<std::uint64_t>(numbers[0]);
  sources_ = static_cast<std::uint64_t>(numbers[1]);
  speeds_ = static_cast<std::uint64_t>(numbers[2]);
  next_ = static_cast<std::uint64_t>(numbers[3]);
  temperatureSum_ = numbers[4];
  partnersPerVolume_ = numbers[5];
  pairs_.assign(begin, begin + static_cast<std::ptrdiff_t>(bins));
  speedCounts_.assign(begin + static_cast<std::ptrdiff_t>(bins), numbers.end());
  return true;
}

}  // namespace cellscope::md
