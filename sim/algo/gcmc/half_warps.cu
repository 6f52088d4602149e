#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/ahead_moves.cuh"
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

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::oneBlock, cube, {}, kHalfWarp, kHalfWarp * cube.cells()};
  }

  template <class Trace>
  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    GcmcArrays a = all;
    const std::uint32_t room = std::min(a.capacity, n + kSlack);
    const std::size_t bytes = halfWarpSharedBytes(a.grid, room);
    const int threads = halfWarpThreads(a.grid.cube), count = static_cast<int>(moves);
    const bool shared = bytes + kStatic + kReserved <= mostShared(exec);
    if (shared) a.capacity = room;
    const auto start = [&](const char* name, auto kernel, int ofBlock, auto... more) {
      if (shared)
        exec::checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        name);
      exec.launch(name, [&] {
        kernel<<<1, ofBlock, shared ? bytes : 0, exec.stream()>>>(a, count, more...);
      });
    };
    if constexpr (Trace::kOn)
      shared
          ? start("moves (half warps, shared memory)", halfWarpMoves<true, Trace>, threads, trace)
          : start("moves (half warps)", halfWarpMoves<false, Trace>, threads, trace);
    else
      shared ? start("moves (ahead, shared memory)", movesAhead<true>, kAheadThreads)
             : start("moves (ahead)", movesAhead<false>, kAheadThreads);
  }

 private:
  static constexpr std::uint32_t kEntries = 32;   // of a cell to begin with
  static constexpr std::uint32_t kSlack = 1024;   // insertions of a launch before it stops
  static constexpr std::size_t kReserved = 1024;  // by the system
  static constexpr std::size_t kStatic = std::max(sizeof(HalfWarpShared), sizeof(AheadShared));

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
