// Larger states from smaller ones: copies of a periodic configuration side by side.
#pragma once
#include <cstdint>

#include "sim/api/mode.h"

namespace cellscope {

inline constexpr std::int64_t kMostCopies = 4096;  // along one axis

// `copies` of the configuration along every axis of its box, particles of copy k with ids from
// k n on. Structure shorter than the small box stays in equilibrium; longer waves have to grow.
// Throws InputError when the particles would not fit into 32-bit ids.
Configuration replicated(const Configuration& one, std::int64_t copies);

}  // namespace cellscope
