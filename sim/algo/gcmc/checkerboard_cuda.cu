#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <optional>

#include "sim/algo/gcmc/board_warps.cuh"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/event.cuh"

namespace cellscope {

namespace {

class Attempts {
 public:
  template <class Notes>
  void order(exec::CudaExec& exec, const GcmcBoard& b, std::uint32_t n, const Notes& notes,
             const GcmcProgress&) {
    const std::uint32_t room = roomFor(b, n);
    const auto bytes =
        static_cast<std::size_t>(kBoardWarps) * 3 * (b.capacity + room) * sizeof(std::uint32_t);
    if (bytes != bytes_) prepare(exec, bytes);
    constexpr const char* kName =
        Notes::kOn ? "attempts of a colour, recorded" : "attempts of a colour";
    const auto needed = (b.active() + kBoardWarps - 1) / kBoardWarps;
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(needed, blocks_));
    exec.launch(kName, [&] {
      boardAttempts<<<blocks, 32 * kBoardWarps, bytes, exec.stream()>>>(b, room, notes);
    });
  }
  void begin() { graph_.reset(); }
  // What another domain orders after makeWait() begins when what this one had ordered before its
  // last signal() of that slot is done.
  void signal(exec::CudaExec& exec, std::size_t slot) { done_[slot].record(exec.stream()); }
  void makeWait(exec::CudaExec& other, std::size_t slot) const {
    done_[slot].makeWait(other.stream());
  }
  // As one graph: what a sweep does is the same but for the shared memory of the attempts.
  template <class Make>
  void sweep(exec::CudaExec& exec, const GcmcBoard& b, std::uint32_t n, const Make& make) {
    if (exec.timesSoon("attempts of a colour")) return make();
    const std::uint32_t room = roomFor(b, n);
    if (!graph_ || room > recorded_ || room + 64 < recorded_) {
      graph_.emplace(exec.record(make));
      recorded_ = room;
    }
    exec.replay("sweep", *graph_);
  }

 private:
  static constexpr std::size_t kMostBytes = 96 << 10;

  // Particles within reach of a cell at the mean density, and half as many more; what is beyond
  // that is read from global memory.
  static std::uint32_t roomFor(const GcmcBoard& b, std::uint32_t n) {
    const double cell = static_cast<double>(n) / static_cast<double>(b.cube.allCells());
    const double reach = 0.72 * gcmcBoardNeighbours(b);  // of the cells around, by volume
    const auto wanted = static_cast<std::uint32_t>(1.5 * cell * reach) / 32 * 32 + 64;
    const std::uint32_t most = kMostBytes / (kBoardWarps * 12);
    return std::min(wanted, most > b.capacity ? most - b.capacity : 0);
  }
  void prepare(exec::CudaExec& exec, std::size_t bytes) {
    bytes_ = bytes;
    constexpr const char* kName = "attempts of a colour";
    exec::allowAllShared(boardAttempts<NoGcmcBoardNotes>, kName);
    exec::allowAllShared(boardAttempts<GcmcBoardNotes>, kName);
    int each = 0, processors = 0;
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &each, boardAttempts<NoGcmcBoardNotes>, 32 * kBoardWarps, bytes),
                    kName);
    exec::checkCuda(
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, exec.config().device),
        kName);
    // Several rounds, so that cells with much work are made up for.
    blocks_ = static_cast<std::size_t>(std::max(1, each) * processors * 4);
  }

  std::size_t bytes_ = ~std::size_t{0}, blocks_ = 1;
  std::uint32_t recorded_ = 0;
  std::optional<exec::LaunchGraph> graph_;
  exec::Event done_[2];
};

}  // namespace

std::unique_ptr<GcmcEngine> makeGcmcCheckerboardCuda(const exec::Shared& exec,
                                                     const GcmcOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CudaExec, Attempts>>(exec, options);
}

}  // namespace cellscope
