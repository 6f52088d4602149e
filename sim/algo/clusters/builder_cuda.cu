#include "sim/algo/clusters/builder_impl.h"
#include "sim/algo/neighbours/lane_search.cuh"
#include "sim/exec/cuda_exec.cuh"

namespace cellscope {

// The search for lists of clusters by warps, one for some clusters that follow each other: its
// lanes look up one run of slots each, then take the slots of all of these runs, 32 at once, and
// test them against the particles of one cluster after the other. Those within reach are counted by
// a vote and stored next to each other. A thread block is one warp.

// As ClusterSearch::around(), where each lane reads one particle.
template <bool oneType, std::uint32_t clusters>
__device__ __forceinline__ Searching<clusters> aroundByLanes(const ClusterSearch& s,
                                                             std::uint32_t row) {
  constexpr std::uint32_t kAll = 0xffffffffu, kParticles = clusters * kClusterSize;
  Searching<clusters> c;
  const std::uint32_t begin = row * kClusterSize;
  const ColumnPoint origin = s.grid.point(recordAt(s.particles, begin));
  const ParticleRecord own = recordAt(s.particles, min(begin + threadIdx.x % kParticles, s.n - 1));
  const ColumnPoint p = s.imageOf(s.grid.point(own), origin);
  c.reach = s.table.longest(oneType ? 0 : p.type);
#pragma unroll
  for (int a = 0; a < 3; ++a) c.low[a] = c.high[a] = p.at[a];
#pragma unroll
  for (std::uint32_t d = 1; d < kParticles; d *= 2) {
    if (!oneType) c.reach = fmaxf(c.reach, __shfl_xor_sync(kAll, c.reach, d));
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      c.low[a] = fminf(c.low[a], __shfl_xor_sync(kAll, c.low[a], d));
      c.high[a] = fmaxf(c.high[a], __shfl_xor_sync(kAll, c.high[a], d));
    }
  }
#pragma unroll
  for (std::uint32_t k = 0; k < kParticles; ++k) {
#pragma unroll
    for (int a = 0; a < 3; ++a) c.p[k].at[a] = __shfl_sync(kAll, p.at[a], k);
    c.p[k].type = oneType ? 0 : __shfl_sync(kAll, p.type, k);
  }
  s.findColumns(c, origin);
  return c;
}

// Which candidates are near, by differences.
template <bool oneType, ClusterImages images, std::uint32_t clusters>
struct ByDifferences {
  const ClusterSearch& s;
  const Searching<clusters>& c;
  __device__ ColumnPoint candidate(const ParticleRecord& r) const {
    const ColumnPoint q = s.grid.point(r);
    return images == ClusterImages::shifted ? s.imageOf(q, c.p[0]) : q;
  }
  __device__ bool operator()(std::uint32_t g, const ColumnPoint& q) const {
    return s.template within<oneType, images == ClusterImages::each>(c.p + g * kClusterSize, q);
  }
};

// The same by products, in four instructions a particle instead of seven: with p and q from the
// middle of the clusters (p - q)^2 <= far^2 is p^2 - far^2 - 2 p q <= -q^2. Of particles of one
// type, whose images are known.
template <ClusterImages images, std::uint32_t clusters>
class ByProducts {
 public:
  __device__ ByProducts(const ClusterSearch& s, const Searching<clusters>& c) : s_(s), c_(c) {
#pragma unroll
    for (int a = 0; a < 3; ++a) middle_[a] = 0.5f * (c.low[a] + c.high[a]);
#pragma unroll
    for (std::uint32_t k = 0; k < clusters * kClusterSize; ++k) {
      rest_[k] = -s.reachSquared;
#pragma unroll
      for (int a = 0; a < 3; ++a) {
        const float d = c.p[k].at[a] - middle_[a];
        factor_[k][a] = -2 * d, rest_[k] += d * d;
      }
    }
  }
  // Whether rounding hides no more than half of the margin. Squares near the reach are below M, and
  // less than 24 operations round numbers below M.
  __device__ static bool fine(const ClusterSearch& s, const Searching<clusters>& c) {
    float most = 0;
    for (int a = 0; a < 3; ++a) {
      const float far = 0.5f * (c.high[a] - c.low[a]) + c.reach;
      most += far * far;
    }
    return 1.5e-6f * most <= c.reach * s.margin;
  }
  // type: the bits of -q^2.
  __device__ ColumnPoint candidate(const ParticleRecord& r) const {
    ColumnPoint q = s_.grid.point(r);
    if (images == ClusterImages::shifted) q = s_.imageOf(q, c_.p[0]);
    float squared = 0;
#pragma unroll
    for (int a = 0; a < 3; ++a) q.at[a] -= middle_[a], squared -= q.at[a] * q.at[a];
    q.type = __float_as_uint(squared);
    return q;
  }
  __device__ bool operator()(std::uint32_t g, const ColumnPoint& q) const {
    bool found = false;
#pragma unroll
    for (std::uint32_t k = g * kClusterSize; k < (g + 1) * kClusterSize; ++k)
      found |= __fmaf_rn(factor_[k][2], q.at[2],
                         __fmaf_rn(factor_[k][1], q.at[1],
                                   __fmaf_rn(factor_[k][0], q.at[0], rest_[k]))) <=
               __uint_as_float(q.type);
    return found;
  }

 private:
  const ClusterSearch& s_;
  const Searching<clusters>& c_;
  float middle_[3], factor_[clusters * kClusterSize][3], rest_[clusters * kClusterSize];
};

// The lists of a warp.
template <std::uint32_t clusters>
struct WarpLists {
  std::uint32_t* items[clusters];
  std::uint32_t found[clusters] = {}, room[clusters];
  std::uint32_t checked = 0;
};

// The runs that the lanes have.
template <std::uint32_t clusters>
__device__ __forceinline__ void takeRuns(const ClusterSearch& s, const auto& near, SlotRun mine,
                                         WarpLists<clusters>& lists) {
  const unsigned lane = threadIdx.x, below = (1u << lane) - 1;
  PackedRuns runs(mine.begin, mine.end);
  for (std::uint32_t base = 0; base < runs.all; base += 32) {
    const std::uint32_t slot = runs.placeOf(base);
    const ColumnPoint q = near.candidate(recordAt(s.particles, slot));
#pragma unroll
    for (std::uint32_t g = 0; g < clusters; ++g) {
      const bool in = near(g, q) & (base + lane < runs.all);
      const unsigned hits = __ballot_sync(0xffffffffu, in);
      const std::uint32_t at = lists.found[g] + static_cast<std::uint32_t>(__popc(hits & below));
      if (in & (at < lists.room[g])) lists.items[g][at] = slot;
      lists.found[g] += static_cast<std::uint32_t>(__popc(hits));
    }
  }
  lists.checked += runs.all;
}

// All runs of columns, 32 at once.
template <bool oneType, ClusterImages images, std::uint32_t clusters>
__device__ __forceinline__ void takeColumns(const ClusterSearch& s, const Searching<clusters>& c,
                                            std::uint32_t all, WarpLists<clusters>& lists) {
  const auto take = [&](const auto& near) {
    for (std::uint32_t base = 0; base < all; base += 32) {
      const std::uint32_t k = base + threadIdx.x;
      takeRuns(s, near, k < all ? s.run(c, k) : SlotRun{0, 0}, lists);
    }
  };
  if constexpr (oneType && images != ClusterImages::each)
    if (ByProducts<images, clusters>::fine(s, c)) return take(ByProducts<images, clusters>(s, c));
  take(ByDifferences<oneType, images, clusters>{s, c});
}

template <bool oneType, std::uint32_t clusters>
__global__ void __launch_bounds__(32, 28)
    listClusters(__grid_constant__ const ClusterSearch s, std::uint32_t rows) {
  const std::uint32_t row = clusters * blockIdx.x;
  const Searching<clusters> c = aroundByLanes<oneType, clusters>(s, row);
  const std::uint32_t all = c.reach > 0 ? ClusterSearch::runs(c) : 0;
  WarpLists<clusters> lists;
#pragma unroll
  for (std::uint32_t g = 0; g < clusters; ++g) {
    const std::uint32_t own = min(row + g, rows - 1);
    lists.items[g] = s.out.items + s.out.head[own];
    asm("" : "+l"(lists.items[g]));  // not worked out again for every candidate
    lists.room[g] = row + g < rows ? s.out.room(own) : 0;  // after the last cluster: nothing
  }
  if (c.images == ClusterImages::none)
    takeColumns<oneType, ClusterImages::none>(s, c, all, lists);
  else if (c.images == ClusterImages::shifted)
    takeColumns<oneType, ClusterImages::shifted>(s, c, all, lists);
  else
    takeColumns<oneType, ClusterImages::each>(s, c, all, lists);
  if (threadIdx.x != 0) return;
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
    const auto blocks = static_cast<unsigned>((rows + clusters - 1) / clusters);
    const auto kernel =
        search.table.types == 1 ? listClusters<true, clusters> : listClusters<false, clusters>;
    exec.launch("list of clusters", [&] {
      kernel<<<blocks, 32, 0, exec.stream()>>>(search, static_cast<std::uint32_t>(rows));
    });
  }
};

}  // namespace

std::unique_ptr<ListBuilder> makeClusterBuilderCuda(const exec::Shared& exec,
                                                    const ListOptions& options) {
  return std::make_unique<Clusters<exec::CudaExec, ClustersByWarps>>(exec, options);
}

}  // namespace cellscope
