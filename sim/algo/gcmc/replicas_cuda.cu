// Replicas on CUDA: a block of a few warps per chain, as many of them on each multiprocessor as
// there is room for, in one launch.
//
// Warps work out the next moves of their chain against the same state, each one alone; then one of
// them decides in draw order, and what the accepted moves change is put right (ahead_decide.cuh).
// While it does, other chains have the multiprocessor.
#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <numeric>
#include <stdexcept>

#include "sim/algo/gcmc/ahead_decide.cuh"
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/algo/gcmc/replicas.h"

namespace cellscope {
inline namespace GCMC_TYPES {

namespace {

constexpr const char* kName = "moves (replicas)";
constexpr std::size_t kMostWarps = 16;      // of a chain
constexpr std::size_t kWarpsTogether = 32;  // on a multiprocessor, by 64 registers a thread
constexpr int kAhead = 32;                  // moves worked out together, at most

struct ReplicaShared {
  alignas(GcmcArrays) std::byte arrays[sizeof(GcmcArrays)];
  alignas(GcmcHead) std::byte head[sizeof(GcmcHead)];
  GcmcDraw draw[kAhead];
  double change[kAhead];
  int count;  // moves of this round
};

// The next s.count moves of one chain.
__device__ void replicaRound(const GcmcArrays& a, ReplicaShared& s, WarpChange& change) {
  const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
  const int count = s.count, warps = static_cast<int>(blockDim.x) / 32;
  if (thread < count) s.draw[thread] = gcmcDraw(a.rules, a.head->move + thread);
  __syncthreads();
  for (int k = warp; k < count; k += warps) {
    const double u = change(gcmcTrialOf(a, s.draw[k]));
    if (lane == 0) s.change[k] = u;
  }
  AheadTrial own;
  if (warp == 0) own = AheadTrial(a, lane < count ? gcmcTrialOf(a, s.draw[lane]) : GcmcTrial{});
  __syncthreads();
  if (warp == 0) {
    const double dU = lane < count ? s.change[lane] : 0.0;
    const AheadOutcome o = AheadDecision<ChangeComputed, true>(a, own, dU, count, {}).decide();
    noteOutcome(a, own, o);
    // Moves that had to be worked out again were in vain: fewer of them.
    if (lane == 0) s.count = min(kAhead, o.decided == count ? 2 * count : o.decided + warps);
  }
  __syncthreads();
}

// The moves that are asked of chain[block].
template <bool inShared>
__global__ void __launch_bounds__(32 * kMostWarps, kWarpsTogether / kMostWarps)
    replicaMoves(const GcmcArrays* chain) {
  extern __shared__ __align__(16) std::byte dynamic[];
  __shared__ ReplicaShared s;
  const GcmcArrays& all = chain[blockIdx.x];
  GcmcArrays& a = reinterpret_cast<GcmcArrays&>(s.arrays);
  const int thread = static_cast<int>(threadIdx.x);
  WarpChangeRoom* const room = reinterpret_cast<WarpChangeRoom*>(dynamic);
  const GcmcArrays own = inShared ? halfWarpArrays(all, room + blockDim.x / 32) : all;
  if (thread == 0) {
    a = own, a.head = reinterpret_cast<GcmcHead*>(s.head);
    *a.head = *all.head, s.count = kAhead;
  }
  __syncthreads();
  WarpChange change(own, a, room[thread / 32]);
  while (a.head->move < a.head->end && a.head->stopped == 0) {
    const std::uint64_t left = a.head->end - a.head->move;
    if (thread == 0 && left < static_cast<std::uint64_t>(s.count)) s.count = static_cast<int>(left);
    __syncthreads();
    replicaRound(a, s, change);
  }
  if (inShared) halfWarpWriteBack(all, a);
  if (thread == 0) *all.head = *a.head;
}

// How a chain of GcmcParallel lies in memory; it makes no moves by itself.
class Held {
 public:
  static constexpr bool kCells = true, kSlotMajor = false;
  std::uint32_t entries() const { return kGcmcChainEntries; }
  GcmcCube cube(const Box& box, const GcmcPair& pair) const { return gcmcCells(box, pair); }
  GcmcShare share(const GcmcCube& cube) const {
    return {GcmcSharing::oneBlock, cube, {}, kHalfWarp, kHalfWarp * cube.cells()};
  }
  template <class Trace>
  void order(exec::CudaExec&, const GcmcArrays&, std::uint32_t, std::uint64_t, const Trace&) {
    throw std::logic_error("a replica makes no moves by itself");
  }
};

// The heads of all chains side by side, to be read at once; and moves asked of all of them.
struct GatherHeads {
  GcmcHead* const* from;
  GcmcHead* to;
  HOST_DEVICE void operator()(std::size_t k) const { to[k] = *from[k]; }
};
struct AskAll {
  GcmcHead* const* head;
  const std::uint64_t* end;
  HOST_DEVICE void operator()(std::size_t k) const {
    head[k]->end = end[k];
    head[k]->stopped = 0;
  }
};

class ReplicasOnCuda final : public GcmcReplicas {
 public:
  ReplicasOnCuda(exec::Shared shared, const GcmcOptions& options)
      : shared_(std::move(shared)), exec_(exec::as<exec::CudaExec>(shared_)), options_(options) {}

  void upload(const std::vector<GcmcReplica>& replicas, const GcmcProgress& progress) override {
    chains_.resize(replicas.size());
    heads_.clear();
    std::vector<GcmcHead*> heads;
    for (std::size_t k = 0; k < replicas.size(); ++k) {
      if (progress) progress(static_cast<double>(k) / static_cast<double>(replicas.size()));
      if (!chains_[k]) chains_[k] = std::make_unique<Chain>(shared_, Held(), options_);
      chains_[k]->upload(replicas[k].state, replicas[k].rules);
      heads.push_back(chains_[k]->arrays().head);
    }
    if (head_.size() == heads.size()) return head_.set(heads);
    head_ = exec::Array<GcmcHead*>(Backend::cuda, heads);
    gathered_ = exec::Array<GcmcHead>(Backend::cuda, heads.size());
    end_ = exec::Array<std::uint64_t>(Backend::cuda, heads.size());
  }
  std::size_t size() const override { return chains_.size(); }
  GcmcEngine& chain(std::size_t number) override {
    heads_.clear();  // the caller may change it
    return *chains_[number];
  }
  std::vector<GcmcTransition> sumsOf(const exec::Array<GcmcTransition>& tables,
                                     std::uint32_t rows) override {
    if (sum_.size() != rows) sum_ = exec::Array<GcmcTransition>(Backend::cuda, rows);
    exec_.forEach("sums of transitions", rows,
                  SumOfTables{tables.data(), rows, tables.size() / rows, sum_.data()});
    exec_.synchronize();
    return sum_.get();
  }
  std::vector<GcmcReplicaNow> now() const override {
    std::vector<GcmcReplicaNow> all;
    for (const GcmcHead& head : heads()) all.push_back({head.n, head.energy});
    return all;
  }

  void advance(std::uint64_t moves, const GcmcProgress& progress) override {
    std::vector<GcmcHead> at = heads();
    std::vector<std::uint64_t> end, next(at.size());
    for (const GcmcHead& head : at) end.push_back(head.move + moves);
    for (bool more = moves > 0 && !at.empty(); more;) {
      for (std::size_t k = 0; k < at.size(); ++k)
        next[k] = at[k].move + std::min(batch(), end[k] - at[k].move);
      end_.set(next);
      exec_.forEach("ask for moves (replicas)", at.size(), AskAll{head_.data(), end_.data()});
      heads_.clear();
      order(at);
      at = heads();
      if (progress)
        progress(1.0 - static_cast<double>(end[0] - at[0].move) / static_cast<double>(moves));
      more = false;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k].stopped != 0) at[k] = chains_[k]->settled(), heads_.clear();  // it grows
        more = more || at[k].move < end[k];
      }
    }
  }

 private:
  using Chain = GcmcParallel<exec::CudaExec, Held>;
  static constexpr std::uint32_t kSlack = 64;  // insertions of a launch before a chain waits

  std::uint64_t batch() const {
    return static_cast<std::uint64_t>(std::max(1, options_.movesPerLaunch));
  }
  const std::vector<GcmcHead>& heads() const {
    if (!heads_.empty()) return heads_;
    exec_.forEach("gather the heads", chains_.size(), GatherHeads{head_.data(), gathered_.data()});
    exec_.synchronize();
    return heads_ = gathered_.get();
  }
  // How blocks are launched: with as many warps on a multiprocessor as there can be, in many small
  // blocks rather than in a few.
  struct Shape {
    int warps = 0;
    std::size_t bytes = 0;  // of dynamic shared memory
    bool shared = false;    // particles and cells are kept there
  };
  Shape shapeOf(std::size_t bytesOfChain) const {
    constexpr std::size_t kReserved = 1024;  // of each block, by the system
    const auto ofDevice = [this](cudaDeviceAttr what) {
      return static_cast<std::size_t>(exec::deviceAttribute(what, exec_.config().device));
    };
    const std::size_t processors = ofDevice(cudaDevAttrMultiProcessorCount);
    const std::size_t room = ofDevice(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    const std::size_t share = (chains_.size() + processors - 1) / processors;
    Shape best;
    std::size_t most = 0;
    for (const bool shared : {true, false}) {
      for (std::size_t warps = 1; warps <= kMostWarps; ++warps) {
        const std::size_t bytes = warps * sizeof(WarpChangeRoom) + (shared ? bytesOfChain : 0);
        const std::size_t fit = room / (bytes + sizeof(ReplicaShared) + kReserved);
        const std::size_t all = warps * std::min({fit, share, kWarpsTogether / warps});
        if (all > most) most = all, best = {static_cast<int>(warps), bytes, shared};
      }
      if (most > 0) break;
    }
    return best;
  }
  void order(const std::vector<GcmcHead>& at) {
    // The densest first: they take longest, and each multiprocessor gets as many as any other.
    std::vector<std::size_t> chains(at.size());
    std::iota(chains.begin(), chains.end(), std::size_t{0});
    std::stable_sort(chains.begin(), chains.end(),
                     [&](std::size_t a, std::size_t b) { return at[a].n > at[b].n; });
    std::vector<GcmcArrays> all;
    std::size_t bytes = 0;
    const auto room = [&](std::size_t k, std::uint32_t capacity) {
      return std::min(capacity, at[k].n + kSlack);
    };
    for (const std::size_t k : chains) {
      all.push_back(chains_[k]->arrays());
      const GcmcArrays& a = all.back();
      bytes = std::max(bytes, halfWarpSharedBytes(a.grid, room(k, a.capacity)));
    }
    const Shape shape = shapeOf(bytes);
    if (shape.shared)
      for (std::size_t i = 0; i < all.size(); ++i)
        all[i].capacity = room(chains[i], all[i].capacity);
    if (arrays_.size() != all.size()) arrays_ = exec::Array<GcmcArrays>(Backend::cuda, all.size());
    exec_.synchronize();
    arrays_.set(all);
    const auto kernel = shape.shared ? replicaMoves<true> : replicaMoves<false>;
    exec::allowAllShared(kernel, kName);
    exec_.launch(kName, [&] {
      kernel<<<static_cast<unsigned>(all.size()), 32 * shape.warps, shape.bytes, exec_.stream()>>>(
          arrays_.data());
    });
  }

  exec::Shared shared_;
  exec::CudaExec& exec_;
  GcmcOptions options_;
  std::vector<std::unique_ptr<Chain>> chains_;
  exec::Array<GcmcArrays> arrays_;
  exec::Array<GcmcHead*> head_;
  exec::Array<GcmcHead> gathered_;
  mutable std::vector<GcmcHead> heads_;  // as gathered last; none if they may have changed
  exec::Array<std::uint64_t> end_;
  exec::Array<GcmcTransition> sum_;
};

}  // namespace

}  // namespace GCMC_TYPES

template <>
std::unique_ptr<GcmcReplicas> GcmcOnCuda<kGcmcMixtures>::replicas(const exec::Shared& exec,
                                                                  const GcmcOptions& options) {
  return std::make_unique<ReplicasOnCuda>(exec, options);
}

}  // namespace cellscope
