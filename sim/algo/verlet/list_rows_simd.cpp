// Vectorised forces over neighbour lists. Compiled once per instruction set, in its own namespace.
#include "sim/algo/verlet/list_rows_simd.h"

#include "sim/algo/neighbours/record_lanes.h"
#include "sim/core/lennard_jones.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

inline Axes gathered(const ParticleRecord* record, const std::uint32_t* items) {
  return axesOf([&](int k) { return record + items[k]; });
}

struct Sums {
  Floats fx{0.0f}, fy{0.0f}, fz{0.0f}, energy{0.0f}, virial{0.0f};
};

inline float sumOverLanes(const Floats& f) {
  float sum = 0;
  for (int k = 0; k < kLanes; ++k) sum += f.v[k];
  return sum;
}

// Pairs at a distance of 0 (the particle itself, after its last neighbour) count nothing.
// interior: the difference itself is the nearest image of all pairs within the cutoff.
template <bool withTerms, bool interior, class Pair>
inline void add(const Pair& pair, const BoxLanes& box, const Axes& p, const Axes& q, Sums& s) {
  Floats dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
  if constexpr (!interior) {
    dx = nearestImage(dx, box.length[0], box.half[0]);
    dy = nearestImage(dy, box.length[1], box.half[1]);
    dz = nearestImage(dz, box.length[2], box.half[2]);
  }
  const Floats r2 = multiplyAdd(dx, dx, multiplyAdd(dy, dy, dz * dz));
  const Floats held = FloatLanes(maximum(Float(r2.v), broadcast(static_cast<float>(kCoreSquared))));
  const PairTerms<Floats> t = pair.terms(held, inverseRoot(held));
  const IntLanes near = IntLanes(r2.v < pair.cutoffSquared.v);
  const Floats f = near ? t.forceOverR.v : FloatLanes{};
  s.fx = multiplyAdd(f, dx, s.fx);
  s.fy = multiplyAdd(f, dy, s.fy);
  s.fz = multiplyAdd(f, dz, s.fz);
  if constexpr (withTerms) {
    const IntLanes other = near & IntLanes(r2.v > 0.0f);
    s.energy = s.energy + Floats(other ? t.energy.v : FloatLanes{});
    s.virial = multiplyAdd(f, r2, s.virial);
  }
}

template <bool withTerms, bool interior, class Pair>
inline Sums sumsOf(const ListRows& l, const Pair& pair, const BoxLanes& box, std::uint32_t i,
                   const std::uint32_t* items, std::uint32_t count) {
  const ParticleRecord& r = l.record[i];
  const Axes p{Floats(r.x), Floats(r.y), Floats(r.z)};
  Sums s;
  std::uint32_t k = 0;
  for (; k + kLanes <= count; k += kLanes)
    add<withTerms, interior>(pair, box, p, gathered(l.record, items + k), s);
  if (k < count) {
    alignas(64) std::uint32_t rest[kLanes];
    store(rest, loadFirst(items + k, count - k, broadcast(i)));
    add<withTerms, interior>(pair, box, p, gathered(l.record, rest), s);
  }
  return s;
}

// Whether no pair of a particle within the cutoff crosses a side of the box, rounding included.
class Interior {
 public:
  Interior(const RecordBox& box, float cutoffSquared) {
    const float cutoff = 1.00001f * __builtin_sqrtf(cutoffSquared);
    for (int a = 0; a < 3; ++a) {
      const bool axis = a < box.dimension;
      low_[a] = axis ? cutoff : -1.0f;
      high_[a] = axis ? 0.99999f * box.length[a] - cutoff : 1.0f;
    }
  }
  bool has(const ParticleRecord& p) const {
    return (p.x > low_[0]) & (p.x < high_[0]) & (p.y > low_[1]) & (p.y < high_[1]) &
           (p.z > low_[2]) & (p.z < high_[2]);
  }

 private:
  float low_[3], high_[3];
};

template <bool withTerms, Truncation truncation>
void rows(const ListRows& l, const PairCoefficients& c, std::size_t begin, std::size_t end) {
  const LennardJones<Floats, truncation> pair{Floats(c.cutoffSquared), Floats(c.energyOffset),
                                              Floats(c.forceAtCutoff)};
  const BoxLanes box(l.box);
  const Interior interior(l.box, c.cutoffSquared);
  for (std::size_t i = begin; i < end; ++i) {
    const std::size_t row = l.list.rowOf(i);
    const std::uint32_t count = l.list.count[row], own = static_cast<std::uint32_t>(i);
    const std::uint32_t* const items = l.list.items + l.list.head[row];
    const Sums s = interior.has(l.record[i])
                       ? sumsOf<withTerms, true>(l, pair, box, own, items, count)
                       : sumsOf<withTerms, false>(l, pair, box, own, items, count);
    if (l.force) storeSums(&l.force[i].x, Float(s.fx.v), Float(s.fy.v), Float(s.fz.v));
    if constexpr (withTerms)
      l.terms[i] = {0.5f * sumOverLanes(s.energy), 0.5f * sumOverLanes(s.virial)};
  }
}

template <Truncation truncation>
void rowsOf(const ListRows& l, const PairCoefficients& c, std::size_t begin, std::size_t end) {
  if (l.terms)
    rows<true, truncation>(l, c, begin, end);
  else
    rows<false, truncation>(l, c, begin, end);
}

}  // namespace

void listRows(const ListRows& l, const PairCoefficients& c, std::size_t begin, std::size_t end) {
  withTruncation(static_cast<Truncation>(c.truncation),
                 [&](auto truncation) { rowsOf<decltype(truncation)::value>(l, c, begin, end); });
}

}  // namespace cellscope::CELLSCOPE_SIMD
