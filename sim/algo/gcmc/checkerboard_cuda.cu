#include "sim/exec/cuda_exec.cuh"
// after CUB
#include "sim/algo/gcmc/board_cell.h"
#include "sim/algo/gcmc/board_hood.cuh"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/exec/cuda_check.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// The attempts of a colour of the checkerboard on CUDA: a warp per active cell, or two where there
// are few cells.
//
// The warp gathers what is around the cell once for all attempts of the turn into shared memory: at
// density 0.67, cutoff 2.5, cells of 2.6 the 225 of 320 particles of the 27 cells that are within
// reach of the cell. Then it works out up to sixteen points at a time, those of some twelve
// attempts, against the same state, at least two lanes a point, and decides these attempts in the
// order of the chain. An accepted one changes what later ones have found by the pairs with the one
// particle that moved, came or went; those whose own particle it was, or that would choose another
// one now, are worked out again.
//
// Work of sixteen points: 240 particles, 120 for each lane, of some 10 instructions; 44 neighbours,
// 22 of each lane but 28 of the one with most, of 40 instructions: 190 instructions of a warp for
// each attempt, and some 160 to gather, draw and decide. An H200 issues 1.05e12 of them a second:
// at most 3e9 attempts/s. Bytes (3.8 kB a turn from the L2 cache) would allow 2e10 at 32 attempts.

// Warps of a multiprocessor where a cell has one or two of them, as registers allow.
constexpr int boardWarps(int ofCell) { return ofCell == 1 ? 20 : 16; }

// The attempts of a turn, 32 at most.
template <int kWarps>
class GcmcBoardTurn {
 public:
  using Hood = GcmcBoardWarpHood<kWarps>;
  using Cell = GcmcBoardCell<Hood>;
  static constexpr int kPoints = 16;
  static constexpr std::uint32_t kWords = 4 * kPoints;  // in shared memory

  // Those of the moves from this one on.
  __device__ GcmcBoardTurn(const GcmcBoard& b, Hood& hood, Cell& cell, std::uint32_t* words,
                           std::uint64_t move, int count)
      : hood_(hood),
        cell_(cell),
        point_(reinterpret_cast<uint4*>(words)),
        move_(move),
        count_(count),
        lane_(static_cast<int>(threadIdx.x % 32)),
        draw_(gcmcDraw(b.rules, move + lane_)),
        unknown_(lane_ < count) {}

  __device__ void make() {
    while (true) {
      const bool yes = !unknown_ && (t_.old || t_.fresh) && cell_.accepts(draw_, dU_);
      const unsigned open = __ballot_sync(kAll, lane_ >= next_ && (unknown_ || yes));
      if (open == 0) return;
      next_ = __ffs(static_cast<int>(open)) - 1;
      if (__shfl_sync(kAll, unknown_, next_))
        workOut();
      else
        carryOut();
    }
  }
  __device__ void count(GcmcBoardTally& tally) const {
    for (int k = 0; k < kGcmcKindsMade; ++k) {
      const bool of = lane_ < count_ && static_cast<int>(draw_.kind) == k;
      tally.attempted[k] += __popc(__ballot_sync(kAll, of));
      tally.accepted[k] += __popc(__ballot_sync(kAll, of && accepted_));
    }
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;

  // The changes of the energy by attempts that are unknown, of the first sixteen points.
  __device__ void workOut() {
    bool mine = unknown_ && lane_ >= next_;
    begin(mine);
    const bool fresh = mine && t_.fresh, old = mine && t_.old;
    const unsigned before = (1u << lane_) - 1;
    const int at =
        __popc(__ballot_sync(kAll, fresh) & before) + __popc(__ballot_sync(kAll, old) & before);
    const int second = at + (fresh ? 1 : 0), after = second + (old ? 1 : 0);
    mine = mine && after <= kPoints;
    if (mine && fresh) point_[at] = {t_.to.x, t_.to.y, t_.to.z, t_.slot};
    if (mine && old) point_[second] = {t_.from.x, t_.from.y, t_.from.z, t_.slot};
    const unsigned those = __ballot_sync(kAll, mine);
    const double u = energies(__shfl_sync(kAll, after, 31 - __clz(static_cast<int>(those))));
    const double to = __shfl_sync(kAll, u, at % 32), from = __shfl_sync(kAll, u, second % 32);
    if (!mine) return;
    unknown_ = false;
    dU_ = (fresh ? to : 0.0) - (old ? from : 0.0);
  }
  // Trials as they are now.
  __device__ void begin(bool mine) {
    if (mine) t_ = cell_.trial(draw_, move_ + lane_);
    const bool insertion = mine && t_.fresh && !t_.old;
    if (kGcmcMixtures || !__any_sync(kAll, insertion)) return;
    std::uint32_t nearest = kGcmcNoSlot;
    const double least = hood_.least(t_.to, &nearest);
    if (insertion && cell_.hopeless(draw_, least)) t_.fresh = false, t_.slot = nearest;
  }
  // Of the first points, by lane.
  __device__ double energies(int all) const {
    if (all == 0) return 0;
    int two = 1;  // to this power: lanes in a row with different points
    while (1 << two < all) ++two;
    __syncwarp();
    const uint4 p = point_[min(lane_ & ((1 << two) - 1), all - 1)];
    __syncwarp();
    double u =
        hood_.energyOfPart({p.x, p.y, p.z}, p.w, static_cast<std::uint32_t>(lane_) >> two, two);
#pragma unroll 1
    for (int step = 1 << two; step < 32; step *= 2) u += __shfl_xor_sync(kAll, u, step);
    return hood_.overWarps(u);
  }
  __device__ void carryOut() {
    GcmcTrial done{};
    const auto of = [&](std::uint32_t word) { return __shfl_sync(kAll, word, next_); };
    const auto kind = static_cast<GcmcKind>(of(static_cast<std::uint32_t>(draw_.kind)));
    done.old = kind != GcmcKind::insertion;
    done.fresh = kind != GcmcKind::deletion;
    done.slot = of(t_.slot);
    done.from = {of(t_.from.x), of(t_.from.y), of(t_.from.z)};
    done.to = {of(t_.to.x), of(t_.to.y), of(t_.to.z)};
    cell_.carryOut(done, move_ + next_);
    if (lane_ == next_) accepted_ = true;
    ++next_;
    if (unknown_ || lane_ < next_ || lane_ >= count_) return;
    // What a later attempt has found is put right.
    if (done.old && t_.slot == done.slot) unknown_ = true;
    if (done.old != done.fresh && !choosesAgain(hood_.count())) unknown_ = true;
    if (!unknown_ && (t_.old || t_.fresh)) dU_ += hood_.changeBy(done, t_);
  }
  // Whether the trial is the same with another number of particles.
  __device__ bool choosesAgain(std::uint32_t n) const {
    if (draw_.kind == GcmcKind::insertion) return t_.fresh;
    return n > 0 && gcmcSlot(draw_, n) == t_.slot;
  }

  Hood& hood_;
  Cell& cell_;
  uint4* const point_;  // with the entry of the cell that it is of
  const std::uint64_t move_;
  const int count_, lane_;
  // Of this lane: its attempt, and whether the energies of that are to be worked out.
  const GcmcDraw draw_;
  GcmcTrial t_{};
  double dU_ = 0;
  bool unknown_, accepted_ = false;
  int next_ = 0;  // the attempts before it are decided
};

// Of a warp, in shared memory.
template <int kWarps>
__host__ __device__ std::uint32_t boardWords(std::uint32_t room) {
  return GcmcBoardTurn<kWarps>::kWords + GcmcBoardWarpHood<kWarps>::wordsOfWarp(room);
}

// By a block for each active cell, whose warps have room for this number of particles. The instance
// that records makes attempts one at a time, and so do experiments.
template <class Notes, int kWarps>
__global__ void __launch_bounds__(32 * kWarps, boardWarps(kWarps) / kWarps)
    boardAttempts(__grid_constant__ const GcmcBoard b, std::uint32_t room, Notes notes) {
  extern __shared__ __align__(16) std::uint32_t words[];
  using Hood = GcmcBoardWarpHood<kWarps>;
  using Turn = GcmcBoardTurn<kWarps>;
  if (b.idle()) return;
  const std::uint32_t ofWarp = boardWords<kWarps>(room);
  std::uint32_t* const own = words + threadIdx.x / 32 * ofWarp;
  Hood hood(b, own + Turn::kWords, room, reinterpret_cast<double*>(words + kWarps * ofWarp));
  GcmcBoardTally tally;
  const std::uint64_t turn = b.head->turn * b.movesOfTurn();
  const int colour = b.head->colour;
  const GcmcBoardShare share = gcmcBoardShare(b);
  if (blockIdx.x >= share.count) return;
  const std::size_t i = share.at(blockIdx.x);
  const GcmcBoardPlace place = gcmcBoardPlace(b, colour, i);
  const std::uint64_t move = turn + i * b.attempts;
  if (!Notes::kOn && gcmcBoardRests(b, place)) {
    tally.attempted[0] = static_cast<std::uint32_t>(b.attempts);
  } else {
    const GcmcBoardSpan span = gcmcBoardSpan(b, place);
    hood.gather(place, span);
    if constexpr (Notes::kOn) {
      GcmcBoardCell<Hood, Notes> cell(b, place, span, hood, notes, notes.traces(b, i));
      const int attempts = cell.attempts();
      for (int k = 0; k < attempts; ++k) cell.attempt(move + k, gcmcDraw(b.rules, move + k), tally);
    } else {
      typename Turn::Cell cell(b, place, span, hood);
      for (int k = 0; k < b.attempts; k += 32) {
        Turn attempts(b, hood, cell, own, move + k, min(32, b.attempts - k));
        attempts.make();
        attempts.count(tally);
      }
    }
  }
  if (threadIdx.x == 0) tally.addTo(*b.head);
}

namespace {

class Attempts {
 public:
  template <class Notes>
  void order(exec::CudaExec& exec, const GcmcBoard& b, std::uint32_t n, const Notes& notes,
             const GcmcProgress& at) {
    if constexpr (!Notes::kOn)
      if (b.experiment != GcmcBoardExperiment::none) return order(exec, b, n, GcmcBoardNotes{}, at);
    if (threadsOfCell(exec, b) == 32)
      launch<Notes, 1>(exec, b, n, notes);
    else
      launch<Notes, 2>(exec, b, n, notes);
  }
  // Two warps where the GPU has room for those of all active cells.
  int threadsOfCell(const exec::CudaExec& exec, const GcmcBoard& b) const {
    const int processors =
        exec::deviceAttribute(cudaDevAttrMultiProcessorCount, exec.config().device);
    const std::size_t room = boardWarps(2) * static_cast<std::size_t>(processors);
    return 2 * b.active() / b.domains <= room ? 64 : 32;
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
  template <class Notes, int kWarps>
  void launch(exec::CudaExec& exec, const GcmcBoard& b, std::uint32_t n, const Notes& notes) {
    constexpr const char* kName =
        Notes::kOn ? "attempts of a colour, recorded" : "attempts of a colour";
    const std::uint32_t room = roomFor(b, n);
    const std::uint32_t words =
        kWarps * boardWords<kWarps>(room) + GcmcBoardWarpHood<kWarps>::kWordsOfBlock;
    const auto kernel = boardAttempts<Notes, kWarps>;
    exec::allowAllShared(kernel, kName);
    exec.launch(kName, [&] {
      kernel<<<static_cast<unsigned>(b.active()), 32 * kWarps, words * sizeof(words),
               exec.stream()>>>(b, room, notes);
    });
  }
  // Particles within reach of a cell at the mean density, and a quarter as many more; where there
  // are more, those of other cells are read from global memory.
  static std::uint32_t roomFor(const GcmcBoard& b, std::uint32_t n) {
    const double cell = static_cast<double>(n) / static_cast<double>(b.cube.allCells());
    const double reach = 0.72 * gcmcBoardNeighbours(b);  // of the cells around, by volume
    const auto wanted = static_cast<std::uint32_t>(1.25 * cell * reach) / 32 * 32 + 64;
    return std::max(b.held.capacity, std::min(wanted, 2048u));
  }

  std::uint32_t recorded_ = 0;
  std::optional<exec::LaunchGraph> graph_;
  exec::Event done_[2];
};

}  // namespace

}  // namespace GCMC_TYPES

template <>
std::unique_ptr<GcmcEngine> GcmcOnCuda<kGcmcMixtures>::checkerboard(const exec::Shared& exec,
                                                                    const GcmcOptions& options) {
  return std::make_unique<GcmcCheckerboard<exec::CudaExec, Attempts>>(exec, options);
}

template <>
std::unique_ptr<GcmcBoardPart> GcmcOnCuda<kGcmcMixtures>::boardPart(const ExecConfig& config) {
  return std::make_unique<GcmcBoardDomains<exec::CudaExec, Attempts>>(config);
}

}  // namespace cellscope
