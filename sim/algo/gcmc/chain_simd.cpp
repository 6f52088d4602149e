// Vectorised energies of the chain. Compiled once per instruction set, in its own namespace; every
// operation is rounded on its own, as in gcmcPairEnergyOf(), and sums in double are exact.
#include "sim/algo/gcmc/chain_simd.h"

#include "sim/exec/floats.h"

namespace cellscope::CELLSCOPE_SIMD {
namespace {

template <Truncation truncation, bool withVirial>
struct Cells {
  Floats unitX, unitY, unitZ, cutoffSquared, core, offset, force;

  explicit Cells(const GcmcPair& p)
      : unitX(p.unit[0]),
        unitY(p.unit[1]),
        unitZ(p.unit[2]),
        cutoffSquared(p.cutoffSquared),
        core(kGcmcCoreSquared),
        offset(p.energyOffset),
        force(p.forceAtCutoff) {}

  static Floats rounded(Floats u) { return (u + Floats(kGcmcRounder)) - Floats(kGcmcRounder); }

  void add(Floats r2, IntLanes valid, DoubleSum& energy, DoubleSum& virial) const {
    const IntLanes near = IntLanes(r2.v < cutoffSquared.v) & valid;
    const Floats held = larger(r2, core);
    const Floats inverse = Floats(1.0f) / held;
    const Floats x = inverse * inverse * inverse;
    Floats u = Floats(4.0f) * x * (x - Floats(1.0f));
    Floats root(0.0f);
    if constexpr (truncation != Truncation::plain) u = u + offset;
    if constexpr (truncation == Truncation::force) {
      root = force * squareRoot(held);
      u = u + root;
    }
    energy.add(Floats(FloatLanes(near & IntLanes(rounded(u).v))));
    if constexpr (withVirial) {
      Floats w = Floats(24.0f) * x * ((x + x) - Floats(1.0f));
      if constexpr (truncation == Truncation::force) w = w - root;
      virial.add(Floats(FloatLanes(near & IntLanes(rounded(w).v))));
    }
  }

  GcmcEnergyVirial sum(const GcmcCellWords& c, const std::uint32_t* cells, int count,
                       GcmcPoint at) const {
    DoubleSum energy, virial;
    const IntLanes lanes = laneIndices();
    const auto ax = static_cast<std::int32_t>(at.x), ay = static_cast<std::int32_t>(at.y),
               az = static_cast<std::int32_t>(at.z);
    for (int k = 0; k < count; ++k) {
      const std::size_t cell = cells[k];
      const auto* x = reinterpret_cast<const std::int32_t*>(c.word) + 3 * cell * c.capacity;
      const auto filled = static_cast<std::int32_t>(c.filled[cell]);
      for (std::int32_t j = 0; j < filled; j += kLanes) {
        const Floats dx = wrappedDifference(ax, loadInts(x + j), unitX);
        const Floats dy = wrappedDifference(ay, loadInts(x + c.capacity + j), unitY);
        const Floats dz = wrappedDifference(az, loadInts(x + 2 * c.capacity + j), unitZ);
        const Floats r2 = (dx * dx + dy * dy) + dz * dz;
        add(r2, IntLanes(lanes < (IntLanes{} + (filled - j))), energy, virial);
      }
    }
    return {energy.total(), withVirial ? virial.total() : 0.0};
  }
};

template <bool withVirial>
GcmcEnergyVirial sumsOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells,
                        int count, GcmcPoint at) {
  return withTruncation(p.truncation, [&](auto truncation) {
    return Cells<decltype(truncation)::value, withVirial>(p).sum(c, cells, count, at);
  });
}

double energyOf(const GcmcPair& p, const GcmcCellWords& c, const std::uint32_t* cells, int count,
                GcmcPoint at) {
  return sumsOf<false>(p, c, cells, count, at).energy;
}

}  // namespace

GcmcCellFunctions gcmcCellFunctions() { return {energyOf, sumsOf<true>}; }

}  // namespace cellscope::CELLSCOPE_SIMD
