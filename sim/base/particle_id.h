// Identity of a particle: unique, never reused within a run, and not dense, as particles come and
// go. Ids are 0 or larger; -1 is no particle.
#pragma once
#include <cstdint>

namespace cellscope {

using ParticleId = std::int64_t;

}  // namespace cellscope
