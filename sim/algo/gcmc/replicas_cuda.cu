// Replicas on CUDA: a block of half warps per chain, several on each multiprocessor, in one launch.
#include "sim/exec/cuda_exec.cuh"
// after CUB
#include <algorithm>
#include <utility>

#include "sim/algo/gcmc/half_warps.cuh"
#include "sim/algo/gcmc/parallel_engine.h"
#include "sim/algo/gcmc/replicas.h"

namespace cellscope {

namespace {

// The moves of chain[block].
template <bool inShared>
__global__ void __launch_bounds__(kHalfWarpMostThreads)
    replicaMoves(const GcmcArrays* chain, int moves) {
  __shared__ alignas(GcmcArrays) std::byte room[sizeof(GcmcArrays)];
  GcmcArrays& own = reinterpret_cast<GcmcArrays&>(room);
  if (threadIdx.x == 0) own = chain[blockIdx.x];
  __syncthreads();
  // Threads of a block that are too many for this chain's cells only wait and draw.
  halfWarpMovesOf<inShared>(own, moves, NoGcmcTrace{});
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
  void order(exec::CudaExec& exec, const GcmcArrays& all, std::uint32_t, std::uint64_t moves,
             const Trace& trace) {
    exec.launch("moves of a replica", [&] {
      halfWarpMoves<false, Trace><<<1, halfWarpThreads(all.grid.cube), 0, exec.stream()>>>(
          all, static_cast<int>(moves), trace);
    });
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
  GcmcEngine& chain(std::size_t number) override { return *chains_[number]; }
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
      std::uint64_t most = 0;
      for (std::size_t k = 0; k < at.size(); ++k) {
        const std::uint64_t now = std::min(batch(), end[k] - at[k].move);
        next[k] = at[k].move + now;
        most = std::max(most, now);
      }
      end_.set(next);
      exec_.forEach("ask for moves (replicas)", at.size(), AskAll{head_.data(), end_.data()});
      order(at, static_cast<int>(most));
      at = heads();
      if (progress)
        progress(1.0 - static_cast<double>(end[0] - at[0].move) / static_cast<double>(moves));
      more = false;
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k].stopped != 0) at[k] = chains_[k]->settled();  // it grows
        more = more || at[k].move < end[k];
      }
    }
  }

 private:
  using Chain = GcmcParallel<exec::CudaExec, Held>;
  static constexpr std::uint32_t kSlack = 256;  // insertions of a launch before a chain waits
  static constexpr std::size_t kMostShared = 110 << 10;  // two blocks on a multiprocessor

  std::uint64_t batch() const {
    return static_cast<std::uint64_t>(std::max(1, options_.movesPerLaunch));
  }
  std::vector<GcmcHead> heads() const {
    exec_.forEach("gather the heads", chains_.size(), GatherHeads{head_.data(), gathered_.data()});
    exec_.synchronize();
    return gathered_.get();
  }
  void order(const std::vector<GcmcHead>& at, int moves) {
    constexpr const char* kName = "moves (replicas)";
    std::vector<GcmcArrays> all;
    std::size_t bytes = 0;
    int threads = 32;
    for (std::size_t k = 0; k < chains_.size(); ++k) {
      all.push_back(chains_[k]->arrays());
      const std::uint32_t room = std::min(all[k].capacity, at[k].n + kSlack);
      bytes = std::max(bytes, halfWarpSharedBytes(all[k].grid, room));
      threads = std::max(threads, halfWarpThreads(all[k].grid.cube));
    }
    const bool shared = bytes + sizeof(HalfWarpShared) + sizeof(GcmcArrays) <= kMostShared;
    if (shared)
      for (std::size_t k = 0; k < all.size(); ++k)
        all[k].capacity = std::min(all[k].capacity, at[k].n + kSlack);
    if (arrays_.size() != all.size()) arrays_ = exec::Array<GcmcArrays>(Backend::cuda, all.size());
    exec_.synchronize();
    arrays_.set(all);
    const auto blocks = static_cast<unsigned>(all.size());
    if (shared) exec::allowAllShared(replicaMoves<true>, kName);
    exec_.launch(kName, [&] {
      if (shared)
        replicaMoves<true><<<blocks, threads, bytes, exec_.stream()>>>(arrays_.data(), moves);
      else
        replicaMoves<false><<<blocks, threads, 0, exec_.stream()>>>(arrays_.data(), moves);
    });
  }

  exec::Shared shared_;
  exec::CudaExec& exec_;
  GcmcOptions options_;
  std::vector<std::unique_ptr<Chain>> chains_;
  exec::Array<GcmcArrays> arrays_;
  exec::Array<GcmcHead*> head_;
  exec::Array<GcmcHead> gathered_;
  exec::Array<std::uint64_t> end_;
  exec::Array<GcmcTransition> sum_;
};

}  // namespace

std::unique_ptr<GcmcReplicas> makeGcmcReplicasCuda(const exec::Shared& exec,
                                                   const GcmcOptions& options) {
  return std::make_unique<ReplicasOnCuda>(exec, options);
}

}  // namespace cellscope
