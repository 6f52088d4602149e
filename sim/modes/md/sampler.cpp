#include "sim/modes/md/sampler.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cellscope::md {

std::uint64_t MdSampler::stepsToDue(std::uint64_t step, std::uint64_t every, bool lists) const {
  const std::uint64_t from = std::max(step + 1, lists ? std::min(due_, fillDue_) : due_);
  return (from + every - 1) / every * every - step;
}

// As many as there have been, or fewer where the box has become smaller: those beyond it are
// dropped.
std::size_t MdSampler::takeBins(std::size_t bins, std::size_t types) {
  const std::size_t kinds = types * types, had = pairs_.size() / kinds;
  if (had == 0) pairs_.resize(kinds * bins, 0.0);
  if (had <= bins) return pairs_.size() / kinds;
  std::vector<double> kept;
  for (std::size_t k = 0; k < kinds; ++k) {
    const auto from = pairs_.begin() + static_cast<std::ptrdiff_t>(k * had);
    kept.insert(kept.end(), from, from + static_cast<std::ptrdiff_t>(bins));
  }
  pairs_ = std::move(kept);
  return bins;
}

void MdSampler::addCurves(std::uint64_t step, MdEngine& engine, const Box& box, Vec3d mean,
                          const MdTypes& types, double farthest) {
  std::uint64_t n = 0;
  for (const std::uint64_t count : types.count) n += count;
  CurveRequest q;
  q.first = next_ % n;
  q.sources = std::clamp<std::size_t>(kPairsPerSample / n, 1, n);
  q.pairBin = kBin, q.speedBin = kSpeedBin;
  q.types = types.types();
  q.pairBins =
      takeBins(static_cast<std::size_t>(std::min(0.5 * box.shortest(), farthest) / kBin), q.types);
  q.speedBins = kSpeedBins;
  q.mean = mean;
  const CurveCounts c = engine.curveCounts(q);
  speedCounts_.resize(kSpeedBins, 0.0);
  sources_.resize(q.types, 0.0);
  for (std::size_t b = 0; b < c.pairs.size(); ++b) pairs_[b] += c.pairs[b];
  for (std::size_t b = 0; b < c.speeds.size(); ++b) speedCounts_[b] += c.speeds[b];
  for (std::size_t k = 0; k < q.sources; ++k)
    sources_[types.of.empty() ? 0 : types.of[(q.first + k) % n]] += 1.0 / box.volume();
  dimension_ = box.dimension;
  speeds_ += n;
  next_ += q.sources;
  due_ = step + std::clamp<std::uint64_t>(kStepsOfParticles / particles_, 1, kMostSteps);
}

// Pairs of unlike types are counted from both sides.
Curve MdSampler::pairCorrelation(const MdTypes& types) const {
  const bool flat = dimension_ == 2, one = types.types() == 1;
  Curve c{"g_r",
          "Pair correlation",
          {"r / sigma"},
          {"g(r)"},
          flat ? "g(r) = pairs in (r, r + dr) / (2 pi r dr (N - 1) / A) per particle"
               : "g(r) = pairs in (r, r + dr) / (4 pi r^2 dr (N - 1) / V) per particle"};
  const std::size_t k = types.types(), bins = pairs_.size() / (k * k);
  for (std::size_t a = 0; a < k; ++a)
    for (std::size_t b = a; b < k; ++b) {
      const auto partners = [&](std::size_t from, std::size_t to) {
        const double of = sources_.size() == k ? sources_[from] : 0.0;
        return of * (static_cast<double>(types.count[to]) - (from == to ? 1.0 : 0.0));
      };
      const double norm = a == b ? partners(a, a) : partners(a, b) + partners(b, a);
      CurveSeries s{one ? "this run" : types.names[a] + types.names[b], "", {}, {}};
      for (std::size_t bin = 0; bin < bins && norm > 0; ++bin) {
        const double lo = kBin * static_cast<double>(bin), hi = lo + kBin;
        const double shell = flat ? std::numbers::pi * (hi * hi - lo * lo)
                                  : 4.0 / 3.0 * std::numbers::pi * (hi * hi * hi - lo * lo * lo);
        double pairs = pairs_[(a * k + b) * bins + bin];
        if (a != b) pairs += pairs_[(b * k + a) * bins + bin];
        s.x.push_back(0.5 * (lo + hi));
        s.y.push_back(pairs / (norm * shell));
      }
      c.series.push_back(std::move(s));
    }
  return c;
}

Curve MdSampler::speedDistribution() const {
  const bool flat = dimension_ == 2;
  Curve c{"speeds",
          "Speed distribution",
          {"sqrt(m) v / sqrt(epsilon)"},
          {"p(v)"},
          flat ? "v relative to the centre of mass, m = 1; Maxwell: p(v) = v / T exp(-v^2 / (2 T))"
               : "v relative to the centre of mass, times sqrt(m); Maxwell: p(v) = sqrt(2 / pi) "
                 "T^(-3/2) v^2 exp(-v^2 / (2 T))"};
  CurveSeries run{"this run", "", {}, {}};
  CurveSeries maxwell{"Maxwell at the mean temperature", "Maxwell-Boltzmann distribution", {}, {}};
  maxwell.reference = true;
  const double t = samples_ > 0 ? temperatureSum_ / static_cast<double>(samples_) : 0;
  for (std::size_t b = 0; b < speedCounts_.size() && t > 0; ++b) {
    const double v = kSpeedBin * (static_cast<double>(b) + 0.5);
    if (v * v > 30 * t) break;
    run.x.push_back(v), maxwell.x.push_back(v);
    run.y.push_back(speedCounts_[b] / (static_cast<double>(speeds_) * kSpeedBin));
    const double norm = flat ? v / t : std::sqrt(2 / std::numbers::pi) * std::pow(t, -1.5) * v * v;
    maxwell.y.push_back(norm * std::exp(-v * v / (2 * t)));
  }
  c.series.push_back(std::move(run));
  c.series.push_back(std::move(maxwell));
  return c;
}

std::vector<Curve> MdSampler::curves(const MdTypes& types) const {
  return {pairCorrelation(types), speedDistribution()};
}

std::vector<double> MdSampler::numbers() const {
  std::vector<double> all = {static_cast<double>(samples_),      static_cast<double>(speeds_),
                             static_cast<double>(next_),         temperatureSum_,
                             static_cast<double>(dimension_),    densitySum_,
                             static_cast<double>(pairs_.size()), static_cast<double>(due_),
                             static_cast<double>(fillDue_)};
  for (const auto* part : {&sources_, &pairs_, &speedCounts_})
    all.insert(all.end(), part->begin(), part->end());
  return all;
}

bool MdSampler::restore(const std::vector<double>& numbers, std::size_t types) {
  constexpr std::size_t kHead = 9;
  constexpr double kLargestCount = 9007199254740992.0;  // 2^53
  const bool valid = std::all_of(numbers.begin(), numbers.end(),
                                 [](double x) { return x >= 0 && x <= kLargestCount; });
  if (numbers.size() < kHead || !valid || numbers[6] > 1e6) return false;
  if (numbers[4] != 2 && numbers[4] != 3) return false;
  const auto bins = static_cast<std::size_t>(numbers[6]);
  const bool empty = numbers[0] == 0;
  const std::size_t expected = empty ? kHead : kHead + types + bins + kSpeedBins;
  if (numbers.size() != expected || bins % (types * types) != 0) return false;
  samples_ = static_cast<std::uint64_t>(numbers[0]);
  speeds_ = static_cast<std::uint64_t>(numbers[1]);
  next_ = static_cast<std::uint64_t>(numbers[2]);
  temperatureSum_ = numbers[3];
  dimension_ = static_cast<int>(numbers[4]), densitySum_ = numbers[5];
  due_ = static_cast<std::uint64_t>(numbers[7]);
  fillDue_ = static_cast<std::uint64_t>(numbers[8]);
  if (empty) return true;
  const auto at = [&](std::size_t k) { return numbers.begin() + static_cast<std::ptrdiff_t>(k); };
  sources_.assign(at(kHead), at(kHead + types));
  pairs_.assign(at(kHead + types), at(kHead + types + bins));
  speedCounts_.assign(at(kHead + types + bins), numbers.end());
  return true;
}

}  // namespace cellscope::md
