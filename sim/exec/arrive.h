// The last of several threads to arrive somewhere goes on, and sees what the others wrote before.
#pragma once
#include <atomic>
#include <cstdint>

#include "sim/base/host_device.h"

namespace cellscope::exec {

// Number of arrivals at `counter` before this one. What a thread wrote before it arrived is seen by
// those that arrive later.
HOST_DEVICE std::uint32_t arriveGlobal(std::uint32_t* counter) {
#ifdef __CUDA_ARCH__
  __threadfence();
  const std::uint32_t before = atomicAdd(counter, 1u);
  __threadfence();
  return before;
#else
  return std::atomic_ref<std::uint32_t>(*counter).fetch_add(1, std::memory_order_acq_rel);
#endif
}

}  // namespace cellscope::exec
