// The search of one run of sorted particles for the neighbours of another one, vectorised: one
// entry point per instruction set.
#pragma once
#include <cstdint>
#include <string>

#include "sim/algo/neighbours/particle_record.h"

namespace cellscope {

// One type of particles.
struct RunSearch {
  const ParticleRecord* sorted;
  const std::uint32_t* slot;  // of sorted particles; null: 0, 1, 2 ...
  RecordBox box;
  float reachSquared;
};
// Where the list of sorted particle k goes, and how many neighbours it has so far.
struct RunTally {
  std::uint32_t k;
  std::uint32_t* items;
  std::uint32_t room, found;
};

// Neighbours of t.k among the sorted particles [begin, end), in their order.
using RunSearchFunction = void (*)(const RunSearch&, std::uint32_t begin, std::uint32_t end,
                                   RunTally& t);

namespace simd_sse2 {
void searchRun(const RunSearch&, std::uint32_t, std::uint32_t, RunTally&);
}
namespace simd_avx2 {
void searchRun(const RunSearch&, std::uint32_t, std::uint32_t, RunTally&);
}
namespace simd_avx512 {
void searchRun(const RunSearch&, std::uint32_t, std::uint32_t, RunTally&);
}

// That of an instruction set (exec::instructionSet); "scalar" has the one of SSE2.
RunSearchFunction runSearchFor(const std::string& instructions = "");

}  // namespace cellscope
