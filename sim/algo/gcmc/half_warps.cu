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
  std::uint32_t entries() const { return kGcmcChainEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcCells(box, pair); }

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::oneBlock, cube, {}, kHalfWarp, 32};  // a warp for each of many moves
  }

  template <class Trace>
  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    GcmcArrays a = all;
    const std::size_t bytes = takeSharedMemory(exec, "moves (half warps)", n, kStatic, a);
    const auto start = [&](const char* name, auto kernel) {
      if (bytes > 0)
        exec::checkCuda(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        name);
      exec.launch(name, [&] {
        kernel<<<1, kAheadThreads, bytes, exec.stream()>>>(a, static_cast<int>(moves), trace);
      });
    };
    bytes > 0 ? start("moves (ahead, shared memory)", movesAhead<true, Trace>)
              : start("moves (ahead)", movesAhead<false, Trace>);
  }

 private:
  static constexpr std::size_t kStatic = sizeof(AheadShared);
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcHalfWarpsCuda(const exec::Shared& exec,
                                                  const GcmcOptions& options) {
  return std::make_unique<GcmcParallel<exec::CudaExec, HalfWarps>>(exec, HalfWarps{}, options);
}

}  // namespace cellscope
