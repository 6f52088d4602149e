#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/algo/gcmc/board_cell.h"
#include "sim/algo/gcmc/checkerboard_impl.h"
#include "sim/algo/gcmc/near_pairs.cuh"
#include "sim/exec/cuda_check.h"

namespace cellscope {
inline namespace GCMC_TYPES {

// The attempts of a colour of the checkerboard on CUDA: a warp per active cell.
//
// Work of one attempt at density 0.67, cutoff 2.5, cells of 2.6: of the 320 particles in the 27
// cells 225 are within reach of the cell. The warp gathers these once for all attempts of the turn
// into shared memory (3.8 kB read from the L2 cache, 240 B an attempt at 16 attempts); an energy is
// then 225 distances, 7 of each lane, of some 45 instructions where a lane finds a neighbour: with
// sum, Boltzmann factor and a displacement's second energy some 550 instructions of a warp. An H200
// issues 9e11 of them a second: at most 1.7e9 attempts/s. Bytes would allow 2e10.

inline constexpr int kBoardWarps = 4;  // of a block

// Pair energies of the law as it is, or of Lennard-Jones, cut or shifted in energy, which asks
// nothing for each pair: the attempts of a cell ask once.
template <bool plain>
__device__ __forceinline__ float boardPairAt(const GcmcPair& p, GcmcPoint a, GcmcPoint b) {
  if constexpr (!plain) return gcmcPairAt(p, a, b);
  const GcmcReduced between = gcmcReduced(p, a, b);
  if (!(between.r2 < p.cutoffSquared)) return 0;
  const RoundedDistance<Rounded> d = gcmcHeld(p, Rounded(between.r2));
  const LennardJonesForm& form = p.forms;
  return gcmcEnded(p, form(d), d, false, Rounded(between.epsilon)).energy.v;
}
__device__ inline bool isPlain(const GcmcPair& p) {
  return !p.hard && p.form == ExactForms::numberOf<LennardJonesForm>() && p.forceAtCutoff == 0;
}

// The hood of a cell (board.h), by a warp: all lanes call with the same arguments.
class GcmcBoardWarpHood {
 public:
  // words: of this warp, 3 (b.held.capacity + room) in shared memory.
  __device__ GcmcBoardWarpHood(const GcmcBoard& b, std::uint32_t* words, std::uint32_t room)
      : b_(b),
        own_(words),
        other_(words + 3 * b.held.capacity),
        room_(room),
        lane_(threadIdx.x % 32),
        plain_(isPlain(b.rules.pair)) {}

  __device__ void gather(const GcmcBoardPlace& place, const GcmcBoardSpan& span) {
    place_ = place;
    n_ = b_.held.filled[place.cell];
    others_ = 0;
    __syncwarp();  // the last cell is done with
    for (std::uint32_t k = lane_; k < n_; k += 32) setOwn(k, b_.held.point(place.cell, k));
    const int all = gcmcBoardNeighbours(b_);
    // Two cells at a time, half a warp each.
    for (int j = 0; j < all; j += 2)
      gatherTwo(span, j, all, [&](std::uint32_t at, std::uint32_t, std::uint32_t, GcmcPoint p) {
        if (at < room_) other_[at] = p.x, other_[room_ + at] = p.y, other_[2 * room_ + at] = p.z;
      });
    direct_ = others_ > room_;
    __syncwarp();
  }

  __device__ std::uint32_t lane() const { return lane_; }
  __device__ std::uint32_t count() const { return n_; }
  __device__ GcmcPoint own(std::uint32_t k) const {
    return {own_[k], own_[b_.held.capacity + k], own_[2 * b_.held.capacity + k]};
  }
  __device__ void put(std::uint32_t k, GcmcPoint p) {
    __syncwarp();
    if (lane_ == 0) {
      setOwn(k, p);
      b_.held.put(place_.cell, k, p);
    }
    __syncwarp();
  }
  __device__ void insert(GcmcPoint p, ParticleId id) {
    const std::uint32_t k = n_++;
    put(k, p);
    if (lane_ != 0) return;
    b_.held.idOf(place_.cell, k) = id;
    b_.held.filled[place_.cell] = n_;
  }
  __device__ void erase(std::uint32_t k) {
    const std::uint32_t last = --n_;
    put(k, own(last));
    if (lane_ != 0) return;
    b_.held.idOf(place_.cell, k) = b_.held.idOf(place_.cell, last);
    b_.held.filled[place_.cell] = last;
  }

  // Of recording instances: which half of the warp gathered a cell, and which thread then reads a
  // particle, the own ones and those gathered 32 at a time.
  template <class Visit, class Pair>
  __device__ void forReads(const GcmcBoardSpan& span, const Visit& visit, const Pair& pair) {
    if (lane_ == 0) visit(place_.cell, GcmcReader{0, 0, 0, 32, true});
    for (std::uint32_t k = lane_; k < n_; k += 32) pair(place_.cell, k, lane_);
    const std::uint32_t gathered = others_;
    const int all = gcmcBoardNeighbours(b_);
    others_ = 0;
    for (int j = 0; j < all; j += 2) {
      const int mine = j + static_cast<int>(lane_ / 16);
      const std::uint32_t cell = mine < all ? gcmcBoardNeighbour(b_, place_, mine) : place_.cell;
      if (lane_ % 16 == 0 && cell != place_.cell)
        visit(cell, GcmcReader{0, static_cast<int>(lane_), j / 2 + 1, 16, true});
      gatherTwo(span, j, all, [&](std::uint32_t at, std::uint32_t of, std::uint32_t k, GcmcPoint) {
        pair(of, k, (direct_ ? k : at) % 32);
      });
    }
    others_ = gathered;
  }
  __device__ double energy(GcmcPoint p, std::uint32_t self) const {
    const GcmcPair& pair = b_.rules.pair;
    return plain_ ? sumOf(self, [&](GcmcPoint q) { return boardPairAt<true>(pair, p, q); })
                  : sumOf(self, [&](GcmcPoint q) { return boardPairAt<false>(pair, p, q); });
  }
  __device__ double change(GcmcPoint from, GcmcPoint to, std::uint32_t self) const {
    return plain_ ? sumOf(self, [&](GcmcPoint q) { return difference<true>(from, to, q); })
                  : sumOf(self, [&](GcmcPoint q) { return difference<false>(from, to, q); });
  }
  // No pair of one type has less than -1: one overlap in the own cell may be enough.
  __device__ bool tooHigh(GcmcPoint p, float limit) const {
    if (gcmcIsMixed(b_.rules.pair)) return false;
    const std::uint32_t most = n_ + (direct_ ? 27 * b_.held.capacity : others_);
    const float enough = limit + 1.001f * static_cast<float>(most);
    bool high = false;
    for (std::uint32_t k = lane_; k < n_; k += 32)
      high |= gcmcPairAt(b_.rules.pair, p, own(k)) > enough;
    return __any_sync(0xffffffffu, high) != 0;
  }

 private:
  // keep(at, cell, k, p): what a lane does with entry k of a cell, the particle `at` of those
  // within reach.
  template <class Keep>
  __device__ void gatherTwo(const GcmcBoardSpan& span, int first, int all, const Keep& keep) {
    const int j = first + static_cast<int>(lane_ / 16);
    const std::uint32_t cell = j < all ? gcmcBoardNeighbour(b_, place_, j) : place_.cell;
    const std::uint32_t filled = cell == place_.cell ? 0 : b_.held.filled[cell];
    for (std::uint32_t k = lane_ % 16; __any_sync(0xffffffffu, k < filled); k += 16) {
      GcmcPoint p{};
      bool near = k < filled;
      if (near) {
        p = b_.held.point(cell, k);
        near = !gcmcBoardBeyond(b_, span, p);
      }
      const unsigned those = __ballot_sync(0xffffffffu, near);
      const std::uint32_t at = others_ + __popc(those & ((1u << lane_) - 1));
      if (near) keep(at, cell, k, p);
      others_ += __popc(those);
    }
  }
  // Of pair(q) for all particles but `self` of the own ones.
  __device__ double sumOf(std::uint32_t self, const auto& pair) const {
    double u = 0;
    for (std::uint32_t k = lane_; k < n_; k += 32)
      if (k != self) u += pair(own(k));
    if (direct_) return sumOverWarp(u + directly(pair));
    for (std::uint32_t k = lane_; k < others_; k += 32) u += pair(other(k));
    return sumOverWarp(u);
  }
  __device__ void setOwn(std::uint32_t k, GcmcPoint p) {
    own_[k] = p.x, own_[b_.held.capacity + k] = p.y, own_[2 * b_.held.capacity + k] = p.z;
  }
  __device__ GcmcPoint other(std::uint32_t k) const {
    return {other_[k], other_[room_ + k], other_[2 * room_ + k]};
  }
  template <bool plain>
  __device__ double difference(GcmcPoint from, GcmcPoint to, GcmcPoint q) const {
    return static_cast<double>(boardPairAt<plain>(b_.rules.pair, to, q)) -
           static_cast<double>(boardPairAt<plain>(b_.rules.pair, from, q));
  }
  // What this lane finds in the neighbour cells in global memory: for more particles than there is
  // shared memory for.
  __device__ double directly(const auto& pair) const {
    double u = 0;
    for (int j = 0; j < gcmcBoardNeighbours(b_); ++j) {
      const std::uint32_t cell = gcmcBoardNeighbour(b_, place_, j);
      if (cell == place_.cell) continue;
      for (std::uint32_t k = lane_; k < b_.held.filled[cell]; k += 32)
        u += pair(b_.held.point(cell, k));
    }
    return u;
  }

  const GcmcBoard& b_;
  std::uint32_t* const own_;
  std::uint32_t* const other_;
  const std::uint32_t room_, lane_;
  const bool plain_;
  GcmcBoardPlace place_{};
  std::uint32_t n_ = 0, others_ = 0;
  bool direct_ = false;
};

__device__ inline GcmcDraw boardDrawOf(const GcmcDraw& mine, int lane) {
  constexpr unsigned kAll = 0xffffffffu;
  GcmcDraw d;
  d.kind = static_cast<GcmcKind>(__shfl_sync(kAll, static_cast<int>(mine.kind), lane));
  d.choice = __shfl_sync(kAll, mine.choice, lane);
  d.point = {__shfl_sync(kAll, mine.point.x, lane), __shfl_sync(kAll, mine.point.y, lane),
             __shfl_sync(kAll, mine.point.z, lane)};
  d.a = __shfl_sync(kAll, mine.a, lane);
  return d;
}

// room: other particles that a warp has shared memory for.
template <class Notes>
__global__ void __launch_bounds__(32 * kBoardWarps)
    boardAttempts(__grid_constant__ const GcmcBoard b, std::uint32_t room, Notes notes) {
  extern __shared__ std::uint32_t words[];
  if (b.idle()) return;
  const std::size_t warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  GcmcBoardWarpHood hood(b, words + warp * 3 * (b.held.capacity + room), room);
  GcmcBoardTally tally;
  const std::uint64_t turn = b.head->turn * b.movesOfTurn();
  const int colour = b.head->colour;
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * kBoardWarps;
  const GcmcBoardShare share = gcmcBoardShare(b);
  for (std::size_t own = blockIdx.x * kBoardWarps + warp; own < share.count; own += stride) {
    const std::size_t i = share.at(own);
    const GcmcBoardPlace place = gcmcBoardPlace(b, colour, i);
    if constexpr (!Notes::kOn)
      if (gcmcBoardRests(b, place)) {
        tally.attempted[0] += static_cast<std::uint32_t>(b.attempts);
        continue;
      }
    const GcmcBoardSpan span = gcmcBoardSpan(b, place);
    hood.gather(place, span);
    bool traces = false;
    if constexpr (Notes::kOn) traces = notes.traces(b, i);
    GcmcBoardCell<GcmcBoardWarpHood, Notes> cell(b, place, span, hood, tally, notes, traces);
    const std::uint64_t move = turn + i * b.attempts;
    const int attempts = cell.attempts();
    GcmcDraw mine{};
    for (int k = 0; k < attempts; ++k) {
      if (k % 32 == 0) mine = gcmcDraw(b.rules, move + k + lane);
      cell.attempt(move + k, boardDrawOf(mine, k % 32));
    }
  }
  __shared__ GcmcBoardTally ofWarp[kBoardWarps];
  if (lane == 0) ofWarp[warp] = tally;
  __syncthreads();
  if (threadIdx.x != 0) return;
  GcmcBoardTally sum;
  for (const GcmcBoardTally& t : ofWarp) {
    sum.come += t.come;
    for (int k = 0; k < kGcmcKinds; ++k)
      sum.attempted[k] += t.attempted[k], sum.accepted[k] += t.accepted[k];
  }
  sum.addTo(*b.head);
}

namespace {

class Attempts {
 public:
  template <class Notes>
  void order(exec::CudaExec& exec, const GcmcBoard& b, std::uint32_t n, const Notes& notes,
             const GcmcProgress&) {
    const std::uint32_t room = roomFor(b, n);
    const auto bytes = static_cast<std::size_t>(kBoardWarps) * 3 * (b.held.capacity + room) *
                       sizeof(std::uint32_t);
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
    return std::min(wanted, most > b.held.capacity ? most - b.held.capacity : 0);
  }
  void prepare(exec::CudaExec& exec, std::size_t bytes) {
    bytes_ = bytes;
    constexpr const char* kName = "attempts of a colour";
    exec::allowAllShared(boardAttempts<NoGcmcTrace>, kName);
    exec::allowAllShared(boardAttempts<GcmcBoardNotes>, kName);
    int each = 0, processors = 0;
    exec::checkCuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, boardAttempts<NoGcmcTrace>,
                                                                  32 * kBoardWarps, bytes),
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
