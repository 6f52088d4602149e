#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/half_warps.cuh"
#include "sim/algo/gcmc/half_warps.h"
#include "sim/algo/gcmc/parallel_engine.h"

namespace cellscope {

namespace {

class HalfWarps {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  std::uint32_t entries() const { return kEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcCells(box, pair); }

  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t n, std::uint64_t moves) {
    GcmcArrays a = all;
    const std::uint32_t room = std::min(a.capacity, n + kSlack);
    const std::size_t bytes = halfWarpSharedBytes(a.grid, room);
    const int threads = halfWarpThreads(a.grid.cube), count = static_cast<int>(moves);
    if (bytes + sizeof(HalfWarpShared) + kReserved <= mostShared(exec)) {
      a.capacity = room;
      exec::checkCuda(
          cudaFuncSetAttribute(halfWarpMoves<true>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "moves (half warps)");
      exec.launch("moves (half warps, shared memory)",
                  [&] { halfWarpMoves<true><<<1, threads, bytes, exec.stream()>>>(a, count); });
    } else {
      exec.launch("moves (half warps)",
                  [&] { halfWarpMoves<false><<<1, threads, 0, exec.stream()>>>(a, count); });
    }
  }

 private:
  static constexpr std::uint32_t kEntries = 32;   // of a cell to begin with
  static constexpr std::uint32_t kSlack = 1024;   // insertions of a launch before it stops
  static constexpr std::size_t kReserved = 1024;  // by the system

  static std::size_t mostShared(exec::CudaExec& exec) {
    int most = 0;
    exec::checkCuda(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                           exec.config().device),
                    "moves (half warps)");
    return static_cast<std::size_t>(most);
  }
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcHalfWarpsCuda(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<GcmcParallel<exec::CudaExec, HalfWarps>>(exec, HalfWarps{}, options);
}

}  // namespace cellscope
