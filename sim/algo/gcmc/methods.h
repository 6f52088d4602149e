// The ways to run a grand-canonical chain. All but the checkerboard make the decisions of the
// serial chain, move by move, for the same seed.
#pragma once
#include <array>

namespace cellscope {

enum class GcmcMethod {
  serial,         // S0, Algorithm 1: one thread
  allParticles,   // S0, Algorithms 2 to 5: blocks over all particles, the last block decides
  cells,          // S0, Algorithms 6 and 7: blocks over the neighbour cells, see mapping.h
  microcells,     // S0, 3.3: one thread per microcell, one kernel per move
  microcellsMany  // S0, 3.3.4: the same, many moves in one kernel of one block
};

struct GcmcMethodInfo {
  GcmcMethod method;
  const char* key;  // value of the parameter `method`
  const char* label;
};

// All there are, in the order of GcmcMethod.
inline constexpr std::array<GcmcMethodInfo, 5> kGcmcMethods = {{
    {GcmcMethod::serial, "serial", "Serial (S0, Algorithm 1)"},
    {GcmcMethod::allParticles, "all_particles", "Without cells (S0, Algorithms 2 to 5)"},
    {GcmcMethod::cells, "cells", "Cell list (S0, Algorithms 6 and 7)"},
    {GcmcMethod::microcells, "microcells", "Microcells, one kernel per move (S0, 3.3)"},
    {GcmcMethod::microcellsMany, "microcells_many",
     "Microcells, many moves per kernel (S0, 3.3.4)"},
}};

}  // namespace cellscope
