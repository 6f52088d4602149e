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

struct BoxLanes {
  Floats length[3], half[3];
};

// Pairs at a distance of 0 (the particle itself, behind its last neighbour) count nothing.
template <bool withTerms, class Pair>
inline void add(const Pair& pair, const BoxLanes& box, const Axes& p, const Axes& q, Sums& s) {
  const Floats dx = nearestImage(p.x - q.x, box.length[0], box.half[0]);
  const Floats dy = nearestImage(p.y - q.y, box.length[1], box.half[1]);
  const Floats dz = nearestImage(p.z - q.z, box.length[2], box.half[2]);
  const Floats r2 = multiplyAdd(dx, dx, multiplyAdd(dy, dy, dz * dz));
  const Floats held = larger(r2, Floats(static_cast<float>(kCoreSquared)));
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

template <bool withTerms, Truncation truncation>
void rows(const ListRows& l, const PairCoefficients& c, std::size_t begin, std::size_t end) {
  const LennardJones<Floats, truncation> pair{Floats(c.cutoffSquared), Floats(c.energyOffset),
                                              Floats(c.forceAtCutoff)};
  BoxLanes box;
  for (int a = 0; a < 3; ++a) {
    box.length[a] = Floats(l.box.length[a]);
    box.half[a] = Floats(0.5f * l.box.length[a]);
  }
  for (std::size_t i = begin; i < end; ++i) {
    const ParticleRecord& r = l.record[i];
    const Axes p{Floats(r.x), Floats(r.y), Floats(r.z)};
    const std::uint32_t count = l.list.count[i];
    const std::uint32_t* const items = l.list.items + l.list.head[i];
    Sums s;
    std::uint32_t k = 0;
    for (; k + kLanes <= count; k += kLanes)
      add<withTerms>(pair, box, p, gathered(l.record, items + k), s);
    if (k < count) {
      std::uint32_t rest[kLanes];
      for (std::uint32_t m = 0; m < kLanes; ++m)
        rest[m] = k + m < count ? items[k + m] : static_cast<std::uint32_t>(i);
      add<withTerms>(pair, box, p, gathered(l.record, rest), s);
    }
    if (l.force) l.force[i] = {sumOverLanes(s.fx), sumOverLanes(s.fy), sumOverLanes(s.fz), 0};
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
