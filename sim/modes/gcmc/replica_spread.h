// What each replica of a grand-canonical run is: its reservoir, its seed, its window of N.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/base/backend.h"
#include "sim/modes/gcmc/parameters.h"

namespace cellscope::gcmc {

ReplicaKind kindOf(const GcmcParameters& p);

// The parameters that replica k runs with: chemical potential, temperature or seed of its own.
GcmcParameters parametersOf(const GcmcParameters& p, std::size_t k);
// Its place on the axis of the charts: mu, or T, or the seed; and the axis in words.
double placeOf(const GcmcParameters& p, std::size_t k);
std::string axisOf(ReplicaKind kind);

// Windows of N, ends included; replica k belongs to window k mod windowsOf(p). Without windows one
// of everything.
struct ReplicaWindow {
  std::uint32_t least = 0, most = 0;  // most = 0: none
};
std::size_t windowsOf(const GcmcParameters& p);
ReplicaWindow windowOf(const GcmcParameters& p, std::size_t k);
// Independent chains of the same window or state.
std::size_t chainsOfEach(const GcmcParameters& p);

// N that transitions are counted for, with each replica; 0: they are not counted, as temperatures
// cannot be joined.
std::size_t numbersOf(const GcmcParameters& p);

// Throws InputError for what is impossible together.
void checkReplicas(const GcmcParameters& p);
// Density that memory is reckoned with.
double densestReplica(const GcmcParameters& p);

}  // namespace cellscope::gcmc
