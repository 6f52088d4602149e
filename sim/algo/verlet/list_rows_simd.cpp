// Vectorised forces over neighbour lists. Compiled once per instruction set, in its own namespace.
#include "sim/algo/verlet/list_rows_simd.h"

#include "sim/algo/neighbours/record_lanes.h"

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

inline IntLanes typesOf(const ParticleRecord* record, const std::uint32_t* items) {
  IntLanes types;
  for (int k = 0; k < kLanes; ++k) types[k] = static_cast<std::int32_t>(record[items[k]].type);
  return types;
}

struct Differences {
  Floats x, y, z, r2;
};
// interior: the difference itself is the nearest image of all pairs within the cutoff.
template <bool interior>
inline Differences between(const BoxLanes& box, const Axes& p, const Axes& q) {
  Floats dx = p.x - q.x, dy = p.y - q.y, dz = p.z - q.z;
  if constexpr (!interior) {
    dx = nearestImage(dx, box.length[0], box.half[0]);
    dy = nearestImage(dy, box.length[1], box.half[1]);
    dz = nearestImage(dz, box.length[2], box.half[2]);
  }
  return {dx, dy, dz, multiplyAdd(dx, dx, multiplyAdd(dy, dy, dz * dz))};
}

// The pairs `near`. Those at a distance of 0 (the particle itself, after its last neighbour) count
// nothing.
template <bool withTerms, class Pair>
inline void add(const Pair& pair, const Differences& d, IntLanes near, Sums& s) {
  const Floats held = larger(d.r2, Floats(static_cast<float>(kCoreSquared)));
  const PairTerms<Floats> t = pair.terms(held, inverseRoot(held));
  const Floats f = near ? t.forceOverR.v : FloatLanes{};
  s.fx = multiplyAdd(f, d.x, s.fx);
  s.fy = multiplyAdd(f, d.y, s.fy);
  s.fz = multiplyAdd(f, d.z, s.fz);
  if constexpr (withTerms) {
    const IntLanes other = near & IntLanes(d.r2.v > 0.0f);
    s.energy = s.energy + Floats(other ? t.energy.v : FloatLanes{});
    s.virial = multiplyAdd(f, d.r2, s.virial);
  }
}

// One row of the table of laws: of a particle with those of each type.
template <class Law>
struct LawsOf {
  const Law& law;
  std::size_t row = 0;
  int types;

  const auto& with(int type) const {
    if constexpr (Law::kByTypes)
      return law.pair[row + static_cast<std::size_t>(type)];
    else
      return law.pair;
  }
  float furthest() const {
    float most = 0;
    for (int t = 0; t < types; ++t)
      most = with(t).cutoffSquared > most ? with(t).cutoffSquared : most;
    return most;
  }
};

template <bool withTerms, bool interior, class Law>
inline void addVector(const ListRows& l, const LawsOf<Law>& laws, const BoxLanes& box,
                      const Axes& p, const std::uint32_t* items, Sums& s) {
  const Differences d = between<interior>(box, p, gathered(l.record, items));
  if constexpr (!Law::kByTypes) {
    add<withTerms>(laws.with(0), d, IntLanes(d.r2.v < Floats(laws.with(0).cutoffSquared).v), s);
  } else {
    const IntLanes types = typesOf(l.record, items);
    for (int t = 0; t < laws.types; ++t) {
      const IntLanes near =
          IntLanes(d.r2.v < Floats(laws.with(t).cutoffSquared).v) & IntLanes(types == t);
      if (anyOf(near)) add<withTerms>(laws.with(t), d, near, s);
    }
  }
}

template <bool withTerms, bool interior, class Law>
inline Sums sumsOf(const ListRows& l, const LawsOf<Law>& laws, const BoxLanes& box, std::uint32_t i,
                   const std::uint32_t* items, std::uint32_t count) {
  const ParticleRecord& r = l.record[i];
  const Axes p{Floats(r.x), Floats(r.y), Floats(r.z)};
  Sums s;
  std::uint32_t k = 0;
  for (; k + kLanes <= count; k += kLanes)
    addVector<withTerms, interior>(l, laws, box, p, items + k, s);
  if (k < count) {
    alignas(64) std::uint32_t rest[kLanes];
    store(rest, loadFirst(items + k, count - k, broadcast(i)));
    addVector<withTerms, interior>(l, laws, box, p, rest, s);
  }
  return s;
}

// Whether no pair of a particle within the cutoff crosses a side of the box, rounding included.
class Interior {
 public:
  Interior() = default;
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

// Everything is inlined: GCC leaves it to calls where there are so many laws.
template <bool withTerms, class Law>
[[gnu::flatten]] void rows(const ListRows& l, const Law& known, int types, std::size_t begin,
                           std::size_t end) {
  const Law law = known;  // not changed by what is written: its numbers stay in registers
  const BoxLanes box(l.box);
  Interior interior[kMostTypes];
  for (int t = 0; t < types; ++t)
    interior[t] = Interior(
        l.box, LawsOf<Law>{law, static_cast<std::size_t>(t * kMostTypes), types}.furthest());
  for (std::size_t i = begin; i < end; ++i) {
    const std::uint32_t type = Law::kByTypes ? l.record[i].type : 0;
    const LawsOf<Law> laws{law, std::size_t{type} * kMostTypes, types};
    const std::size_t row = l.list.rowOf(i);
    const std::uint32_t count = l.list.count[row], own = static_cast<std::uint32_t>(i);
    const std::uint32_t* const items = l.list.items + l.list.head[row];
    const Sums s = interior[type].has(l.record[i])
                       ? sumsOf<withTerms, true>(l, laws, box, own, items, count)
                       : sumsOf<withTerms, false>(l, laws, box, own, items, count);
    if (l.force) storeSums(&l.force[i].x, Float(s.fx.v), Float(s.fy.v), Float(s.fz.v));
    if constexpr (withTerms)
      l.terms[i] = {0.5f * sumOverLanes(s.energy), 0.5f * sumOverLanes(s.virial)};
  }
}

}  // namespace

void listRows(const ListRows& l, const AnyLaw& any, std::size_t begin, std::size_t end) {
  withAnyLaw(any, [&](const auto& law) {
    const int types = std::decay_t<decltype(law)>::kByTypes ? any.types : 1;
    if (l.terms)
      rows<true>(l, law, types, begin, end);
    else
      rows<false>(l, law, types, begin, end);
  });
}

}  // namespace cellscope::CELLSCOPE_SIMD
