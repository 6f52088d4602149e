#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <optional>

#include "sim/algo/gcmc/flight_warps.cuh"
#include "sim/algo/gcmc/in_order_impl.h"

namespace cellscope {

namespace {

// Batches are ordered many at a time, each with so many rounds; rounds of a batch that is done do
// nothing, and a batch that needs more goes on in those of the next. The host looks at the head
// once for all of them.
class CudaRounds {
 public:
  void begin(const GcmcFlights&, const Box&) { graph_.reset(); }

  void run(exec::CudaExec& exec, const GcmcFlights& g) {
    for (;;) {
      const GcmcFlightHead head = readHead(exec, g);
      adjust(head.counts);
      if (head.stopped != 0 || (head.move == head.end && head.stage == GcmcFlightStage::between))
        return;
      const std::uint64_t left = (head.end - head.move + g.most - 1) / g.most;
      const std::uint64_t now = left < kBatches ? left : kBatches;
      for (std::uint64_t k = 0; k < now; ++k) order(exec, g);
    }
  }
  GcmcSums sums(exec::CudaExec& exec, const GcmcBoard& b) const {
    exec::DeviceValue<GcmcSums> out(Backend::cuda);
    exec.reduce("energy of all pairs", b.cube.allCells(), GcmcSums{}, GcmcBoardSums{b},
                GcmcAddSums{}, out);
    return exec.read(out);
  }

 private:
  static constexpr std::uint64_t kBatches = 64;  // ordered before the host looks again
  static constexpr const char* kDecide = "decide moves";

  static GcmcFlightHead readHead(exec::CudaExec& exec, const GcmcFlights& g) {
    exec.synchronize();
    GcmcFlightHead head;
    exec::copy(Backend::cpu, &head, Backend::cuda, g.head, sizeof head);
    return head;
  }
  // One batch, and as many rounds as most of them need.
  void order(exec::CudaExec& exec, const GcmcFlights& g) {
    if (exec.timesSoon(kDecide)) return launch(exec, g);
    if (!graph_ || recorded_ != rounds_) {
      graph_.emplace(exec.record([&] { launch(exec, g); }));
      recorded_ = rounds_;
    }
    exec.replay("moves in flight", *graph_);
  }
  void launch(exec::CudaExec& exec, const GcmcFlights& g) {
    if (blocks_ == 0) prepare(exec);
    orderBegin(exec, g, g.most);
    const unsigned needed = (g.most + kFlightWarps - 1) / kFlightWarps;
    const unsigned blocks = needed < blocks_ ? needed : blocks_;
    for (int k = 0; k < rounds_; ++k) {
      exec.launch(kDecide,
                  [&] { decideMoves<<<blocks, 32 * kFlightWarps, 0, exec.stream()>>>(g); });
      orderApply(exec, g, g.most);
    }
  }
  void prepare(exec::CudaExec& exec) {
    int each = 0, processors = 0;
    exec::checkCuda(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, decideMoves, 32 * kFlightWarps, 0),
        kDecide);
    exec::checkCuda(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, exec.config().device),
        kDecide);
    blocks_ = static_cast<unsigned>((each > 0 ? each : 1) * processors);
  }

  // The number of rounds with which a batch costs least: those that it does not need against
  // beginning again for those that are missing.
  void adjust(const GcmcFlightCounts& now) {
    if (now.batches < counted_.batches) counted_ = {};  // cleared
    if (now.batches - counted_.batches < kLearnFrom) return;
    double best = 0;
    int rounds = rounds_;
    for (int r = 2; r <= kFlightRounds; ++r) {
      double cost = 0;
      for (int k = 0; k <= kFlightRounds; ++k)
        cost += static_cast<double>(now.batchesOf[k] - counted_.batchesOf[k]) * ((k + r - 1) / r) *
                (r + 1);
      if (best != 0 && cost >= best) continue;
      best = cost, rounds = r;
    }
    counted_ = now;
    // Recording takes time: not for a round more or less.
    if (rounds > rounds_ || rounds + 2 < rounds_) rounds_ = rounds;
  }
  static constexpr std::uint64_t kLearnFrom = 64;

  int rounds_ = 12, recorded_ = 0;
  unsigned blocks_ = 0;
  GcmcFlightCounts counted_;
  std::optional<exec::LaunchGraph> graph_;
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcInOrderCuda(const exec::Shared& exec,
                                                const GcmcOptions& options) {
  return std::make_unique<GcmcInOrder<exec::CudaExec, CudaRounds>>(exec, options);
}

}  // namespace cellscope
