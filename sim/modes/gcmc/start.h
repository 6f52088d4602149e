// Start of a grand-canonical run: its first state, and the memory it needs before it is made.
#pragma once
#include "sim/modes/gcmc/parameters.h"
#include "sim/modes/mode_core.h"

namespace cellscope::gcmc {

// n particles on a simple cubic or square lattice, with sites along each axis in proportion to the
// sides of the box and evenly spread vacancies. hard: in space on a face-centred cubic one where
// the spheres would overlap otherwise. Throws InputError where they overlap on that one too.
GcmcState latticeState(const Box& box, std::size_t n, bool hard = false);

// Types of a mixture: each particle is B with the probability y of the reservoir, drawn from the
// seed and its slot. One type: none.
void drawTypes(GcmcState& s, const GcmcParameters& p);

// Particles, moves and ids in a checkpoint. loadChain(): of at most so many particles; throws
// InputError for what is impossible.
void saveChain(BinaryWriter& w, const GcmcState& s);
GcmcState loadChain(BinaryReader& r, const Box& box, std::size_t most);

// Of the chain, with n particles evenly in the box, its state on the host and its picture.
MemoryNeed memoryNeed(const GcmcParameters& p, std::size_t n, const ExecConfig& config);
// Throws RunError when it does not fit.
void checkMemory(const GcmcParameters& p, std::size_t n, const ExecConfig& config);

// Of one of the replicas, and of what is counted of it.
std::size_t replicaBytes(const GcmcParameters& p, Backend where);
// Throws RunError when there is no memory for them, with the number that would fit. Those that they
// take the place of are there until they are made.
void requireRoom(const GcmcParameters& p, const ExecConfig& config);

}  // namespace cellscope::gcmc
