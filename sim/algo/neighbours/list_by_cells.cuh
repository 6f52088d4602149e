// The search of the standard cell list with a warp for each cell, for particles of one type. Each
// lane has a particle of the cell. Of the particles in the cells around it only those within reach
// of the box around the lanes' own are kept: they pass through a ring in shared memory, and each
// lane tests them one by one, all lanes the same one. What a lane finds is collected in shared
// memory, too, and written by eight lanes at once. Lists come out as those of one thread alone
// (ListFromCells), in the same order.
//
// Per particle of a liquid at density 0.84 and reach 2.8: 530 candidates around, 370 kept, and
// about 260 instructions of a warp, where listByWarps() takes 475.
#pragma once
#include "sim/algo/neighbours/cell_kernels.h"

namespace cellscope {

inline constexpr unsigned kCellWarps = 4;     // of a block
inline constexpr std::uint32_t kRing = 64;    // candidates: two batches of one for each lane
inline constexpr std::uint32_t kStaged = 64;  // neighbours of a lane, at most
inline constexpr std::uint32_t kStagedRow = kStaged + 1;  // rows begin in different banks

struct CellSearchShared {
  float4 ring[kCellWarps][kRing];  // position and slot
  std::uint32_t staged[kCellWarps][32 * kStagedRow];
};

// What a lane knows while its warp searches around a cell.
struct LaneOfCell {
  ParticleRecord p;
  float reachSquared;  // negative: the lane has no particle
  std::uint32_t k;     // its number in the order of the cells
  std::uint64_t next;  // where its next neighbours are written
  std::uint32_t room, targets;
  float4* ring;
  std::uint32_t* stage;  // of the warp
  float centre[3], half[3], keptSquared;
  std::uint32_t head = 0, tail = 0;       // candidates tested and kept
  std::uint32_t selfAt = ~0u;             // place of the lane's own particle among those kept
  std::uint32_t staged = 0, written = 0;  // neighbours found
};

// Writes what has been collected: eight lanes for each of four particles at a time.
__device__ __forceinline__ void flushStaged(const ListFromCells& l, LaneOfCell& s) {
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  for (std::uint32_t first = 0; first < s.targets; first += 4) {
    const std::uint32_t t = first + lane / 8;
    const std::uint32_t count = __shfl_sync(0xffffffffu, s.staged, t);
    const std::uint32_t written = __shfl_sync(0xffffffffu, s.written, t);
    const std::uint64_t next = __shfl_sync(0xffffffffu, s.next, t);
    const std::uint32_t room = s.room > written ? s.room - written : 0;
    const std::uint32_t stored = count < room ? count : room;
    for (std::uint32_t e = lane % 8; e < stored; e += 8)
      l.out.items[next + e] = s.stage[t * kStagedRow + e];
  }
  __syncwarp();
  s.written += s.staged, s.next += s.staged;
  s.staged = 0;
}

// Slot to the place `at` in shared memory, which moves on, where r2 is within reach: without a
// branch.
__device__ __forceinline__ void stageWithin(std::uint32_t& at, float r2, float reachSquared,
                                            float slot) {
  asm volatile(
      "{ .reg .pred in;\n"
      "setp.le.f32 in, %1, %2;\n"
      "@in st.shared.f32 [%0], %3;\n"
      "@in add.u32 %0, %0, 4; }"
      : "+r"(at)
      : "f"(r2), "f"(reachSquared), "f"(slot)
      : "memory");
}

// One batch. own: some of its candidates are particles of the lanes themselves. Four candidates
// are read before the first is stored: a store holds back the reads behind it.
template <bool wrap, bool own>
__device__ __forceinline__ void testBatch(const ListFromCells& l, LaneOfCell& s) {
  constexpr std::uint32_t kAhead = 4;
  const float4* const batch = s.ring + s.head % kRing;
  const std::uint32_t self = s.selfAt - s.head;
  const auto row = static_cast<std::uint32_t>(
      __cvta_generic_to_shared(s.stage + (threadIdx.x % 32) * kStagedRow));
  std::uint32_t at = row + 4 * s.staged;
#pragma unroll 2
  for (std::uint32_t first = 0; first < 32; first += kAhead) {
    float4 q[kAhead];
#pragma unroll
    for (std::uint32_t c = 0; c < kAhead; ++c) q[c] = batch[first + c];
#pragma unroll
    for (std::uint32_t c = 0; c < kAhead; ++c) {
      float r2;
      if constexpr (wrap) {
        r2 = l.box.distanceSquared(s.p, {q[c].x, q[c].y, q[c].z, 0});
      } else {
        const float dx = s.p.x - q[c].x, dy = s.p.y - q[c].y, dz = s.p.z - q[c].z;
        r2 = dx * dx + dy * dy + dz * dz;
      }
      if constexpr (own) r2 = first + c == self ? 3e38f : r2;
      stageWithin(at, r2, s.reachSquared, q[c].w);
    }
  }
  s.staged = (at - row) / 4;
}

template <bool wrap>
__device__ __forceinline__ void takeBatch(const ListFromCells& l, LaneOfCell& s) {
  __syncwarp();
  if (__any_sync(0xffffffffu, s.selfAt - s.head < 32))
    testBatch<wrap, true>(l, s);
  else
    testBatch<wrap, false>(l, s);
  s.head += 32;
  __syncwarp();
  if (__any_sync(0xffffffffu, s.staged > kStaged - 32)) flushStaged(l, s);
}

// Sorted particles [begin, end) as candidates.
template <bool wrap>
__device__ __forceinline__ void offerRun(const ListFromCells& l, std::uint32_t begin,
                                         std::uint32_t end, LaneOfCell& s) {
  const std::uint32_t lane = threadIdx.x % 32, below = (1u << lane) - 1;
  for (std::uint32_t base = begin; base < end; base += 32) {
    const std::uint32_t m = base + lane;
    const ParticleRecord q = l.at(m < end ? m : begin);
    const float x[3] = {q.x, q.y, q.z};
    float gap2 = 0;
#pragma unroll
    for (int a = 0; a < 3; ++a) {
      const float d = wrap ? l.box.difference(x[a], s.centre[a], a) : x[a] - s.centre[a];
      const float gap = fmaxf(fabsf(d) - s.half[a], 0.0f);
      gap2 += gap * gap;
    }
    const bool kept = m < end && gap2 <= s.keptSquared;
    const std::uint32_t all = __ballot_sync(0xffffffffu, kept);
    if (kept)
      s.ring[(s.tail + static_cast<std::uint32_t>(__popc(all & below))) % kRing] = {
          q.x, q.y, q.z, __uint_as_float(l.slotOf(m))};
    if (s.k - base < 32 && s.k < end)
      s.selfAt = s.tail + static_cast<std::uint32_t>(__popc(all & ((1u << (s.k - base)) - 1)));
    s.tail += static_cast<std::uint32_t>(__popc(all));
    if (s.tail - s.head >= 32) takeBatch<wrap>(l, s);
  }
}

// Box around the particles of the lanes; margins for the rounding of differences to its centre.
__device__ __forceinline__ void boundLanes(const ListFromCells& l, LaneOfCell& s) {
  const float x[3] = {s.p.x, s.p.y, s.p.z};
#pragma unroll
  for (int a = 0; a < 3; ++a) {
    const std::uint32_t bits = __float_as_uint(fabsf(x[a]));  // coordinates are never negative
    const float lo = __uint_as_float(__reduce_min_sync(0xffffffffu, bits));
    const float hi = __uint_as_float(__reduce_max_sync(0xffffffffu, bits));
    s.centre[a] = 0.5f * (lo + hi);
    s.half[a] = 0.5f * (hi - lo) + 2e-6f * l.box.length[a];
  }
  s.keptSquared = l.table.reachSquaredOf[0] * 1.00001f;
}

// The particles of the cell from number `from` on, 32 at most. checked: candidates around it.
template <bool wrap>
__device__ __forceinline__ void searchCell(const ListFromCells& l, const std::int32_t (&c)[3],
                                           std::uint32_t from, std::uint32_t end, float4* ring,
                                           std::uint32_t* stage) {
  const std::uint32_t lane = threadIdx.x % 32;
  LaneOfCell s;
  s.ring = ring, s.stage = stage;
  s.targets = min(end - from, 32u);
  s.k = from + min(lane, s.targets - 1);
  const bool active = lane < s.targets;
  const std::uint32_t i = l.slotOf(s.k);
  s.p = l.at(s.k);
  s.reachSquared = active && l.table.reachOf[0] > 0 ? l.table.reachSquaredOf[0] : -1.0f;
  s.next = l.out.head[i];
  s.room = l.out.room(i);
  boundLanes(l, s);
  std::uint32_t checked = 0;
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1], nz = l.grid.cells[2];
  const CellSpan xs = cellSpan(c[0], nx), ys = cellSpan(c[1], ny), zs = cellSpan(c[2], nz);
  const std::int32_t lo = xs.first < 0 ? 0 : xs.first, hi = xs.last >= nx ? nx - 1 : xs.last;
  const int runs = xs.first < 0 || xs.last >= nx ? 2 : 1;
  for (std::int32_t z = zs.first; z <= zs.last; ++z)
    for (std::int32_t y = ys.first; y <= ys.last; ++y) {
      const std::int32_t row = l.grid.index(0, wrappedCell(y, ny), wrappedCell(z, nz));
      for (int r = 0; r < runs; ++r) {  // the second: the cell across the edge, as forRunsAround()
        const std::int32_t a = r == 0 ? lo : (xs.first < 0 ? nx - 1 : 0), b = r == 0 ? hi : a;
        const std::uint32_t begin = l.first[row + a], stop = l.first[row + b + 1];
        checked += stop - begin;
        offerRun<wrap>(l, begin, stop, s);
      }
    }
  if (s.tail != s.head) {  // the last batch: nothing is within reach of a place that is no number
    if (lane >= s.tail - s.head) s.ring[(s.head + lane) % kRing].x = __uint_as_float(0x7fc00000u);
    takeBatch<wrap>(l, s);
  }
  flushStaged(l, s);
  if (!active) return;
  l.out.finish(i, s.p.type, s.written);
  if (l.checks) l.checks[i] = checked - 1;
}

template <int>  // a template, so that each file may have it
__global__ void __launch_bounds__(32 * kCellWarps)
    listByCells(__grid_constant__ const ListFromCells l) {
  __shared__ CellSearchShared shared;
  const unsigned warp = threadIdx.x / 32;
  const auto cell = static_cast<std::int32_t>(blockIdx.x * kCellWarps + warp);
  if (cell >= l.grid.count()) return;
  const std::int32_t nx = l.grid.cells[0], ny = l.grid.cells[1];
  const std::int32_t c[3] = {cell % nx, cell / nx % ny, cell / nx / ny};
  bool inside = true;  // no neighbour cell across an edge of the box
  for (int a = 0; a < l.box.dimension; ++a)
    inside = inside && c[a] > 0 && c[a] < l.grid.cells[a] - 1;
  const std::uint32_t end = l.first[cell + 1];
  for (std::uint32_t from = l.first[cell]; from < end; from += 32) {
    __syncwarp();
    if (inside)
      searchCell<false>(l, c, from, end, shared.ring[warp], shared.staged[warp]);
    else
      searchCell<true>(l, c, from, end, shared.ring[warp], shared.staged[warp]);
  }
}

}  // namespace cellscope
