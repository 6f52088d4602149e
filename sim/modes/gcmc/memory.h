// Memory of a grand-canonical run, before it is made.
#pragma once
#include "sim/modes/gcmc/parameters.h"
#include "sim/modes/memory_need.h"

namespace cellscope::gcmc {

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
