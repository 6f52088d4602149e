// The chain by slot (slot_chain.h) with many moves in flight (flight.h), on either backend: the
// serial chain, bit for bit, whatever the number of moves in flight or threads.
#pragma once
#include <memory>

#include "sim/algo/gcmc/engine.h"
#include "sim/base/backend.h"

namespace cellscope {

// Moves of a batch; where the options leave it to the program, a quarter of a turn. A GPU needs
// more of them to be busy: half a turn, and at least 16384, or a whole turn.
std::uint32_t gcmcInFlight(const GcmcCube& cube, int wanted, Backend backend);

// One move in flight on the CPU is the plain serial loop over moves: the oracle of the others.
std::unique_ptr<GcmcEngine> makeGcmcInOrderCpu(const exec::Shared& exec,
                                               const GcmcOptions& options);
std::unique_ptr<GcmcEngine> makeGcmcInOrderCuda(const exec::Shared& exec,
                                                const GcmcOptions& options);  // with CUDA only
inline std::unique_ptr<GcmcEngine> makeGcmcInOrder(const exec::Shared& exec,
                                                   const GcmcOptions& options) {
  if constexpr (kCudaBuilt)
    if (exec->where() == Backend::cuda) return makeGcmcInOrderCuda(exec, options);
  return makeGcmcInOrderCpu(exec, options);
}

}  // namespace cellscope
