// Sub-sweeps on CUDA: one thread per active cell (S3, Algorithm 2), for grids of four slots;
// several threads per cell.
#include "sim/algo/mpmc/cell_update.cuh"

namespace cellscope::mpmc {
namespace {

// kMoves: n_M when known at compile time, otherwise 0.
template <int kMoves, int kThreads, int kBlocks, bool kRecorded = false>
__global__ void __launch_bounds__(kThreads, kBlocks)
    subSweepKernel(const __grid_constant__ SubSweepArgsOf<kRecorded> a) {
  letNextLaunchBegin();
  __shared__ WarpShared<kMoves> shared[kThreads / kWarp];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const int blockY = a.backwards ? gridDim.y - 1 - blockIdx.y : blockIdx.y;
  const ActiveCell active = activeCell(a.cells.grid, set, blockIdx.x * blockDim.x + threadIdx.x,
                                       blockY * blockDim.y + threadIdx.y);
  updateCell<kMoves, kRecorded>(
      a, {set, plan.firstSweep + a.local, plan.scale, plan.nMoves, plan.shuffleParticles != 0},
      active, kVisitOrders, shared[thread / kWarp], thread % kWarp,
      blockIdx.y * gridDim.x + blockIdx.x, [] { waitForLaunchBefore(); });
}

constexpr int kThreads = 128;
constexpr int kColumns = 32;  // columns of active cells per thread block

dim3 gridOf(const GridInfo& grid) {
  return dim3(divideUp(grid.m / 2, kColumns),
              divideUp(grid.endPair() - grid.firstPair(), kThreads / kColumns));
}

// Room for five or seven blocks a multiprocessor: five fill whole waves of about 10^6 disks, seven
// hide more latency in larger systems.
constexpr std::size_t kLargeGrid = 2'000'000;  // cells

template <int kMoves>
SubSweepKernels kernelsFor(const GridInfo& grid) {
  return {grid.cellCount() > kLargeGrid ? subSweepKernel<kMoves, kThreads, 7>
                                        : subSweepKernel<kMoves, kThreads, 5>,
          subSweepKernel<kMoves, kThreads, 1, true>};
}

}  // namespace

SubSweepLaunch threadPerCell(const GridInfo& grid, bool fourMoves) {
  return {gridOf(grid), dim3(kColumns, kThreads / kColumns),
          fourMoves ? kernelsFor<4>(grid) : kernelsFor<0>(grid)};
}

// Eight threads per active cell, where S3 (section 5.2) has 3^d = 9: one lane for each neighbour
// cell, and the own cell is divided among the first four lanes. Nine lanes do not divide a warp of
// 32: five of them would idle, or cells would straddle warps. Every lane follows all trial moves;
// overlaps are combined by a warp vote. For small systems, which have too few active cells to fill
// a GPU with one thread each. Bitwise identical to one thread per cell.
//
// Such systems are bound by latency, not by arithmetic: all random numbers are drawn while the
// previous launch is still running, followed by one round of loads and four short trial moves.
namespace {

constexpr int kLanes = 8;          // threads per active cell
constexpr int kGroupThreads = 64;  // threads per block

// The words of a cell's stream, four per lane: lane l holds block `first + l`. All lanes of a warp
// take part in every call.
struct GroupStream {
  const RoundKeys& keys;
  std::uint64_t sweep;
  std::uint32_t id;
  int lane;
  std::uint32_t first;  // block held by lane 0
  Random4 mine;
  unsigned valid;  // bit 4 l + i: word i of lane l is an unused candidate inside the circle

  __device__ void load(bool keep) {
    const Random4 fresh = draw(keys, RngPurpose::cellUpdate, sweep, id, first + lane);
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (!keep) mine.w[i] = fresh.w[i];
      bits |= (candidateInCircle(fresh.w[i]) ? 1u : 0u) << i;
    }
    if (first == 0 && lane == 0) bits &= ~1u;  // word 0 of block 0 decides the shuffle
    bits <<= 4 * lane;
#pragma unroll
    for (int step = 1; step < kLanes; step *= 2) bits |= __shfl_xor_sync(~0u, bits, step);
    if (!keep) valid = bits;
  }
  __device__ std::uint32_t take() {
    while (__any_sync(~0u, valid == 0)) {
      const bool keep = valid != 0;
      if (!keep) first += kLanes;
      load(keep);
    }
    const int position = __ffs(valid) - 1;
    valid &= valid - 1;
    const int i = position & 3;
    const std::uint32_t low = i & 1 ? mine.w[1] : mine.w[0];
    const std::uint32_t high = i & 1 ? mine.w[3] : mine.w[2];
    // The holder's own i may differ: every lane offers the word its group asks for.
    return __shfl_sync(~0u, i & 2 ? high : low, position >> 2, kLanes);
  }
};

// Storage order -> order of visits, in registers.
__device__ void permute(Vec2 (&p)[4], unsigned order) {
  const Vec2 stored[4] = {p[0], p[1], p[2], p[3]};
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    const unsigned from = (order >> (4 * v)) & 15u;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
      if (from == i) p[v] = stored[i];
  }
}

// Whether trial s can fall on the disk visited v-th: some n in (v, 4] has s mod n = v. One nibble
// for each s mod 12. n_M = 0 stands for a number known only at run time. Folded when s, v are
// known.
__device__ bool canBeTurn(int nMoves, int s, int v) {
  constexpr std::uint64_t kTurns = 0xf735b573b531ull;
  return nMoves == 0 || ((kTurns >> (4 * (s % 12) + v)) & 1u);
}

// kMoves: n_M when known at compile time, otherwise 0.
template <int kMoves, bool kRecorded = false>
__global__ void __launch_bounds__(kGroupThreads)
    subSweepGroupKernel(const __grid_constant__ SubSweepArgsOf<kRecorded> a) {
  letNextLaunchBegin();
  const GridInfo g = a.cells.grid;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const int lane = threadIdx.x % kLanes;
  const ActiveCell active =
      activeCell(g, set, (blockIdx.x * kGroupThreads + threadIdx.x) / kLanes, blockIdx.y);
  GroupStream stream{a.keys, plan.firstSweep + a.local, g.id(active.x, active.y), lane, 0, {}, 0};
  stream.load(false);
  const std::uint32_t shuffleWord = __shfl_sync(~0u, stream.mine.w[0], 0, kLanes);
  const float scale = plan.scale;
  const int nMoves = kMoves > 0 ? kMoves : plan.nMoves;
  Vec2 drawn[kMoves > 0 ? kMoves : 1];
  if constexpr (kMoves > 0) {
#pragma unroll
    for (int s = 0; s < kMoves; ++s) drawn[s] = displacementOf(stream.take(), scale);
  }
  const int k = lane + (lane > 3);  // neighbour cell of this lane
  const float sx = static_cast<float>(k % 3 - 1) * g.w, sy = static_cast<float>(k / 3 - 1) * g.w;
  const unsigned own = active.cell(4);
  unsigned neighbour = active.cell(0);
#pragma unroll
  for (int c = 1; c < 9; ++c)
    if (k == c) neighbour = active.cell(c);
  const bool shuffle = plan.shuffleParticles;

  waitForLaunchBefore();

  const int n = active.inside ? a.cells.count[own] : 0;
  Vec2 q[4], p[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {  // unused slots hold kEmptySlot: no overlap for any shift
    const Vec2 v = a.slot[i][neighbour];
    q[i] = {v.x + sx, v.y + sy};
    p[i] = a.slot[i][own];
  }
  const unsigned order = shuffle ? visitOrder(kVisitOrders, shuffleWord, n) : 0x3210u;
  permute(p, order);
  [[maybe_unused]] auto trace = traceOf<kRecorded>(a, active, lane == 0 ? n : 0);
  unsigned moved = 0;
  TrialCounts counts;
  int turn = 0;
#pragma unroll(kMoves > 0 ? kMoves : 1)
  for (int s = 0; s < nMoves; ++s) {
    const Vec2 step = kMoves > 0 ? drawn[kMoves > 0 ? s : 0] : displacementOf(stream.take(), scale);
    Vec2 old = p[0], other = p[0];
#pragma unroll
    for (int v = 1; v < 4; ++v) {
      if (canBeTurn(kMoves, s, v) && turn == v) old = p[v];
      if (lane == v) other = p[v];
    }
    const float px = old.x + step.x, py = old.y + step.y;
    const bool stays = insideCell(px, py, g.w);
    bool blocked = (lane < 4) & (lane != turn) & overlaps(px - other.x, py - other.y);
#pragma unroll
    for (int i = 0; i < 4; ++i) blocked |= overlaps(px - q[i].x, py - q[i].y);
    const unsigned votes = __ballot_sync(~0u, blocked) >> (threadIdx.x & 31 & ~(kLanes - 1));
    const bool accept = stays && (votes & 0xffu) == 0;
#pragma unroll
    for (int v = 0; v < 4; ++v)
      if (canBeTurn(kMoves, s, v) && accept && turn == v) p[v] = {px, py};
    if constexpr (kRecorded)
      trace.trial(s, (order >> (4 * turn)) & 15u, old, {px, py}, outcomeOf(accept, stays));
    moved |= static_cast<unsigned>(accept) << turn;
    counts.accepted += accept;
    counts.leftCell += !stays;
    if (++turn >= n) turn = 0;
  }
  trace.end();
#pragma unroll
  for (int v = 0; v < 4; ++v)
    if (n > 0 && lane == v && ((moved >> v) & 1u))
      a.cells.disk[((order >> (4 * v)) & 15u) * g.cellCount() + own] = p[v];
  counts.attempted = nMoves;
  if (lane > 0 || n == 0) counts = {};
  addCounters(a, set, blockIdx.y * gridDim.x + blockIdx.x, counts);
}

}  // namespace

SubSweepLaunch threadPerNeighbour(const GridInfo& grid, bool fourMoves) {
  return {dim3(divideUp(grid.m / 2, kGroupThreads / kLanes), grid.rows() / 2), dim3(kGroupThreads),
          fourMoves ? SubSweepKernels{subSweepGroupKernel<4>, subSweepGroupKernel<4, true>}
                    : SubSweepKernels{subSweepGroupKernel<0>, subSweepGroupKernel<0, true>}};
}

}  // namespace cellscope::mpmc
