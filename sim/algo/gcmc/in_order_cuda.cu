#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <cooperative_groups.h>

#include "sim/algo/gcmc/flight_decide.h"
#include "sim/algo/gcmc/in_order_impl.h"
#include "sim/algo/gcmc/warp_energies.cuh"

namespace cellscope {
inline namespace GCMC_TYPES {

// Decisions of moves in flight on CUDA: a warp per move that decides.
//
// Work of one move at density 0.67, cutoff 2.5, cells of 2.6: 20 of the 27 cells have a point
// within the cutoff of its point; their 240 particles are 2.9 kB read from the L2 cache and eight
// distances of each lane, some 45 instructions each where a lane finds a neighbour; half as much
// again on the average, as displacements have two points. With records some 700 instructions of a
// warp and 4 kB a move (1,600 are measured). An H200 issues 9e11 instructions a second and reads
// 6e12 bytes from its L2 cache: at most 1.3e9 moves/s. What a batch takes beyond that are its
// rounds: two barriers of all blocks each, of some 1.5 us, and of one block in the last ones.

// All rounds of a batch in one kernel: blocks that wait for each other.
inline constexpr int kRoundsThreads = 512;
inline constexpr std::uint32_t kRoundsAlone = 32;  // moves that one block decides faster by itself

class GcmcWarpCrew {
 public:
  // room: NearPairs::kRoom numbers in shared memory, of this warp alone.
  __device__ GcmcWarpCrew(const GcmcFlights& g, float* room)
      : g_(g),
        p_(g.p),
        room_(room),
        lane_(static_cast<int>(threadIdx.x % 32)),
        batch_(g.head->batch) {
    const GcmcCube& c = p_.cube;
    const int x = lane_ % c.span[0], rest = lane_ / c.span[0];
    offset_[0] = x - c.span[0] / 2;
    offset_[1] = rest % c.span[1] - c.span[1] / 2;
    offset_[2] = rest / c.span[1] - c.span[2] / 2;
  }

  __device__ int lane() const { return lane_; }
  __device__ double sum(double x) const { return sumOverWarp(x); }
  __device__ void wait() const { __syncwarp(); }

  // The cell of this lane, if any.
  struct Near {
    std::uint32_t cell;
    bool any;
  };
  __device__ Near near(GcmcPoint at) const {
    const Where w = where(at);
    return found(w, lane_ < p_.cube.cells() && (middle() || inReach(w, at)));
  }
  // Of two points in one cell.
  __device__ Near near(GcmcPoint at, GcmcPoint other) const {
    const Where w = where(at);
    return found(w, lane_ < p_.cube.cells() && (middle() || inReach(w, at) || inReach(w, other)));
  }
  template <class F>
  __device__ void forCells(const Near& near, const F& f) const {
    if (!near.any) return;
    const ulonglong2 first = reinterpret_cast<const ulonglong2*>(g_.first)[near.cell];
    f(near.cell, ofBatch(first.x), ofBatch(first.y));
  }

  __device__ int lanes() const { return 32; }
  // As pairs() does: the cells with particles one after another, the next one to the other half.
  template <class Visit, class Pair>
  __device__ void forReads(const Near& near, GcmcPoint at, const Visit& visit,
                           const Pair& pair) const {
    const std::uint32_t held = heldBy(near);
    const bool holds = held > 0;
    if (lane_ < p_.cube.cells() && !holds) {
      const Where w = where(at);
      visit(near.any ? near.cell : p_.cube.number(w.at[0], w.at[1], w.at[2]),
            GcmcReader{0, lane_, 0, 1, true}, !near.any);
    }
    int turn = 0;
    for (unsigned left = __ballot_sync(kAll, holds); left != 0; left &= left - 1, ++turn) {
      const int of = __ffs(static_cast<int>(left)) - 1;
      const std::uint32_t cell = __shfl_sync(kAll, near.cell, of);
      const std::uint32_t filled = __shfl_sync(kAll, held, of);
      if (lane_ / kHalf != turn % 2) continue;
      const GcmcReader who{0, lane_, turn / 2, kHalf, lane_ % kHalf == 0};
      if (who.first) visit(cell, who, false);
      for (std::uint32_t k = static_cast<std::uint32_t>(lane_ % kHalf); k < filled; k += kHalf)
        pair(cell, k, who);
    }
  }
  __device__ double energy(const Near& near, GcmcPoint at) const {
    return pairs<false>(near, at, at);
  }
  __device__ double change(const Near& near, GcmcPoint from, GcmcPoint to) const {
    return pairs<true>(near, to, from);
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  static constexpr int kHalf = 16;
  static constexpr int kAtOnce = 2;  // cells of each half of the warp

  // Place of this lane's cell along each axis.
  struct Where {
    int at[3];
  };
  __device__ Where where(GcmcPoint p) const {
    const std::uint32_t word[3] = {p.x, p.y, p.z};
    Where w;
    for (int k = 0; k < 3; ++k) {
      const int at = p_.cube.along(word[k], k) + offset_[k], count = p_.cube.count[k];
      w.at[k] = at < 0 ? at + count : at >= count ? at - count : at;
    }
    return w;
  }
  // The one of the point itself: also without a cutoff.
  __device__ bool middle() const { return lane_ == p_.cube.cells() / 2; }
  // As gcmcInReach.
  __device__ bool inReach(const Where& w, GcmcPoint p) const {
    GcmcWords words{};
    const std::uint32_t* edge = p_.edge;
    for (int k = 0; k < 3; ++k) {
      if (k >= p_.rules.dimension) continue;
      words.first[k] = edge[w.at[k]], words.last[k] = edge[w.at[k] + 1] - 1;
      edge += p_.cube.count[k] + 1;
    }
    return gcmcInReach(p_, words, p);
  }
  __device__ Near found(const Where& w, bool any) const {
    return {any ? p_.cube.number(w.at[0], w.at[1], w.at[2]) : 0u, any};
  }
  __device__ std::uint32_t heldBy(const Near& near) const {
    return near.any ? p_.filled[near.cell] : 0u;
  }
  __device__ std::uint32_t ofBatch(std::uint64_t first) const {
    return first >> 32 == batch_ ? static_cast<std::uint32_t>(first) : kNoEntry;
  }

  // Pair energies of a particle at `at`, less those at `less` where that is wanted. Half of the
  // warp takes a cell, several on their way at the same time.
  template <bool difference>
  __device__ double pairs(const Near& near, GcmcPoint at, GcmcPoint less) const {
    const GcmcPair& pair = p_.rules.pair;
    if (!(pair.cutoffSquared > 0)) return 0;
    const std::uint32_t held = heldBy(near);
    const bool second = lane_ >= kHalf;
    const auto own = static_cast<std::uint32_t>(lane_ % kHalf);
    NearPairs kept(pair, room_);
    for (unsigned left = __ballot_sync(kAll, held > 0); left != 0;) {
      std::uint32_t cell[kAtOnce], filled[kAtOnce], most = 0;
#pragma unroll
      for (int j = 0; j < kAtOnce; ++j) {
        const int one = __ffs(static_cast<int>(left)) - 1;  // -1: none left
        left &= left - 1;
        const int other = __ffs(static_cast<int>(left)) - 1;
        left &= left - 1;
        const int of = second ? other : one;
        cell[j] = __shfl_sync(kAll, near.cell, of & 31);
        filled[j] = __shfl_sync(kAll, held, of & 31);
        if (of < 0) filled[j] = 0;
        most = max(most, filled[j]);
      }
      most = exec::maxOverWarp(most);
      for (std::uint32_t k = own; k < most + own; k += kHalf) {
        GcmcPoint q[kAtOnce] = {};
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j)
          if (k < filled[j]) q[j] = p_.point(cell[j], k);
#pragma unroll
        for (int j = 0; j < kAtOnce; ++j) {
          const bool any = k < filled[j];
          kept.keep(gcmcReduced(pair, at, q[j]), any, false);
          if (difference) kept.keep(gcmcReduced(pair, less, q[j]), any, true);
        }
      }
    }
    return kept.sum();
  }

  const GcmcFlights& g_;
  const GcmcSlotCells& p_;
  float* const room_;
  const int lane_;
  const std::uint32_t batch_;
  int offset_[3];  // of this lane's cell from the middle one
};

// All rounds of a batch that has begun, the last ones, which have few moves, by one block. Blocks
// must all be there at the same time. What the end of a round changes in the head, others change
// after the next barrier at the earliest.
template <class Notes>
__global__ void __launch_bounds__(kRoundsThreads, 2)
    flightRounds(__grid_constant__ const GcmcFlights g, Notes notes) {
  if (g.head->stage != GcmcFlightStage::inFlight) return;
  constexpr std::uint32_t kWarps = kRoundsThreads / 32;
  __shared__ float room[kWarps][NearPairs::kRoom];
  __shared__ alignas(GcmcSlotFactors) std::byte stored[sizeof(GcmcSlotFactors)];
  auto& factors = *reinterpret_cast<GcmcSlotFactors*>(stored);  // without a constructor
  if (threadIdx.x == 0) factors = g.head->factors;
  __syncthreads();
  const GcmcWarpCrew crew(g, room[threadIdx.x / 32]);
  bool alone = gridDim.x == 1;
  std::uint32_t warp = blockIdx.x * kWarps + threadIdx.x / 32, warps = gridDim.x * kWarps;
  const auto wait = [&] { alone ? __syncthreads() : cooperative_groups::this_grid().sync(); };
  for (std::uint32_t round = 0;; ++round) {
    const std::uint32_t looks = exec::loadGlobal(&g.head->looks[round % 3]);
    if (looks == 0) return;
    if (!alone && looks <= kRoundsAlone) {
      if (blockIdx.x != 0) return;
      alone = true, warps = kWarps;
    }
    const GcmcDecide<GcmcWarpCrew, Notes> decide(g, crew, round, factors, notes);
    std::uint32_t move = warp < looks ? g.looks[warp] : 0;
    for (std::uint32_t k = warp; k < looks; k += warps) {
      const std::uint32_t next = k + warps < looks ? g.looks[k + warps] : move;
      asm volatile("prefetch.global.L1 [%0];" ::"l"(&g.at(next)));
      decide(move);
      move = next;
    }
    wait();
    if (const std::uint32_t moved = exec::loadGlobal(&g.head->moved[round % 3]); moved > 0) {
      for (std::uint32_t k = warp; k < moved; k += warps)
        if (crew.lane() == 0) gcmcRegister(g, g.moved[k]);
      wait();
    }
    if (!g.ignore) {
      const GcmcSpread<GcmcWarpCrew> spread(g, crew, round);
      const std::uint32_t changes = exec::loadGlobal(&g.head->changes[round % 3]);
      for (std::uint32_t k = warp; k < changes; k += warps) spread(g.changes[k]);
    }
    wait();
    if (warp == 0 && crew.lane() == 0) gcmcEndRound(g, round);
  }
}

namespace {

// Batches are ordered many at a time: draws, one kernel for all rounds, and what is accepted. The
// host looks at the head once for all of them.
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
    const auto head = exec::onHost<GcmcFlightHead>(Backend::cuda, g.head, 1)[0];
    at(head.move);
    return head.stopped != 0;
  }
  void order(exec::CudaExec& exec, const GcmcFlights& g) {
    const NoGcmcTrace none;
    if (exec.timesSoon(kRounds)) return launch(exec, g, none);
    if (!graph_) graph_.emplace(exec.record([&] { launch(exec, g, none); }));
    exec.replay("moves in flight", *graph_);
  }
  template <class Notes>
  void launch(exec::CudaExec& exec, const GcmcFlights& g, const Notes& notes) {
    if (blocks_ == 0) prepare(exec);
    orderBegin(exec, g, g.most);
    const unsigned needed = (g.most * 32 + kRoundsThreads - 1) / kRoundsThreads;
    exec.launchResident(kRounds, needed < blocks_ ? needed : blocks_, kRoundsThreads, 0, 1,
                        flightRounds<Notes>, g, notes);
    orderApply(exec, g, g.most);
  }
  // As many blocks as fit the GPU at the same time, of either instance.
  void prepare(exec::CudaExec& exec) {
    int each = 0, recording = 0;
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, flightRounds<NoGcmcTrace>,
                                                                  kRoundsThreads, 0),
                    kRounds);
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                        &recording, flightRounds<GcmcFlightNotes>, kRoundsThreads, 0),
                    kRounds);
    if (recording < each) each = recording;
    const int processors =
        exec::deviceAttribute(cudaDevAttrMultiProcessorCount, exec.config().device);
    blocks_ = static_cast<unsigned>((each > 0 ? each : 1) * processors);
  }

  unsigned blocks_ = 0;
  std::optional<exec::LaunchGraph> graph_;
};

}  // namespace

}  // namespace GCMC_TYPES

template <>
std::unique_ptr<GcmcEngine> GcmcOnCuda<kGcmcMixtures>::inOrder(const exec::Shared& exec,
                                                               const GcmcOptions& options) {
  return std::make_unique<GcmcInOrder<exec::CudaExec, CudaRounds>>(exec, options);
}

}  // namespace cellscope
