// Sub-sweep on CUDA, one thread per active cell (S3, Algorithm 2), for grids of four places.
//
// Fewest operations. A trial move is tested against about 14 disks of the eight neighbour cells
// (rho w^2 = 1.77 disks in each at packing 0.698). With s = |q|^2 kept beside each neighbour q,
// d^2 - |p|^2 = s - 2 q.p costs two fused multiply-adds and half a three-way minimum, against five
// operations for the difference form. That expression is a filter: unless its minimum lies within
// kBand of the contact distance the answer is certain; within the band the exact rule of
// sim/core/checkerboard.h decides. The result therefore equals the exact rule bit for bit.
//
// The first two places of each neighbour cell are held in registers; disks in later places, one or
// two per neighbourhood, are packed through shared memory into kExtra more.
//
// Legend: p disk of this cell, q neighbour disk in this cell's coordinates, w cell width,
// n_M trial moves per cell.
#pragma once
#include "sim/algo/mpmc/sweep_plan.cuh"

namespace cellscope::mpmc {

// Rounding error of the filter is below 4e-6 (values below 32, four roundings of half an ulp);
// the band is twice that.
inline constexpr float kBand = 8e-6f;
inline constexpr float kOffset = 8.0f;  // keeps every filter value positive: ordered like integers
inline constexpr float kFar = 100.0f;   // coordinate of an empty slot in the filter
inline constexpr int kFixed = 16;       // neighbours always held: two places of eight cells
inline constexpr int kExtraPlaces = 16; // room for the other two places
inline constexpr int kWords = 11;       // candidates drawn ahead: 3 Philox blocks less one word

// Filter form of a neighbour: q and |q|^2 + kOffset.
struct FilterDisk {
  float x, y, s;
};

__device__ inline FilterDisk filterDisk(Vec2 q) {
  return {q.x, q.y, __fmaf_rn(q.x, q.x, __fmaf_rn(q.y, q.y, kOffset))};
}

__device__ inline int filterBits(const FilterDisk& q, float ax, float ay) {
  return __float_as_int(__fmaf_rn(q.x, ax, __fmaf_rn(q.y, ay, q.s)));
}

// Integer columns and rows of the 3x3 neighbourhood in memory.
struct Surroundings {
  int column[3];
  int row[3];
  __device__ int cell(int m, int k) const {  // k = 0..8, 4 is the cell itself
    return row[k / 3] * m + column[k % 3];
  }
};

__device__ inline Surroundings surroundings(const GridInfo& g, int x, int y) {
  Surroundings s;
  for (int k = 0; k < 3; ++k) {
    s.column[k] = g.column(wrapRow(x + k - 1, g.m));
    s.row[k] = wrapRow(y + k - 1, g.m);
  }
  return s;
}

// Exact test against the eight neighbour cells, straight from memory: they do not change during a
// sub-sweep. Called about once in ten thousand trial moves.
__device__ __noinline__ bool exactNeighbourOverlap(const Vec2* disk, const std::uint8_t* count,
                                                   int m, float w, int x, int y, float px,
                                                   float py) {
  const GridInfo g{m, 4, w};
  const Surroundings around = surroundings(g, x, y);
  for (int k = 0; k < 9; ++k) {
    if (k == 4) continue;
    const int cell = around.cell(g.m, k);
    const float sx = static_cast<float>(k % 3 - 1) * g.w, sy = static_cast<float>(k / 3 - 1) * g.w;
    for (int i = 0; i < count[cell]; ++i) {
      const Vec2 q = disk[i * g.cellCount() + cell];
      if (overlaps(px - (q.x + sx), py - (q.y + sy))) return true;
    }
  }
  return false;
}

// shufflePlaces() for n <= 4 in one register: nibble s is the place visited s-th.
__device__ inline unsigned packedShuffle(std::uint32_t word, int n) {
  unsigned order = 0x3210u;
  std::uint32_t rest = word;
#pragma unroll
  for (int i = 3; i > 0; --i) {
    if (i >= n) continue;
    const int j = static_cast<int>(__umulhi(rest, i + 1u));
    rest *= i + 1u;
    const unsigned x = ((order >> (4 * i)) ^ (order >> (4 * j))) & 15u;
    order ^= (x << (4 * i)) | (x << (4 * j));
  }
  return order;
}

__device__ __noinline__ void drawWords(std::uint32_t* words, int stride, RngKey key,
                                       std::uint64_t sweep, std::uint32_t id,
                                       std::uint32_t block) {
  const Random4 r = draw(key, RngPurpose::cellUpdate, sweep, id, block);
  for (int i = 0; i < 4; ++i) words[i * stride] = r.w[i];
}

// Candidate words of one cell update, drawn ahead into shared memory.
struct CandidateStream {
  std::uint32_t* words;  // this thread's column, `stride` apart
  int stride, next, available;
  std::uint32_t block;
  RngKey key;
  std::uint64_t sweep;
  std::uint32_t id;

  __device__ std::uint32_t begin() {  // returns word 0
    std::uint32_t first = 0;
#pragma unroll
    for (int b = 0; b < 3; ++b) {
      const Random4 r = draw(key, RngPurpose::cellUpdate, sweep, id, b);
      if (b == 0) first = r.w[0];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        if (4 * b + i > 0) words[(4 * b + i - 1) * stride] = r.w[i];
    }
    next = 0, available = kWords, block = 3;
    return first;
  }
  __device__ std::uint32_t take() {
    for (;;) {
      if (next == available) {
        drawWords(words, stride, key, sweep, id, block++);
        next = 0, available = 4;
      }
      const std::uint32_t word = words[next++ * stride];
      if (candidateInCircle(word)) return word;
    }
  }
};

// Add a thread's counts to its block's totals.
__device__ inline void addCounters(const SubSweepArgs& a, int set, unsigned attempted,
                                   unsigned accepted, unsigned leftCell) {
  __shared__ unsigned totals[3];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  if (thread < 3) totals[thread] = 0;
  __syncthreads();
  const unsigned sums[3] = {__reduce_add_sync(~0u, attempted), __reduce_add_sync(~0u, accepted),
                            __reduce_add_sync(~0u, leftCell)};
  if ((thread & 31) == 0)
    for (int i = 0; i < 3; ++i) atomicAdd(&totals[i], sums[i]);
  __syncthreads();
  if (thread == 0) {
    BlockCounters& c =
        a.counters[set * a.counterStride + a.counterBase + blockIdx.y * gridDim.x + blockIdx.x];
    c.attempted += totals[0];
    c.accepted += totals[1];
    c.leftCell += totals[2];
  }
}

// kMoves: n_M when known at compile time, otherwise 0. kExtra: extra neighbours in registers.
template <int kMoves, int kExtra, int kThreads>
__global__ void __launch_bounds__(kThreads) subSweepKernel(const SubSweepArgs a) {
  __shared__ Vec2 extraPlaces[kExtraPlaces][kThreads];
  __shared__ std::uint32_t wordPlaces[kWords][kThreads];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const GridInfo g = a.cells.grid;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const ActiveCell active =
      activeCell(g, a.rows, set, blockIdx.x * blockDim.x + threadIdx.x,
                 blockIdx.y * blockDim.y + threadIdx.y);
  // Random words depend on nothing that another launch writes: drawn before the wait.
  CandidateStream stream{&wordPlaces[0][thread], kThreads, 0, 0, 0, plan.key,
                    plan.firstSweep + a.local, g.id(active.x, active.y)};
  const std::uint32_t shuffleWord = stream.begin();
  const float scale = plan.scale;
  const int nMoves = kMoves > 0 ? kMoves : plan.nMoves;
  const bool shuffle = plan.shuffleParticles;

  cudaGridDependencySynchronize();
  cudaTriggerProgrammaticLaunchCompletion();

  unsigned accepted = 0, leftCell = 0;
  int n = 0;
  const Surroundings around = surroundings(g, active.x, active.y);
  const int cells = static_cast<int>(g.cellCount());
  const int own = around.cell(g.m, 4);
  if (active.inside) n = a.cells.count[own];
  if (n > 0) {
    const unsigned order = shuffle ? packedShuffle(shuffleWord, n) : 0x3210u;
    FilterDisk q[kFixed + kExtra];
    int counts[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) counts[k] = a.cells.count[around.cell(g.m, k + (k > 3))];
    Vec2 raw[kFixed];
#pragma unroll
    for (int k = 0; k < kFixed; ++k) {
      const int c = k & 7;
      raw[k] = {kFar, kFar};
      if (counts[c] > k / 8)
        raw[k] = a.cells.disk[(k / 8) * cells + around.cell(g.m, c + (c > 3))];
    }
    Vec2 p[4];
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      p[v] = {kEmptySlot, kEmptySlot};
      if (v < n) p[v] = a.cells.disk[((order >> (4 * v)) & 15u) * cells + own];
    }
    int extras = 0;
#pragma unroll
    for (int c = 0; c < 8; ++c) {
      const int kk = c + (c > 3);
      const float sx = static_cast<float>(kk % 3 - 1) * g.w;
      const float sy = static_cast<float>(kk / 3 - 1) * g.w;
#pragma unroll
      for (int i = 2; i < 4; ++i) {
        if (counts[c] <= i) continue;
        const Vec2 v = a.cells.disk[i * cells + around.cell(g.m, kk)];
        extraPlaces[extras++][thread] = {v.x + sx, v.y + sy};
      }
    }
#pragma unroll
    for (int k = 0; k < kFixed; ++k) {
      const int kk = (k & 7) + ((k & 7) > 3);
      const float sx = static_cast<float>(kk % 3 - 1) * g.w;
      const float sy = static_cast<float>(kk / 3 - 1) * g.w;
      q[k] = filterDisk({raw[k].x + sx, raw[k].y + sy});
    }
#pragma unroll
    for (int k = 0; k < kExtra; ++k) {
      Vec2 v{kFar, kFar};
      if (k < extras) v = extraPlaces[k][thread];
      q[kFixed + k] = filterDisk(v);
    }

    unsigned moved = 0;
    int turn = 0;  // trial s moves the disk visited (s mod n)-th
#pragma unroll(kMoves > 0 ? kMoves : 1)
    for (int s = 0; s < nMoves; ++s) {
      const std::uint32_t word = stream.take();
      Vec2 old = p[0];
#pragma unroll
      for (int v = 1; v < 4; ++v)
        if (turn == v) old = p[v];
      const float px = old.x + displacement(candidateX(word), scale);
      const float py = old.y + displacement(candidateY(word), scale);
      if (insideCell(px, py, g.w)) {
        const float ax = -2.0f * px, ay = -2.0f * py;
        int least = 0x7f000000;
#pragma unroll
        for (int k = 0; k < kFixed + kExtra; k += 2)
          least = __vimin3_s32(least, filterBits(q[k], ax, ay), filterBits(q[k + 1], ax, ay));
        const float margin =
            __int_as_float(least) + __fmaf_rn(px, px, __fmaf_rn(py, py, -1.0f - kOffset));
        bool blocked = margin < 0.0f;
        if (fabsf(margin) < kBand)
          blocked = exactNeighbourOverlap(a.cells.disk, a.cells.count, g.m, g.w, active.x,
                                          active.y, px, py);
#pragma unroll
        for (int v = 0; v < 4; ++v)
          if (v != turn && v < n) blocked |= overlaps(px - p[v].x, py - p[v].y);
        for (int k = kExtra; k < extras; ++k) {
          const Vec2 e = extraPlaces[k][thread];
          blocked |= overlaps(px - e.x, py - e.y);
        }
        if (!blocked) {
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
      if ((moved >> v) & 1u) a.cells.disk[((order >> (4 * v)) & 15u) * cells + own] = p[v];
  }
  addCounters(a, set, n > 0 ? nMoves : 0, accepted, leftCell);
}

}  // namespace cellscope::mpmc
