// Vectorised all-pairs forces. Compiled once per instruction set, in its own namespace.
#include "sim/algo/all_pairs/forces_simd.h"

#include "sim/core/lennard_jones.h"
#include "sim/exec/floats.h"

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
template <class Pair>
inline void addNear(const Pair& pair, Floats dx, Floats dy, Floats dz, Floats r2, IntLanes valid,
                    RowSums& s) {
  const Floats held = larger(r2, Floats(static_cast<float>(kCoreSquared)));
  const PairTerms<Floats> t = pair.terms(held, inverseRoot(held));
  const IntLanes near = IntLanes(r2.v < pair.cutoffSquared.v) & IntLanes(r2.v > 0.0f) & valid;
  const Floats f = near ? t.forceOverR.v : FloatLanes{};
  s.fx = multiplyAdd(f, dx, s.fx);
  s.fy = multiplyAdd(f, dy, s.fy);
  s.fz = multiplyAdd(f, dz, s.fz);
  s.energy = s.energy + Floats(near ? t.energy.v : FloatLanes{});
  s.virial = multiplyAdd(f, r2, s.virial);
}

template <class Pair>
PairSums row(const LatticePositions& p, const Pair& pair, std::size_t i) {
  const std::int32_t x = p.x[i], y = p.y[i], z = p.z[i];
  const Floats unit(p.unit);
  const IntLanes all = IntLanes{} - 1;
  RowSums s;
  for (std::size_t j = 0; j < p.n; j += kLanes) {
    const Floats dx = wrappedDifference(x, loadInts(p.x + j), unit);
    const Floats dy = wrappedDifference(y, loadInts(p.y + j), unit);
    const Floats dz = wrappedDifference(z, loadInts(p.z + j), unit);
    const Floats r2 = multiplyAdd(dx, dx, multiplyAdd(dy, dy, dz * dz));
    if (below(r2, pair.cutoffSquared) == 0) continue;
    IntLanes valid = all;
    for (int k = 0; j + kLanes > p.n && k < kLanes; ++k) valid[k] = j + k < p.n ? -1 : 0;
    addNear(pair, dx, dy, dz, r2, valid, s);
  }
  return {total(s.fx), total(s.fy), total(s.fz), 0.5 * total(s.energy), 0.5 * total(s.virial)};
}

template <Truncation truncation>
void rows(const LatticePositions& p, const PairCoefficients& c, std::size_t begin, std::size_t end,
          PairSums* sums) {
  const LennardJones<Floats, truncation> pair{Floats(c.cutoffSquared), Floats(c.energyOffset),
                                              Floats(c.forceAtCutoff)};
  for (std::size_t i = begin; i < end; ++i) sums[i] = row(p, pair, i);
}

}  // namespace

void pairRows(const LatticePositions& p, const PairCoefficients& c, std::size_t begin,
              std::size_t end, PairSums* sums) {
  withTruncation(static_cast<Truncation>(c.truncation), [&](auto truncation) {
    rows<decltype(truncation)::value>(p, c, begin, end, sums);
  });
}

}  // namespace cellscope::CELLSCOPE_SIMD
