// Larger states from smaller ones: copies of a periodic configuration side by side.
#pragma once
#include <cstdint>

#include "sim/api/configuration.h"

namespace cellscope {

inline constexpr std::int64_t kMostCopies = 4096;  // along one axis
// In all, as many as any mode takes: refused before memory is filled with them.
inline constexpr std::int64_t kMostReplicated = std::int64_t{1} << 26;

// `copies` of the configuration along every axis of its box, with ids of their own from 0 on.
// Structure shorter than the small box stays in equilibrium; longer waves have to grow.
// Throws InputError beyond kMostReplicated particles.
Configuration replicated(const Configuration& one, std::int64_t copies);

}  // namespace cellscope
