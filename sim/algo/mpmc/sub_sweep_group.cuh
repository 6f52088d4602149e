// Sub-sweep on CUDA with 3^d threads per active cell (S3, section 5.2): eight lanes, one for each
// neighbour cell; the ninth, the cell's own disks, are shared out among the first four. Every lane
// follows all trial moves; overlaps are voted on. For small systems, which have too few active
// cells to fill a GPU with one thread each. Same result bit for bit as sub_sweep.cuh.
#pragma once
#include "sim/algo/mpmc/sub_sweep.cuh"

namespace cellscope::mpmc {

inline constexpr int kLanes = 8;          // threads per active cell
inline constexpr int kGroupThreads = 64;  // threads per block

// The words of a cell's stream, four per lane: lane l holds block `first + l`.
struct GroupStream {
  RngKey key;
  std::uint64_t sweep;
  std::uint32_t id;
  std::uint32_t first;  // block held by lane 0
  Random4 mine;
  unsigned valid;  // bit 4 l + i: word i of lane l is an unused candidate inside the circle

  // All lanes of the group take part. skipFirst: word 0 of block 0 is no candidate.
  __device__ void load(int lane, unsigned groupMask) {
    mine = draw(key, RngPurpose::cellUpdate, sweep, id, first + lane);
    unsigned nibble = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) nibble |= (candidateInCircle(mine.w[i]) ? 1u : 0u) << i;
    if (first == 0 && lane == 0) nibble &= ~1u;
    valid = nibble << (4 * lane);
#pragma unroll
    for (int step = 1; step < kLanes; step *= 2)
      valid |= __shfl_xor_sync(groupMask, valid, step, kLanes);
  }
  __device__ std::uint32_t take(int lane, unsigned groupMask) {
    while (valid == 0) {
      first += kLanes;
      load(lane, groupMask);
    }
    const int position = __ffs(valid) - 1;
    valid &= valid - 1;
    const int i = position & 3;
    const std::uint32_t low = i & 1 ? mine.w[1] : mine.w[0];
    const std::uint32_t high = i & 1 ? mine.w[3] : mine.w[2];
    return __shfl_sync(groupMask, i & 2 ? high : low, position >> 2, kLanes);
  }
};

__global__ void __launch_bounds__(kGroupThreads) subSweepGroupKernel(const SubSweepArgs a) {
  const GridInfo g = a.cells.grid;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const int lane = threadIdx.x % kLanes;
  const unsigned groupMask = 0xffu << ((threadIdx.x & 31) & ~(kLanes - 1));
  const int cellsPerBlock = kGroupThreads / kLanes;
  const ActiveCell active =
      activeCell(g, a.rows, set, blockIdx.x * cellsPerBlock + threadIdx.x / kLanes, blockIdx.y);
  GroupStream stream{plan.key, plan.firstSweep + a.local, g.id(active.x, active.y), 0, {}, 0};
  stream.load(lane, groupMask);
  const std::uint32_t shuffleWord = __shfl_sync(groupMask, stream.mine.w[0], 0, kLanes);
  const float scale = plan.scale;
  const int nMoves = plan.nMoves;
  const bool shuffle = plan.shuffleParticles;
  const int k = lane + (lane > 3);  // neighbour cell of this lane
  const float sx = static_cast<float>(k % 3 - 1) * g.w, sy = static_cast<float>(k / 3 - 1) * g.w;
  const int cells = static_cast<int>(g.cellCount());
  const int nx = wrapRow(active.x + k % 3 - 1, g.m), ny = wrapRow(active.y + k / 3 - 1, g.m);
  const int neighbour = ny * g.m + g.column(nx);
  const int own = active.y * g.m + g.column(active.x);

  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();

  const int n = active.inside ? a.cells.count[own] : 0;
  unsigned accepted = 0, leftCell = 0;
  if (n > 0) {
    const unsigned order = shuffle ? packedShuffle(shuffleWord, n) : 0x3210u;
    Vec2 q[4], p[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      // Unused places hold kEmptySlot: no overlap whatever the shift.
      const Vec2 v = a.cells.disk[i * cells + neighbour];
      q[i] = {v.x + sx, v.y + sy};
      p[i] = {kEmptySlot, kEmptySlot};
      if (i < n) p[i] = a.cells.disk[((order >> (4 * i)) & 15u) * cells + own];
    }
    unsigned moved = 0;
    int turn = 0;
    for (int s = 0; s < nMoves; ++s) {
      const std::uint32_t word = stream.take(lane, groupMask);
      Vec2 old = p[0], other = p[0];
#pragma unroll
      for (int v = 1; v < 4; ++v) {
        if (turn == v) old = p[v];
        if (lane == v) other = p[v];
      }
      const float px = old.x + displacement(candidateX(word), scale);
      const float py = old.y + displacement(candidateY(word), scale);
      if (insideCell(px, py, g.w)) {
        bool blocked = lane < n && lane != turn && overlaps(px - other.x, py - other.y);
#pragma unroll
        for (int i = 0; i < 4; ++i) blocked |= overlaps(px - q[i].x, py - q[i].y);
        if (!(__ballot_sync(groupMask, blocked) & groupMask)) {
#pragma unroll
          for (int v = 0; v < 4; ++v)
            if (turn == v) p[v] = {px, py};
          moved |= 1u << turn;
          ++accepted;
        }
      } else {
        ++leftCell;
      }
      if (++turn == n) turn = 0;
    }
#pragma unroll
    for (int v = 0; v < 4; ++v)
      if (lane == v && ((moved >> v) & 1u))
        a.cells.disk[((order >> (4 * v)) & 15u) * cells + own] = p[v];
  }
  const bool counts = lane == 0;
  addCounters(a, set, counts && n > 0 ? nMoves : 0, counts ? accepted : 0, counts ? leftCell : 0);
}

}  // namespace cellscope::mpmc
