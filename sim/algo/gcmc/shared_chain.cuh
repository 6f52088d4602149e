// Particles and cells of one chain in the shared memory of a block, where they fit.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "sim/algo/gcmc/half_warps.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

// Dynamic shared memory for n particles, those that a launch may insert before it stops, and the
// cells; the capacity is limited to that many particles. 0: it does not fit beside the `fixed`
// bytes of the kernel itself.
inline std::size_t takeSharedMemory(const exec::CudaExec& exec, const char* name, std::uint32_t n,
                                    std::size_t fixed, GcmcArrays& a) {
  constexpr std::uint32_t kInserted = 1024;
  constexpr std::size_t kReserved = 1024;  // by the system
  int most = 0;
  exec::checkCuda(
      cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, exec.config().device),
      name);
  const std::uint32_t room = std::min(a.capacity, n + kInserted);
  const std::size_t bytes = halfWarpSharedBytes(a.grid, room);
  if (bytes + fixed + kReserved > static_cast<std::size_t>(most)) return 0;
  a.capacity = room;
  return bytes;
}

}  // namespace cellscope
