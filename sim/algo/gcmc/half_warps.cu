#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/ahead_moves.cuh"
#include "sim/algo/gcmc/half_warps.cuh"
#include "sim/algo/gcmc/half_warps.h"
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/algo/gcmc/shared_chain.cuh"

namespace cellscope {

namespace {

class HalfWarps {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  std::uint32_t entries() const { return kChainEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcCells(box, pair); }

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::oneBlock, cube, {}, kHalfWarp, kHalfWarp * cube.cells()};
  }

  template <class Trace>
  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    GcmcArrays a = all;
    const std::size_t bytes = takeSharedMemory(exec, "moves (half warps)", n, kStatic, a);
    const int threads = halfWarpThreads(a.grid.cube), count = static_cast<int>(moves);
    const bool shared = bytes > 0;
    const auto start = [&](const char* name, auto kernel, int ofBlock, auto... more) {
      if (shared)
        exec::checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        name);
      exec.launch(name, [&] { kernel<<<1, ofBlock, bytes, exec.stream()>>>(a, count, more...); });
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
  static constexpr std::size_t kStatic = std::max(sizeof(HalfWarpShared), sizeof(AheadShared));
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcHalfWarpsCuda(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<GcmcParallel<exec::CudaExec, HalfWarps>>(exec, HalfWarps{}, options);
}

}  // namespace cellscope
