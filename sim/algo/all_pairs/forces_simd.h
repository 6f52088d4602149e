// All-pairs forces on the CPU, vectorised: one entry point per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>

#include "sim/algo/md/forces.h"
#include "sim/algo/md/pair_law.h"
#include "sim/base/box.h"
#include "sim/exec/machine.h"

namespace cellscope {

// Integer coordinates (images.h) of n particles, one array per axis. A vector may read past the
// last particle: 15 more entries are readable.
struct LatticePositions {
  const std::int32_t* x;
  const std::int32_t* y;
  const std::int32_t* z;
  std::size_t n;
  Vec3 unit;  // L / 2^32 along each axis
};

// Particles that lie type by type. Of one type: number is null, they lie as they come.
struct PairRows {
  LatticePositions at;
  const std::uint32_t* number;        // of the particle at each place
  std::size_t first[kMostTypes + 1];  // places of each type
};

// Sums of the particles at the places [begin, end) with all others, type after type in the order of
// their places; sums by number.
using PairRowsFunction = void(const PairRows&, const AnyLaw&, std::size_t begin, std::size_t end,
                              PairSums* sums);

CELLSCOPE_FOR_SETS(PairRowsFunction, pairRows);

}  // namespace cellscope
