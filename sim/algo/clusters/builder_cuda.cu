#include "sim/algo/clusters/builder_impl.h"
#include "sim/algo/clusters/search.h"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

// The search for lists of clusters by warps, one for some clusters that follow each other: its
// lanes look up one run of slots each, then take the slots of all of these runs, 32 at once, and
// test them against the particles of one cluster after the other. Those within reach are counted by
// a vote and stored next to each other.

inline constexpr unsigned kClusterWarps = 4;  // of a thread block

// Number of lanes whose runs end at or before candidate m. ends: inclusive sums, ascending by lane.
__device__ __forceinline__ unsigned runOf(std::uint32_t ends, std::uint32_t m) {
  unsigned lane = 0;
#pragma unroll
  for (unsigned step = 16; step > 0; step /= 2)
    if (__shfl_sync(0xffffffffu, ends, lane + step - 1) <= m) lane += step;
  return lane;
}

// The lists of a warp.
template <std::uint32_t clusters>
struct WarpLists {
  std::uint32_t* items[clusters];
  std::uint32_t found[clusters] = {}, room[clusters];
  std::uint32_t checked = 0;
};

// Candidate q in each lane where `valid`.
template <bool oneType, bool each, std::uint32_t clusters>
__device__ __forceinline__ void takeCandidates(const ClusterSearch& s, const Searching<clusters>& c,
                                               const ColumnPoint& q, std::uint32_t slot, bool valid,
                                               WarpLists<clusters>& lists) {
  const unsigned below = (1u << threadIdx.x % 32) - 1;
#pragma unroll
  for (std::uint32_t g = 0; g < clusters; ++g) {
    const bool in = valid && s.template within<oneType, each>(c.p + g * kClusterSize, q);
    const unsigned hits = __ballot_sync(0xffffffffu, in);
    const std::uint32_t at = lists.found[g] + static_cast<std::uint32_t>(__popc(hits & below));
    if (in && at < lists.room[g]) lists.items[g][at] = slot;
    lists.found[g] += static_cast<std::uint32_t>(__popc(hits));
  }
}

// The runs that the lanes have.
template <bool oneType, bool each, std::uint32_t clusters>
__device__ __forceinline__ void takeRuns(const ClusterSearch& s, const Searching<clusters>& c,
                                         const SlotRun& mine, WarpLists<clusters>& lists) {
  const unsigned lane = threadIdx.x % 32;
  std::uint32_t end = mine.end - mine.begin;
#pragma unroll
  for (unsigned d = 1; d < 32; d *= 2) {
    const std::uint32_t before = __shfl_up_sync(0xffffffffu, end, d);
    if (lane >= d) end += before;
  }
  const std::uint32_t candidates = __shfl_sync(0xffffffffu, end, 31);
  const std::uint32_t toSlot = mine.end - end;  // of a candidate in the run of this lane
  for (std::uint32_t m = lane; m < candidates + lane; m += 32) {
    const bool valid = m < candidates;
    const std::uint32_t shift = __shfl_sync(0xffffffffu, toSlot, runOf(end, m) % 32);
    const std::uint32_t slot = valid ? shift + m : 0;
    takeCandidates<oneType, each>(s, c, s.candidate(c, slot), slot, valid, lists);
  }
  lists.checked += candidates;
}

template <bool oneType, std::uint32_t clusters>
__global__ void __launch_bounds__(32 * kClusterWarps)
    listClusters(__grid_constant__ const ClusterSearch s, std::uint32_t rows) {
  const unsigned lane = threadIdx.x % 32;
  const std::uint32_t row = clusters * (blockIdx.x * kClusterWarps + threadIdx.x / 32);
  if (row >= rows) return;
  const Searching<clusters> c = s.template around<clusters>(row);
  const std::uint32_t all = c.reach > 0 ? ClusterSearch::runs(c) : 0;
  WarpLists<clusters> lists;
#pragma unroll
  for (std::uint32_t g = 0; g < clusters; ++g) {
    const std::uint32_t own = min(row + g, rows - 1);
    lists.items[g] = s.out.items + s.out.head[own];
    lists.room[g] = row + g < rows ? s.out.room(own) : 0;  // after the last cluster: nothing
  }
  for (std::uint32_t base = 0; base < all; base += 32) {
    const SlotRun mine = base + lane < all ? s.run(c, base + lane) : SlotRun{0, 0};
    if (c.images == ClusterImages::each)
      takeRuns<oneType, true>(s, c, mine, lists);
    else
      takeRuns<oneType, false>(s, c, mine, lists);
  }
  if (lane != 0) return;
#pragma unroll
  for (std::uint32_t g = 0; g < clusters; ++g)
    if (row + g < rows) s.finish(row + g, lists.found[g], lists.checked);
}

namespace {

struct ClustersByWarps {
  // Together where there are enough for all multiprocessors.
  void run(exec::CudaExec& exec, const ClusterSearch& search, std::size_t rows) const {
    if (rows < 8000)
      order<1>(exec, search, rows);
    else
      order<2>(exec, search, rows);
  }
  template <std::uint32_t clusters>
  static void order(exec::CudaExec& exec, const ClusterSearch& search, std::size_t rows) {
    constexpr std::size_t kOfBlock = clusters * kClusterWarps;
    const auto blocks = static_cast<unsigned>((rows + kOfBlock - 1) / kOfBlock);
    const auto kernel =
        search.table.types == 1 ? listClusters<true, clusters> : listClusters<false, clusters>;
    exec.launch("list of clusters", [&] {
      kernel<<<blocks, 32 * kClusterWarps, 0, exec.stream()>>>(search,
                                                               static_cast<std::uint32_t>(rows));
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeClusterBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options) {
  return std::make_unique<Clusters<exec::CudaExec, ClustersByWarps>>(exec, options);
}

}  // namespace cellscope
