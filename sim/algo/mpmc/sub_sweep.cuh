// Sub-sweep on CUDA, one thread per active cell (S3, Algorithm 2), for grids of four places.
//
// Fewest operations. A cell can only be reached by disks less than one diameter outside it: eight
// of the 14 in the neighbour cells at packing 0.698. They are packed through shared memory into
// registers. With s = |q|^2 kept beside each neighbour q, d^2 - |p|^2 = s - 2 q.p costs two fused
// multiply-adds and half a three-way minimum, against five operations for the difference form. That
// expression is a filter: unless its minimum lies within kBand of the contact distance the answer
// is certain; within the band the exact rule of sim/core/checkerboard.h decides. The result
// therefore equals the exact rule bit for bit.
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
inline constexpr int kHeld = 10;        // neighbours in registers; more are rare
inline constexpr int kReachable = 24;  // no more unit disks than 20 fit around a cell, within reach
inline constexpr int kWords = 11;      // candidates drawn ahead: 3 Philox blocks less one word

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

// The disks of a cell in the order of their visits; unused entries hold kEmptySlot.
struct OwnDisks {
  Vec2 p[4];
};

// The exact rule: neighbours straight from memory (they do not change during a sub-sweep) and the
// cell's own disks but the moving one. Called about once in ten thousand trial moves.
__device__ __noinline__ bool exactOverlap(const Vec2* disk, const std::uint8_t* count, int m,
                                          float w, int x, int y, Vec2 to, OwnDisks own, int turn) {
  const GridInfo g{m, 4, w};
  for (int v = 0; v < 4; ++v)
    if (v != turn && overlaps(to.x - own.p[v].x, to.y - own.p[v].y)) return true;
  for (int k = 0; k < 9; ++k) {
    if (k == 4) continue;
    const std::size_t cell = g.cell(wrapRow(x + k % 3 - 1, m), wrapRow(y + k / 3 - 1, m));
    const float sx = static_cast<float>(k % 3 - 1) * g.w, sy = static_cast<float>(k / 3 - 1) * g.w;
    for (int i = 0; i < count[cell]; ++i) {
      const Vec2 q = disk[i * g.cellCount() + cell];
      if (overlaps(to.x - (q.x + sx), to.y - (q.y + sy))) return true;
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

// Candidates of one more block of the stream; returns their number.
__device__ __noinline__ int drawCandidates(std::uint32_t* words, int stride, RngKey key,
                                           std::uint64_t sweep, std::uint32_t id,
                                           std::uint32_t block) {
  const Random4 r = draw(key, RngPurpose::cellUpdate, sweep, id, block);
  int n = 0;
  for (int i = 0; i < 4; ++i)
    if (candidateInCircle(r.w[i])) words[n++ * stride] = r.w[i];
  return n;
}

// Candidate words of one cell update that lie in the circle, drawn ahead into shared memory.
struct CandidateStream {
  std::uint32_t* begin;  // this thread's column, entries kThreads apart; room for kWords
  std::uint32_t* next;
  std::uint32_t* end;
  int stride;
  std::uint32_t block;
  RngKey key;
  std::uint64_t sweep;
  std::uint32_t id;

  __device__ std::uint32_t start() {  // returns word 0
    std::uint32_t first = 0;
    next = end = begin;
    block = 3;
#pragma unroll
    for (int b = 0; b < 3; ++b) {
      const Random4 r = draw(key, RngPurpose::cellUpdate, sweep, id, b);
      if (b == 0) first = r.w[0];
#pragma unroll
      for (int i = b == 0 ? 1 : 0; i < 4; ++i) store(r.w[i]);
    }
    return first;
  }
  // Written in any case and kept by moving the end: no branch.
  __device__ void store(std::uint32_t word) {
    *end = word;
    end += candidateInCircle(word) ? stride : 0;
  }
  __device__ std::uint32_t take() {
    while (next == end) {  // one cell in 25,000 with n_M = 4
      next = begin;
      end = begin + stride * drawCandidates(begin, stride, key, sweep, id, block++);
    }
    const std::uint32_t word = *next;
    next += stride;
    return word;
  }
};

// Sum over a full warp: one instruction from compute capability 8.0 on.
__device__ inline unsigned warpSum(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(~0u, value, step);
  return value;
#endif
}

// Add the counts of a warp to the totals of its block's number.
__device__ inline void addCounters(const SubSweepArgs& a, int set, unsigned attempted,
                                   unsigned accepted, unsigned leftCell) {
  const unsigned sums[3] = {warpSum(attempted), warpSum(accepted), warpSum(leftCell)};
  const int lane = (threadIdx.y * blockDim.x + threadIdx.x) & 31;
  if (lane < 3) {
    const int block = set * a.counterStride + blockIdx.y * gridDim.x + blockIdx.x;
    const unsigned sum = lane == 0 ? sums[0] : lane == 1 ? sums[1] : sums[2];
    atomicAdd(&a.counters[block].total[lane], static_cast<unsigned long long>(sum));
  }
}

// Displacement proposed by a candidate word.
__device__ inline Vec2 displacementOf(std::uint32_t word, float scale) {
  return {displacement(candidateX(word), scale), displacement(candidateY(word), scale)};
}

// Whether trial s can fall on the disk visited v-th: some n in (v, 4] has s mod n = v. One nibble
// for each s mod 12. n_M = 0 stands for a number known only at run time. Folded when s, v are
// known.
__device__ inline bool canBeTurn(int nMoves, int s, int v) {
  constexpr std::uint64_t kTurns = 0xf735b573b531ull;
  return nMoves == 0 || ((kTurns >> (4 * s + v)) & 1u);
}

// Append a disk of neighbour cell k, given in that cell's coordinates, to a thread's list when it
// can be reached: closer than one diameter to the middle cell. Written in any case and kept by
// moving the end, without a branch. States without overlap never fill the list.
__device__ inline void appendReachable(Vec2 v, int k, float w, int stride, Vec2*& end) {
  const int column = k % 3, row = k / 3;
  const float limit = 1.0f + kBand;
  const Vec2 q = {column == 1   ? v.x
                  : column == 0 ? v.x - w
                                : v.x + w,
                  row == 1   ? v.y
                  : row == 0 ? v.y - w
                             : v.y + w};
  // Signed distance to the near border: q in the cells before, v in those after. An empty place
  // lies at kEmptySlot, out of reach on either side.
  const float dx = column == 0 ? q.x : v.x, dy = row == 0 ? q.y : v.y;
  bool reach;
  if (row == 1)
    reach = fabsf(dx) < limit;
  else if (column == 1)
    reach = fabsf(dy) < limit;
  else
    reach = __fmaf_rn(dx, dx, dy * dy) < limit;
  *end = q;
  end += reach ? stride : 0;
}

// Gather the disks that a move in the cell can reach; returns the end of the list.
__device__ inline Vec2* gatherReachable(const SubSweepArgs& a, const ActiveCell& active, Vec2* list,
                                        int stride) {
  int counts[8];
  Vec2
      raw[24];  // three places at once, without waiting for the counts; the fourth is rarely in use
#pragma unroll
  for (int c = 0; c < 8; ++c) {
    const unsigned cell = active.cell(c + (c > 3));
    counts[c] = a.cells.count[cell];
#pragma unroll
    for (int i = 0; i < 3; ++i) raw[8 * i + c] = a.place[i][cell];
  }
  const float w = a.cells.grid.w;
  int most = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) most = max(most, counts[c]);
  Vec2* end = list;
#pragma unroll
  for (int k = 0; k < 24; ++k) appendReachable(raw[k], (k & 7) + ((k & 7) > 3), w, stride, end);
  if (most > 3) {
#pragma unroll
    for (int c = 0; c < 8; ++c)
      if (counts[c] > 3)
        appendReachable(a.place[3][active.cell(c + (c > 3))], c + (c > 3), w, stride, end);
  }
  return end;
}

// Smallest d^2 - 1 over the held neighbours, within kBand / 2.
__device__ inline float filterMargin(const FilterDisk (&q)[kHeld], float px, float py) {
  const float ax = -2.0f * px, ay = -2.0f * py;
  int least = 0x7f000000;
#pragma unroll
  for (int k = 0; k < kHeld; k += 2)
    least = __vimin3_s32(least, filterBits(q[k], ax, ay), filterBits(q[k + 1], ax, ay));
  return __int_as_float(least) + __fmaf_rn(px, px, __fmaf_rn(py, py, -1.0f - kOffset));
}

// kMoves: n_M when known at compile time, otherwise 0.
template <int kMoves, int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) subSweepKernel(const SubSweepArgs a) {
  letNextLaunchBegin();
  __shared__ Vec2 reachable[kReachable][kThreads];
  __shared__ std::uint32_t candidates[kWords + 1][kThreads];
  const int thread = threadIdx.y * blockDim.x + threadIdx.x;
  const GridInfo g = a.cells.grid;
  const SweepPlan& plan = *a.plan;
  const int set = plan.schedule[a.local].set[a.position];
  const ActiveCell active = activeCell(g, set, blockIdx.x * blockDim.x + threadIdx.x,
                                       blockIdx.y * blockDim.y + threadIdx.y);
  // Random words depend on nothing that another launch writes: drawn before the wait.
  CandidateStream stream{
      &candidates[0][thread],  nullptr, nullptr, kThreads, 0, plan.key, plan.firstSweep + a.local,
      g.id(active.x, active.y)};
  const std::uint32_t shuffleWord = stream.start();
  const float scale = plan.scale;
  const int nMoves = kMoves > 0 ? kMoves : plan.nMoves;
  const bool shuffle = plan.shuffleParticles;
  Vec2* list = &reachable[0][thread];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) list[k * kThreads] = {kFar, kFar};

  waitForLaunchBefore();

  const unsigned cell = active.cell(4);
  const unsigned place = static_cast<unsigned>(g.cellCount());
  const int n = active.inside ? a.cells.count[cell] : 0;
  const Vec2* end = gatherReachable(a, active, list, kThreads);
  const unsigned order = shuffle ? packedShuffle(shuffleWord, n) : 0x3210u;
  OwnDisks own;
  Vec2(&p)[4] = own.p;
#pragma unroll
  for (int v = 0; v < 4; ++v) {
    p[v] = {kEmptySlot, kEmptySlot};
    if (v < n) p[v] = a.cells.disk[cell + ((order >> (4 * v)) & 15u) * place];
  }
  FilterDisk q[kHeld];
#pragma unroll
  for (int k = 0; k < kHeld; ++k) q[k] = filterDisk(list[k * kThreads]);

  unsigned moved = 0, accepted = 0, leftCell = 0;
  int turn = 0;  // trial s moves the disk visited (s mod n)-th
#pragma unroll(kMoves > 0 ? kMoves : 1)
  for (int s = 0; s < nMoves; ++s) {
    const std::uint32_t word = stream.take();
    Vec2 old = p[0];
#pragma unroll
    for (int v = 1; v < 4; ++v)
      if (canBeTurn(kMoves, s, v) && turn == v) old = p[v];
    const Vec2 step = displacementOf(word, scale);
    const float px = old.x + step.x, py = old.y + step.y;
    const bool stays = insideCell(px, py, g.w);
    float nearest = kFar;  // squared distance to the other disks of the cell
#pragma unroll
    for (int v = 0; v < 4; ++v) {
      const float dx = px - p[v].x, dy = py - p[v].y;
      const float d2 = __fmaf_rn(dx, dx, dy * dy);
      nearest = fminf(nearest, canBeTurn(kMoves, s, v) && turn == v ? kFar : d2);
    }
    const float margin = fminf(filterMargin(q, px, py), nearest - 1.0f);
    bool blocked = margin < 0.0f;
    if (stays && fabsf(margin) < kBand)
      blocked = exactOverlap(a.cells.disk, a.cells.count, g.m, g.w, active.x, active.y, {px, py},
                             own, turn);
#pragma unroll 1
    for (const Vec2* e = list + kHeld * kThreads; e < end; e += kThreads)
      blocked |= overlaps(px - e->x, py - e->y);
    const bool accept = stays && !blocked;
#pragma unroll
    for (int v = 0; v < 4; ++v)
      if (canBeTurn(kMoves, s, v) && accept && turn == v) p[v] = {px, py};
    moved |= static_cast<unsigned>(accept) << turn;
    accepted += accept;
    leftCell += !stays;
    if (++turn >= n) turn = 0;
  }
#pragma unroll
  for (int v = 0; v < 4; ++v)
    if ((moved >> v) & 1u) a.cells.disk[cell + ((order >> (4 * v)) & 15u) * place] = p[v];
  addCounters(a, set, n > 0 ? nMoves : 0, n > 0 ? accepted : 0, n > 0 ? leftCell : 0);
}

}  // namespace cellscope::mpmc
