// Vectorised all-pairs forces. Compiled once per instruction set, in its own namespace.
#include "sim/algo/all_pairs/forces_simd.h"

#include "sim/exec/lanes.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

struct RowSums {
  Floats fx{0.0f}, fy{0.0f}, fz{0.0f}, energy{0.0f}, virial{0.0f};
};

double total(const Floats& f) {
  double sum = 0;
  for (int k = 0; k < kLanes; ++k) sum += f.v[k];
  return sum;
}

// Add the partners of one vector that are closer than the cutoff; `valid` marks lanes that exist.
// A particle's own lane has r2 = 0: no force, and its energy is left out.
inline void addNear(const auto& pair, Floats dx, Floats dy, Floats dz, Floats r2, IntLanes valid,
                    RowSums& s) {
  const Floats held = larger(r2, Floats(static_cast<float>(kCoreSquared)));
  const PairTerms<Floats> t = pair.terms(held, inverseRoot(held));
  const IntLanes near =
      IntLanes(r2.v < Floats(pair.cutoffSquared).v) & IntLanes(r2.v > 0.0f) & valid;
  const Floats f = near ? t.forceOverR.v : FloatLanes{};
  s.fx = multiplyAdd(f, dx, s.fx);
  s.fy = multiplyAdd(f, dy, s.fy);
  s.fz = multiplyAdd(f, dz, s.fz);
  s.energy = s.energy + Floats(near ? t.energy.v : FloatLanes{});
  s.virial = multiplyAdd(f, r2, s.virial);
}

// With the partners [begin, end).
void addRow(const LatticePositions& p, const auto& pair, std::size_t i, std::size_t begin,
            std::size_t end, RowSums& s) {
  const std::int32_t x = p.x[i], y = p.y[i], z = p.z[i];
  const Floats unitX(p.unit.x), unitY(p.unit.y), unitZ(p.unit.z);
  const IntLanes all = IntLanes{} - 1;
  for (std::size_t j = begin; j < end; j += kLanes) {
    const Floats dx = wrappedDifference(x, loadInts(p.x + j), unitX);
    const Floats dy = wrappedDifference(y, loadInts(p.y + j), unitY);
    const Floats dz = wrappedDifference(z, loadInts(p.z + j), unitZ);
    const Floats r2 = multiplyAdd(dx, dx, multiplyAdd(dy, dy, dz * dz));
    if (below(r2, Floats(pair.cutoffSquared)) == 0) continue;
    IntLanes valid = all;
    for (int k = 0; j + kLanes > end && k < kLanes; ++k) valid[k] = j + k < end ? -1 : 0;
    addNear(pair, dx, dy, dz, r2, valid, s);
  }
}
PairSums sumsOf(const RowSums& s) {
  return {total(s.fx), total(s.fy), total(s.fz), 0.5 * total(s.energy), 0.5 * total(s.virial)};
}

// One type of partners after the other, whose law does not change on the way. Everything is
// inlined: GCC leaves it to calls where there are so many laws.
template <class Law>
[[gnu::flatten]] void rows(const PairRows& p, const Law& law, int types, std::size_t begin,
                           std::size_t end, PairSums* sums) {
  int type = 0;
  for (std::size_t i = begin; i < end; ++i) {
    while (i >= p.first[type + 1]) ++type;
    RowSums s;
    for (int t = 0; t < types; ++t) {
      if constexpr (Law::kByTypes)
        addRow(p.at, law.pair[type * kMostTypes + t], i, p.first[t], p.first[t + 1], s);
      else
        addRow(p.at, law.pair, i, 0, p.at.n, s);
    }
    sums[p.number ? p.number[i] : i] = sumsOf(s);
  }
}

}  // namespace

void pairRows(const PairRows& p, const AnyLaw& any, std::size_t begin, std::size_t end,
              PairSums* sums) {
  withAnyLaw(any, [&](const auto& law) { rows(p, law, any.types, begin, end, sums); });
}

}  // namespace cellscope::CELLSCOPE_SIMD
