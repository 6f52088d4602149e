// All-pairs forces on the CPU, vectorised: one entry point per instruction set.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/algo/md/forces.h"
#include "sim/algo/neighbours/pair_table.h"

namespace cellscope {

// Integer coordinates (lattice.h) of n particles, one array per axis. A vector may read past the
// last particle: 15 more entries are readable.
struct LatticePositions {
  const std::int32_t* x;
  const std::int32_t* y;
  const std::int32_t* z;
  std::size_t n;
  float unit;  // L / 2^32
};

// Coefficients of a Lennard-Jones truncation (sim/core/lennard_jones.h).
struct PairCoefficients {
  int truncation;
  float cutoffSquared, energyOffset, forceAtCutoff;
};

// Of two types: for sigma = epsilon = 1, and what makes it that of other ones (ScaledPair).
struct ScaledCoefficients {
  PairCoefficients unit;
  float cutoffSquared, epsilon, sigma, inverseSigma2;
};
// Particles that lie type by type.
struct TypedRows {
  LatticePositions at;
  const std::uint32_t* number;        // of the particle at each place
  std::size_t first[kMostTypes + 1];  // places of each type
  int types;                          // pair[a * kMostTypes + b]
  const ScaledCoefficients* pair;
};

// Sums of particles [begin, end) with all n, in the order of the partners.
using PairRowsFunction = void (*)(const LatticePositions&, const PairCoefficients&,
                                  std::size_t begin, std::size_t end, PairSums* sums);
// Those at the places [begin, end) of one truncation for all types; sums by number.
using TypedRowsFunction = void (*)(const TypedRows&, std::size_t begin, std::size_t end,
                                   PairSums* sums);

namespace simd_sse2 {
void pairRows(const LatticePositions&, const PairCoefficients&, std::size_t, std::size_t,
              PairSums*);
void typedRows(const TypedRows&, std::size_t, std::size_t, PairSums*);
}  // namespace simd_sse2
namespace simd_avx2 {
void pairRows(const LatticePositions&, const PairCoefficients&, std::size_t, std::size_t,
              PairSums*);
void typedRows(const TypedRows&, std::size_t, std::size_t, PairSums*);
}  // namespace simd_avx2
namespace simd_avx512 {
void pairRows(const LatticePositions&, const PairCoefficients&, std::size_t, std::size_t,
              PairSums*);
void typedRows(const TypedRows&, std::size_t, std::size_t, PairSums*);
}  // namespace simd_avx512

// That of an instruction set (exec::instructionSet); "scalar" has the one of SSE2.
PairRowsFunction pairRowsFor(const std::string& instructions = "");
TypedRowsFunction typedRowsFor(const std::string& instructions = "");

}  // namespace cellscope
