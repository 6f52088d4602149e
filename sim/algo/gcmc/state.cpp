#include "sim/algo/gcmc/engine.h"

#include <algorithm>

#include "sim/algo/gcmc/parallel_functors.h"

namespace cellscope {

namespace {
constexpr double kStateWords = 4294967296.0;  // 2^32
}

GcmcPair makeGcmcPair(const GcmcSettings& s, const Box& box) {
  const GcmcPair p = s.hard ? hardSpherePair(box.dimension, box.length)
                     : s.cutoff <= 0
                         ? idealGasPair(box.dimension, box.length)
                         : makeGcmcPair(s.potential, s.pair(), box.dimension, box.length);
  return s.mixed ? mixedGcmcPair(p, s.sigma, s.epsilon) : p;
}

TailConstants tailOf(const GcmcSettings& s, int dimension) {
  TailConstants tail;
  if (s.tail && !s.hard && s.cutoff > 0)
    withPotentialEntry(s.potential, [&](auto entry) {
      tail = entry.tail(s.pair(), dimension).value_or(TailConstants{});
    });
  return tail;
}

GcmcRules makeGcmcRules(const GcmcSettings& s, const Box& box) {
  GcmcRules r{};
  r.dimension = box.dimension;
  r.key = hashSeed(s.seed);
  r.chain = s.chain;
  const auto share = [](double x) {
    return static_cast<std::uint64_t>(std::llround(x * kStateWords));
  };
  const std::uint64_t exchange = share(0.5 * (s.ratio[1] + s.ratio[2]));
  // Equal ratios stay exactly equal.
  const std::uint64_t insertion = s.ratio[1] == s.ratio[2] ? exchange : share(s.ratio[1]);
  const std::uint64_t deletion = s.ratio[1] == s.ratio[2] ? exchange : share(s.ratio[2]);
  const std::uint64_t whole = 1ull << 32;
  r.exchangeBelow = whole - std::min(whole, insertion + deletion);
  r.displacementBelow = r.exchangeBelow - std::min(r.exchangeBelow, share(s.ratio[3]));
  r.insertionBelow = whole - deletion;
  for (int k = 0; k < box.dimension; ++k) {
    const double part = s.anywhere ? 0.5 : std::min(0.5, s.maxDisplacement / box.length[k]);
    r.reach[k] = static_cast<std::uint32_t>(part * kStateWords);
  }
  r.beta = 1.0 / s.temperature;
  const double zV = s.activity * box.volume();
  const double odds =
      insertion > 0 ? static_cast<double>(deletion) / static_cast<double>(insertion) : 1.0;
  r.insertFactor = (s.signAsPrinted ? box.volume() / s.activity : zV) * odds;
  r.added = s.oldNumber ? 0.0 : 1.0;
  r.deleteFactor = odds > 0 ? 1.0 / (zV * odds) : 0.0;
  r.tail = tailOf(s, box.dimension).energy / box.volume();
  r.typeBBelow = share(s.shareB);
  r.pair = makeGcmcPair(s, box);
  return r;
}

Vec3d gcmcPosition(const Box& box, GcmcPoint p) {
  const auto at = [&](std::uint32_t word, int axis) {
    return static_cast<double>(word) * (box.length[axis] / kStateWords);
  };
  return {at(p.x, 0), at(p.y, 1), box.dimension == 3 ? at(p.z, 2) : 0.0};
}

GcmcPoint gcmcPointAt(const Box& box, Vec3d r) {
  const auto word = [&](double x, int axis) {
    // The nearest one; 2^32 is 0 again.
    return static_cast<std::uint32_t>(
        static_cast<std::uint64_t>(std::llround(x / box.length[axis] * kStateWords)));
  };
  return {word(r.x, 0), word(r.y, 1), box.dimension == 3 ? word(r.z, 2) : 0u};
}

GcmcSums gcmcOwnPair(const GcmcPair& pair, std::uint32_t type) {
  const float epsilon = pair.epsilon[2 * type];
  return {gcmcPairEnergy(pair, 0, epsilon), gcmcPairVirial(pair, 0, epsilon)};
}

GcmcSums gcmcBruteForce(const GcmcPair& pair, const std::vector<GcmcPoint>& points) {
  GcmcSums sums;
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) gcmcAddPair(pair, points[i], points[j], sums);
  return sums;
}

}  // namespace cellscope
