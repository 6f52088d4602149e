#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <optional>

#include "sim/algo/gcmc/flight_warps.cuh"
#include "sim/algo/gcmc/in_order_impl.h"

namespace cellscope {

namespace {

// Batches are ordered many at a time: draws, what is settled from the beginning, and one kernel for
// all rounds. The host looks at the head once for all of them.
class CudaRounds {
 public:
  void begin(const GcmcFlights&, const Box&) { graph_.reset(); }

  // What is ordered after a full cell does nothing.
  template <class Notes, class At>
  void run(exec::CudaExec& exec, const GcmcFlights& g, std::uint64_t turns, const Notes& notes,
           const At& at) {
    const std::uint64_t batches = turns * ((g.turn + g.most - 1) / g.most);
    for (std::uint64_t k = 0; k < batches; ++k) {
      if (k != 0 && k % kBatches == 0 && hasStopped(exec, g, at)) return;
      if constexpr (Notes::kOn)
        launch(exec, g, notes);
      else
        order(exec, g);
    }
  }

 private:
  static constexpr std::uint64_t kBatches = 64;  // ordered before the host looks again
  static constexpr const char* kRounds = "rounds of moves in flight";

  template <class At>
  static bool hasStopped(exec::CudaExec& exec, const GcmcFlights& g, const At& at) {
    exec.synchronize();
    GcmcFlightHead head;
    exec::copy(Backend::cpu, &head, Backend::cuda, g.head, sizeof head);
    at(head.move);
    return head.stopped != 0;
  }
  void order(exec::CudaExec& exec, const GcmcFlights& g) {
    const NoGcmcFlightNotes none;
    if (exec.timesSoon(kRounds)) return launch(exec, g, none);
    if (!graph_) graph_.emplace(exec.record([&] { launch(exec, g, none); }));
    exec.replay("moves in flight", *graph_);
  }
  template <class Notes>
  void launch(exec::CudaExec& exec, const GcmcFlights& g, const Notes& notes) {
    orderBegin(exec, g, g.most);
    g.ignore ? oneRound(exec, g, notes) : allRounds(exec, g, notes);
  }
  template <class Notes>
  static void oneRound(exec::CudaExec& exec, const GcmcFlights& g, const Notes& notes) {
    const unsigned blocks = (g.most + kFlightWarps - 1) / kFlightWarps;
    exec.launch(kRounds,
                [&] { decideMoves<<<blocks, 32 * kFlightWarps, 0, exec.stream()>>>(g, notes); });
    orderApply(exec, g, g.most);
  }
  template <class Notes>
  void allRounds(exec::CudaExec& exec, const GcmcFlights& g, const Notes& notes) {
    if (blocks_ == 0) prepare(exec);
    const unsigned needed = (g.most * 32 + kRoundsThreads - 1) / kRoundsThreads;
    cudaLaunchAttribute together{};
    together.id = cudaLaunchAttributeCooperative;
    together.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(needed < blocks_ ? needed : blocks_), config.blockDim = kRoundsThreads;
    config.stream = exec.stream();
    config.attrs = &together, config.numAttrs = 1;
    exec.launch(kRounds, [&] {
      exec::checkCuda(cudaLaunchKernelEx(&config, flightRounds<Notes>, GcmcFlightApply{g}, notes),
                      kRounds);
    });
  }
  // As many blocks as fit the GPU at the same time, of either instance.
  void prepare(exec::CudaExec& exec) {
    int each = 0, recording = 0, processors = 0;
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &each, flightRounds<NoGcmcFlightNotes>, kRoundsThreads, 0),
                    kRounds);
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &recording, flightRounds<GcmcFlightNotes>, kRoundsThreads, 0),
                    kRounds);
    if (recording < each) each = recording;
    exec::checkCuda(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, exec.config().device),
        kRounds);
    blocks_ = static_cast<unsigned>((each > 0 ? each : 1) * processors);
  }

  unsigned blocks_ = 0;
  std::optional<exec::LaunchGraph> graph_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcInOrderCuda(const exec::Shared& exec,
                                                const GcmcOptions& options) {
  return std::make_unique<GcmcInOrder<exec::CudaExec, CudaRounds>>(exec, options);
}

}  // namespace cellscope
