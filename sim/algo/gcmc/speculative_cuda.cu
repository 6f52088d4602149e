#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/algo/gcmc/speculative_moves.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

namespace {

// Dynamic shared memory for n particles, those that a launch may insert before it stops, and the
// cells; the capacity is limited to that many particles. 0: it does not fit beside the `fixed`
// bytes of the kernel itself.
std::size_t takeSharedMemory(const exec::CudaExec& exec, std::uint32_t n, std::size_t fixed,
                             GcmcArrays& a) {
  constexpr std::uint32_t kInserted = 1024;
  constexpr std::size_t kReserved = 1024;  // by the system
  const int most =
      exec::deviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, exec.config().device);
  const std::uint32_t room = std::min(a.capacity, n + kInserted);
  const std::size_t bytes = halfWarpSharedBytes(a.grid, room);
  if (bytes + fixed + kReserved > static_cast<std::size_t>(most)) return 0;
  a.capacity = room;
  return bytes;
}

class Speculative {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  explicit Speculative(const GcmcSpeculating& how) : how_(how) {}
  std::uint32_t entries() const { return kGcmcChainEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcCells(box, pair); }

  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::oneBlock, cube, {}, kHalfWarp, 32 * kSpeculativeWarps};
  }

  template <class Trace>
  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t n, std::uint64_t moves,
             const Trace& trace) {
    GcmcArrays a = all;
    const std::size_t bytes = takeSharedMemory(exec, n, sizeof(SpeculativeShared), a);
    const auto count = static_cast<int>(moves);
    if (bytes > 0)
      start<true>(exec, "moves (speculative, shared memory)", bytes, a, count, trace);
    else
      start<false>(exec, "moves (speculative)", 0, a, count, trace);
  }

 private:
  template <bool inShared, class Trace>
  void start(exec::CudaExec& exec, const char* name, std::size_t bytes, const GcmcArrays& a,
             int moves, const Trace& trace) {
    const auto kernel = speculativeMoves<inShared, Trace>;
    exec::allowAllShared(kernel, name);
    cudaLaunchAttribute cluster{};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config{};
    config.blockDim = dim3(kSpeculativeThreads);
    config.dynamicSmemBytes = bytes, config.stream = exec.stream();
    config.attrs = &cluster, config.numAttrs = 1;
    const bool alone = Trace::kOn || how_.experiment != GcmcSpeculativeExperiment::none;
    unsigned blocks = alone ? 1 : kSpeculativeBlocks;
    for (; blocks > 1; blocks /= 2) {
      config.gridDim = dim3(blocks), cluster.val.clusterDim.x = blocks;
      if (clustersFit(exec, kernel, config)) break;
    }
    if (blocks == 1) config.gridDim = dim3(1), config.numAttrs = 0;
    GcmcSpeculating how = how_;
    how.accepted = kSpeculativeAccepted, how.together = static_cast<int>(blocks);
    if (Trace::kOn) how.fixed = 1;
    exec.launch(name, [&] {
      exec::checkCuda(cudaLaunchKernelEx(&config, kernel, a, moves, how, trace), name);
    });
  }

  // Code for compute capability 9.0 on a device that has clusters, and room for one.
  template <class Kernel>
  static bool clustersFit(exec::CudaExec& exec, Kernel kernel, const cudaLaunchConfig_t& config) {
    constexpr const char* kName = "moves (speculative)";
    const bool there = exec::deviceAttribute(cudaDevAttrClusterLaunch, exec.config().device) != 0;
    int fit = 0;
    cudaFuncAttributes made{};
    exec::checkCuda(cudaFuncGetAttributes(&made, kernel), kName);
    if (!there || made.ptxVersion < 90) return false;
    constexpr unsigned kPortable = 8;
    if (config.gridDim.x > kPortable)
      exec::checkCuda(
          cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), kName);
    if (cudaOccupancyMaxActiveClusters(&fit, kernel, &config) == cudaSuccess) return fit > 0;
    cudaGetLastError();  // the answer of a device whose clusters are smaller
    return false;
  }

  GcmcSpeculating how_;
};

}  // namespace

}  // namespace GCMC_TYPES

template <>
std::unique_ptr<GcmcEngine> GcmcOnCuda<kGcmcMixtures>::speculative(const exec::Shared& exec,
                                                                   const GcmcOptions& options) {
  return std::make_unique<GcmcParallel<exec::CudaExec, Speculative>>(
      exec, Speculative{gcmcSpeculating(options)}, options);
}

}  // namespace cellscope
